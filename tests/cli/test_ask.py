"""`autotype infer --ask` and `--write-known`: questions in a terminal, and the next run."""

from __future__ import annotations

import os
import select
import sys
import tomllib

import pytest

from autotype.cli.ask import ask
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

WORDS = ("glider", "hatchling", "soarer")
BATTERY = ColumnType(
    "wing",
    "undetermined",
    0.5,
    best_order=WORDS,
    order_probability=0.6,
    levels=dict.fromkeys(WORDS, 3),
    n_levels=3,
)
CSV = "wing,tail\n" + "".join(f"{a},{b}\n" for a in WORDS for b in WORDS) * 5


def answers(*lines: str) -> tuple[TypeReport, list[str]]:
    """Ask about one battery with the lines as input; give the report and what is printed."""
    report = TypeReport([BATTERY, ColumnType(**{**vars(BATTERY), "name": "tail"})])
    pending, printed = list(lines), []
    asked = ask(report, lambda: pending.pop(0) if pending else "", printed.append)
    assert pending == []
    return asked, printed


@pytest.mark.parametrize(
    ("lines", "order"),
    [
        (["o\n"], WORDS),
        (["r\n"], WORDS[::-1]),
        (["hatchling < glider < soarer\n"], ("hatchling", "glider", "soarer")),
        (["hatchling<soarer | glider\n"], ("hatchling", "soarer")),
        (["hatchling < soarer\n", "c\n"], None),
        (["nonsense\n", "?\n", "\n"], None),
        (["c"], None),
    ],
)
def test_answers_are_decisions_for_the_whole_battery(lines, order) -> None:
    report, _ = answers(*lines)
    for column in report.columns:
        assert column.provenance == "revised"
        assert column.order == order


@pytest.mark.parametrize("lines", [["s\n"], ["q\n"], []])
def test_skip_quit_and_the_end_of_input_decide_nothing(lines) -> None:
    report, _ = answers(*lines)
    assert {column.provenance for column in report.columns} == {"inferred"}


def test_what_is_printed() -> None:
    _, printed = answers("glide\n", "hatchling < glider\n", "?\n", "o\n")
    text = "\n".join(printed)
    assert "1 question on 2 columns. Enter accepts the proposal; c: no order" in text
    assert "1/1 Do the levels of 'wing', 'tail'" in text
    assert "Best order found: glider < hatchling < soarer" in text
    assert "'glide' is no answer; did you mean 'glider'?; ? for help" in text
    assert "leaves out 'soarer'" in text
    assert "Levels: glider, hatchling, soarer" in text
    assert text.endswith("2 columns: glider < hatchling < soarer")


def test_without_an_order_there_is_none_to_accept() -> None:
    report = TypeReport([ColumnType(**{**vars(BATTERY), "best_order": None})])
    pending, printed = ["o\n", "q\n"], []
    ask(report, lambda: pending.pop(0), printed.append)
    assert "no order was found; type the levels, lowest first, with '<' between" in printed[-2]


def test_nothing_to_ask() -> None:
    printed: list[str] = []
    report = TypeReport([ColumnType("id", "identifier")])
    assert ask(report, lambda: "", printed.append) is report
    assert printed == ["No questions: every verdict is certain enough."]


def test_levels_cannot_move_the_terminals_cursor() -> None:
    evil = ("\x1b[2Jaaa", "bbb", "ccc")
    column = {"best_order": None, "levels": dict.fromkeys(evil, 3)}
    printed: list[str] = []
    ask(TypeReport([ColumnType(**{**vars(BATTERY), **column})]), lambda: "c\n", printed.append)
    assert "\x1b" not in "".join(printed)


def test_in_a_real_terminal(tmp_path, child_environment) -> None:
    (tmp_path / "a.csv").write_text(CSV)
    command = [sys.executable, "-m", "autotype", "infer", "a.csv", "--ask"]
    main, terminal = os.openpty()
    pid = os.posix_spawn(
        "/usr/bin/env",
        ["env", "-C", str(tmp_path), *command, "--write-known", "known.toml"],
        child_environment,
        file_actions=[(os.POSIX_SPAWN_DUP2, terminal, stream) for stream in (0, 1, 2)],
    )
    os.close(terminal)
    printed = b""
    answered = False
    while select.select([main], [], [], 60)[0]:
        try:
            part = os.read(main, 4096)
        except OSError:  # the terminal is closed
            break
        if not part:
            break
        printed += part
        if b"(probability" in printed and not answered:
            os.write(main, b"soarer < glider < hatchling\n")
            answered = True
    os.close(main)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, printed.decode()
    known = tomllib.loads((tmp_path / "known.toml").read_text())
    assert known == {name: ["soarer", "glider", "hatchling"] for name in ("wing", "tail")}


class TestWithoutATerminal:
    def test_it_says_so_before_the_work(self, survey, inferred, call) -> None:
        child = call("infer", "survey.csv", "--ask")
        assert (child.returncode, child.stdout) == (2, "")
        assert "--ask needs a terminal, and standard input is none; without one" in child.stderr
        assert inferred == []

    def test_many_tables_are_not_asked_for(self, survey, call) -> None:
        child = call("infer", "survey.csv", "--ask", "--folder", "OUT")
        assert child.returncode == 2
        assert "--ask is for a single table: leave out --folder" in child.stderr


class TestWriteKnown:
    @pytest.mark.parametrize("name", ["known.toml", "known.json"])
    def test_a_nightly_job_asks_only_what_is_new(self, survey, call, tmp_path, name) -> None:
        first = call("infer", "survey.csv", "--write-known", name)
        assert (first.returncode, first.stderr) == (0, "")
        (tmp_path / "survey.csv").write_text(
            "size,mood,price\n" + "S,good,1.5\nM,bad,2.5\nL,fair,3.5\n" * 12
        )
        again = call(
            "infer", "survey.csv", "--known", name, "--write-known", name, "--json", "t.json"
        )
        assert (again.returncode, again.stderr) == (0, "")
        types = TypeReport.from_json(tmp_path / "t.json")
        assert types["size"].provenance == "kept"
        assert types["mood"].provenance == "inferred"
        last = call("infer", "survey.csv", "--known", name, "--json", "-").stdout
        assert TypeReport.from_json(last)["mood"].provenance == "kept"

    def test_standard_output(self, survey, call) -> None:
        child = call("infer", "survey.csv", "--write-known", "-")
        assert tomllib.loads(child.stdout)["size"]["order"] == ["S", "M", "L"]
        assert "P(ordinal)" not in child.stdout

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ("--write-known known.yaml", "known.yaml: the name must end in .toml or .json"),
            ("--write-known .toml", "--write-known .toml: the name must end in .toml or .json"),
            ("--write-known survey.csv", "would overwrite FILE, which is read"),
            ("--write-known a.json --json a.json", "both write to a.json"),
            ("--write-known a.toml --folder OUT", "--write-known is for a single table"),
        ],
    )
    def test_wrong_use(self, survey, inferred, call, arguments, message) -> None:
        child = call("infer", "survey.csv", *arguments.split())
        assert (child.returncode, inferred) == (2, [])
        assert message in child.stderr

    def test_a_new_level_is_inferred_again_with_a_warning(self, survey, call, tmp_path) -> None:
        call("infer", "survey.csv", "--write-known", "known.toml")
        (tmp_path / "day2.csv").write_text("size,price\n" + "S,1.5\nM,2.5\nL,3.5\nXL,4.5\n" * 12)
        child = call("infer", "day2.csv", "--known", "known.toml")
        assert child.returncode == 0
        assert "leaves out 'XL'" in child.stderr
        assert "its type is inferred again" in child.stderr
        assert "S < M < L < XL" in child.stdout

    def test_one_name_for_two_types(self, survey, call, monkeypatch) -> None:

        twice = [ColumnType("a", kind, 0.5) for kind in ("categorical", "ordinal")]
        monkeypatch.setattr("autotype.cli.input.infer_types", lambda *_, **__: TypeReport(twice))
        child = call("infer", "survey.csv", "--write-known", "known.toml")
        assert child.returncode == 1
        assert "the columns of the name 'a' have different types" in child.stderr


class TestNoValues:
    @pytest.fixture
    def secret(self, tmp_path):
        rows = [f"S{k:04d},{k}.5,{'SML'[k % 3]}\n" for k in range(3000, 3060)]
        (tmp_path / "secret.csv").write_text("person,pay,size\n" + "".join(rows))

    def test_no_output_holds_any(self, secret, call, tmp_path) -> None:
        outputs = ("--json", "t.json", "--html", "t.html")
        call("infer", "secret.csv", *outputs)
        for name in ("t.json", "t.html"):
            text = (tmp_path / name).read_text()
            assert "S30" in text
            assert "3000.5" in text
        assert call("infer", "secret.csv", "--no-values", *outputs).returncode == 0
        for name in ("t.json", "t.html"):
            text = (tmp_path / name).read_text()
            assert "S30" not in text
            assert "3000.5" not in text
        assert TypeReport.from_json(tmp_path / "t.json")["size"].order == ("S", "M", "L")

    def test_nor_does_a_page_of_types(self, secret, call, tmp_path) -> None:
        call("infer", "secret.csv", "--json", "t.json")
        assert call("report", "t.json", "--no-values", "-o", "t.html").returncode == 0
        text = (tmp_path / "t.html").read_text()
        assert "S30" not in text
        assert "<title>t.json: Column types, " in text
