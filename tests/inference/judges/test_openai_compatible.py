"""A language model on a server as a label judge: asked little, believed never blindly."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import autotype
from autotype.inference.judges.chat_server import ApiKey
from autotype.judges import OpenAICompatible
from tests.inference.judges.chat_servers import (
    CUT_OFF,
    HUGE,
    Server,
    drop,
    late,
    raw,
    right,
    saying,
    status,
)

KEY = "sk-secret-0123456789"
LEVELS = ("wol", "zib", "kam")
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"grumble": RNG.choice(LEVELS, 120), "x": RNG.normal(size=120)})


def judge_at(server: Server, **options) -> OpenAICompatible:
    return OpenAICompatible(server.url, "m", **{"cache": False, "backoff": 0, **options})


def quietly(judge: OpenAICompatible, columns) -> tuple[list, str]:
    """Return the answers, and the warnings as one text."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answers = list(judge.judge_all(columns))
    assert len(caught) <= 1
    return answers, "".join(str(warning.message) for warning in caught)


class TestInInference:
    def test_its_answer_is_evidence(self, server) -> None:
        alone = autotype.infer_types(FRAME)["grumble"]
        column = autotype.infer_types(FRAME, label_judge=judge_at(server))["grumble"]
        assert column.probability > alone.probability
        assert column.best_order == LEVELS
        assert column.evidence["order_source"] == "judge"
        assert "The label judge orders the levels wol < zib < kam" in column.explain()

    def test_all_columns_are_asked_for_in_one_request(self, server) -> None:
        rng = np.random.default_rng(1)
        frame = pd.DataFrame({f"q{k}": rng.choice([*"abcd", str(k)], 90) for k in range(12)})
        autotype.infer_types(frame, label_judge=judge_at(server))
        assert server.names == [list(frame.columns)]

    def test_a_server_that_is_not_there_costs_a_warning_and_nothing_else(self, server) -> None:
        server.always = drop
        with pytest.warns(UserWarning, match=r"'m' at http://127\S+: the server could not") as seen:
            types = autotype.infer_types(FRAME, label_judge=judge_at(server))
        assert len(seen) == 1
        assert types["grumble"] == autotype.infer_types(FRAME)["grumble"]

    def test_a_typer_that_is_cloned_asks_all_the_same(self, server) -> None:
        typer = clone(autotype.OrdinalTyper(label_judge=judge_at(server, api_key=KEY)))
        typer.fit(FRAME)
        assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


class TestRequests:
    def test_name_and_levels_are_sent_and_nothing_else(self, server) -> None:
        frame = FRAME.assign(secret=[f"row{k}" for k in range(120)], amount=RNG.normal(size=120))
        autotype.infer_types(frame, label_judge=judge_at(server))
        (request,) = server.requests
        assert request.path == "/v1/chat/completions"
        assert set(request.body) == {"model", "messages", "response_format", "temperature"}
        assert request.body["model"] == "m"
        assert request.columns == [{"id": 1, "name": "grumble", "levels": sorted(LEVELS)}]
        assert not {"secret", "amount", "row1", "120"} & set(request.text.replace('"', " ").split())
        assert "Authorization" not in request.headers

    def test_an_answer_by_schema_is_asked_for(self, server) -> None:
        list(judge_at(server).judge_all([("a", LEVELS)]))
        wanted = server.requests[0].body["response_format"]
        assert wanted["type"] == "json_schema"
        assert wanted["json_schema"]["strict"] is True
        assert wanted["json_schema"]["schema"]["required"] == ["columns"]

    def test_columns_are_split_into_requests(self, server) -> None:
        columns = [(f"c{k}", ("low", "high", "mid")) for k in range(5)]
        answers = list(judge_at(server, batch_size=2).judge_all(columns))
        assert server.names == [["c0", "c1"], ["c2", "c3"], ["c4"]]
        assert answers == [(0.98, ["low", "mid", "high"])] * 5

    def test_levels_come_back_as_they_are(self, server) -> None:
        server.always = saying(
            '{"columns": [{"id": 1, "probability": 1, "order": ["1", "2.5", "x"]}]}'
        )
        assert judge_at(server)("mixed", (2.5, "x", 1.0)) == (1.0, [1.0, 2.5, "x"])

    def test_what_cannot_be_asked_is_not_sent(self, server) -> None:
        columns = [
            ("a", (1, "1", 2)),
            ("b", LEVELS),
            ("c", ("x" * 301, "y")),
            ("d", ("\ud800", "e")),
        ]
        answers = list(judge_at(server).judge_all(columns))
        assert server.names == [["b"]]
        assert [answer is None for answer in answers] == [True, False, True, True]

    @pytest.mark.parametrize("columns", [[], [("a", (1, "1"))]])
    def test_nothing_to_ask_is_no_request(self, server, columns) -> None:
        assert list(judge_at(server).judge_all(columns)) == [None] * len(columns)
        assert server.requests == []

    @pytest.mark.parametrize(
        ("n_refused", "fields"),
        [(1, {"response_format"}), (2, set())],
        ids=["temperature", "schema"],
    )
    def test_fields_that_the_server_refuses_are_left_out(self, server, n_refused, fields) -> None:
        server.next = [status(400, '{"error": {"message": "unknown field"}}')] * n_refused
        columns = [("a", LEVELS), ("b", LEVELS)]
        answers = list(judge_at(server, batch_size=1).judge_all(columns))
        assert answers == [(0.98, list(LEVELS))] * 2
        assert len(server.requests) == n_refused + 2  # remembered for the second
        assert set(server.requests[-1].body) == {"model", "messages", *fields}


class TestKey:
    @pytest.mark.parametrize(
        ("variables", "given", "sent"),
        [
            ({}, None, None),
            ({}, KEY, KEY),
            ({"AUTOTYPE_JUDGE_KEY": "one", "OPENAI_API_KEY": "two"}, None, "one"),
            ({"AUTOTYPE_JUDGE_KEY": " ", "OPENAI_API_KEY": "two\n"}, None, None),
            ({"AUTOTYPE_JUDGE_KEY": "one"}, KEY, KEY),
            ({"AUTOTYPE_JUDGE_KEY": "one"}, "", None),
        ],
    )
    def test_comes_from_the_argument_or_the_environment(
        self, server, monkeypatch, variables, given, sent
    ) -> None:
        for name, text in variables.items():
            monkeypatch.setenv(name, text)
        judge_at(server, api_key=given)("a", LEVELS)
        assert server.requests[0].headers["Authorization"] == (sent and f"Bearer {sent}")

    @pytest.mark.parametrize(
        ("url", "found"),
        [
            ("https://api.openai.com/v1", "two"),
            ("http://api.openai.com/v1", ""),
            ("https://api.openai.com.example.org/v1", ""),
            ("https://api.openai.com@example.org/v1", ""),
        ],
    )
    def test_of_openai_goes_to_openai_only(self, monkeypatch, url, found) -> None:
        monkeypatch.delenv("AUTOTYPE_JUDGE_KEY", raising=False)
        monkeypatch.setenv("OPENAI_API_KEY", "two")
        assert ApiKey(None).find(url) == found
        monkeypatch.setenv("AUTOTYPE_JUDGE_KEY", "one")
        assert ApiKey(None).find(url) == "one"

    def test_is_shown_and_stored_nowhere(self, server, tmp_path, monkeypatch) -> None:
        judge = judge_at(server, api_key=KEY, cache=tmp_path / "answers")
        judge("a", LEVELS)
        (kept,) = (tmp_path / "answers").iterdir()
        texts = [repr(judge), repr(vars(judge)), kept.read_text(), kept.name]
        assert not any(KEY in text for text in texts)
        assert KEY.encode() not in pickle.dumps(judge)

    def test_a_refused_key_names_where_it_comes_from(self, server) -> None:
        server.next = [status(401)]
        answers, warning = quietly(judge_at(server, api_key=KEY), [("a", LEVELS)])
        assert answers == [None]
        assert "answered with status 401 (Unauthorized); is the key right?" in warning
        assert len(server.requests) == 1

    def test_a_pickled_judge_takes_the_key_of_the_environment(self, server, monkeypatch) -> None:
        judge = pickle.loads(pickle.dumps(judge_at(server, api_key=KEY, batch_size=7)))
        monkeypatch.setenv("AUTOTYPE_JUDGE_KEY", "another")
        judge("a", LEVELS)
        assert server.requests[0].headers["Authorization"] == "Bearer another"
        assert judge.batch_size == 7
        without = pickle.loads(pickle.dumps(judge_at(server, api_key="")))
        without("a", LEVELS)
        assert "Authorization" not in server.requests[1].headers

    def test_a_copy_keeps_the_key(self, server) -> None:
        for duplicate in (copy.copy, copy.deepcopy):
            duplicate(judge_at(server, api_key=KEY))("a", LEVELS)
            assert server.requests[-1].headers["Authorization"] == f"Bearer {KEY}"

    def test_redirection_is_not_followed(self, server) -> None:
        server.next = [status(302, Location=f"{server.url}/elsewhere")]
        answers, warning = quietly(judge_at(server, api_key=KEY), [("a", LEVELS)])
        assert answers == [None]
        assert "answered with status 302" in warning
        assert len(server.requests) == 1

    def test_a_local_server_is_not_asked_through_a_proxy(self, server, monkeypatch) -> None:
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        monkeypatch.delenv("no_proxy", raising=False)
        assert judge_at(server)("a", LEVELS) == (0.98, list(LEVELS))


class TestAnswersThatAreNone:
    COLUMNS = (("a", LEVELS), ("b", LEVELS))

    @pytest.mark.parametrize(
        "content",
        [
            "",
            "I would say that both are ordinal.",
            "{",
            "[1, 2]",
            '{"columns": 3}',
            '{"columns": [3, null, {"id": "1"}, {"probability": 1}]}',
            '{"columns": [{"id": 7, "probability": 0.9, "order": null}]}',
            "[" * 100_000,
            None,
            ["text"],
        ],
        ids=str,
    )
    def test_rubbish(self, server, content) -> None:
        server.always = saying(content)
        answers, warning = quietly(judge_at(server), self.COLUMNS)
        assert answers == [None, None]
        assert "no usable answer; 2 of 2 columns are typed without it: 'a', 'b'" in warning

    @pytest.mark.parametrize("text", ["", "{}", "<html>", '{"choices": []}', "\x00\xff"])
    def test_no_chat_completion(self, server, text) -> None:
        server.always = status(200, text)
        answers, warning = quietly(judge_at(server), self.COLUMNS)
        assert answers == [None, None]
        assert "no usable answer" in warning

    @pytest.mark.parametrize(
        ("probability", "order"),
        [
            ("1.5", "null"),
            ("-0.1", "null"),
            ("NaN", "null"),
            ("1e999", "null"),
            ("1" + "0" * 400, "null"),
            ('"high"', "null"),
            ("true", "null"),
            ("null", "null"),
            ("0.9", '["wol", "zib"]'),
            ("0.9", '["wol", "zib", "zib"]'),
            ("0.9", '["wol", "zib", "Kam"]'),
            ("0.9", '["wol", "zib", 3]'),
            ("0.9", '"wol < zib < kam"'),
            ("0.9", "[[]]"),
        ],
    )
    def test_only_the_invalid_answer_is_lost(self, server, probability, order) -> None:
        wrong = f'{{"id": 1, "probability": {probability}, "order": {order}}}'
        fine = '{"id": 2, "probability": 0.25, "order": null}'
        server.always = saying(f'{{"columns": [{wrong}, {fine}]}}')
        answers, warning = quietly(judge_at(server), self.COLUMNS)
        assert answers == [None, (0.25, None)]
        assert "1 of 2 columns are typed without it: 'a'" in warning

    def test_an_answer_given_twice_is_none(self, server) -> None:
        one = '{"id": 1, "probability": 0.9, "order": null}'
        server.always = saying(f'{{"columns": [{one}, {one}]}}')
        assert quietly(judge_at(server), [("a", LEVELS)])[0] == [None]

    @pytest.mark.parametrize("frame", ["```json\n%s\n```", "<think>{maybe}</think>\n%s", "So: %s."])
    def test_json_between_other_text_is_read(self, server, frame) -> None:
        text = '{"columns": [{"id": 1, "probability": 0.5, "order": null}]}'
        server.always = saying(frame % text)
        assert judge_at(server)("a", LEVELS) == (0.5, None)


class TestFailures:
    @pytest.mark.parametrize(
        "failure",
        [
            status(429, Retry_After="0"),
            status(429, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT"),
            status(500),
            status(503, Retry_After="nan"),
            drop,
            CUT_OFF,
            raw(b"rubbish\r\n\r\n"),
        ],
    )
    def test_what_may_pass_is_tried_again(self, server, failure) -> None:
        server.next = [failure, failure]
        assert judge_at(server)("a", LEVELS) == (0.98, list(LEVELS))
        assert len(server.requests) == 3

    @pytest.mark.parametrize(
        ("behaviour", "n_requests", "message"),
        [
            (status(404), 1, r"answered with status 404 \(Not Found\); are url and model right\?"),
            (status(429), 3, r"answered with status 429 \(Too Many Requests\)"),
            (raw(b"HTTP/1.1 599 Odd\r\n\r\n"), 3, r"answered with status 599; 6 of 6"),
            (status(403), 1, r"status 403 \(Forbidden\); is the key right\?"),
            (status(400), 3, r"status 400 \(Bad Request\)"),  # without temperature, without schema
            (drop, 3, r"could not be reached \(RemoteDisconnected\)"),
            (raw(b"rubbish\r\n"), 3, r"could not be reached \(BadStatusLine\)"),
            (CUT_OFF, 3, "broke off its answer"),
            (late, 1, "did not answer within 0.2 seconds"),
            (HUGE["content"], 1, "answered with more than 1 MiB"),
        ],
    )
    def test_the_server_is_given_up_with_one_warning(
        self, server, behaviour, n_requests, message
    ) -> None:
        server.always = behaviour
        judge = judge_at(server, timeout=0.2, max_retries=2, batch_size=2)
        columns = [(f"c{k}", LEVELS) for k in range(6)]
        with pytest.warns(UserWarning, match=message) as seen:
            assert list(judge.judge_all(columns)) == [None] * 6
        assert "; 6 of 6 columns are typed without it: 'c0', 'c1'" in str(seen[0].message)
        assert len(seen) == 1
        assert len(server.requests) == n_requests

    def test_what_was_answered_before_the_failure_counts(self, server) -> None:
        server.next, server.always = [right], status(404)
        answers, warning = quietly(judge_at(server, batch_size=1), [("a", LEVELS), ("b", LEVELS)])
        assert answers == [(0.98, list(LEVELS)), None]
        assert "1 of 2 columns are typed without it: 'b'" in warning

    def test_waits_grow_and_heed_the_server(self, server, monkeypatch) -> None:
        waits: list[float] = []
        monkeypatch.setattr("autotype.inference.judges.chat_server.time.sleep", waits.append)
        server.next = [status(429), status(429, Retry_After="7"), status(503), status(503)]
        judge_at(server, backoff=0.5, max_retries=4)("a", LEVELS)
        assert waits == [0.5, 7.0, 2.0, 4.0]

    def test_a_wait_beyond_the_time_limit_is_not_begun(self, server, monkeypatch) -> None:
        waits: list[float] = []
        monkeypatch.setattr("autotype.inference.judges.chat_server.time.sleep", waits.append)
        server.always = status(429, Retry_After="60")
        answers, warning = quietly(judge_at(server, timeout=59), [("a", LEVELS)])
        assert (answers, waits) == ([None], [])
        assert "answered with status 429" in warning

    @pytest.mark.parametrize("timeout", [1e300, 10**400])
    def test_a_time_limit_without_a_meaning(self, server, timeout) -> None:
        assert judge_at(server, timeout=timeout)("a", LEVELS) == (0.98, list(LEVELS))

    def test_nothing_listens(self) -> None:
        judge = OpenAICompatible("http://127.0.0.1:9", "m", cache=False, backoff=0)
        answers, warning = quietly(judge, [("a", LEVELS)])
        assert answers == [None]
        assert "could not be reached" in warning


class TestCache:
    def test_what_is_known_is_not_asked_again(self, server, tmp_path) -> None:
        judge = judge_at(server, cache=tmp_path / "new" / "folder")
        first = list(judge.judge_all([("a", LEVELS), ("b", ("x", "y"))]))
        again = list(judge.judge_all([("b", ("y", "x")), ("c", LEVELS), ("a", LEVELS[::-1])]))
        assert again == [first[1], first[0], first[0]]
        assert server.names == [["a", "b"], ["c"]]

    def test_the_cache_holds_neither_names_nor_levels(self, server, tmp_path) -> None:
        judge = judge_at(server, cache=tmp_path / "answers")
        judge("satisfaction of Ms Miller", ("dreadful", "bearable", "splendid"))
        (kept,) = (tmp_path / "answers").iterdir()
        words = ("satisfaction", "Miller", "dreadful", "bearable", "splendid")
        assert not any(word in kept.read_text() + kept.name for word in words)

    def test_a_damaged_answer_is_asked_for_again(self, server, tmp_path) -> None:
        judge = judge_at(server, cache=tmp_path)
        answer = judge("a", LEVELS)
        (kept,) = tmp_path.iterdir()
        whole = kept.read_bytes()
        for at in range(0, len(whole), 7):
            kept.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            assert judge("a", LEVELS) == answer
            assert kept.read_bytes() == whole

    def test_the_default_is_the_users_cache_folder(self, server, tmp_path) -> None:
        judge_at(server, cache=True)("a", LEVELS)
        assert len(list((tmp_path / "home").rglob("autotype/judges/*.json"))) == 1

    def test_no_home_is_a_warning(self, server, monkeypatch) -> None:
        def no_home() -> Path:
            raise RuntimeError("Could not determine home directory.")

        for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
            monkeypatch.delenv(name)
        monkeypatch.setattr(Path, "home", no_home)
        answers, warning = quietly(judge_at(server, cache=True), [("a", LEVELS)])
        assert answers == [(0.98, list(LEVELS))]
        assert "answers cannot be kept (Could not determine home" in warning

    def test_a_folder_that_cannot_be_written_to_is_a_warning(self, server, tmp_path) -> None:
        (tmp_path / "file").write_text("")
        judge = judge_at(server, cache=tmp_path / "file", batch_size=1)
        answers, warning = quietly(judge, [("a", LEVELS), ("b", LEVELS)])
        assert answers == [(0.98, list(LEVELS))] * 2
        assert "answers cannot be kept" in warning
        assert "pass another folder as cache=, or False" in warning

    def test_no_answer_is_not_kept(self, server, tmp_path) -> None:
        judge = judge_at(server, cache=tmp_path)
        server.next = [saying("rubbish")]
        assert quietly(judge, [("a", LEVELS)])[0] == [None]
        assert judge("a", LEVELS) == (0.98, list(LEVELS))

    def test_nothing_is_written_without_a_cache(self, server, tmp_path) -> None:
        judge_at(server, cache=False)("a", LEVELS)
        assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"url": "localhost:8080"}, ValueError, r"url must be an address of http or https, .* got"),
        ({"url": "ftp://host/v1"}, ValueError, "http or https"),
        ({"url": "file:///etc/passwd"}, ValueError, "http or https"),
        ({"url": "http://"}, ValueError, "http or https"),
        ({"url": "http://host:port/v1"}, ValueError, "http or https"),
        ({"url": "http://[::1/v1"}, ValueError, "http or https"),
        ({"url": "http://host/a b"}, ValueError, "http or https"),
        ({"url": "http://host/\r\nX: y"}, ValueError, "http or https"),
        ({"url": "http://me:pw1@host/v1"}, ValueError, "without user, query and fragment"),
        ({"url": "https://host/v1?key=pw1"}, ValueError, "without user, query and fragment"),
        ({"url": 3}, TypeError, r"url must be a string, got 3 \(int\)"),
        ({"model": ""}, ValueError, "model must be the name of a model of the server, got ''"),
        ({"model": None}, ValueError, "model must be"),
        ({"api_key": 3}, TypeError, "api_key must be a string or None, got a int"),
        ({"api_key": "pw1\nX: y"}, ValueError, "api_key holds characters that a key cannot"),
        ({"api_key": "pw1é"}, ValueError, "api_key holds characters"),
        ({"cache": None}, TypeError, "cache must be True, False or a folder, got None"),
        ({"cache": ""}, TypeError, "cache must be"),
        ({"batch_size": 0}, ValueError, "batch_size must be at least 1, got 0"),
        ({"batch_size": 1.5}, TypeError, r"batch_size must be an integer, got 1.5 \(float\)"),
        ({"timeout": 0}, ValueError, "timeout must be at least 0.001, got 0"),
        ({"timeout": float("nan")}, ValueError, "timeout must be"),
        ({"timeout": "9"}, TypeError, r"timeout must be a number, got '9' \(str\)"),
        ({"max_retries": -1}, ValueError, "max_retries must be at least 0, got -1"),
        ({"backoff": True}, TypeError, "backoff must be a number, got True"),
    ],
)
def test_wrong_parameters(change, error, message) -> None:
    with pytest.raises(error, match=message) as raised:
        OpenAICompatible(**{"url": "http://localhost/v1", "model": "m", **change})
    assert "pw1" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("AUTOTYPE_JUDGE_KEY", "http://localhost/v1"),
        ("OPENAI_API_KEY", "https://api.openai.com/v1"),
    ],
)
def test_a_wrong_key_of_the_environment(monkeypatch, name, url) -> None:
    monkeypatch.setenv(name, "pw1 pw2")
    with pytest.raises(ValueError, match=f"{name} holds characters that a key cannot") as raised:
        OpenAICompatible(url, "m")
    assert "pw1" not in str(raised.value)


@pytest.mark.parametrize("url", ["http://h/v1", "http://h/v1/", "http://h/v1/chat/completions"])
def test_the_base_of_the_server_or_its_whole_address(url) -> None:
    from autotype.inference.judges.chat_server import checked_url

    assert checked_url(url) == "http://h/v1/chat/completions"
    assert OpenAICompatible(url, "m").url == url


def test_inference_without_it_loads_no_network_code(child_environment) -> None:
    program = "import sys, autotype; autotype.infer_types; print('autotype.judges' in sys.modules)"
    child = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=child_environment
    )
    assert child.stdout.split() == ["False"]


def test_a_report_of_it_is_written_and_read(server) -> None:
    types = autotype.infer_types(FRAME, label_judge=judge_at(server))
    assert autotype.TypeReport.from_json(types.to_json())["grumble"] == types["grumble"]
    assert json.loads(types.to_json())
