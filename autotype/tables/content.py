"""Find the format of a file by its content; its name decides only what the content leaves open.

Endings are often wrong: portals publish text as ``.xls`` and workbooks as ``.csv``, and a pipe has
no name at all. So files, pipes and standard input are all told apart by their first bytes.

A compressed file is unpacked as it is read, up to the limit of what it may unpack to.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, Any

from autotype.errors import AutotypeError, UnreadableTableError
from autotype.lazy_names import import_library
from autotype.lexicon.toml_files import read_toml
from autotype.tables.table import Limits, Opener, corrupt_is_unreadable
from autotype.tables.text.encoding import marked_encoding
from autotype.wording import format_some

_KNOWN = read_toml("files")
# Endings of file names by format; any of them may be followed by that of a compression.
FORMATS = {kind: tuple(endings) for kind, endings in _KNOWN["endings"].items()}
STAT_FORMATS = ("sav", "por", "dta", "sas7bdat", "xpt")  # of SPSS, Stata and SAS
LABELLED_FORMATS = (*STAT_FORMATS, "r")
TEXT_FORMATS = ("csv", "jsonl", "json")
HEAD = 1 << 16  # bytes that are looked at
_MAX_PACKINGS = 2  # such as a .csv.gz in a .zip
_FIRST_BYTES = {
    kind: re.compile(pattern.encode()) for kind, pattern in _KNOWN["first_bytes"].items()
}
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|table|body)\b"
)
_XML = re.compile(r"\s*<\?xml\b")
_ARFF = re.compile(r"(?:\s*%.*\n)*\s*@relation\b", re.I)
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_JSON = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[{\]])')

# By name: the first bytes, and the ending of the file's name.
PACKINGS = {
    kind: (first.encode("latin-1"), ending) for kind, (first, ending) in _KNOWN["packings"].items()
}
_ASIDE = ("__MACOSX/", ".DS_Store")  # what archivers add


@dataclass(frozen=True)
class Content:
    """What a file holds, unpacked.

    Attributes
    ----------
    format : str
        One of `FORMATS`.
    opened : callable
        Opens the unpacked content from its start; that of formats other than text can seek.
    is_packed : bool
        Whether the file itself is compressed.
    """

    format: str
    opened: Opener
    is_packed: bool = False


def format_of_name(path: str) -> str | None:
    """Return a file's format by its name, None if unknown.

    Examples
    --------
    >>> format_of_name("Data.CSV.gz"), format_of_name("data.doc")
    ('csv', None)
    """
    name = _without_packing(path.lower())
    return next((kind for kind, endings in FORMATS.items() if name.endswith(endings)), None)


def _without_packing(name: str) -> str:
    return next((name[: -len(e)] for _, e in PACKINGS.values() if name.endswith(e)), name)


def format_of(head: bytes, name: str = "") -> str:
    r"""Return the format of unpacked content, or how it is packed.

    Parameters
    ----------
    head : bytes
        The first `HEAD` bytes, or all of fewer.
    name : str
        The file's name. It tells JSON lines from a document, and text from JSON where the
        content could be either.

    Returns
    -------
    str
        One of `FORMATS`, or of `PACKINGS`.

    Raises
    ------
    UnreadableTableError
        If the content is a known format that is no table, such as a web page.

    Examples
    --------
    >>> format_of(b"a;b\n1;2\n", "table.xls"), format_of(b'[{"a": 1}]'), format_of(b"PAR1\x15\x04")
    ('csv', 'json', 'parquet')
    >>> format_of(b'{"a": 1}\n{"a": 2}\n'), format_of(b"\x1f\x8b\x08", "a.csv")
    ('jsonl', 'gzip')
    """
    named = format_of_name(name)
    if not head.strip():
        return named or "csv"  # whose reader says that it is empty
    is_binary = _CONTROL.search(head[:1024]) is not None
    for kind, first in _FIRST_BYTES.items():
        if (found := first.match(head)) and (is_binary or named == kind or head == found[0]):
            return kind
    for kind, (magic, _) in PACKINGS.items():
        if head.startswith(magic) and (is_binary or not magic.isascii()):
            return kind
    text = head.decode(marked_encoding(head) or "utf-8", "replace")
    for magic, what in _KNOWN["foreign"].items():
        if head.startswith(magic.encode("latin-1")):
            raise UnreadableTableError(f"{name}: holds {what}")
    if _HTML.match(text.lower()) or _XML.match(text):
        what = "an HTML page" if _HTML.match(text.lower()) else "an XML document"
        raise UnreadableTableError(
            f"{name}: holds {what}, whatever its name says; open it in a spreadsheet program "
            "and save it as .xlsx or .csv"
        )
    if _JSON.match(text) or named in ("json", "jsonl"):
        return _kind_of_json(text, named)
    if _ARFF.match(text):
        raise UnreadableTableError(
            f"{name}: holds ARFF; read it by scipy.io.arff.loadarff, and save its rows as .csv"
        )
    return "csv"


def _kind_of_json(text: str, named: str | None) -> str:
    """Return "jsonl" for one object per line, "json" for a document."""
    if named == "jsonl":
        return named
    first, _, rest = text.lstrip().partition("\n")
    if not first.startswith("{") or not rest.lstrip().startswith("{"):
        return "json"
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return "json"
    return "jsonl"


def find_content(opened: Opener, limits: Limits) -> Content:
    """Return the unpacked content of a file and its format.

    Parameters
    ----------
    opened : callable
        Opens the file from its start.
    limits : Limits
        Name in error messages, and the bytes that the file may unpack to.

    Raises
    ------
    UnreadableTableError
        If an archive holds several files or none, is damaged or has a password, if the content is
        beyond the limits, or if it is a known format that is no table.
    MissingExtraError
        If it needs pyarrow, which is not installed.
    """
    name = limits.path
    for n_packings in range(_MAX_PACKINGS + 1):
        with opened() as file:
            head = _read_head(file)
            kind = format_of(head, name)
        if kind == "zip":
            if n_packings:  # the reader of archives seeks
                opened = _in_memory(opened)
            kind, name = _of_zip(opened, limits, name)
        if kind in FORMATS:
            break
        if n_packings == _MAX_PACKINGS:
            raise UnreadableTableError(f"{limits.path}: is packed in too many archives; unpack it")
        opened, name = _unpacking(opened, kind, limits), _without_packing(name.lower())
    is_packed = n_packings > 0
    if is_packed and kind not in TEXT_FORMATS:  # their readers seek
        opened = _in_memory(opened)
    return Content(kind, opened, is_packed)


def _in_memory(opened: Opener) -> Opener:
    with opened() as file:
        content = file.read()
    return lambda: io.BytesIO(content)


def _read_head(file: IO[bytes]) -> bytes:
    """Read the first bytes; a file may return fewer than it is asked for."""
    parts: list[bytes] = []
    n_read = 0
    while n_read < HEAD and (part := file.read(HEAD - n_read)):
        parts.append(part)
        n_read += len(part)
    return b"".join(parts)


def _unpacking(opened: Opener, packing: str, limits: Limits) -> Opener:
    return lambda: io.BufferedReader(UnpackedBytes(opened(), limits, packing))


def _of_zip(opened: Opener, limits: Limits, name: str) -> tuple[str, str]:
    """Return "excel" for a workbook, else "zip" and the name of the only file in it."""
    try:
        with opened() as file, zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as problem:
        if format_of_name(name) == "excel":
            return "excel", name  # its reader names the damage
        raise UnreadableTableError(f"{limits.path}: not a whole zip file ({problem})") from problem
    if {"word/document.xml", "ppt/presentation.xml"} & names:
        what = "a document of Word or PowerPoint; copy its tables to a spreadsheet"
        raise UnreadableTableError(f"{limits.path}: holds {what}")
    is_office = "[Content_Types].xml" in names or any(n.startswith("xl/") for n in names)
    if is_office or {"mimetype", "content.xml"} <= names:
        return "excel", name
    return "zip", members_of_zip(names, limits.path)


def members_of_zip(names: Iterable[str], path: str) -> str:
    """Return the name of the only file of an archive.

    Raises
    ------
    UnreadableTableError
        If it holds none or several.

    Examples
    --------
    >>> members_of_zip(["data/", "data/a.csv", "__MACOSX/._a.csv"], "a.zip")
    'data/a.csv'
    """
    files = sorted(n for n in names if not n.endswith(("/", _ASIDE[1])) and _ASIDE[0] not in n)
    if len(files) != 1:
        held = f"{len(files)} files: {format_some(files)}" if files else "no file"
        raise UnreadableTableError(f"{path}: holds {held}; unpack it and name one of them")
    return files[0]


class UnpackedBytes(io.RawIOBase):
    """The content of a compressed file, which ends with an error at the limit.

    Parameters
    ----------
    packed : binary file
        It is closed with this one.
    limits : Limits
    packing : str
        One of `PACKINGS`. A zip archive has to hold a single file.
    """

    def __init__(self, packed: IO[bytes], limits: Limits, packing: str = "gzip") -> None:
        self._packed = packed
        self._limits = limits
        self._n_read = 0
        self._file: Any = io.BytesIO()  # closed if it cannot be opened
        self._checked = corrupt_is_unreadable(limits.path, packing)
        try:
            self._file = self._checked(_unpacked)(packed, packing, limits.path)
        except AutotypeError:
            self.close()
            raise

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer.

        Raises
        ------
        UnreadableTableError
            If more has been read than the limit, or if the file is cut off or damaged.
        """
        n_read = self._checked(self._file.readinto)(buffer)
        self._n_read += n_read
        self._limits.check_bytes(self._n_read)
        return n_read

    def close(self) -> None:
        """Close both files."""
        self._file.close()
        self._packed.close()
        super().close()


def _unpacked(packed: IO[bytes], packing: str, path: str) -> Any:
    unpack: dict[str, Any] = {"gzip": gzip.open, "bz2": bz2.open, "xz": lzma.open}
    if packing in unpack:
        return unpack[packing](packed)
    if packing == "zip":
        archive = zipfile.ZipFile(packed)
        return archive.open(members_of_zip(archive.namelist(), path))
    pyarrow = import_library("pyarrow", f"{path}: reading .zst needs pyarrow", extra="parquet")
    return pyarrow.CompressedInputStream(pyarrow.PythonFile(packed, mode="r"), "zstd")
