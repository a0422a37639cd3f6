"""A server with the interface of OpenAI's chat completions: requests, limits and repetitions."""

from __future__ import annotations

import ipaddress
import json
import math
import re
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from email.message import Message
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, Any
from urllib.parse import urlsplit

from autotype._version import __version__
from autotype.inference.judges.api_key import KEY_VARIABLE
from autotype.wording import shorten

_MAX_BYTES = 4 * 2**20  # of an answer; a hundred columns of a hundred levels take a tenth of it
_CHUNK = 2**16
_MAX_WAIT = 30.0  # seconds that a server may ask to wait before a repetition
_MAX_SHOWN = 200  # characters of a server's own message
_REFUSED = frozenset({400, 415, 422, 501})  # a server that does not know a field of the request


class ServerError(Exception):
    """The server has not answered, or not with a chat completion.

    Parameters
    ----------
    message : str
        What happened, after "the server ...".
    status : int, optional
        The HTTP status, if there was one.
    is_transient : bool
        Whether the same request may succeed later.
    wait : float
        Seconds that the server asks to wait.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        is_transient: bool = False,
        wait: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.is_transient = is_transient
        self.wait = wait


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
        If it is no text, or no address of http or https without user, query and fragment.

    Examples
    --------
    >>> checked_url("http://localhost:8080/v1/")
    'http://localhost:8080/v1/chat/completions'
    """
    if not isinstance(url, str):
        raise TypeError(f"url must be a text, got {url!r} ({type(url).__name__})")
    if "@" in url or "?" in url or "#" in url:  # not shown: it may hold a password
        raise ValueError(
            "url must be an address without user, query and fragment, such as "
            "http://localhost:8080/v1; pass a key as api_key="
        )
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:  # of the port, or of an IPv6 address
        has_host = False
    if not has_host or parts.scheme not in ("http", "https") or not re.fullmatch(r"[!-~]+", url):
        raise ValueError(
            "url must be an address of http or https, such as http://localhost:8080/v1, "
            f"got {url!r}"
        )
    base = url.rstrip("/")
    return base if base.endswith("/chat/completions") else f"{base}/chat/completions"


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
        Seconds for one answer.
    max_retries : int
        Repetitions of a request after a failure that may pass.
    backoff : float
        Seconds before the first repetition; they double each time.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str,
        timeout: float,
        max_retries: int,
        backoff: float,
    ) -> None:
        self._url = url
        self._model = model
        self._key = key
        self._timeout = timeout
        self._max_retries = max_retries
        self._backoff = backoff
        self._opener = urllib.request.build_opener(
            _NoRedirect, *([urllib.request.ProxyHandler({})] if _is_loopback(url) else [])
        )
        # From what is best to what every server accepts: some models know no temperature, some
        # servers no schema.
        self._n_refused = 0

    def complete(self, messages: Sequence[dict[str, str]], schema: dict[str, Any]) -> str:
        """Return the text with which the model answers.

        Parameters
        ----------
        messages : sequence of dict
            With "role" and "content".
        schema : dict
            JSON schema that the answer should follow.

        Raises
        ------
        ServerError
            If there is no answer.
        """
        wanted = {"name": "answer", "strict": True, "schema": schema}
        by_schema = {"response_format": {"type": "json_schema", "json_schema": wanted}}
        optional: list[dict[str, Any]] = [{**by_schema, "temperature": 0}, by_schema, {}]
        for fields in optional[self._n_refused :]:
            body = {"model": self._model, "messages": list(messages), **fields}
            try:
                return _content(self._post_patiently(json.dumps(body).encode()))
            except ServerError as problem:
                if problem.status not in _REFUSED or not fields:
                    raise
                self._n_refused += 1
        raise AssertionError("unreachable: the last request is answered or raises")

    def _post_patiently(self, body: bytes) -> bytes:
        """Post a request, again after failures that may pass."""
        for n_failed in range(self._max_retries + 1):
            try:
                return self._post(body)
            except ServerError as problem:
                if not problem.is_transient or n_failed == self._max_retries:
                    raise
                time.sleep(max(self._backoff * 2**n_failed, problem.wait))
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _post(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "User-Agent": f"autotype/{__version__}"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url, data=body, headers=headers, method="POST")
        deadline = time.monotonic() + self._timeout
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return self._read(response, deadline)
        except urllib.error.HTTPError as problem:
            with problem:
                raise self._http_error(problem) from None
        except (OSError, HTTPException) as problem:
            raise self._connection_error(problem) from None

    def _read(self, response: HTTPResponse, deadline: float) -> bytes:
        """Read an answer up to the limits of size and time, also of one that comes in drops."""
        parts, size = [], 0
        while part := response.read1(_CHUNK):
            parts.append(part)
            size += len(part)
            if size > _MAX_BYTES:
                raise ServerError(f"answered with more than {_MAX_BYTES // 2**20} MiB")
            if time.monotonic() > deadline:
                raise TimeoutError
        if response.length:  # what is left of the stated length
            raise ConnectionError("the answer is cut off")
        return b"".join(parts)

    def _http_error(self, problem: urllib.error.HTTPError) -> ServerError:
        if problem.code in (401, 403):  # the server's own message may repeat the key
            return ServerError(
                f"refused access (status {problem.code}); is the key right? It is api_key=, else "
                f"that of {KEY_VARIABLE} in the environment",
                status=problem.code,
            )
        try:
            text = _message(problem.read(_CHUNK))
        except (OSError, HTTPException):
            text = ""
        if self._key:
            text = text.replace(self._key, "...")
        return ServerError(
            f"answered with status {problem.code}{f' ({text})' if text else ''}",
            status=problem.code,
            is_transient=problem.code == 429 or (problem.code >= 500 and problem.code != 501),
            wait=_wait(problem.headers),
        )

    def _connection_error(self, problem: Exception) -> ServerError:
        reason = problem.reason if isinstance(problem, urllib.error.URLError) else problem
        if isinstance(reason, TimeoutError):
            return ServerError(f"did not answer within {self._timeout:g} seconds")
        is_transient = not isinstance(reason, ssl.SSLCertVerificationError)
        text = _plain(str(reason)) or type(reason).__name__
        return ServerError(f"could not be reached ({text})", is_transient=is_transient)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirection, which would send key and levels to an address that nobody stated."""

    def redirect_request(
        self, req: Any, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _content(body: bytes) -> str:
    """Return the text of a chat completion, "" if it is none."""
    try:
        text = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return ""
    return text if isinstance(text, str) else ""


def _message(body: bytes) -> str:
    """Return the message of a server's error, as JSON or as plain text, in one line."""
    text = body.decode("utf-8", "replace")
    with suppress(ValueError, RecursionError, LookupError, TypeError):
        text = str(json.loads(text)["error"]["message"])
    return _plain(text)


def _plain(text: str) -> str:
    """Return a text in one line, without control characters, and cut."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return shorten(" ".join(printable.split()), _MAX_SHOWN)


def _wait(headers: Message) -> float:
    """Return the seconds of a header Retry-After, 0 if there is none or it is a date."""
    try:
        seconds = float(headers.get("Retry-After", "0"))
    except ValueError:
        return 0.0
    return min(max(seconds, 0.0), _MAX_WAIT) if math.isfinite(seconds) else 0.0
