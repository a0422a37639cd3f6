"""A server of chat completions on the loopback interface, which answers as a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SCALES = (
    ["wol", "zib", "kam"],
    ["low", "mid", "high"],
)


class Request:
    """What the server received, and the means to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
        self.path = handler.path
        self.headers = handler.headers
        self.text = handler.rfile.read(int(handler.headers.get("Content-Length", 0))).decode()
        self.body = json.loads(self.text or "null")
        self.over = over  # set when the test ends
        self._handler = handler

    @property
    def columns(self) -> list[dict[str, Any]]:
        return json.loads(self.body["messages"][-1]["content"])["columns"]

    def send(self, status: int, text: str, **headers: str) -> None:
        payload = text.encode()
        self._handler.send_response(status)
        for name, value in {"Content-Length": str(len(payload)), **headers}.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()
        self._handler.wfile.write(payload)

    def write(self, payload: bytes) -> None:
        self._handler.wfile.write(payload)
        self._handler.wfile.flush()


Behaviour = Callable[[Request], None]


def right(request: Request) -> None:
    """Answer that a column is ordinal if its levels are one of `SCALES`."""
    answers = []
    for column in request.columns:
        scale = next((s for s in SCALES if set(s) == set(column["levels"])), None)
        answers.append({"id": column["id"], "probability": 0.98 if scale else 0.03, "order": scale})
    send_content(request, json.dumps({"columns": answers}))


def send_content(request: Request, content: Any) -> None:
    """Send a chat completion."""
    message = {"role": "assistant", "content": content}
    request.send(200, json.dumps({"choices": [{"index": 0, "message": message}]}))


def saying(content: Any) -> Behaviour:
    return lambda request: send_content(request, content)


def status(code: int, text: str = "", **headers: str) -> Behaviour:
    return lambda request: request.send(code, text, **headers)


def drop(request: Request) -> None:
    """Close the connection without an answer."""


def late(request: Request) -> None:
    """Answer only when nobody waits any more."""
    request.over.wait(30)


def after(seconds: float, then: Behaviour) -> Behaviour:
    """Wait before each answer, in time for one of them, but not for many."""

    def behave(request: Request) -> None:
        if not request.over.wait(seconds):
            then(request)

    return behave


def in_drops(start: bytes, drop: bytes = b" ") -> Behaviour:
    """Send a start, and then one drop after the other, each in time."""

    def behave(request: Request) -> None:
        request.write(start)
        while not request.over.wait(0.02):
            request.write(drop)

    return behave


def then_nothing(start: bytes) -> Behaviour:
    """Send a start, and keep the connection open."""

    def behave(request: Request) -> None:
        request.write(start)
        request.over.wait(30)

    return behave


def raw(payload: bytes) -> Behaviour:
    return lambda request: request.write(payload)


def then_much(start: bytes, piece: bytes = b" " * 2**20) -> Behaviour:
    """Send a start, and then far more than any answer."""

    def behave(request: Request) -> None:
        request.write(start)
        for _ in range(100 * 2**20 // len(piece)):
            request.write(piece)

    return behave


OK = b"HTTP/1.1 200 OK\r\n"
CUT_OFF = raw(OK + b'Content-Length: 1000\r\n\r\n{"choices": [')

# Servers that would fill the memory.
HUGE: dict[str, Behaviour] = {
    "content": then_much(b"HTTP/1.0 200 OK\r\n\r\n"),
    "a stated length": then_much(OK + b"Content-Length: 99999999\r\n\r\n"),
    "headers": then_much(OK, b"X: " + b"y" * 60_000 + b"\r\n"),
    "other lines of status": then_much(b"", b"HTTP/1.1 100 X\r\nX: " + b"y" * 60_000 + b"\r\n\r\n"),
    "a chunk without end": then_much(OK + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n"),
    "a long chunk": then_much(OK + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffff\r\n"),
}

# Servers of which each step is in time, and which never answer.
ENDLESS: dict[str, Behaviour] = {
    "silence": late,
    "status line in drops": in_drops(b"HTTP/1.1 2", b"0"),
    "other lines of status": in_drops(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "headers in drops": in_drops(OK + b"X: "),
    "headers and no more": then_nothing(OK + b"Content-Length: 1000\r\n\r\n"),
    "headers without an end": then_nothing(OK),
    "content in drops": in_drops(OK + b"Content-Length: 100000\r\n\r\n"),
    "content without length": in_drops(b"HTTP/1.0 200 OK\r\n\r\n"),
    "content that stays open": then_nothing(b"HTTP/1.0 200 OK\r\n\r\n{}"),
    "chunks in drops": in_drops(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "length of a chunk in drops": in_drops(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"0"),
    "trailers in drops": in_drops(OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"x"),
    "an error that stays open": then_nothing(b"HTTP/1.1 503 No\r\nContent-Length: 9\r\n\r\n"),
    "a redirection that stays open": then_nothing(b"HTTP/1.1 302 No\r\nLocation: /x\r\n\r\n"),
    "try again at once": status(429, Retry_After="0"),
    "try again soon": status(503, Retry_After="0.2"),
    "try again tomorrow": status(429, Retry_After="86400"),
    "failures that take their time": after(0.2, status(503)),
    "connections that are lost": after(0.2, drop),
}


class Server:
    """What a test sees of the server: its address, what comes next, and what it received."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self.next: list[Behaviour] = []  # one for each request; `right` after the last
        self.always: Behaviour = right
        self.requests: list[Request] = []

    @property
    def names(self) -> list[list[str]]:
        """The names of the columns in each request."""
        return [[column["name"] for column in request.columns] for request in self.requests]


@contextmanager
def running_server() -> Iterator[Server]:
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = Request(self, over)
            state.requests.append(request)
            (state.next.pop(0) if state.next else state.always)(request)

        def do_CONNECT(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None:
            pass

    class QuietServer(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Ignore clients that hang up."""

    with QuietServer(("127.0.0.1", 0), Handler) as server:
        state = Server(server.server_port)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield state
        finally:
            over.set()
            server.shutdown()
            thread.join()
