from __future__ import annotations

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import autotype
from autotype.fitting.typer import OrdinalTyper

N = 60


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "size": rng.choice(["S", "M", "L", "XL"], N),
            "colour": rng.choice(["red", "green", "blue"], N),
            "member": rng.choice(["yes", "no"], N),
            "price": rng.normal(10, 2, N),
            "day": pd.date_range("2024-01-01", periods=N),
            "customer": [f"c{k:05d}" for k in rng.permutation(N)],
            "same": ["x"] * N,
        }
    )


def test_every_type_its_encoding(frame: pd.DataFrame) -> None:
    encoder = frame.ordinal.infer_types().make_encoder(scale=False)
    table = encoder.set_output(transform="pandas").fit_transform(frame)
    assert table.columns.tolist() == [
        "size", "colour_blue", "colour_green", "colour_red", "member_no", "member_yes", "price",
        "day",
    ]  # fmt: skip
    ranks = {"S": 0, "M": 1, "L": 2, "XL": 3}
    assert table["size"].tolist() == [ranks[v] for v in frame["size"]]
    assert table["colour_red"].tolist() == (frame["colour"] == "red").astype(float).tolist()
    assert table["price"].tolist() == frame["price"].tolist()
    assert table["day"].diff().dropna().unique().tolist() == [1.0]


def test_scaled_by_default(frame: pd.DataFrame) -> None:
    encoder = frame.ordinal.infer_types().make_encoder().set_output(transform="pandas")
    table = encoder.fit_transform(frame)
    for name in ("size", "price", "day"):
        assert table[name].mean() == pytest.approx(0, abs=1e-9)
        assert table[name].std(ddof=0) == pytest.approx(1)


def test_missing_unseen_and_infinite_values(frame: pd.DataFrame) -> None:
    types = frame.ordinal.infer_types()
    holes = frame.copy()
    holes.loc[0, ["size", "colour", "price", "day"]] = None
    holes.loc[1, "price"] = np.inf
    encoder = types.make_encoder(scale=False).set_output(transform="pandas").fit(holes)
    table = encoder.transform(holes)
    assert not table.isna().any().any()
    assert table["missingindicator_price"].tolist()[:3] == [1.0, 1.0, 0.0]
    assert table["missingindicator_size"].tolist()[:2] == [1.0, 0.0]
    strange = holes.assign(size="giant", colour="mauve", price="dear", day="someday")
    seen = encoder.transform(strange)
    assert not seen.isna().any().any()
    assert seen.filter(like="colour_").to_numpy().sum() == 0


def test_off_scale_levels_count_as_missing() -> None:
    frame = pd.DataFrame({"size": ["S", "M", "L", "XL", "don't know"] * 8})
    types = frame.ordinal.infer_types()
    assert types["size"].off_scale == ("don't know",)
    table = types.make_encoder(scale=False).set_output(transform="pandas").fit_transform(frame)
    assert table["missingindicator_size"].tolist()[:5] == [0, 0, 0, 0, 1]


def test_whole_numbers_that_gaps_made_floats_are_the_same_levels() -> None:
    frame = pd.DataFrame({"stars": [1, 2, 3, 4, 5] * 8, "x": range(40)})
    types = frame.ordinal.infer_types(known={"stars": [1, 2, 3, 4, 5]})
    encoder = types.make_encoder(scale=False).fit(frame)
    for stars in (frame["stars"].astype(float), frame["stars"].astype("Int64"),
                  pd.Categorical(frame["stars"], ordered=True)):  # fmt: skip
        ranks = encoder.transform(frame.assign(stars=stars))[:, 0]
        assert ranks.tolist() == [0, 1, 2, 3, 4] * 8


def test_clone_pickle_pipeline_and_exclude(frame: pd.DataFrame) -> None:
    types = frame.ordinal.infer_types()
    encoder = pickle.loads(pickle.dumps(clone(types.make_encoder(exclude=["member"]))))
    model = make_pipeline(encoder, LogisticRegression()).fit(frame, frame["member"])
    assert model.predict(frame).shape == (N,)
    assert not any("member" in name for name in model[0].get_feature_names_out())


def test_words_of_texts_are_features_where_asked() -> None:
    rng = np.random.default_rng(0)
    words = ["good", "bad", "slow", "quick", "service", "food", "again", "never", "cold", "warm"]
    frame = pd.DataFrame({"review": [" ".join(rng.choice(words, 9)) for _ in range(80)]})
    types = autotype.TypeReport([autotype.ColumnType("review", "text")])
    assert types.make_encoder().fit_transform(frame).shape == (80, 0)
    assert types.make_encoder(text="tfidf").fit_transform(frame).shape[1] > 10
    holes = frame.astype(object)
    holes.loc[:3, "review"] = None
    assert types.make_encoder(text="tfidf").fit_transform(holes).shape[0] == 80


@pytest.mark.parametrize(
    ("columns", "message"),
    [([1, "b"], "1 is not text"), (["b", "b"], "several columns 'b'")],
)
def test_names_that_scikit_learn_cannot_select_are_an_error(columns, message) -> None:
    frame = pd.DataFrame([[1.5, 2.5]] * 5, columns=columns)
    with pytest.raises(ValueError, match=message):
        frame.ordinal.infer_types().make_encoder()


def test_one_name_to_exclude_is_a_name(frame: pd.DataFrame) -> None:
    types = autotype.infer_types(frame)
    one, listed = (
        types.make_encoder(exclude=left_out).fit(frame).get_feature_names_out().tolist()
        for left_out in ("size", ["size"])
    )
    assert one == listed
    assert "price" in one
    assert "size" not in one


def test_unknown_way_with_text_is_an_error(frame: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="'drop' or 'tfidf', got 'words'"):
        frame.ordinal.infer_types().make_encoder(text="words")


def test_typer_infers_and_casts(frame: pd.DataFrame) -> None:
    typer = OrdinalTyper().fit(frame)
    typed = typer.transform(frame[frame.columns[::-1]].assign(extra=1))
    assert typed.columns.tolist() == frame.columns.tolist()
    assert typed["size"].cat.categories.tolist() == ["S", "M", "L", "XL"]
    assert typed["size"].cat.ordered
    assert typer.get_feature_names_out().tolist() == frame.columns.tolist()
    assert pickle.loads(pickle.dumps(typer)).types_["size"].semantic_type == "ordinal"
    assert clone(typer).get_params()["unseen"] == "keep"


def test_typer_in_a_pipeline_with_known_columns(frame: pd.DataFrame) -> None:
    typer = OrdinalTyper(known={"colour": ["red", "green", "blue"]}, unseen="raise")
    typed = make_pipeline(typer).fit_transform(frame)
    assert typed["colour"].cat.categories.tolist() == ["red", "green", "blue"]
    with pytest.raises(ValueError, match="levels not in the report: 'mauve'"):
        typer.transform(frame.assign(colour="mauve"))


def test_typer_passes_on_who_may_speak(frame: pd.DataFrame) -> None:
    asked = []
    typer = OrdinalTyper(
        label_text=False, label_judge=lambda name, _: asked.append(name), features="price"
    )
    assert typer.fit(frame).types_["size"].semantic_type != "ordinal"
    assert "size" in asked


def test_typer_has_the_defaults_of_infer_types() -> None:
    defaults = inspect.signature(autotype.infer_types).parameters
    for name, value in OrdinalTyper().get_params().items():
        assert name == "unseen" or value == defaults[name].default


def test_typer_rejects_other_values_and_missing_columns(frame: pd.DataFrame) -> None:
    with pytest.raises(TypeError, match="got ndarray"):
        OrdinalTyper().fit(frame.to_numpy())
    typer = OrdinalTyper().fit(frame)
    with pytest.raises(ValueError, match="lacks 1 of the 7 columns of fit: 'size'"):
        typer.transform(frame.drop(columns="size"))


def test_amounts_as_text_are_numbers() -> None:
    prices = [f"${1000 + 7 * k:,}.50" for k in range(N)]
    frame = pd.DataFrame({"price": prices, "size": ["S", "M", "L", "XL"] * (N // 4)})
    types = frame.ordinal.infer_types()
    assert types["price"].semantic_type == "continuous"
    encoder = types.make_encoder(scale=False).set_output(transform="pandas").fit(frame)
    new = frame.iloc[:2].assign(price=["$900", "on request"])
    table = encoder.transform(new)
    assert table["price"].tolist() == [900.0, np.median([1000.5 + 7 * k for k in range(N)])]


def test_cells_that_cannot_be_compared_have_indicators(frame: pd.DataFrame) -> None:
    frame = frame.assign(tags=[["a"], ["a", "b"]] * (N // 2))
    table = frame.ordinal.infer_types().make_encoder().fit_transform(frame)
    assert np.isfinite(table).all()


def test_times_of_day_do_not_depend_on_the_day() -> None:
    frame = pd.DataFrame(
        {
            "at": [f"{k % 24:02d}:30" for k in range(N)],
            "month": pd.period_range("1970-01", periods=N, freq="M"),
        }
    )
    encoder = frame.ordinal.infer_types().make_encoder(scale=False)
    table = encoder.set_output(transform="pandas").fit_transform(frame)
    assert table["at"].tolist()[:2] == [0.5 / 24, 1.5 / 24]
    assert table["month"].tolist()[:2] == [0, 31]


def test_new_dates_are_read_as_the_fitted_ones_were() -> None:
    dates = pd.date_range("1970-01-01", periods=N)
    frame = pd.DataFrame({"since": dates.strftime("%d/%m/%Y")})
    encoder = frame.ordinal.infer_types().make_encoder(scale=False)
    encoder.set_output(transform="pandas").fit(frame)
    assert encoder.transform(frame)["since"].tolist() == list(range(N))
    assert encoder.transform(pd.DataFrame({"since": ["01/02/1970"]}))["since"].tolist() == [31]
