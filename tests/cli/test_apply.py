from __future__ import annotations

import json
import os

import pandas as pd
import pytest

import autotype

CSV = "size,zip,n\n" + "S,01067,1\nM,10115,\nL,20095,3\nNone,04103,1\n,04103,1\n" * 12


@pytest.fixture
def types(call, tmp_path):
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "known.json").write_text('{"size": ["None", "S", "M", "L"], "zip": "categorical"}')
    child = call("infer", "a.csv", "--known", "known.json", "--json", "types.json", "--quiet")
    assert (child.returncode, child.stderr) == (0, "")
    return tmp_path / "types.json"


def apply(call, *arguments):
    return call("apply", "a.csv", "--types", "types.json", *arguments)


def test_parquet_keeps_levels_and_order(types, call, tmp_path) -> None:
    child = apply(call, "-o", "typed.parquet")
    assert (child.returncode, child.stderr) == (0, "")
    assert child.stdout.startswith("typed.parquet: 60 rows, ")
    typed = pd.read_parquet(tmp_path / "typed.parquet")
    assert typed["size"].dtype == pd.CategoricalDtype(["None", "S", "M", "L"], ordered=True)
    assert typed["size"].isna().sum() == 12
    assert typed["zip"].tolist()[0] == "01067"
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "known.json", "typed.parquet", "types.json"]


def test_spss_has_labels_and_measures(types, call, tmp_path) -> None:
    child = apply(call, "-o", "typed.sav")
    assert (child.returncode, child.stderr) == (0, "")
    _, meta = pytest.importorskip("pyreadstat").read_sav(str(tmp_path / "typed.sav"))
    assert meta.variable_value_labels == {"size": {1: "None", 2: "S", 3: "M", 4: "L"}}
    assert meta.variable_measure["size"] == "ordinal"
    assert meta.variable_measure["zip"] == "nominal"


def test_what_stata_cannot_keep_fails_without_lossy(types, call, tmp_path) -> None:
    (tmp_path / "a.csv").write_text(CSV.replace("zip", "zip code"))
    child = apply(call, "-o", "typed.dta", "--quiet")
    assert child.returncode == 1
    assert "cannot keep 'zip_code': its name 'zip code'; lossy=True (--lossy)" in child.stderr
    assert not (tmp_path / "typed.dta").exists()
    assert apply(call, "-o", "typed.dta", "--lossy", "--quiet").returncode == 0
    assert "--lossy is for SPSS" in apply(call, "-o", "typed.csv", "--lossy").stderr


def test_csv_comes_back_as_it_was_and_warns(types, call, tmp_path) -> None:
    child = apply(call, "--output", "typed.csv")
    assert (child.returncode, child.stdout) == (0, "typed.csv: 60 rows, 2 of 3 columns typed\n")
    assert child.stderr == (
        "autotype: warning: typed.csv: 'size' keep their values, but neither dtype nor order; "
        "Parquet keeps them\n"
    )
    assert (tmp_path / "typed.csv").read_text() == CSV


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_text_files_keep_each_cell_as_it_was_written(ending, call, tmp_path) -> None:
    lines = ["version,phone,code,flag,price,day", "2.10,+49309018,1E5,TRUE,2.50,2024-01-31T10:00"]
    lines += ["2.1,+49309017,2E5,FALSE,1.,2024-02-01T09:30", "2.9,,3E5,true,-0.70,"]
    text = "\n".join([*lines, *lines[1:] * 20]) + "\n"
    (tmp_path / "a.csv").write_text(text)
    call("infer", "a.csv", "--json", "types.json", "--quiet")
    assert apply(call, "-o", f"typed.{ending}", "--quiet").returncode == 0
    written = (tmp_path / f"typed.{ending}").read_text()
    assert written == (text if ending == "csv" else text.replace(",", "\t"))


@pytest.mark.parametrize("ending", ["parquet", "xlsx", "jsonl"])
def test_other_files_say_which_cells_they_write_otherwise(ending, call, tmp_path) -> None:
    lines = ["phone,part,flag,price,digits,n,ok", "+49100,1,TRUE,2.5,0.30000000000000004,1,True"]
    lines += ["+49117,٢,FALSE,3.75,0.1,2,False", "+49210,3,TRUE,1,0.20,3,True"]
    (tmp_path / "a.csv").write_text("\n".join([*lines, *lines[1:] * 9]) + "\n")
    call("infer", "a.csv", "--json", "types.json", "--quiet")
    child = apply(call, "-o", f"typed.{ending}")
    assert child.returncode == 0
    said = "numbers and booleans of 'part', 'flag', 'digits' are not written as they were"
    assert f"{said} ('٢' as 2); .csv keeps the cells, and so does the type text\n" in child.stderr
    frame = autotype.read_table(tmp_path / f"typed.{ending}").frame
    assert frame["phone"].astype(str).tolist()[:3] == ["+49100", "+49117", "+49210"]


def test_strings_of_sheets_are_kept_as_those_of_text_files(call, tmp_path) -> None:
    cells = {"share": ["0.10", "0.20"], "flag": ["TRUE", "FALSE"], "digits": ["٤", "٢"]}
    frame = pd.DataFrame(cells | {"n": [1, 2]}).iloc[[0, 1] * 10]
    frame.to_excel(tmp_path / "a.xlsx", index=False)
    call("infer", "a.xlsx", "--json", "types.json", "--quiet")
    table = ("apply", "a.xlsx", "--types", "types.json", "-o")
    assert "written" not in call(*table, "typed.csv").stderr
    assert (tmp_path / "typed.csv").read_text("utf-8") == frame.to_csv(index=False)
    said = "numbers and booleans of 'share', 'flag', 'digits' are not written as they were"
    assert f"{said} ('0.10' as 0.1)" in call(*table, "typed.parquet").stderr


def test_json_lines(types, call, tmp_path) -> None:
    child = apply(call, "-o", "typed.jsonl")
    assert child.returncode == 0
    assert "neither dtype nor order" in child.stderr
    rows = [json.loads(line) for line in (tmp_path / "typed.jsonl").read_text().splitlines()]
    assert rows[0] == {"size": "S", "zip": "01067", "n": 1}
    assert rows[1]["n"] is None
    assert rows[4]["size"] is None


def test_csv_from_a_process(types, run) -> None:
    child = apply(run, "-o", "-")
    assert (child.returncode, child.stdout) == (0, CSV)
    assert child.stderr.startswith("autotype: warning: standard output: 'size' keep")


def test_quiet_prints_no_warnings_either(types, call) -> None:
    child = apply(call, "-o", "typed.csv", "--quiet")
    assert (child.returncode, child.stdout, child.stderr) == (0, "", "")


def test_unseen_levels(types, call, tmp_path) -> None:
    (tmp_path / "a.csv").write_text("size,zip,n\nXXL,10115,1\n")
    kept = apply(call, "-o", "typed.parquet")
    assert kept.returncode == 0
    assert kept.stderr.count("'XXL' (first at row 0); kept as levels") == 1
    raised = apply(call, "-o", "other.parquet", "--unseen", "raise")
    assert raised.returncode == 1
    assert "'XXL' (first at row 0)" in raised.stderr
    assert "or pass --unseen keep" in raised.stderr
    assert not (tmp_path / "other.parquet").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-o", "typed.xlsm"], 2, "--output typed.xlsm: the name must end in one of .csv"),
        (["-o", "none/typed.csv"], 2, "--output none/typed.csv: there is no folder"),
        (["-o", "typed.csv", "--types", "none.json"], 2, "--types none.json: no such file"),
        (["-o", "typed.csv", "--types", "a.csv"], 2, "--types a.csv: is not JSON"),
        (["-o", "/dev/full"], 2, "/dev/full: the name must end"),
        ([], 2, "the following arguments are required: -o/--output"),
    ],
)
def test_wrong_use(types, call, arguments, code, message) -> None:
    child = apply(call, *arguments)
    assert (child.returncode, child.stdout) == (code, "")
    assert message in child.stderr
    assert child.stderr.count("\n") == 1


def test_a_column_that_the_file_lacks_is_named(types, call, tmp_path) -> None:
    (tmp_path / "a.csv").write_text("size,n\nS,1\nM,2\n")
    child = apply(call, "-o", "typed.csv")
    assert child.returncode == 0
    assert "autotype: warning: a.csv: lacks 'zip', which the types hold\n" in child.stderr


def test_another_table(types, call, tmp_path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    child = apply(call, "-o", "typed.csv")
    assert child.returncode == 1
    assert "the frame holds none of the report's 3 columns; its own are 'x', 'y'" in child.stderr
    assert not (tmp_path / "typed.csv").exists()
