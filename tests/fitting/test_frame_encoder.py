from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import autotype
from autotype import OrdinalFrameEncoder, OrdinalTyper
from autotype.errors import UnknownColumnError
from autotype.inference import pipeline

SIZES = ["S", "M", "L", "XL"]
ROWS = 40


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    size = rng.integers(0, 4, ROWS)
    return pd.DataFrame(
        {
            "size": np.array(SIZES)[size],
            "colour": rng.choice(["red", "green", "blue"], ROWS),
            "price": np.array([1.0, 2.0, 7.0, 7.5])[size] + rng.normal(0, 0.1, ROWS),
        }
    )


@pytest.fixture
def types(frame: pd.DataFrame) -> autotype.TypeReport:
    return autotype.infer_types(frame)


@pytest.fixture
def no_inference(types, monkeypatch) -> None:
    def fail(*_args, **_options):
        raise AssertionError("the types are inferred again")

    monkeypatch.setattr(pipeline, "infer_types", fail)


def test_the_target_is_left_out(frame, types) -> None:
    encoder = types.make_encoder(target="price", scale=False)
    X = encoder.fit_transform(frame.drop(columns="price"))
    assert X.shape == (ROWS, 4)
    assert "price" not in encoder.get_feature_names_out()
    np.testing.assert_array_equal(X, encoder.fit_transform(frame))


def test_features_keep_the_order_of_the_columns() -> None:
    scales = {f"q{j}": ["low", "middle", "high"] * 4 for j in range(12)}
    types = autotype.infer_types(pd.DataFrame(scales))
    assert types.make_encoder().fit(pd.DataFrame(scales)).get_feature_names_out().tolist() == [
        *scales
    ]


def test_a_target_that_is_gone_is_named_with_the_remedy(frame, types) -> None:
    with pytest.raises(
        UnknownColumnError, match=r"lacks 'price', .*make_encoder\(target='price'\), or exclude="
    ):
        types.make_encoder().fit(frame.drop(columns="price"))


@pytest.mark.parametrize("options", [{"target": "prize"}, {"exclude": ["prize"]}])
def test_a_column_to_leave_out_must_exist(types, options) -> None:
    with pytest.raises(UnknownColumnError, match=r"no column 'prize' to exclude.*'price'"):
        types.make_encoder(**options)


def test_inferred_types_need_not_hold_the_target(frame) -> None:
    encoder = OrdinalFrameEncoder(exclude="price", max_rows=30).fit(frame.drop(columns="price"))
    assert encoder.get_feature_names_out()[0] == "size"


@pytest.mark.parametrize("made", [OrdinalFrameEncoder, OrdinalTyper])
@pytest.mark.usefixtures("no_inference")
def test_given_types_are_not_inferred_again(made, frame, types) -> None:
    transformer = clone(made(types=types)).fit(frame)
    assert transformer.types_ == types
    with pytest.raises(ValueError, match="types and known exclude each other"):
        made(types=types, known={"size": SIZES}).fit(frame)
    with pytest.raises(TypeError, match="TypeReport"):
        made(types={"size": SIZES}).fit(frame)


def test_a_typer_of_given_types_keeps_their_levels(frame, types) -> None:
    part = frame[frame["size"] != "M"]
    typed = OrdinalTyper(types=types).fit_transform(part)
    assert typed["size"].cat.categories.tolist() == SIZES


def test_thresholds_are_the_steps_of_a_scale(frame, types) -> None:
    encoder = types.make_encoder(target="price", exclude="colour", ordinal="thresholds")
    frame.loc[0, "size"] = None
    table = encoder.set_output(transform="pandas").fit_transform(frame)
    assert table.columns.tolist() == ["size>=M", "size>=L", "size>=XL"]
    rank = frame["size"].map(SIZES.index, na_action="ignore").fillna(0)
    assert table.sum(axis=1).tolist() == rank.tolist()


def test_the_encoding_of_scales_is_searched(frame, types) -> None:
    model = make_pipeline(types.make_encoder(target="price"), LinearRegression())
    grid = {"ordinalframeencoder__ordinal": ["ranks", "thresholds"]}
    search = GridSearchCV(model, grid, cv=3).fit(frame, frame["price"])
    assert search.best_params_ == {"ordinalframeencoder__ordinal": "thresholds"}


def test_indicators_ignore_the_order(frame, types) -> None:
    encoder = types.make_encoder(target="price", exclude="colour", ordinal="indicators").fit(frame)
    assert encoder.get_feature_names_out().tolist() == [f"size_{size}" for size in sorted(SIZES)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ordinal": "codes"}, "ordinal must be 'ranks' or 'thresholds' or 'indicators'"),
        ({"max_indicators": 0}, "max_indicators must be an integer >= 1, got 0"),
        ({"text": "words"}, "text must be 'drop' or 'tfidf', got 'words'"),
    ],
)
def test_values_of_parameters(frame, types, options, message) -> None:
    with pytest.raises(ValueError, match=message):
        OrdinalFrameEncoder(types=types, **options).fit(frame)


def test_rare_levels_share_an_indicator(frame, types) -> None:
    encoder = OrdinalFrameEncoder(types=types, exclude=["size", "price"], max_indicators=2)
    assert encoder.fit_transform(frame).shape == (ROWS, 2)


def test_a_missing_feature_is_named(frame, types) -> None:
    encoder = types.make_encoder(target="price").fit(frame)
    with pytest.raises(ValueError, match="lacks 1 of the 2 columns that the encoder uses: 'size'"):
        encoder.transform(frame[["colour"]])


def test_an_array_has_columns_by_position(frame) -> None:
    encoder = OrdinalFrameEncoder(scale=False).fit(frame.to_numpy())
    assert encoder.get_feature_names_out()[0] == "x0"
    assert encoder.transform(frame.to_numpy())[0, 0] == SIZES.index(frame["size"][0])


def test_frames_of_polars_and_set_output(frame, types) -> None:
    pl = pytest.importorskip("polars")
    rows = pl.from_pandas(frame)
    encoder = types.make_encoder(target="price")
    expected = encoder.fit_transform(frame)
    for made in (encoder, clone(encoder).set_output(transform="polars")):
        np.testing.assert_array_equal(np.asarray(made.fit_transform(rows)), expected)
    assert isinstance(made.transform(frame), pl.DataFrame)
    assert made.transform(rows).columns == encoder.get_feature_names_out().tolist()
    forest = make_pipeline(encoder, RandomForestClassifier(5, random_state=0))
    assert forest.fit(rows, rows["colour"]).predict(rows).shape == (ROWS,)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_output_of_the_typer_is_set(frame, types, library) -> None:
    pl = pytest.importorskip("polars")
    typer = OrdinalTyper(types=types).set_output(transform=library)
    for rows in (frame, pl.from_pandas(frame)):
        typed = typer.fit_transform(rows)
        expected = pd.CategoricalDtype(SIZES, ordered=True)
        assert typed["size"].dtype == (expected if library == "pandas" else pl.Enum(SIZES))
        assert list(typed["size"]) == frame["size"].tolist()


def test_the_typer_answers_in_the_library_of_its_input(frame, types) -> None:
    pl = pytest.importorskip("polars")
    typer = OrdinalTyper(types=types).fit(frame)
    assert isinstance(typer.transform(pl.from_pandas(frame)), pl.DataFrame)
    assert isinstance(typer.transform(frame), pd.DataFrame)
