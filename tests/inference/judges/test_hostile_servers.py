"""Servers that never end, and servers that repeat the key: a judge gives up, and shows no key."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
import time
import warnings

import pytest

from autotype.judges import OpenAICompatible
from tests.inference.judges.chat_servers import (
    ENDLESS,
    HUGE,
    OK,
    in_drops,
    raw,
    running_server,
    status,
)

KEY = "sk-secret-0123456789"
COLUMNS = [("a", ("wol", "zib", "kam"))]
TIMEOUT = 1.0
LATE = 8.0  # seconds after which the time limit did certainly not hold


def warning_of(url: str, **options) -> str:
    """Return the one warning about a server that gives no answer, in good time."""
    options = {"timeout": TIMEOUT, "backoff": 0, "max_retries": 1000, **options}
    judge = OpenAICompatible(url, "m", api_key=KEY, cache=False, **options)
    start = time.monotonic()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert list(judge.judge_all(COLUMNS)) == [None]
    assert time.monotonic() - start < LATE
    (warning,) = (item for item in caught if issubclass(item.category, UserWarning))
    return str(warning.message)


class TestDeadline:
    @pytest.mark.parametrize("name", ENDLESS)
    def test_one_for_the_whole_question(self, server, name) -> None:
        server.always = ENDLESS[name]
        assert "1 of 1 column are typed without it: 'a'" in warning_of(server.url)

    @pytest.mark.parametrize("name", sorted(HUGE))
    def test_of_no_more_memory_than_an_answer_takes(self, server, name) -> None:
        server.always = HUGE[name]
        assert "answered with more than 1 MiB" in warning_of(server.url, timeout=30)

    def test_the_connection_is_cut(self, server) -> None:
        hung_up = threading.Event()

        def drip(request) -> None:
            try:
                in_drops(OK + b"X: ")(request)
            except OSError:
                hung_up.set()
                raise

        server.always = drip
        n_threads = threading.active_count()
        warning_of(server.url)
        assert hung_up.wait(30)
        deadline = time.monotonic() + 30
        while threading.active_count() > n_threads and time.monotonic() < deadline:
            time.sleep(0.01)
        assert threading.active_count() <= n_threads

    def test_a_name_that_is_looked_up_for_ever(self, monkeypatch) -> None:
        over = threading.Event()

        def never(*arguments, **options):
            over.wait(30)
            raise socket.gaierror(socket.EAI_AGAIN, "try again")

        monkeypatch.setattr(socket, "getaddrinfo", never)
        try:
            assert "did not answer within 1 seconds" in warning_of("http://judge.test/v1")
        finally:
            over.set()

    def test_a_handshake_that_never_ends(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"https://127.0.0.1:{silent.getsockname()[1]}/v1"
            assert "did not answer within 1 seconds" in warning_of(url)

    @pytest.mark.parametrize("name", ["headers in drops", "status line in drops", "silence"])
    @pytest.mark.parametrize("scheme", ["http", "https"])
    def test_a_proxy_that_never_answers(self, server, monkeypatch, name, scheme) -> None:
        server.always = ENDLESS[name]
        use_proxy(monkeypatch, server)
        assert "did not answer within 1 seconds" in warning_of(f"{scheme}://judge.test/v1")


def use_proxy(monkeypatch, server) -> None:
    for scheme in ("http", "https"):
        monkeypatch.setenv(f"{scheme}_proxy", server.url.removesuffix("/v1"))
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)


K = KEY.encode()
HALF = K[:10] + b"\r\n " + K[10:]
ECHOES = {
    "reason": b"HTTP/1.1 500 " + K + b"\r\n\r\n",
    "reason of a refused key": b"HTTP/1.1 401 wrong key " + K + b"\r\n\r\n",
    "cut reason": b"HTTP/1.1 404 " + K[:-3] + b"***\r\n\r\n",
    "reason over lines": b"HTTP/1.1 418 " + HALF + b"\r\n\r\n",
    "reason in pieces": b"HTTP/1.1 429 " + b" ".join((K[:7], K[7:14], K[14:])) + b"\r\n\r\n",
    "unknown status": b"HTTP/1.1 777 " + K + b"\r\n\r\n",
    "status": b"HTTP/1.1 " + K + b"\r\n\r\n",
    "version": K + b" 200 OK\r\n\r\n",
    "no status line": K + b"\r\n",
    "header without a name": OK + K + b"\r\n\r\n",
    "too many headers": OK + b"".join(b"%s%d: 1\r\n" % (K, k) for k in range(200)) + b"\r\n",
    "length": OK + b"Content-Length: " + K + b"\r\n\r\n",
    "chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n" + K + b"\r\n",
    "content": b"HTTP/1.1 400 No\r\n\r\n" + b'{"error": {"message": "%s"}}' % K,
    "answer": OK + b"\r\n" + b'{"choices": [{"message": {"content": "%s"}}]}' % K,
    "redirection": b"HTTP/1.1 307 No\r\nLocation: http://127.0.0.1:9/" + K + b"\r\n\r\n",
    "broken redirection": b"HTTP/1.1 302 No\r\nLocation: http://[" + K + b"\r\n\r\n",
    "redirection to a file": b"HTTP/1.1 302 No\r\nLocation: file:///" + K + b"\r\n\r\n",
    "wait": b"HTTP/1.1 503 No\r\nRetry-After: " + K + b"\r\n\r\n",
    "control sequence": b"HTTP/1.1 500 \x1b[31m" + K + b"\x07\r\n\r\n",
}


def holds_key(text: str) -> bool:
    """Check for any seven characters of the key."""
    return any(KEY[k : k + 7] in text for k in range(len(KEY) - 6))


class TestKey:
    @pytest.mark.parametrize("name", ECHOES)
    def test_a_server_that_repeats_it(self, server, name, capsys) -> None:
        server.always = raw(ECHOES[name])
        warning = warning_of(server.url, timeout=30, max_retries=1)
        assert not holds_key(warning)
        assert warning.isprintable()
        assert capsys.readouterr() == ("", "")

    def test_a_status_in_the_words_of_the_standard(self, server) -> None:
        server.always = raw(b"HTTP/1.1 404 Come nearer, said the spider\r\n\r\n")
        warning = warning_of(server.url)
        assert "the server answered with status 404 (Not Found); are url and model" in warning
        assert "spider" not in warning

    @pytest.mark.parametrize("line", [b"407 " + K, b"500 \x1b" + K, K])
    def test_a_proxy_that_repeats_it(self, server, monkeypatch, line) -> None:
        server.always = raw(b"HTTP/1.1 " + line + b"\r\n\r\n")
        use_proxy(monkeypatch, server)
        warning = warning_of("https://judge.test/v1", max_retries=0)
        assert not holds_key(warning)
        assert "could not be reached (" in warning
        assert (b"407" in line) == ("(Tunnel connection failed: 407)" in warning)

    @pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
    def test_it_does_not_follow_a_redirection_to_another_host(self, server, code) -> None:
        with running_server() as other:
            server.always = status(code, Location=f"{other.url}/chat/completions")
            assert f"answered with status {code}" in warning_of(server.url)
            assert (len(server.requests), other.requests) == (1, [])


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_a_certificate_that_nobody_signed_is_refused(tmp_path) -> None:
    certificate, private = tmp_path / "certificate.pem", tmp_path / "private.pem"
    options = (
        "-x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=h -addext subjectAltName=IP:127.0.0.1"
    )
    command = ["openssl", "req", *options.split(), "-keyout", private, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, private)
    received: list[bytes] = []

    def serve(listening: socket.socket) -> None:
        with listening.accept()[0] as raw_socket:
            try:
                with context.wrap_socket(raw_socket, server_side=True) as sock:
                    received.append(sock.recv(1000))
            except OSError:  # the client hangs up
                pass

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        url = f"https://127.0.0.1:{listening.getsockname()[1]}/v1"
        warning = warning_of(url, timeout=30)
        thread.join(30)
    assert "CERTIFICATE_VERIFY_FAILED" in warning
    assert b"".join(received) == b""  # and it is not tried again
