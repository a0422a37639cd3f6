"""The cells of a workbook are those that openpyxl reads, whatever writes it; bombs are refused."""

from __future__ import annotations

import datetime
import io
import re
import sys
import zipfile
from random import Random

import openpyxl
import pytest

from autotype.errors import MissingExtraError, UnreadableTableError
from autotype.tables.table import Limits
from autotype.tables.workbooks.sheet_scan import SheetScan
from autotype.tables.workbooks.workbook import open_workbook
from tests.reference.workbook_cells import cells_by_openpyxl

LIMITS = Limits("a.xlsx", 10**7)
DAY = datetime.datetime(2024, 2, 29)
VALUES = [
    None,
    "text",
    " leading and trailing ",
    "two\nlines",
    "=not a formula",
    "5",
    "01067",
    "é你",
    0,
    -3,
    2.5,
    1e300,
    2**53 - 1,
    0.1 + 0.2,
    True,
    False,
    DAY,
    DAY.replace(hour=13, minute=5, second=59),
    datetime.date(1950, 3, 1),
    datetime.time(23, 59, 1),
    datetime.timedelta(hours=30, minutes=1),
]


def sheet_of(content: bytes, name: str = "Sheet", limits: Limits = LIMITS) -> SheetScan:
    return open_workbook(lambda: io.BytesIO(content), limits).read(name)


def random_book(random: Random) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    for name in ("Sheet", "a & b", "größe"):
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        top, left = random.randrange(1, 5), random.randrange(1, 5)
        for row in range(top, top + random.randrange(1, 12)):
            for column in range(left, left + random.randrange(1, 30)):
                cell = sheet.cell(row, column, random.choice(VALUES))
                if isinstance(cell.value, str):
                    cell.data_type = "s"
    return book


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("epoch", [1900, 1904])
def test_cells_are_those_of_openpyxl(tmp_path, seed, epoch) -> None:
    book = random_book(Random(seed))
    if epoch == 1904:
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    path = tmp_path / "a.xlsx"
    book.save(path)
    for name in book.sheetnames:
        rows = sheet_of(path.read_bytes(), name).rows
        expected = cells_by_openpyxl(str(path), name)
        assert trimmed(rows) == expected
        kinds = [[type(value) for value in row] for row in expected]
        assert [[type(value) for value in row] for row in trimmed(rows)] == kinds


def trimmed(rows):
    """Leave out empty rows and columns at the end."""
    rows = list(rows)
    while rows and not any(value is not None for value in rows[-1]):
        rows.pop()
    width = max((j for row in rows for j, v in enumerate(row, 1) if v is not None), default=0)
    return [row[:width] for row in rows]


def saved(book: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def changed(content: bytes, name: str, change) -> bytes:
    """Return an archive of which one member is changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    members[name] = change(members.get(name, b""))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, part in members.items():
            archive.writestr(member, part)
    return file.getvalue()


def test_errors_and_formulas_without_a_value() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["a", "b"], [1, "=A2+1"], [2, "=A3+1"], ["#DIV/0!", "x"]):
        sheet.append(row)
    cells = sheet_of(saved(book))
    assert cells.rows == [["a", "b"], [1, None], [2, None], [None, "x"]]
    assert list(cells.unstored) == [(2, 2), (3, 2)]
    stored = changed(
        saved(book),
        "xl/worksheets/sheet1.xml",
        lambda part: re.sub(rb"(A2\+1</f>)<v ?/>", rb"\1<v>2</v>", part, count=1),
    )
    assert list(sheet_of(stored).unstored) == [(3, 2)]
    assert sheet_of(stored).rows[1] == [1, 2]
    empty = changed(  # the value of the formula is an empty string
        saved(book),
        "xl/worksheets/sheet1.xml",
        lambda part: part.replace(b'<c r="B2">', b'<c r="B2" t="str">'),
    )
    assert list(sheet_of(empty).unstored) == [(3, 2)]


def test_sheets() -> None:
    book = openpyxl.Workbook()
    book.create_sheet("hidden").sheet_state = "hidden"
    book.create_sheet("very").sheet_state = "veryHidden"
    book.create_chartsheet("chart")
    found = open_workbook(lambda: io.BytesIO(saved(book)), LIMITS)
    assert found.sheets == ("Sheet", "hidden", "very")
    assert found.visible == ("Sheet",)


def test_merged_cells() -> None:
    book = openpyxl.Workbook()
    book.active["B2"] = book.active["D5"] = 1
    book.active.merge_cells("B2:C4")
    assert list(sheet_of(saved(book)).merged) == [(2, 2, 4, 3)]


def corner(reference: bytes):
    """Return a change that moves the cell A2 far away."""
    return lambda part: part.replace(b'r="A2"', reference)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (corner(b'r="XFD9999"'), "9,999 rows of 16,384 columns take"),
        (corner(b"r='XFD9999'"), "9,999 rows of 16,384 columns take"),
        (corner(b' r  =\n"xfd9999"'), "9,999 rows of 16,384 columns take"),
        (corner(b'r="A999999999"'), "holds a row beyond 1,048,576"),
        (corner(b'r="$XFD$9999"'), "not a whole Excel file"),
        (
            lambda p: p.replace(
                b"</sheetData>",
                b"<row/>" * 9999 + b"<row>" + b"<c><v>1</v></c>" * 900 + b"</row></sheetData>",
            ),
            "rows of 900 columns take",
        ),
        (
            lambda p: p.replace(b"<worksheet", b'<!DOCTYPE x [<!ENTITY a "b">]><worksheet', 1),
            "type",
        ),
    ],
)
def test_far_cells(change, message) -> None:
    book = openpyxl.Workbook()
    book.active.append(["a"])
    book.active.append([1])
    content = changed(saved(book), "xl/worksheets/sheet1.xml", change)
    with pytest.raises(UnreadableTableError, match=message):
        sheet_of(content)


def test_the_reference_of_a_cell_counts() -> None:
    book = openpyxl.Workbook()
    book.active.append([1])
    far = changed(
        saved(book),
        "xl/worksheets/sheet1.xml",
        lambda part: part.replace(b'<row r="1">', b'<row r="999999999">'),
    )
    assert sheet_of(far).rows == [[1]]


def test_a_long_string_that_many_cells_share() -> None:
    book = openpyxl.Workbook()
    book.active.append(["a"])
    strings = b"<sst><si><t>" + b"x" * 20_000 + b"</t></si><si><t>y</t></si></sst>"

    def rows(index: int):
        cells = b"".join(b'<row><c t="s"><v>%d</v></c></row>' % index for _ in range(1000))
        return lambda part: re.sub(
            rb"<sheetData>.*</sheetData>", b"<sheetData>" + cells + b"</sheetData>", part
        )

    content = changed(saved(book), "xl/sharedStrings.xml", lambda _: strings)
    short = changed(content, "xl/worksheets/sheet1.xml", rows(1))
    assert len(sheet_of(with_shared(short)).rows) == 1000
    long = changed(content, "xl/worksheets/sheet1.xml", rows(0))
    with pytest.raises(UnreadableTableError, match="unpacks to 20,000,000 bytes"):
        sheet_of(with_shared(long))


def with_shared(content: bytes) -> bytes:
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    relation = b'<Relationship Id="s" Type="%s" Target="sharedStrings.xml"/></Relationships>' % kind
    return changed(
        content,
        "xl/_rels/workbook.xml.rels",
        lambda part: part.replace(b"</Relationships>", relation),
    )


@pytest.mark.parametrize(
    ("name", "change"),
    [
        (
            "xl/workbook.xml",
            lambda p: re.sub(rb"(<sheet .*?/>)", rb"\1\1", p),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            lambda p: re.sub(rb"(<Relationship .*?/>)", rb"\1\1", p),
        ),
        ("xl/worksheets/SHEET1.xml", lambda p: b"<worksheet/>"),
    ],
)
def test_repeated_names_are_refused(name, change) -> None:
    """What is scanned has to be what is loaded."""
    content = changed(saved(openpyxl.Workbook()), name, change)
    with pytest.raises(UnreadableTableError, match="a name is repeated"):
        sheet_of(content)


ODS = (
    '<?xml version="1.0"?><office:document-content '
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
    '<office:body><office:spreadsheet><table:table table:name="t">%s</table:table>'
    "</office:spreadsheet></office:body></office:document-content>"
)


def ods(rows: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", ODS % rows)
        archive.writestr("META-INF/manifest.xml", "<manifest:manifest/>")
    return file.getvalue()


def ods_cell(value: str, attributes: str = "") -> str:
    text = f"<text:p>{value}</text:p>"
    return f'<table:table-cell office:value-type="string" {attributes}>{text}</table:table-cell>'


def test_repeated_and_merged_cells_of_open_document() -> None:
    empty = '<table:table-row table:number-rows-repeated="1048570"><table:table-cell/>'
    empty += "</table:table-row>"
    spanned = ods_cell("x", 'table:number-columns-spanned="2"') + "<table:covered-table-cell/>"
    twice = ods_cell("y", 'table:number-columns-repeated="2"')
    rows = f"<table:table-row>{spanned}{twice}"
    rows += '<table:table-cell table:formula="of:=1+1"/></table:table-row>'
    rows += '<table:table-row table:number-rows-repeated="2">'
    rows += '<table:table-cell office:value-type="float" office:value="2"/></table:table-row>'
    cells = sheet_of(ods(rows + empty), "t")
    assert trimmed(cells.rows) == [
        ["x", None, "y", "y"],
        [2, None, None, None],
        [2, None, None, None],
    ]
    assert list(cells.merged) == [(1, 1, 1, 2)]
    assert list(cells.unstored) == [(1, 5)]


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("date", "2024-02-29", DAY.date()),
        ("date", "2024-02-29T10:00:00", DAY.replace(hour=10)),
        ("time", "PT05H30M00S", datetime.time(5, 30)),
        ("time", "PT30H30M01S", datetime.timedelta(hours=30, minutes=30, seconds=1)),
        ("boolean", "true", True),
        ("percentage", "0.5", 0.5),
        ("currency", "5.0", 5),
        ("string", "text", "text"),
    ],
)
def test_values_of_open_document(kind, value, expected) -> None:
    name = {"percentage": "value", "currency": "value"}.get(kind, f"{kind}-value")
    stated = f'office:value-type="{kind}" office:{name}="{value}"'
    cell = f"<table:table-cell {stated}><text:p>shown</text:p></table:table-cell>"
    assert sheet_of(ods(f"<table:table-row>{cell}</table:table-row>"), "t").rows == [[expected]]


@pytest.mark.parametrize(
    ("rows", "columns", "text", "message"),
    [
        (900_000, 900, "x", "900,000 rows of 900 columns take"),
        (10_000, 100, "x" * 1000, "unpacks to 1,000,000,000 bytes"),
    ],
)
def test_repetitions_of_open_document(rows, columns, text, message) -> None:
    cell = ods_cell(text, f'table:number-columns-repeated="{columns}"')
    row = f'<table:table-row table:number-rows-repeated="{rows}">{cell}</table:table-row>'
    with pytest.raises(UnreadableTableError, match=message):
        sheet_of(ods(row), "t")


def xls(rows) -> bytes:
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("Sheet")
    hidden = book.add_sheet("hidden")
    hidden.visibility = 1
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            if isinstance(value, datetime.datetime | datetime.date | datetime.time):
                form = "HH:MM:SS" if isinstance(value, datetime.time) else "YYYY-MM-DD HH:MM:SS"
                sheet.write(i, j, value, xlwt.easyxf(num_format_str=form))
            elif value is not None:
                sheet.write(i, j, value)
    sheet.merge(len(rows), len(rows) + 1, 0, 1)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_cells_of_old_files() -> None:
    rows = [
        ["a", "größe", None, True],
        [1, 2.5, DAY, DAY.replace(hour=3)],
        [None, datetime.time(4, 5)],
    ]
    book = open_workbook(lambda: io.BytesIO(xls(rows)), LIMITS)
    assert book.sheets == ("Sheet", "hidden")
    assert book.visible == ("Sheet",)
    cells = book.read("Sheet")
    assert trimmed(cells.rows) == [
        ["a", "größe", None, True],
        [1, 2.5, DAY.date(), DAY.replace(hour=3)],
        [None, datetime.time(4, 5), None, None],
    ]
    assert list(cells.merged) == [(4, 1, 5, 2)]
    with pytest.raises(UnreadableTableError, match="beyond the limit of 50"):
        open_workbook(lambda: io.BytesIO(xls(rows)), Limits("a.xls", 50)).read("Sheet")


def test_a_binary_workbook_is_refused_by_name() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.bin", b"")
    with pytest.raises(UnreadableTableError, match=r"binary workbook \(.xlsb\); save it as .xlsx"):
        sheet_of(file.getvalue())


def test_a_password() -> None:
    content = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(UnreadableTableError, match="is protected by a password; save it without"):
        sheet_of(content)


def test_no_reader_of_old_files(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "xlrd", None)
    with pytest.raises(MissingExtraError, match=r"\.xls needs xlrd; type .*\[excel\]"):
        sheet_of(xls([["a"]]))
