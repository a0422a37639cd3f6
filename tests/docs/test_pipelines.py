"""The pages on pipelines: their code and commands, with stand-ins for the tools' decorators."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pandas as pd
import pytest
import yaml

import autotype
from autotype.cli import main
from autotype.errors import BatchError

PAGES = Path(__file__).resolve().parents[2] / "docs" / "how-to"


def block(page: str, language: str) -> str:
    text = (PAGES / page).read_text(encoding="utf-8")
    return re.search(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]


@pytest.fixture
def day(tmp_path, monkeypatch) -> Path:
    """A folder with a table, its schema, and the name that the pages use."""
    frame = pd.DataFrame({"satisfaction": ["Bad", "Satisfied", "Very satisfied"] * 12})
    types = autotype.TypeReport(
        [
            autotype.ColumnType(
                "satisfaction", "ordinal", order=("Bad", "Satisfied", "Very satisfied")
            )
        ]
    )
    for folder in ("data", "schemas"):
        (tmp_path / folder).mkdir()
    autotype.write_schema(autotype.to_schema(frame, types), tmp_path / "schemas" / "survey.yaml")
    for path in ("survey.csv", "data/survey.csv"):
        frame.to_csv(tmp_path / path, index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def spoil(day: Path) -> None:
    for path in ("survey.csv", "data/survey.csv"):
        pd.read_csv(day / path).replace("Bad", "Awful").to_csv(day / path, index=False)


def decorator(*functions: Any, **options: Any) -> Any:
    """Decorate nothing, with arguments or without."""
    return functions[0] if functions else lambda function: function


def run(page: str, monkeypatch, **modules: Any) -> dict[str, Any]:
    """Run the code of a page where these modules stand in for those of the tool."""
    for name, content in modules.items():
        module = ModuleType(name.replace("__", "."))
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(block(page, "py"), page, "exec"), names)
    return names


def test_airflow(day, monkeypatch, child_environment) -> None:
    class AirflowFailException(Exception):  # noqa: N818 - its name in Airflow
        pass

    tasks = []

    def task(**options: Any) -> Any:
        return lambda function: tasks.append(function) or (lambda: None)

    command = Path(sys.executable).with_name("autotype")
    if not command.exists():
        pytest.skip("the command is not installed beside Python")
    for name, value in child_environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", str(command.parent))
    parts = {"airflow": {}, "airflow__sdk": {"dag": decorator, "task": task}}
    parts["airflow__sdk__exceptions"] = {"AirflowFailException": AirflowFailException}
    run("airflow.md", monkeypatch, **parts)
    assert "1 table: all fit" in tasks[0]()
    spoil(day)
    with pytest.raises(AirflowFailException, match="'Awful'"):
        tasks[0]()


def test_dagster(day, monkeypatch) -> None:
    result = {"AssetCheckResult": lambda **stated: SimpleNamespace(**stated)}
    named = {"MetadataValue": SimpleNamespace(md=str), "Definitions": lambda **stated: stated}
    names = run(
        "dagster.md",
        monkeypatch,
        dagster=result | named | {"asset": decorator, "asset_check": decorator},
    )
    assert names["levels_and_order"](names["survey"]()).passed
    spoil(day)
    failed = names["levels_and_order"](names["survey"]())
    assert not failed.passed
    assert "'Awful'" in failed.metadata["problems"]


def test_prefect(day, monkeypatch) -> None:
    names = run("prefect.md", monkeypatch, prefect={"flow": decorator, "task": decorator})
    assert names["survey"]() == 24
    spoil(day)

    with pytest.raises(BatchError, match="'Awful'") as failed:
        names["survey"]()

    def ended(problem: Exception) -> Any:
        def result() -> None:
            raise problem

        return SimpleNamespace(result=result)

    assert names["is_worth_a_retry"](None, None, ended(OSError("no answer")))
    assert not names["is_worth_a_retry"](None, None, ended(failed.value))


def test_pre_commit(day, capsys) -> None:
    (hook,) = yaml.safe_load(block("pre-commit.md", "yaml"))["repos"][0]["hooks"]
    program, *arguments = shlex.split(hook["entry"])
    assert program == "autotype"
    assert re.search(hook["files"], "data/survey.csv")
    assert main([*arguments, "data/survey.csv"]) == 0
    spoil(day)
    (day / "data" / "new.csv").write_text("a,b\n1,2\n")
    assert main([*arguments, "data/survey.csv", "data/new.csv"]) == 1
    assert "there is no schema schemas/new.yaml" in capsys.readouterr().out


def test_github_actions(day, capsys) -> None:
    workflow = yaml.safe_load(block("github-actions.md", "yaml"))
    steps = workflow["jobs"]["validate"]["steps"]
    (command,) = (s["run"] for s in steps if s.get("run", "").startswith("autotype "))
    assert main(shlex.split(command)[1:]) == 0
    spoil(day)
    assert main(shlex.split(command)[1:]) == 1
    assert {"checks.xml", "checks.html"} <= {path.name for path in day.iterdir()}


def test_dbt_properties_and_generic_test() -> None:
    tests = yaml.safe_load(block("dbt.md", "yaml"))["data_tests"]
    (name,) = tests[0]
    arguments = tests[0][name]["arguments"]
    head = block("dbt.md", "sql").splitlines()[0]
    assert head == f"{{% test {name}(model, column_name, {', '.join(arguments)}) %}}"
