"""A second opinion on the command line: its options, its key, and a server on the loopback."""

from __future__ import annotations

import json
import shutil

import pytest

from autotype.cli import main
from tests.inference.judges.chat_servers import drop, running_server

# Each level has each number equally often: the numbers say nothing about its order.
LEVELS, NUMBERS = ("wol", "zib", "kam", "zib"), ("1.5", "2.5", "0.5", "3.5", "4.5")
CSV = "grumble,x\n" + "".join(f"{LEVELS[k % 4]},{NUMBERS[k % 5]}\n" for k in range(60))


@pytest.fixture
def server():
    with running_server() as server:
        yield server


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    for name in ("AUTOTYPE_JUDGE_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    path = tmp_path / "data.csv"
    path.write_text(CSV)
    return path


def test_its_answer_counts_and_is_kept(server, call, tmp_path) -> None:
    options = ["--judge", server.url, "--judge-model", "small", "--judge-cache", "answers"]
    for _ in range(2):
        done = call("infer", "data.csv", *options, "--json", "-")
        assert (done.returncode, done.stderr) == (0, "")
        column = json.loads(done.stdout)["columns"][0]
        assert column["order"] == ["wol", "zib", "kam"]
        assert column["evidence"]["judge_probability"] == 0.98
    assert len(server.requests) == 1
    assert server.requests[0].body["model"] == "small"
    assert len(list((tmp_path / "answers").iterdir())) == 1
    assert not (tmp_path / "home").exists()


def test_a_report_page_too(server, call, tmp_path) -> None:
    options = ["--judge", server.url, "--judge-model", "m", "--judge-cache", "off"]
    done = call("report", "data.csv", *options, "-o", "page.html")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The label judge orders the levels" in (tmp_path / "page.html").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv", "page.html"]


def test_the_key_is_that_of_the_environment(server, run, child_environment) -> None:
    child = run(
        *("infer", "data.csv", "--judge", server.url, "--judge-model", "m"),
        *("--judge-cache", "off"),  # the child's user cache may hold the answer of an earlier run
        env={**child_environment, "AUTOTYPE_JUDGE_KEY": "sk-1"},
    )
    assert (child.returncode, child.stderr) == (0, "")
    assert "wol < zib < kam" in child.stdout
    assert server.requests[0].headers["Authorization"] == "Bearer sk-1"


def test_a_server_that_is_not_there_is_a_warning(server, call, monkeypatch) -> None:
    monkeypatch.setattr("autotype.inference.judges.chat_server.time.sleep", lambda seconds: None)
    server.always = drop
    done = call("infer", "data.csv", "--judge", server.url, "--judge-model", "m")
    assert done.returncode == 0
    assert "grumble" in done.stdout
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"autotype: warning: label judge 'm' at {server.url}: the server could")


def test_many_tables_are_inferred_anew_by_another_model(server, call, table) -> None:
    shutil.copy(table, table.with_name("more.csv"))
    command = ["infer", "data.csv", "more.csv", "--folder", "out", "--judge", server.url]
    for model, n_requests in (("a", 1), ("a", 1), ("b", 2)):
        assert call(*command, "--judge-model", model).returncode == 0
        assert len(server.requests) == n_requests  # one a model: both tables ask the same


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--judge http://h/v1", "--judge needs --judge-model NAME"),
        ("--judge-model m", "--judge-model needs --judge URL"),
        ("--judge-cache c", "--judge-cache needs --judge URL"),
        ("--judge h:80 --judge-model m", "--judge: url must be an address of http or https"),
        ("--judge http://me:pw1@h --judge-model m", "--judge: url must be an address without user"),
        ("--judge http://h --judge-model m --judge-cache=", "--judge: cache must be True, False"),
    ],
)
@pytest.mark.parametrize("folder", ["", "--folder out"])
def test_wrong_use(capsys, monkeypatch, tmp_path, arguments, message, folder) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["infer", "data.csv", *arguments.split(), *folder.split()]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert "pw1" not in printed


def test_types_are_not_judged_again(call, tmp_path) -> None:
    (tmp_path / "types.json").write_text("{}")
    done = call("report", "types.json", "-o", "p.html", "--judge", "http://h", "--judge-model", "m")
    assert done.returncode == 2
    assert "--columns, --known and --judge need a data file, not types" in done.stderr
