"""Survey platforms are recognised by the columns that they add."""

from __future__ import annotations

import pytest

import autotype
from autotype.tables.layout.header import find_platform

_QUESTIONS = ["How satisfied are you with it?", "Where do you live at present?"]


@pytest.mark.parametrize(
    ("names", "platform"),
    [
        (["StartDate", "EndDate", "RecordedDate", "Q1", "Q2"], "Qualtrics"),
        (["Duration..in.seconds.", "Finished", "Q1"], "Qualtrics"),
        (["id", "submitdate", "lastpage", "startlanguage", "q1"], "LimeSurvey"),
        (["Antwort ID", "Datum Abgeschickt", "Letzte Seite", "Frage"], "LimeSurvey"),
        (["Response ID", *_QUESTIONS], "LimeSurvey"),
        (["record_id", "race___1", "race___2", "demographics_complete"], "REDCap"),
        (["Record ID", "Race (choice=White)", "Race (choice=Black)", "Complete?"], "REDCap"),
        (["Timestamp", *_QUESTIONS], "Google Forms"),
        (["タイムスタンプ", "この商品をどう思いますか", "年齢を教えてください"], "Google Forms"),
        (["Respondent ID", "Collector ID", "Start Date", "Are you 18?"], "SurveyMonkey"),
        (["start", "end", "group/q1", "_uuid", "_submission_time"], "KoBo/ODK"),
        (["lfdn", "external_lfdn", "tester", "dispcode", "v_1"], "Unipark"),
        (["CASE", "SERIAL", "REF", "QUESTNNR", "MODE"], "SoSci Survey"),
        (["ID", "Start time", "Completion time", "Email", "Name"], "Microsoft Forms"),
        (["id", "name", "status", "start", "end", "price"], ""),
        (["timestamp", "cpu", "memory"], ""),
        (["task_complete", "id", "owner"], ""),
        ([], ""),
    ],
)
def test_platforms(names, platform) -> None:
    assert find_platform(names) == platform


def test_names_in_the_second_header_row() -> None:
    labels = ["ResponseID", "ResponseSet", "StartDate", "Finished"]
    assert find_platform(["V1", "V2", "V8", "V10"], labels) == "Qualtrics"
    labels = ["What is your role? - Selected Choice", "What is your role? - Other - Text"]
    assert find_platform(["Q1", "Q1_6_TEXT"], labels) == "Qualtrics"


def test_the_reading_names_the_platform(tmp_path) -> None:
    path = tmp_path / "export.csv"
    rows = ["StartDate,EndDate,RecordedDate,Q1", "Start Date,End Date,Recorded Date,How old?"]
    rows.append(",".join(f'"{{""ImportId"":""{name}""}}"' for name in ("a", "b", "c", "d")))
    rows += [f"2024-01-0{k} 10:00,2024-01-0{k} 11:00,2024-01-0{k} 11:01,{k}" for k in range(1, 9)]
    path.write_text("\n".join(rows))
    table = autotype.read_table(path)
    assert table.reading.platform == "Qualtrics"
    assert table.reading.unusual().startswith("an export of Qualtrics; ")
    report = autotype.infer_types(table)
    assert autotype.TypeReport.from_json(report.to_json()).reading == table.reading
    assert "The file: an export of Qualtrics" in str(report)


def test_a_report_without_a_platform_is_read(tmp_path) -> None:
    (tmp_path / "a.csv").write_text("size;price\nS;1\nM;2\n")
    report = autotype.infer_types(autotype.read_table(tmp_path / "a.csv"))
    plain = report.to_json().replace(',\n    "platform": ""', "")
    assert "platform" not in plain
    assert autotype.TypeReport.from_json(plain) == report
