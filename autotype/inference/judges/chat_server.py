"""A server with the interface of OpenAI's chat completions.

A time limit of a socket holds for each step on its own, and the look-up of a name has none, so
that a server that sends one byte at a time is never late. Each request therefore runs in a thread.
The caller waits for it until the deadline of the whole question, and then cuts the connection.

Of what a server sends, only the status code and the answer are used. Its own words are never
shown, since they could repeat the key, in whole or in pieces.
"""

from __future__ import annotations

import io
import json
import os
import re
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from http.client import HTTPException, HTTPResponse, responses
from typing import Any
from urllib.parse import urlsplit

from autotype._version import __version__

KEY_VARIABLE = "AUTOTYPE_JUDGE_KEY"
_OPENAI_VARIABLE = "OPENAI_API_KEY"
_OPENAI_HOST = "api.openai.com"
# Of a response with its headers: an answer takes some 200 kB at most. To parse a longer one takes
# time for which no limit holds.
_MAX_BYTES = 2**20
_LOCAL = re.compile(r"localhost|127(\.\d+){3}|::1")
_OF_KEY = f"; is the key right? It is api_key=, else that of {KEY_VARIABLE} in the environment"
_REMEDIES = {401: _OF_KEY, 403: _OF_KEY, 404: "; are url and model right?"}
_REFUSED = frozenset({400, 415, 422, 501})  # a server that does not know a field of the request


class ServerError(Exception):
    """The server has not answered, or not with a chat completion.

    Parameters
    ----------
    message : str
        What happened, after "the server ...".
    status : int, optional
        The HTTP status, if there was one.
    wait : float, optional
        Seconds after which the same request may succeed; None if it never will.
    """

    def __init__(self, message: str, status: int | None = None, wait: float | None = None) -> None:
        super().__init__(message)
        self.status, self.wait = status, wait


def checked_url(url: Any) -> str:
    """Check the address of a server.

    Parameters
    ----------
    url : str
        Its base, such as ``http://localhost:8080/v1``, or the whole address of the interface.

    Returns
    -------
    str
        The whole address.

    Raises
    ------
    TypeError, ValueError
        If it is no string, or no address of http or https without user, query and fragment.

    Examples
    --------
    >>> checked_url("http://localhost:8080/v1/")
    'http://localhost:8080/v1/chat/completions'
    """
    if not isinstance(url, str):
        raise TypeError(f"url must be a string, got {url!r} ({type(url).__name__})")
    if set("@?#") & set(url):  # not shown: it may hold a password
        raise ValueError(
            "url must be an address without user, query and fragment, such as "
            "http://localhost:8080/v1; pass a key as api_key="
        )
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # of the port, or of an IPv6 address
        is_address = False
    if not is_address or not re.fullmatch(r"[!-~]+", url):
        raise ValueError(
            "url must be an address of http or https, such as http://localhost:8080/v1, "
            f"got {url!r}"
        )
    return f"{url.rstrip('/').removesuffix('/chat/completions')}/chat/completions"


class ChatServer:
    """A server during one run: it remembers which fields of a request the server refuses.

    Parameters
    ----------
    url : str
        As of `checked_url`.
    model : str
        The model's name there.
    key : str
        "" for none.
    timeout : float
        Seconds for one question, its repetitions included.
    max_retries : int
        Repetitions of a request after a failure that may pass.
    backoff : float
        Seconds before the first repetition; they double each time.
    """

    def __init__(
        self, url: str, model: str, *, key: str, timeout: float, max_retries: int, backoff: float
    ) -> None:
        self.url, self.model, self.key = url, model, key
        self.timeout, self.max_retries, self.backoff = timeout, max_retries, backoff
        # From what is best to what every server accepts: some models know no temperature, some
        # servers no schema.
        self._n_refused = 0

    def complete(self, messages: Sequence[dict[str, str]], schema: dict[str, Any]) -> str:
        """Return the text with which the model answers, "" if it is no chat completion.

        Parameters
        ----------
        messages : sequence of dict
            With "role" and "content".
        schema : dict
            JSON schema that the answer should follow.

        Raises
        ------
        ServerError
            If there is no answer within the time limit.
        """
        deadline = time.monotonic() + min(self.timeout, threading.TIMEOUT_MAX)
        wanted = {"name": "answer", "strict": True, "schema": schema}
        by_schema = {"response_format": {"type": "json_schema", "json_schema": wanted}}
        optional: list[dict[str, Any]] = [{**by_schema, "temperature": 0}, by_schema, {}]
        pause, n_failed = self.backoff, 0
        while True:
            body = {"model": self.model, "messages": messages, **optional[self._n_refused]}
            try:
                return _content(self._post(json.dumps(body).encode(), deadline))
            except ServerError as problem:
                if problem.status in _REFUSED and self._n_refused < len(optional) - 1:
                    self._n_refused += 1
                    continue
                if problem.wait is None or n_failed == self.max_retries:
                    raise
                wait = max(pause, problem.wait)
                if wait > deadline - time.monotonic():  # the next answer would be late
                    raise
            time.sleep(wait)
            pause, n_failed = 2 * pause, n_failed + 1

    def _post(self, body: bytes, deadline: float) -> bytes:
        """Post a request in a thread of its own, and cut the connection at the deadline."""
        headers = {"Content-Type": "application/json", "User-Agent": f"autotype/{__version__}"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(self.url, data=body, headers=headers, method="POST")
        seconds = max(deadline - time.monotonic(), 0.001)
        exchange, answer = _Exchange(), Future[bytes]()

        def work() -> None:
            try:
                answer.set_result(exchange.read(request, seconds))
            except BaseException as problem:
                answer.set_exception(problem)

        threading.Thread(target=work, daemon=True).start()
        try:
            return answer.result(seconds)
        except TimeoutError:
            raise ServerError(f"did not answer within {self.timeout:g} seconds") from None
        finally:
            exchange.cut()


class _Exchange(
    urllib.request.HTTPSHandler, urllib.request.HTTPHandler, urllib.request.HTTPErrorProcessor
):
    """A request and its response, which another thread can cut off."""

    def __init__(self) -> None:
        super().__init__()
        self._sockets: list[socket.socket] = []
        self._responses: list[HTTPResponse] = []
        self._is_cut = False

    def read(self, request: urllib.request.Request, seconds: float) -> bytes:
        """Return the body of the response; each step may take so many seconds."""
        is_local = _LOCAL.fullmatch(urlsplit(request.full_url).hostname or "")
        proxies = [urllib.request.ProxyHandler({})] if is_local else []
        opener = urllib.request.build_opener(self, *proxies)
        try:
            with opener.open(request, timeout=seconds) as response:
                return _body(response)
        except (OSError, HTTPException, ValueError) as problem:
            reason = problem.reason if isinstance(problem, urllib.error.URLError) else problem
            if isinstance(reason, TimeoutError):
                raise reason from None
            raise _connection_error(reason) from None
        finally:
            for response in self._responses:  # also that of a proxy which refuses
                response.close()

    def http_response(self, request: Any, response: Any) -> Any:
        """Return any response as it is, so that none redirects key and levels elsewhere."""
        return response

    https_response = http_response

    def do_open(self, http_class: Any, req: Any, **options: Any) -> Any:
        """Connect, and keep the socket of each response."""
        watched: Any = type("Watched", (http_class,), {"response_class": self._respond})
        return super().do_open(watched, req, **options)

    def _respond(self, sock: socket.socket, *arguments: Any, **options: Any) -> HTTPResponse:
        self._sockets.append(sock)
        if self._is_cut:
            raise TimeoutError
        response = HTTPResponse(sock, *arguments, **options)
        response.fp = io.BufferedReader(_Bounded(response.fp.detach()))
        self._responses.append(response)
        return response

    def cut(self) -> None:
        """Shut the connection down, which ends a read that waits."""
        self._is_cut = True
        for sock in self._sockets:
            with suppress(OSError):  # it is closed
                socket.socket.shutdown(sock, socket.SHUT_RDWR)  # also of TLS, without its farewell


class _Bounded(io.RawIOBase):
    """The bytes of a response up to a limit, whatever length it states: also "-1" of a chunk."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw, self._n_left = raw, _MAX_BYTES

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Read what has arrived, or raise a `ServerError` beyond the limit."""
        n_read = self._raw.readinto(buffer)
        self._n_left -= n_read or 0
        if self._n_left < 0:
            raise ServerError(f"answered with more than {_MAX_BYTES // 2**20} MiB")
        return n_read

    def close(self) -> None:
        """Close the connection."""
        self._raw.close()
        super().close()


def _body(response: HTTPResponse) -> bytes:
    status = response.status
    if not 200 <= status < 300:
        name = f" ({responses[status]})" if status in responses else ""
        message = f"answered with status {status}{name}{_REMEDIES.get(status, '')}"
        may_pass = status == 429 or (status >= 500 and status != 501)
        seconds = re.fullmatch(r"\d{1,9}(\.\d*)?", response.headers.get("Retry-After", ""))
        raise ServerError(
            message, status, float(seconds[0] if seconds else 0) if may_pass else None
        )
    body = response.read(_MAX_BYTES)
    if response.length:  # what is left of the stated length
        raise ServerError("broke off its answer", wait=0.0)
    return body


def _connection_error(problem: object) -> ServerError:
    """Describe why there is no response, in words of the system or of TLS.

    Other errors repeat words of the server, or of a proxy, of which the status code is left.
    """
    refused = re.match(r"Tunnel connection failed: \d+", str(problem))
    words = getattr(problem, "strerror", None) or (refused or [type(problem).__name__])[0]
    wait = None if isinstance(problem, ssl.SSLCertVerificationError) else 0.0
    return ServerError(f"could not be reached ({words})", wait=wait)


def _content(body: bytes) -> str:
    try:
        text = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return ""
    return text if isinstance(text, str) else ""


class ApiKey:
    """A key that no repr shows and no pickle holds.

    Parameters
    ----------
    text : str or None
        The key, "" for none. None means that of the environment when it is needed:
        ``AUTOTYPE_JUDGE_KEY``, or for OpenAI's own server ``OPENAI_API_KEY``.

    Raises
    ------
    TypeError, ValueError
        If it is no string, or no header can hold it.
    """

    def __init__(self, text: str | None) -> None:
        if text is not None and not isinstance(text, str):
            raise TypeError(f"api_key must be a string or None, got a {type(text).__name__}")
        self._text = text if text is None else _checked_key(text, "api_key")

    def __repr__(self) -> str:
        return "ApiKey(...)"

    def __reduce__(self) -> tuple:
        return ApiKey, (None if self._text else self._text,)  # where unpickled, of the environment

    def __deepcopy__(self, memo: dict) -> ApiKey:
        return self

    def find(self, url: str) -> str:
        """Return the key, or that of the environment; "" if there is none.

        Parameters
        ----------
        url : str
            Where it will be sent. ``OPENAI_API_KEY`` is used for https://api.openai.com only, so
            that no other server receives it.

        Raises
        ------
        ValueError
            If no header can hold that of the environment.
        """
        if self._text is not None:
            return self._text
        parts = urlsplit(url)
        is_openai = parts.scheme == "https" and parts.hostname == _OPENAI_HOST
        names = (KEY_VARIABLE, _OPENAI_VARIABLE) if is_openai else (KEY_VARIABLE,)
        found = ((name, os.environ.get(name, "")) for name in names)
        return next((_checked_key(text, name) for name, text in found if text.strip()), "")


def _checked_key(text: str, source: str) -> str:
    text = text.strip()  # as of a file
    if not re.fullmatch(r"[!-~]*", text):
        raise ValueError(f"{source} holds characters that a key cannot: expected ASCII, no blanks")
    return text
