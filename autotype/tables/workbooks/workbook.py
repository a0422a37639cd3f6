"""Open a workbook of Excel or OpenDocument within the limits, and read the cells of its sheets.

python-calamine reads .xlsx and .ods about six times as fast as openpyxl, scan included. Its
arrays hold all cells of a sheet up to the last one, so each sheet is scanned before. Old .xls files
are read by xlrd, whose rows hold no more than the file does.
"""

from __future__ import annotations

import datetime
import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from autotype.errors import UnreadableTableError
from autotype.lazy_names import import_library
from autotype.tables.table import Limits, Opener, corrupt_is_unreadable
from autotype.tables.workbooks import sheet_scan
from autotype.tables.workbooks.sheet_scan import SheetScan

_OLE = b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")  # what a .xlsx with a password is wrapped in
_PARTS = (".xml", ".rels", "workbook.bin", "mimetype")  # no pictures
_DURATION = re.compile(r"PT(\d{1,6})H(\d\d?)M(\d\d?(?:\.\d+)?)S")
_MAX_ROWS = 1 << 20  # of Excel; a file may state any number of a row


@dataclass(frozen=True)
class Workbook:
    """An open workbook.

    Attributes
    ----------
    sheets : tuple of str
        Names of the sheets of cells.
    visible : tuple of str
        Those that are not hidden.
    read : callable
        Returns the cells of a sheet by its name.
    """

    sheets: tuple[str, ...]
    visible: tuple[str, ...]
    read: Callable[[str], SheetScan]


def open_workbook(opened: Opener, limits: Limits) -> Workbook:
    """Open a workbook.

    Parameters
    ----------
    opened : callable
        Opens the content from its start.
    limits : Limits
        Name in error messages, and the sizes that the file and its sheets may have.

    Raises
    ------
    UnreadableTableError
        If the content is cut off or corrupt, has a password, or is beyond the limits; the same
        when a sheet is read.
    MissingExtraError
        If python-calamine or xlrd is not installed.
    """
    with opened() as file:
        content = file.read()
    guarded = corrupt_is_unreadable(limits.path, "Excel")
    if content.startswith(_OLE):
        library = import_library("xlrd", f"{limits.path}: reading .xls needs xlrd", extra="excel")
        book = guarded(_open_xls)(content, limits, library)
    else:
        use = f"{limits.path}: reading Excel needs python-calamine"
        library = import_library("python_calamine", use, extra="excel")
        book = guarded(lambda: _Parts(content, limits).workbook(library))()
    return replace(book, read=guarded(book.read))


class _Parts:
    """The parts of a workbook that is a zip archive: .xlsx, .xlsm or .ods."""

    def __init__(self, content: bytes, limits: Limits) -> None:
        self.limits = limits
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [m for m in archive.infolist() if m.filename.endswith(_PARTS)]
            limits.check_bytes(sum(member.file_size for member in archive.infolist()))
            # Reading checks the stated sizes.
            self.members = [(m.filename.lstrip("/"), archive.read(m)) for m in members]
        # What is scanned has to be what is loaded: names are the same in any case.
        self.parts = _distinct([(name.lower(), part) for name, part in self.members])
        if "xl/workbook.bin" in self.parts:
            raise UnreadableTableError(
                f"{limits.path}: is a binary workbook (.xlsb); save it as .xlsx"
            )

    def workbook(self, calamine: Any) -> Workbook:
        """Return the workbook, none of whose sheets has been read."""
        if "content.xml" in self.parts:
            self._check(list(self._scans_of_ods.values()))  # all sheets are loaded at once
        copy = io.BytesIO()
        with zipfile.ZipFile(copy, "w") as archive:
            for name, part in self.members:
                archive.writestr(name, part)
        copy.seek(0)
        book = calamine.CalamineWorkbook.from_filelike(copy)
        sheets = [
            sheet for sheet in book.sheets_metadata if sheet.typ == calamine.SheetTypeEnum.WorkSheet
        ]
        visible = [s.name for s in sheets if s.visible == calamine.SheetVisibleEnum.Visible]
        names = tuple(sheet.name for sheet in sheets)
        return Workbook(names, tuple(visible), lambda name: self._read(book, name))

    def _read(self, book: Any, name: str) -> SheetScan:
        scan = self._scan(name)
        rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
        if "content.xml" in self.parts:
            rows = [[_duration_or(cell) for cell in row] for row in rows]
        return replace(scan, rows=_cells(rows))

    def _scan(self, name: str) -> SheetScan:
        if "content.xml" in self.parts:
            return self._scans_of_ods.get(name, SheetScan())
        part = self.parts[self._part_of_sheet[name]]
        scan, n_shared = sheet_scan.scan_xlsx(part)
        if n_shared * max(self._lengths, default=0) > self.limits.max_bytes:
            scan, _ = sheet_scan.scan_xlsx(part, self._lengths)
        self._check([scan])
        return scan

    def _check(self, scans: Sequence[SheetScan]) -> None:
        for scan in scans:
            if scan.n_rows > _MAX_ROWS:
                raise UnreadableTableError(f"{self.limits.path}: holds a row beyond {_MAX_ROWS:,}")
            self.limits.check_cells(scan.n_rows, scan.n_columns)
        self.limits.check_bytes(8 * sum(scan.n_rows * scan.n_columns for scan in scans))
        self.limits.check_bytes(sum(scan.n_bytes for scan in scans))

    @cached_property
    def _scans_of_ods(self) -> dict[str, SheetScan]:
        return sheet_scan.scan_ods(self.parts["content.xml"])

    @cached_property
    def _lengths(self) -> list[int]:
        """The lengths of the strings that cells share."""
        part = self.parts.get("xl/sharedstrings.xml")
        return sheet_scan.shared_lengths(part) if part is not None else []

    @cached_property
    def _part_of_sheet(self) -> dict[str, str]:
        """The name of each sheet's part."""
        relations = self.parts["xl/_rels/workbook.xml.rels"]
        ids = [
            (sheet["name"], next(v for k, v in sheet.items() if k.endswith(":id")))
            for sheet in sheet_scan.elements(self.parts["xl/workbook.xml"], "sheet")
        ]
        targets = _distinct(
            [
                (one["Id"], posixpath.normpath(posixpath.join("/xl", one["Target"])).lstrip("/"))
                for one in sheet_scan.elements(relations, "Relationship")
            ]
        )
        return {name: targets[number].lower() for name, number in _distinct(ids).items()}


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return pairs as a dictionary; `ValueError` if a key is repeated."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is repeated")
    return found


def _cells(rows: list[list[Any]]) -> list[list[Any]]:
    """Return rows of one length, with None for empty cells and integers for whole floats."""
    width = max(map(len, rows), default=0)
    return [[*map(_value, row), *[None] * (width - len(row))] for row in rows]


def _duration_or(cell: Any) -> Any:
    """Return a duration of OpenDocument beyond a day, which the reader leaves as text."""
    found = _DURATION.fullmatch(cell) if isinstance(cell, str) else None
    if found is None:
        return cell
    hours, minutes, seconds = found.groups()
    return datetime.timedelta(hours=int(hours), minutes=int(minutes), seconds=float(seconds))


def _value(cell: Any) -> Any:
    if cell == "":
        return None
    is_whole = type(cell) is float and cell.is_integer() and abs(cell) < 2**53
    return int(cell) if is_whole else cell


def _open_xls(content: bytes, limits: Limits, xlrd: Any) -> Workbook:
    if _ENCRYPTED in content:
        raise UnreadableTableError(
            f"{limits.path}: is protected by a password; save it without one"
        )
    book = xlrd.open_workbook(
        file_contents=content,
        logfile=io.StringIO(),
        formatting_info=True,  # merged cells
        on_demand=True,
        ragged_rows=True,
    )

    def read(name: str) -> SheetScan:
        sheet = book.sheet_by_name(name)
        limits.check_cells(sheet.nrows, sheet.ncols)
        rows = [
            [_value_of_xls(cell, book.datemode) for cell in sheet.row(k)]
            for k in range(sheet.nrows)
        ]
        merged = [(top + 1, left + 1, end, last) for top, end, left, last in sheet.merged_cells]
        return SheetScan(rows=_cells(rows), merged=merged)

    names = tuple(book.sheet_names())
    hidden = {sheet for sheet, state in zip(names, book._sheet_visibility, strict=False) if state}
    return Workbook(names, tuple(name for name in names if name not in hidden), read)


def _value_of_xls(cell: Any, datemode: int) -> Any:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return bool(cell.value)
    if cell.ctype == xlrd.XL_CELL_DATE:
        moment = xlrd.xldate.xldate_as_datetime(cell.value, datemode)
        if cell.value < 1:
            return moment.time()
        return moment.date() if cell.value == int(cell.value) else moment
    return cell.value if cell.ctype in (xlrd.XL_CELL_TEXT, xlrd.XL_CELL_NUMBER) else None
