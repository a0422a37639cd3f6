from __future__ import annotations

import inspect
import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import autotype
from autotype import ColumnType
from autotype.errors import UnseenLevelError
from autotype.fitting.encoder import TextComponents, text_parts, typed_transformer
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
    with pytest.warns(
        UserWarning, match=r"feature '\w+' holds levels that the fit did not"
    ) as found:
        seen = encoder.transform(strange)
    assert [str(warning.message).split("'")[1] for warning in found] == ["size", "colour"]
    assert {warning.filename for warning in found} == {__file__}
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
    encoder = types.make_encoder(text="tfidf")
    n_features = encoder.fit_transform(frame).shape[1]
    assert n_features == len(encoder.get_feature_names_out()) > 10
    assert {"food", "good service"} <= set(encoder.get_feature_names_out())
    named = frame.rename(columns={"review": "a__b"})  # scikit-learn's sign of parameters
    types_of_named = autotype.TypeReport([autotype.ColumnType("a__b", "text")])
    assert types_of_named.make_encoder(text="tfidf").fit_transform(named).shape[1] > 10
    holes = frame.astype(object)
    holes.loc[:3, "review"] = None
    assert types.make_encoder(text="tfidf").fit_transform(holes).shape[0] == 80


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ([1, "b"], "1 is not text"),
        (pd.Index([np.str_("a"), "b"], dtype=object), r"np.str_\('a'\) is not text; rename"),
        (["b", "b"], "several columns 'b'"),
        (["b\0", "c"], "zero byte"),
    ],
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
    assert clone(typer).get_params()["unseen"] == "missing"


def test_typer_in_a_pipeline_with_known_columns(frame: pd.DataFrame) -> None:
    typer = OrdinalTyper(known={"colour": ["red", "green", "blue"]}, unseen="raise")
    typed = make_pipeline(typer).fit_transform(frame)
    assert typed["colour"].cat.categories.tolist() == ["red", "green", "blue"]
    with pytest.raises(UnseenLevelError, match=r"levels that fit did not see: 'mauve' .*row 0"):
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
        assert name in ("unseen", "types") or value == defaults[name].default


def test_typer_rejects_other_values_and_missing_columns(frame: pd.DataFrame) -> None:
    with pytest.raises(
        ValueError, match="unseen must be 'missing', 'append' or 'raise', got 'drop'"
    ):
        OrdinalTyper(unseen="drop").fit(frame)
    with pytest.raises(TypeError, match="Sparse data was passed"):
        OrdinalTyper().fit(sparse.eye(3))
    typer = OrdinalTyper().fit(frame)
    with pytest.raises(ValueError, match="lacks 1 of the 7 columns of fit: 'size'"):
        typer.transform(frame.drop(columns="size"))


GRADES = ["Fa", "TA", "Gd", "Ex"]


def test_an_unseen_level_never_moves_the_codes_of_the_known_ones() -> None:
    frame = pd.DataFrame({"grade": GRADES * 10, "x": range(40)})
    known = {"grade": GRADES}
    batch = pd.DataFrame({"grade": ["TA", "Po", None, "Ex"], "x": range(4)}, index=list("abcd"))
    finding = r"'grade' holds levels that fit did not see: 'Po' \(first at row 'b'\)"
    typer = OrdinalTyper(known=known).fit(frame)
    with pytest.warns(UserWarning, match=finding + "; they are missing") as caught:
        typed = typer.transform(batch)
    assert caught[0].filename == __file__
    assert typed["grade"].cat.codes.tolist() == [1, -1, -1, 3]
    assert typed["grade"].dtype == typer.transform(frame)["grade"].dtype
    for name in ("append", "keep"):
        with pytest.warns(UserWarning, match=finding + "; they are appended as categories"):
            typed = OrdinalTyper(known=known, unseen=name).fit(frame).transform(batch)
        assert typed["grade"].cat.codes.tolist() == [1, 4, -1, 3]
        assert typed["grade"].cat.categories.tolist() == [*GRADES, "Po"]
    with pytest.raises(UnseenLevelError, match=finding + "; correct them, fit again, or pass"):
        OrdinalTyper(known=known, unseen="raise").fit(frame).transform(batch)


@pytest.mark.parametrize(
    "values",
    [
        ["TA", "Ex", None],
        pd.Categorical(["TA", "Ex", None], categories=["Ex", "TA", "never"]),
        pd.array(["TA", "Ex", None], dtype="string"),
    ],
)
def test_the_categories_are_those_of_fit_whatever_the_batch_holds(values) -> None:
    typer = OrdinalTyper(known={"grade": GRADES}).fit(pd.DataFrame({"grade": GRADES * 10}))
    typed = typer.transform(pd.DataFrame({"grade": values}))
    assert typed["grade"].cat.codes.tolist() == [1, 3, -1]
    assert typed["grade"].cat.categories.tolist() == GRADES


def test_typer_of_an_array_names_its_columns() -> None:
    X = np.array([[grade, k] for k, grade in enumerate(GRADES * 10)], dtype=object)
    typer = OrdinalTyper(known={"x0": GRADES}).fit(X)
    typed = typer.transform(X[:2])
    assert typed.columns.tolist() == typer.get_feature_names_out().tolist() == ["x0", "x1"]
    assert typed["x0"].cat.codes.tolist() == [0, 1]
    assert not hasattr(typer, "feature_names_in_")
    with pytest.raises(ValueError, match="X has 1 features, but OrdinalTyper is expecting 2"):
        typer.transform(X[:, :1])


def test_typer_of_names_that_repeat_or_are_no_texts() -> None:
    frame = pd.DataFrame([["S", 1.5, "a"], ["M", 2.5, "b"]] * 10, columns=[1, ("a", 2), 1])
    typed = OrdinalTyper().fit(frame).transform(frame.iloc[:, [1, 0, 2]])
    assert typed.columns.tolist() == [1, ("a", 2), 1]
    assert typed.iloc[:2, 0].tolist() == ["S", "M"]
    assert typed.iloc[:2, 2].tolist() == ["a", "b"]


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


@pytest.mark.parametrize("dtype", ["str", "int64", "float64", "Int64", "category", "object"])
def test_years_and_dates_of_eight_digits_are_dates_in_any_dtype(dtype: str) -> None:
    frame = pd.DataFrame({"year": [2019, 2020, 2022], "day": [20191231, 20200101, 20200103]})
    frame = frame.astype(dtype)
    types = autotype.TypeReport(
        [autotype.ColumnType("year", "datetime"), autotype.ColumnType("day", "datetime")]
    )
    days = types.make_encoder(scale=False).fit_transform(frame)
    assert np.diff(np.asarray(days), axis=0).tolist() == [[365, 1], [731, 2]]


def test_a_number_and_its_text_share_a_rank() -> None:
    levels = [1, "1", 2.0, 3.0]
    values = pd.Categorical(levels * 9, categories=levels, ordered=True)
    frame = pd.DataFrame({"a": values})
    encoder = autotype.infer_types(frame).make_encoder(scale=False)
    assert encoder.fit_transform(frame)[:4, 0].tolist() == [0.0, 0.0, 1.0, 2.0]


def test_signaling_nan_are_missing() -> None:
    cells = [Decimal("sNaN"), Decimal(1), "a"] * 9
    frame = pd.DataFrame({"a": pd.Series(cells, dtype=object)})
    types = autotype.infer_types(frame, known={"a": "categorical"})
    encoded = types.make_encoder().fit_transform(frame)
    frame["a"] = pd.Series([None, *cells[1:3]] * 9, dtype=object)
    np.testing.assert_array_equal(encoded, types.make_encoder().fit_transform(frame))


def test_a_name_that_scikit_learn_cannot_look_up() -> None:
    frame = pd.DataFrame({"a": ["x", "y", "z"] * 9})
    frame.columns = pd.Index(["\ud800"], dtype=object)
    types = autotype.infer_types(frame)
    with pytest.raises(ValueError, match=r"'\\ud800' holds a lone surrogate.* rename"):
        types.make_encoder()


def test_a_column_named_by_an_empty_tuple_is_not_excluded_by_default() -> None:
    frame = pd.DataFrame({"a": ["x", "y", "z"] * 9, "b": range(27)})
    frame.columns = pd.Index(["a", ()], dtype=object, tupleize_cols=False)
    types = autotype.infer_types(frame)
    with pytest.raises(ValueError, match=r"selects columns by name, and \(\) is not text"):
        types.make_encoder()


def test_typed_columns_are_floats_and_strings() -> None:
    frame = pd.DataFrame(
        {
            "size": ["S", "L", None, "M"] * 5,
            "town": ["Ulm", "Rom", "Rom", None] * 5,
            "price": ["1.5 €", "2 €", None, "3 €"] * 5,
            "day": ["2024-01-01 06:00", "2024-02-03", "2024-02-04", None] * 5,
            "comment": ["fine day", "awful day", "", None] * 5,
        }
    )
    columns = [
        ColumnType("size", "ordinal", order=("S", "M", "L")),
        ColumnType("town", "categorical"),
        ColumnType("price", "continuous"),
        ColumnType("day", "datetime"),
        ColumnType("comment", "text"),
    ]
    encoder = typed_transformer(columns).fit(frame)
    typed = encoder.transform(frame)
    assert typed.index.equals(frame.index)
    np.testing.assert_array_equal(typed["size"][:4], [0, 2, np.nan, 1])
    np.testing.assert_array_equal(typed["town"][:4], [1, 0, 0, np.nan])
    np.testing.assert_array_equal(typed["price"][:4], [1.5, 2, np.nan, 3])
    np.testing.assert_array_equal(typed["day month"][:4], [1, 2, 2, np.nan])
    np.testing.assert_array_equal(typed["day weekday"][:4], [0, 5, 6, np.nan])
    np.testing.assert_allclose(typed["day time"][:4], [0.25, 0, 0, np.nan])
    assert typed["comment"][:4].tolist() == ["fine day", "awful day", "", ""]
    assert np.isfinite(typed[text_parts("comment")].to_numpy()).all()
    assert encoder.transform(frame.assign(town="Ulm?"))["town"].eq(-1).all()
    assert list(typed.columns) == list(encoder.get_feature_names_out())


def test_texts_without_a_word_have_components_of_nothing() -> None:
    frame = pd.DataFrame({"comment": ["", None, "!"]})
    parts = TextComponents().fit_transform(frame)
    np.testing.assert_allclose(parts.iloc[:, 1:].to_numpy(float), 0, atol=1e-12)


def test_fewer_texts_than_components_leave_the_others_zero() -> None:
    frame = pd.DataFrame({"comment": ["fine day", "awful day", "fine"]})
    parts = TextComponents().fit_transform(frame)[text_parts("comment")]
    assert parts.any().tolist() == 3 * [True] + 17 * [False]


def test_missing_decimals_of_arrow_are_numbers() -> None:
    values = [Decimal(k).scaleb(-1) if k % 7 else None for k in range(12, 72)]
    decimals = pd.Series(values, dtype=pd.ArrowDtype(pa.decimal128(6, 2)))
    frame = pd.DataFrame({"x": decimals, "y": np.arange(60) % 3})
    plain = frame.assign(x=decimals.astype("float64"))
    types = autotype.infer_types(frame)
    assert types["x"].semantic_type == autotype.infer_types(plain)["x"].semantic_type
    encoded, expected = (types.make_encoder().fit_transform(rows) for rows in (frame, plain))
    np.testing.assert_array_equal(encoded, expected)
