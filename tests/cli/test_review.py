"""The server of `autotype review`: one page, whose decisions are saved, and nothing else."""

from __future__ import annotations

import http.client
import threading

import pytest

from autotype.cli import review as command
from autotype.cli.review import ReviewServer
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType
from autotype.types.decisions.known_file import read_known_file
from autotype.types.decisions.scales_file import read_scales

LEVELS = {"low": 5, "mid": 4, "high": 3}


def report() -> TypeReport:
    columns = [ColumnType(name, "undetermined", 0.5, levels=LEVELS) for name in ("a", "b")]
    return TypeReport(columns, n_rows=12)


@pytest.fixture
def server(tmp_path):
    with ReviewServer(report(), str(tmp_path / "t.known.toml"), table="t.csv") as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def ask(server, method: str, path: str, body: str | None = None, **headers: str):
    connection = http.client.HTTPConnection(server.host, timeout=30)
    connection.request(method, path, body=body, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


class TestServer:
    def test_the_page_and_its_decisions(self, server, tmp_path) -> None:
        answer, page = ask(server, "GET", server.folder)
        assert answer.status == 200
        assert answer.headers["Cache-Control"] == "no-store"
        assert f'data-save="{server.folder}decisions"' in page
        assert "connect-src 'self'" in page
        address = f"{server.folder}decisions"
        answer, _ = ask(server, "POST", address, '{"a": ["low", "mid", "high"]}')
        assert answer.status == 204
        assert read_known_file(tmp_path / "t.known.toml") == {"a": ["low", "mid", "high"]}
        assert server.types["a"].order == ("low", "mid", "high")
        _, page = ask(server, "GET", server.folder)
        assert "data-stated" in page
        ask(server, "POST", address, '{"b": "categorical"}')
        assert read_known_file(tmp_path / "t.known.toml") == {"b": "categorical"}
        assert server.types["a"].semantic_type == "undetermined"

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ('{"a": ["low"]}', "leaves out"),
            ('{"c": "count"}', "there is no column 'c'"),
            ("nonsense", "JSON"),
            ("[]", "expected column names"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, server, tmp_path, body, message) -> None:
        answer, text = ask(server, "POST", f"{server.folder}decisions", body)
        assert answer.status == 400
        assert message in text
        assert not (tmp_path / "t.known.toml").exists()

    def test_others_get_nothing(self, server, tmp_path) -> None:
        body = '{"a": "count"}'
        address = f"{server.folder}decisions"
        port = server.server_address[1]
        for method, path, headers in [
            ("GET", "/", {}),
            ("GET", f"{server.folder}x", {}),
            ("GET", server.folder, {"Host": f"evil.example:{port}"}),
            ("POST", address, {"Host": "evil.example"}),
            ("POST", address, {"Origin": "http://evil.example"}),
            ("POST", "/wrong/decisions", {}),
            ("POST", f"{address}/x", {}),
        ]:
            answer, text = ask(server, method, path, body if method == "POST" else None, **headers)
            assert (answer.status, text) == (404, ""), (method, path, headers)
        for length in (1 << 40, (16 << 20) + 1):
            answer, _ = ask(server, "POST", address, body, **{"Content-Length": str(length)})
            assert answer.status == 413
        assert not list(tmp_path.iterdir())

    def test_listens_on_the_loopback_interface_only(self, server) -> None:
        assert server.server_address[0] == "127.0.0.1"

    def test_ends_when_the_page_is_closed_and_not_loaded_again(self, tmp_path, monkeypatch) -> None:
        monkeypatch.setattr(command, "_STAYS", 0.2)
        with ReviewServer(report(), str(tmp_path / "t.toml")) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            assert ask(server, "POST", f"{server.folder}decisions/closed")[0].status == 204
            ask(server, "GET", server.folder)  # loaded again
            thread.join(0.6)
            assert thread.is_alive()
            ask(server, "POST", f"{server.folder}decisions/closed")
            thread.join(30)
            assert not thread.is_alive()


class TestCommand:
    @pytest.fixture
    def served(self, monkeypatch):
        """The servers that the command starts, each of which ends at once."""
        servers = []

        def serve(self, **_):
            servers.append(self)
            if len(servers) == 1:
                self.keep('{"size": ["L", "M", "S"]}')

        monkeypatch.setattr(ReviewServer, "serve_forever", serve)
        return servers

    def test_saves_beside_the_file_and_continues(self, survey, call, served) -> None:
        child = call("review", survey, "--no-browser")
        assert child.returncode == 0
        assert f"1 decision in {survey}.known.toml" in child.stdout
        assert call("review", survey, "--no-browser").returncode == 0
        assert served[1].types["size"].order == ("L", "M", "S")
        assert served[1].inferred["size"].order == ("S", "M", "L")

    def test_scales_that_are_corrected_are_there_for_other_tables(
        self, survey, call, served, tmp_path
    ) -> None:
        for _ in range(2):
            arguments = ["--scales", "scales.toml", "--known", "k.toml", "--no-browser"]
            child = call("review", survey, *arguments)
            assert child.returncode == 0
            assert "decisions are saved in k.toml and scales.toml" in child.stdout
            assert read_scales(tmp_path / "scales.toml").scales[0].levels == ("L", "M", "S")
        (tmp_path / "other.csv").write_text("fit\n" + "S\nL\nM\n" * 9)
        child = call("infer", "other.csv", "--scales", "scales.toml")
        assert "L < M < S" in child.stdout

    def test_a_correction_that_is_taken_back_is_no_scale(self, tmp_path) -> None:
        place = tmp_path / "scales.json"
        place.write_text('{"scales": {"plan": {"levels": ["Vega", "Lyra"]}}}')
        with ReviewServer(report(), str(tmp_path / "k.json"), str(place)) as server:
            server.keep('{"a": ["high", "mid", "low"]}')
            assert [scale.name for scale in read_scales(place).scales] == ["plan", "a"]
            server.keep("{}")
        assert [scale.name for scale in read_scales(place).scales] == ["plan"]

    def test_of_types(self, survey, call, served, tmp_path) -> None:
        call("infer", survey, "--json", "types.json")
        child = call("review", "--types", "types.json", "--known", "k.json", "--no-browser")
        assert child.returncode == 0
        assert read_known_file(tmp_path / "k.json") == {"size": ["L", "M", "S"]}

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ([], "name either FILE or --types FILE"),
            (["survey.csv", "--types", "types.json"], "name either FILE or --types FILE"),
            (["survey.csv", "--known", "k.txt"], "--known k.txt"),
            (["survey.csv", "--scales", "s.txt"], "--scales s.txt"),
            (["survey.csv", "--port", "70000"], "expected a port below 65536"),
            (["--types", "t.json", "--columns", "a"], "--columns and --judge need a data file"),
        ],
    )
    def test_wrong_use(self, survey, call, arguments, message) -> None:
        child = call("review", *arguments, "--no-browser")
        assert child.returncode == 2
        assert message in child.stderr

    def test_a_port_in_use(self, server, survey, call) -> None:
        child = call("review", survey, "--no-browser", "--port", server.server_address[1])
        assert child.returncode == 2
        assert "--port" in child.stderr


def test_interruption_ends_it(monkeypatch, survey, call) -> None:
    def interrupted(self, **_):
        raise KeyboardInterrupt

    monkeypatch.setattr(ReviewServer, "serve_forever", interrupted)
    assert call("review", survey, "--no-browser").returncode == 0
