"""Read a large CSV text by DuckDB or polars, as a lazy table with the columns of `read_csv`.

The text is checked as for `read_csv`. The library then reads it as texts; up to three passes count
which columns hold numbers, and a projection converts those.
"""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from autotype.errors import AutotypeError
from autotype.lexicon.numbers import MISSING_NUMBERS
from autotype.tables.csv_file import CsvText
from autotype.tables.engines import connect_duckdb, engine_errors
from autotype.tables.header import distinct_names, warn_of_names
from autotype.wording import first_line, format_count

if TYPE_CHECKING:
    import narwhals as nw

_HEAD_ROWS = 10_000
_MAX_DIGITS = 18  # any whole number of so many digits fits 64 bits
_LARGEST = {"whole": str(2**63 - 1), "unsigned": str(2**64 - 1)}
# Regular expressions that Python, DuckDB and polars read alike.
_S = r"[ \t\r\n\f]*"
_FORMS = {
    "whole": rf"^{_S}[-+]?[0-9]+{_S}$",
    "long": rf"^{_S}[-+]?[0-9]{{{_MAX_DIGITS + 1},}}{_S}$",
    "code": rf"^{_S}[-+]?0[0-9]+{_S}$",
    "number": rf"^{_S}[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?{_S}$",
    "comma": rf"^{_S}[-+]?([0-9]+(,[0-9]*)?|,[0-9]+)([eE][-+]?[0-9]+)?{_S}$",
    "fraction": r"^[^eE]*[.,][0-9]*[1-9][^eE]*$",
    "infinite": rf"^{_S}[-+]?([iI][nN][fF]|[iI][nN][fF][iI][nN][iI][tT][yY]){_S}$",
    "beyond": r"[eE]\+?0*([3-9][0-9][0-9]|[1-9][0-9][0-9][0-9]+)",
    "truth": "^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE])$",
    "absent": f"^({'|'.join(text.replace('.', '[.]') for text in sorted(MISSING_NUMBERS))})$",
}
# What nearly all numbers look like: one test a cell shows that a column holds nothing else, and
# the library converts them as they are.
_PLAIN = {
    "whole": rf"^-?(0|[1-9][0-9]{{0,{_MAX_DIGITS - 1}}})$",
    "number": r"^-?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,2})?$",
}


class OtherReaderError(AutotypeError):
    """DuckDB or polars may read the text otherwise than `read_csv`."""


@dataclass(frozen=True)
class _Kind:
    """How to convert a column of texts."""

    name: str = "text"  # or "whole", "unsigned", "number", "comma", "truth"
    is_plain: bool = False  # needs no preparation
    has_absent: bool = False  # holds texts for a missing number


def scan_csv(path: str, text: CsvText, *, library: str, missing: Sequence[str] = ()) -> Any:
    """Return a CSV file as a lazy table.

    Parameters
    ----------
    path : str
        A file in UTF-8, perhaps compressed with gzip.
    text : CsvText
        What `examine_csv` found.
    library : {"duckdb", "polars"}
        It is installed.
    missing : sequence of str
        Texts that mean a missing value in any column, besides the empty one.

    Returns
    -------
    duckdb.DuckDBPyRelation or polars.LazyFrame
        The columns of `read_csv`: texts such as "NA" and codes such as "01067" stay texts. Only
        the limit beyond which numbers stay texts is 1e300, not 1.8e308.

    Raises
    ------
    OtherReaderError
        If the library may not read each row as `read_csv` does: if lines are blank or end with
        further separators, or if quotes stand within a field.

    Warns
    -----
    UserWarning
        If columns have no name or the same.
    """
    header, n_rows, are_alike = text.rows
    if text.encoding not in ("utf-8-sig", "utf-8", "ascii"):
        raise OtherReaderError(f"its encoding is {text.encoding}")
    if not are_alike:
        raise OtherReaderError("it holds blank lines, or rows longer than the header")
    names = distinct_names(header)
    if library == "duckdb" and len({name.casefold() for name in names}) < len(names):
        raise OtherReaderError("names of columns differ in case only, which DuckDB cannot hold")
    keys = [f"c{j}" for j in range(len(header))]
    texts = _texts(path, text, keys, library=library, missing=missing)
    try:
        kinds, n_present, n_found = _kinds(texts, keys, decimal=text.decimal)
    except engine_errors() as problem:
        raise OtherReaderError(f"{library} cannot read it ({first_line(problem)})") from problem
    if n_found != n_rows:
        raise OtherReaderError(f"{library} finds {format_count(n_found, 'row')}, not {n_rows:,}")
    n_named = max((j for j, name in enumerate(header, start=1) if name), default=0)
    used = [j for j, key in enumerate(keys) if j < n_named or n_present[key]]
    warn_of_names([header[j] for j in used], [names[j] for j in used], path)
    return texts.select(
        *(_converted(keys[j], kinds[keys[j]]).alias(names[j]) for j in used)
    ).to_native()


def _texts(
    path: str, text: CsvText, keys: list[str], *, library: str, missing: Sequence[str]
) -> nw.LazyFrame[Any]:
    """Return the fields as texts, null where they are missing."""
    import narwhals as nw

    if library == "duckdb":
        return nw.from_native(
            connect_duckdb().read_csv(
                glob.escape(path),
                auto_detect=False,
                columns=dict.fromkeys(keys, "VARCHAR"),
                header=True,
                hive_partitioning=False,
                delimiter=text.separator,
                quotechar='"',
                escapechar='"',
                na_values=["", *missing],
            )
        )
    import polars as pl

    return nw.from_native(
        pl.scan_csv(
            path,
            glob=False,
            infer_schema=False,
            separator=text.separator,
            null_values=["", *missing],
            with_column_names=lambda _: keys,
        )
    )


def _kinds(
    texts: nw.LazyFrame[Any], keys: list[str], *, decimal: str
) -> tuple[dict[str, _Kind], dict[str, int], int]:
    """Return how to convert each column, the values that each holds, and the number of rows."""
    of_head, _ = _count(texts.head(_HEAD_ROWS), dict.fromkeys(keys, _FORMS))
    guessed = {key: _kind_of(of_head[key], decimal).name for key in keys}
    # Codes beside fractions are numbers: without a fraction in the head, all has to be counted.
    plain = {
        key: {kind: _PLAIN[kind]}
        for key, kind in guessed.items()
        if kind == "whole" or (kind == "number" and of_head[key]["fraction"])
    }
    counts, n_rows = _count(texts, {key: plain.get(key, {}) for key in keys})
    n_present = {key: counts[key]["present"] for key in keys}
    kinds = {key: _Kind() for key in keys if _is_text(of_head[key])}
    for key, form in plain.items():
        (kind,) = form
        if counts[key][kind] == n_present[key]:
            kinds[key] = _Kind(kind, is_plain=True)
    unclear = [key for key in keys if key not in kinds]
    if unclear:
        counts, _ = _count(texts, dict.fromkeys(unclear, _FORMS))
        kinds |= {key: _kind_of(counts[key], decimal) for key in unclear}
        long = [key for key in unclear if kinds[key].name == "whole" and counts[key]["long"]]
        kinds |= _kinds_of_long(texts, {key: kinds[key] for key in long})
    return kinds, n_present, n_rows


def _count(
    texts: nw.LazyFrame[Any], forms: Mapping[str, Mapping[str, str]]
) -> tuple[dict[str, Counter[str]], int]:
    """Count in one pass the present values of columns, those of each form, and the rows."""
    import narwhals as nw

    parts = [nw.len().alias("n")]
    for key, patterns in forms.items():
        parts.append(nw.col(key).count().alias(f"{key} present"))
        for name, pattern in patterns.items():
            matches = nw.col(key).str.contains(pattern).cast(nw.Int64)
            parts.append(matches.sum().alias(f"{key} {name}"))
    (answer,) = texts.select(*parts).collect("pyarrow").rows(named=True)
    counts = {
        key: Counter({name: int(answer[f"{key} {name}"] or 0) for name in ("present", *patterns)})
        for key, patterns in forms.items()
    }
    return counts, int(answer["n"])


def _is_text(counts: Counter[str]) -> bool:
    """Check for texts that are of no other kind, whatever else the column holds."""
    others = ("number", "comma", "infinite", "absent", "truth")
    return counts["present"] > sum(counts[name] for name in others)


def _kind_of(counts: Counter[str], decimal: str) -> _Kind:
    """Return the kind that a column has by the rules of `read_csv`."""
    n = counts["present"]
    n_numbers = n - counts["absent"]
    if n and counts["truth"] == n:
        return _Kind("truth")
    # pandas itself reads numbers with a point, and infinite ones. Those beside texts for a missing
    # number, and those with a comma, are read by our own rules.
    is_number = counts["number"] + counts["infinite"] == n
    is_number |= decimal == "." and counts["number"] == n_numbers
    is_comma = not is_number and decimal == "," and counts["comma"] == n_numbers
    if not n_numbers or not (is_number or is_comma):
        return _Kind()
    is_code = counts["code"] and (counts["infinite"] or not counts["fraction"])
    kind = "whole" if counts["whole"] == n_numbers else "number" if is_number else "comma"
    if is_code or counts["beyond"]:
        kind = "text"
    return _Kind(kind, has_absent=counts["absent"] > 0)


def _kinds_of_long(texts: nw.LazyFrame[Any], kinds: Mapping[str, _Kind]) -> dict[str, _Kind]:
    """Return the kinds of columns of whole numbers with many digits, which 64 bits may not hold."""
    import narwhals as nw

    if not kinds:
        return {}
    parts = []
    for key, kind in kinds.items():
        cell = _present(key, kind)
        digits = cell.str.replace_all("[^0-9]", "")
        parts.append(cell.str.contains("-").cast(nw.Int64).sum().alias(f"{key} negative"))
        for name, largest in _LARGEST.items():
            length = digits.str.len_chars()
            is_over = (length > len(largest)) | ((length == len(largest)) & (digits > largest))
            parts.append(is_over.cast(nw.Int64).sum().alias(f"{key} {name}"))
    (answer,) = texts.select(*parts).collect("pyarrow").rows(named=True)
    found = {}
    for key, kind in kinds.items():
        if answer[f"{key} whole"]:
            fits = not answer[f"{key} unsigned"] and not answer[f"{key} negative"]
            found[key] = replace(kind, name="unsigned" if fits else "text")
    return found


def _present(key: str, kind: _Kind) -> nw.Expr:
    """Return a column, without the texts for a missing number if its kind has some."""
    import narwhals as nw

    if not kind.has_absent:
        return nw.col(key)
    return nw.when(~nw.col(key).is_in(sorted(MISSING_NUMBERS))).then(nw.col(key))


def _converted(key: str, kind: _Kind) -> nw.Expr:
    """Return a column as its kind is stored."""
    import narwhals as nw

    cells = _present(key, kind)
    if kind.name == "text":
        return cells
    if kind.name == "truth":
        return cells.str.to_lowercase() == "true"
    if not kind.is_plain:
        cells = cells.str.strip_chars().str.replace_all("+", "", literal=True)
    if kind.name == "comma":
        cells = cells.str.replace_all(",", ".", literal=True)
    dtypes = {"whole": nw.Int64, "unsigned": nw.UInt64}
    return cells.cast(dtypes.get(kind.name, nw.Float64))
