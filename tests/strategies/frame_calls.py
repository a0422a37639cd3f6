"""Every public call that takes a frame or its report, on one frame."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd
from sklearn.exceptions import ConvergenceWarning

import autotype
from autotype import TypeReport, errors
from autotype.types.decisions.known_file import read_known_file
from tests.strategies.checked_calls import (
    NO_ANSWER,
    CheckedCalls,
    Expected,
    frame_state,
    report_state,
)

UNKNOWN = ((errors.UnknownColumnError, "not in the frame|holds? no column"),)
NO_USABLE_NAME = ((errors.UnknownColumnError, "none of the report's columns"),)
NAMES_FOR_ENCODER = (
    (ValueError, "the encoder selects columns by name"),
    (ValueError, "the frame holds several columns"),
)
NOT_A_TARGET = (
    *NAMES_FOR_ENCODER,
    (ValueError, "^the target .* (has the type|holds [01] known values|is ordinal, but the order)"),
    (ValueError, "^no column of the frame can be a feature"),
    (ValueError, "^no row can be held out: no level has two rows"),
    (ValueError, "^the largest .* has a magnitude that is not between"),
)
NOT_WRITABLE = ((ValueError, "cannot be written and read back"),)
NO_PICTURE = ((ValueError, "has no levels to draw"),)
# Not ours: fonts lack signs, and Arrow refuses what it cannot hold.
GLYPHS = (
    (UserWarning, "Glyph .* missing from"),
    (UserWarning, "Matplotlib currently does not"),
    (UserWarning, "no installed font has the letters"),
)
ENTRY_POINTS = (
    "infer",
    "report",
    "apply",
    "schema",
    "arrow",
    "encoder",
    "fit",
    "plot",
)


def check_frame(
    frame: pd.DataFrame,
    random: Random,
    *,
    only: tuple[str, ...] = ENTRY_POINTS,
    seconds: float | None = None,
) -> CheckedCalls:
    """Make every call on a frame, the expensive ones on some frames only.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `tests.strategies.frames`.
    random : Random
        Chooses the options.
    only : tuple of str
        Parts to run, of `ENTRY_POINTS`.
    seconds : float, optional
        Limit of one call.

    Returns
    -------
    CheckedCalls
        With the faults.
    """
    checked = CheckedCalls(lambda: frame_state(frame), seconds)
    types = checked.call("infer_types", lambda: autotype.infer_types(frame), show=report_state)
    if types is NO_ANSWER:
        return checked
    for part in only:
        if random.random() < _SHARES.get(part, 1.0):
            _PARTS[part](checked, frame, types, random)
    return checked


def _infer(checked: CheckedCalls, frame: pd.DataFrame, types: TypeReport, random: Random) -> None:
    checked.expect("infer_types", len(types.columns) == frame.shape[1], "columns without a row")
    options, documented = random_options(types, random)
    checked.call(
        "infer_types(options)",
        lambda: frame.ordinal.infer_types(**options),
        errors=documented,
        show=report_state,
    )


def random_options(types: TypeReport, random: Random) -> tuple[dict[str, Any], Expected]:
    """Choose options of `infer_types`, and the errors that they may lead to."""
    names = list(types)
    options: dict[str, Any] = {}
    documented: list[tuple[type, str]] = []
    for option in ("columns", "features"):
        if names and random.random() < 0.3:
            options[option] = random.sample(names, random.randint(0, len(names)))
        elif random.random() < 0.03:
            options[option] = ["no such column"]
            documented += UNKNOWN
    if names and random.random() < 0.4:
        column = types[random.choice(names)]
        options["known"] = {column.name: random_statement(column, random)}
        documented += [(errors.KnownTypesError, r"^(the order in )?known\[|^the order in known\[")]
    options["label_text"] = random.choice((True, True, False))
    options["max_levels"] = random.choice((3, 5, 20, 100))
    options["max_rows"] = random.choice((1, 10, 1000))
    options["random_state"] = random.choice((0, 1, 2**40))
    if random.random() < 0.2:
        options["label_judge"] = random.choice(tuple(JUDGES))
        documented += JUDGES[options["label_judge"]]
    if random.random() < 0.03:
        options["max_levels"] = random.choice((2, True, "3", None))
        documented += [(ValueError, "^max_levels"), (TypeError, "^max_levels")]
    return options, documented


def random_statement(column: autotype.ColumnType, random: Random) -> Any:
    """Choose what `known` states of a column: a type, its levels, or something wrong."""
    levels = list(column.levels)
    random.shuffle(levels)
    return random.choice(
        (
            levels,
            levels,
            tuple(levels),
            levels[1:],
            levels * 2,
            "categorical",
            "text",
            "ordinal",
            "nonsense",
            [],
        )
    )


def _judge_by_text(name: Any, levels: tuple) -> tuple[float, list]:
    return 0.9, sorted(levels, key=repr)


def _judge_nothing(name: Any, levels: tuple) -> None:
    return None


def _judge_wrongly(name: Any, levels: tuple) -> tuple[float, list]:
    return 2.0, []


class _JudgeOfAll:
    """A judge that is asked about all columns at once."""

    def __call__(self, name: Any, levels: tuple) -> None:
        raise AssertionError("judge_all is called instead")

    def judge_all(self, columns: list) -> Iterator[tuple[float, list]]:
        return (_judge_by_text(*column) for column in columns)


JUDGES: dict[Callable, Expected] = {
    _JudgeOfAll(): (),
    _judge_by_text: (),
    _judge_nothing: (),
    _judge_wrongly: ((ValueError, "^label_judge returned"),),
}


def _report(checked: CheckedCalls, _: pd.DataFrame, types: TypeReport, random: Random) -> None:
    check_report(checked, types, random)


def check_report(checked: CheckedCalls, types: TypeReport, random: Random) -> None:
    """Make every call that takes a report only."""
    checked.call("to_frame", types.to_frame, show=frame_state)
    checked.call("explain", lambda: [c.explain() + repr(c) for c in types.columns])
    width = random.choice((60, 80, 200))
    color = random.choice((True, False))
    checked.call("to_text", lambda: types.to_text(color=color, width=width), show=str)
    checked.call("notebook", types._repr_html_, show=str)
    page = checked.call("to_html", types.to_html, show=str)
    if page is not NO_ANSWER:
        checked.call("page as UTF-8", lambda: page.encode("utf-8"))
    text = checked.call("to_json", types.to_json, errors=NOT_WRITABLE, show=str)
    if text is not NO_ANSWER:
        again = checked.call("from_json", lambda: TypeReport.from_json(text), show=report_state)
        if again is not NO_ANSWER:
            checked.expect("from_json", again.to_json() == text, "reads another report")
        checked.call("JSON as UTF-8", lambda: text.encode("utf-8"))
    same = checked.call("compare", lambda: types.compare(types), show=str)
    if same is not NO_ANSWER:
        checked.call("compare.to_json", same.to_json)
        checked.call("compare.to_html", same.to_html)
        checked.expect("compare", str(same).startswith("nothing changed"), "differs from itself")
    _decisions(checked, types)
    checked.call("to_frictionless", lambda: _write_frictionless(types), show=str)


def _decisions(checked: CheckedCalls, types: TypeReport) -> None:
    """Answer all questions as proposed, and write and read the decisions of the report."""
    questions = checked.call("questions", lambda: types.questions(certainty=0.9), show=repr)
    if questions is NO_ANSWER:
        return
    for question in questions:
        checked.call(
            "revise", lambda question=question: types.revise(question.answer()), show=report_state
        )
    checked.call(
        "to_known",
        lambda: _through_known(types),
        errors=(*NOT_WRITABLE, (errors.KnownTypesError, "have different types")),
        show=repr,
    )


def _through_known(types: TypeReport) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("known.toml", "known.json")]
        for path in paths:
            types.to_known(path)
        return [read_known_file(path) for path in paths]


def _write_frictionless(types: TypeReport) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "schema.json")
        types.to_frictionless(path)
        return json.loads(path.read_text("utf-8"), parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _apply(checked: CheckedCalls, frame: pd.DataFrame, types: TypeReport, random: Random) -> None:
    typed = checked.call(
        "apply_types", lambda: frame.ordinal.apply_types(types, unseen="raise"), show=frame_state
    )
    if typed is NO_ANSWER:
        return
    lost = [
        repr(name)
        for j, name in enumerate(frame.columns)
        if _gaps(frame.iloc[:, j]) != _gaps(typed.iloc[:, j])
    ]
    checked.expect("apply_types", not lost, f"other cells are missing in {', '.join(lost)}")
    checked.call("infer_types(typed)", lambda: autotype.infer_types(typed), show=report_state)


def _gaps(values: pd.Series) -> list[bool]:
    """Return which cells are missing."""
    return [_is_missing(cell) for cell in values]


def _is_missing(cell: Any) -> bool:
    if isinstance(cell, Decimal):  # pandas fails at a signaling NaN
        return cell.is_nan()
    return pd.api.types.is_scalar(cell) and bool(pd.isna(cell))


def _schema(checked: CheckedCalls, frame: pd.DataFrame, types: TypeReport, random: Random) -> None:
    options = {
        "margin": random.choice((None, 0, 2.0)),
        "strict": random.choice((True, False, False)),
        "name": random.choice((None, "batch")),
    }
    schema = checked.call(
        "to_schema",
        lambda: autotype.to_schema(frame, types, **options),
        errors=NO_USABLE_NAME,
        warns=((UserWarning, "is not in the schema: its name is a missing value"),),
    )
    if schema is NO_ANSWER or len(schema.columns) < len(set(types)):
        return  # columns without a usable name: `strict` refuses them
    checked.call("validate", lambda: autotype.validate(frame, schema), show=frame_state)
    with tempfile.TemporaryDirectory() as folder:
        again = checked.call(
            "write_schema, read_schema",
            lambda: _through_yaml(schema, Path(folder, "schema.yaml")),
            errors=((ValueError, "the schema holds what YAML cannot"),),
        )
    if again is not NO_ANSWER:
        typed = frame.ordinal.apply_types(types)
        checked.call("validate(typed)", lambda: autotype.validate(typed, again), show=frame_state)
        checked.call("from_schema", lambda: TypeReport.from_schema(again), show=report_state)


def _through_yaml(schema: Any, path: Path) -> Any:
    autotype.write_schema(schema, path)
    return autotype.read_schema(path)


def _arrow(checked: CheckedCalls, frame: pd.DataFrame, types: TypeReport, random: Random) -> None:
    table = checked.call(
        "to_arrow",
        lambda: types.to_arrow(frame),
        errors=((ValueError, "^Arrow cannot hold"),),
        show=lambda table: f"{table.schema.to_string(show_field_metadata=True)}{table.num_rows}",
    )
    if table is not NO_ANSWER:
        checked.call("from_arrow", lambda: TypeReport.from_arrow(table), show=report_state)


def _encoder(checked: CheckedCalls, frame: pd.DataFrame, types: TypeReport, random: Random) -> None:
    scale, text = random.choice((True, False)), random.choice(("drop", "tfidf"))
    encoder = checked.call(
        "make_encoder", lambda: types.make_encoder(scale=scale, text=text), errors=NAMES_FOR_ENCODER
    )
    if encoder is not NO_ANSWER and len(frame):
        checked.call(
            "encoder.fit_transform",
            lambda: encoder.fit_transform(frame),
            show=lambda X: repr(X if isinstance(X, str) else getattr(X, "todense", lambda: X)()),
            errors=(
                # of TfidfVectorizer: strings of stop words or single letters, all of them rare
                (ValueError, "empty vocabulary|no terms remain"),
            ),
        )


def _fit(checked: CheckedCalls, frame: pd.DataFrame, types: TypeReport, random: Random) -> None:
    if not len(types):
        return
    target = random.choice(list(types))
    cv = random.choice((None, None, 2))
    known_types = random.choice((types, types, None))
    model = checked.call(
        "fit",
        lambda: autotype.fit(frame, target, known_types, cv=cv),
        errors=NOT_A_TARGET,
        warns=((ConvergenceWarning, ""),),
        show=lambda fitted: fitted.summary(),
        twice=False,
    )
    if model is not NO_ANSWER:
        checked.call("predict", lambda: model.predict(frame), show=lambda y: repr(list(y)))
        if hasattr(model.pipeline, "predict_proba"):
            checked.call("predict_proba", lambda: model.predict_proba(frame))


def _plot(checked: CheckedCalls, frame: pd.DataFrame, types: TypeReport, random: Random) -> None:
    if not len(types):
        return
    name = random.choice(list(types))
    checked.call(
        "plot",
        lambda: _drawn(autotype.plot(frame, name, types)),
        errors=NO_PICTURE,
        warns=GLYPHS,
        twice=False,
    )
    checked.call("plot_report", lambda: _drawn(types.plot()), warns=GLYPHS, twice=False)


def _drawn(axes: Any) -> int:
    from matplotlib import pyplot

    picture = io.BytesIO()
    try:
        axes.figure.savefig(picture, dpi=30)
    finally:
        pyplot.close(axes.figure)
    return len(picture.getvalue())


_PARTS = {
    "infer": _infer,
    "report": _report,
    "apply": _apply,
    "schema": _schema,
    "arrow": _arrow,
    "encoder": _encoder,
    "fit": _fit,
    "plot": _plot,
}
_SHARES = {"encoder": 0.3, "fit": 0.1, "plot": 0.05}
