"""``autotype review FILE``: correct types on the report page, which saves each decision.

The page comes from a server on the loopback interface. Its address holds a secret, and the header
``Host`` is checked, so that no other page of the browser can read or change anything.
"""

from __future__ import annotations

import argparse
import secrets
import threading
import webbrowser
from collections.abc import Hashable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from autotype.cli.failures import FINE, WrongUseError, in_one_line, os_errors_as_wrong_use
from autotype.cli.input import files_read, read_known
from autotype.cli.output import check_outputs, print_text
from autotype.cli.tables import requested_table, safe_name, table_of, types_of
from autotype.errors import AutotypeError
from autotype.report.html import as_page
from autotype.type_report import TypeReport
from autotype.types.decisions.decision import Statement
from autotype.types.decisions.known_file import (
    by_column,
    check_known_name,
    read_known_text,
    write_known,
)
from autotype.types.decisions.scales_file import corrected_scales, read_scales, write_scales
from autotype.wording import format_count

_MAX_BYTES = 16 << 20  # of decisions
_STAYS = 3.0  # seconds without a page after which it was closed, and not loaded again
_LOOPBACK = "127.0.0.1"


def review(options: argparse.Namespace) -> int:
    """Serve the page until it is closed or Ctrl-C is pressed."""
    if bool(options.files or options.url) == (options.types is not None):
        raise WrongUseError("name either FILE or --types FILE")
    table = requested_table(options) if options.types is None else table_of(options.types)
    if table.is_report and (options.columns or options.judge):
        raise WrongUseError("--columns and --judge need a data file, not types")
    place = options.known or f"{table.path or safe_name(table.name)}.known.toml"
    scales = options.scales
    if scales is not None and not Path(scales).exists():
        options.scales = None
    inputs = {"FILE": table.path} | files_read(options) | {"--known": None, "--scales": None}
    outputs = {"--known": place, "--scales": scales}
    check_outputs(outputs, inputs=inputs, formats=dict.fromkeys(outputs, check_known_name))
    held = read_known(place) if Path(place).exists() else {}
    options.known = None  # a decision that is removed on the page leaves what was inferred
    types = types_of(table, options)
    with ReviewServer(types, place, scales, table=table.label, port=options.port) as server:
        server.revise(by_column(held, server.inferred, where=f"--known {place}"))
        _say(f"review {table.label} at {server.address}", options)
        places = " and ".join(filter(None, (place, scales)))
        _say(f"decisions are saved in {places}; close the page or press Ctrl-C to end", options)
        if not options.no_browser:
            webbrowser.open(server.address)
        with suppress(KeyboardInterrupt):  # the other way to end it
            server.serve_forever(poll_interval=0.1)
    _say(f"{format_count(server.n_decisions, 'decision')} in {place}", options)
    return FINE


def _say(text: str, options: argparse.Namespace) -> None:
    if not options.quiet:
        print_text(in_one_line(text))


class ReviewServer(ThreadingHTTPServer):
    """A server of one page, which saves the decisions that the page posts.

    Parameters
    ----------
    report : TypeReport
    place : str
        The file of decisions.
    scales : str, optional
        A file of scales, which gets those that are corrected.
    table : str, optional
        The name of the table, for the title.
    port : int
        0 for a free one.

    Attributes
    ----------
    address : str
        Of the page.
    inferred : TypeReport
        The report without the decisions.
    types : TypeReport
        The report with them.
    n_decisions : int
    """

    daemon_threads = True

    def __init__(
        self,
        report: TypeReport,
        place: str,
        scales: str | None = None,
        *,
        table: str | None = None,
        port: int = 0,
    ) -> None:
        with os_errors_as_wrong_use("--port "):
            super().__init__((_LOOPBACK, port), _Handler)
        self.host = f"{_LOOPBACK}:{self.server_address[1]}"
        self.folder = f"/{secrets.token_urlsafe(24)}/"
        self.address = f"http://{self.host}{self.folder}"
        self.inferred = self.types = report
        self.n_decisions = 0
        self._place = place
        self._scales = scales
        # What was there before, so that a decision that is taken back leaves nothing.
        self._before = read_scales(scales if scales and Path(scales).exists() else {})
        self._table = table
        self._writing = threading.Lock()
        self._closing: threading.Timer | None = None

    def page(self) -> str:
        """Return the page, with all decisions so far."""
        self.stay()
        save = {"address": f"{self.folder}decisions", "place": self._place}
        return as_page(self.types, table=self._table, save=save)

    def keep(self, text: str) -> None:
        """Save the decisions of the page, which replace those before.

        Raises
        ------
        AutotypeError
            If they do not fit the report.
        OSError
            If the file cannot be written.
        """
        held = by_column(read_known_text(text, Path("page.json")), self.inferred, where="the page")
        with self._writing:
            self.revise(held)
            write_known(self._place, held)
            if self._scales is not None:
                write_scales(self._scales, corrected_scales(self.types.columns, self._before))

    def revise(self, decisions: Mapping[Hashable, Statement]) -> None:
        """Let the report have these decisions and no others."""
        self.types = self.inferred.revise(decisions)
        self.n_decisions = len(decisions)

    def stay(self) -> None:
        """Serve on: a page was opened."""
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None

    def leave(self) -> None:
        """Stop in a moment, unless the page was only loaded again."""
        self.stay()
        self._closing = threading.Timer(_STAYS, self.shutdown)
        self._closing.daemon = True
        self._closing.start()


class _Handler(BaseHTTPRequestHandler):
    """The page, its decisions, and that it was closed; nothing else is answered."""

    server: ReviewServer
    server_version = "autotype"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        if not self._is_ours():
            return
        if self.path == self.server.folder:
            self._answer(200, self.server.page(), kind="text/html")
        else:
            self._answer(404)

    def do_POST(self) -> None:
        if not self._is_ours():
            return
        if self.path == f"{self.server.folder}decisions/closed":
            self.server.leave()
            self._answer(204)
            return
        length = self.headers.get("Content-Length", "")
        if self.path != f"{self.server.folder}decisions":
            self._answer(404)
        elif not length.isdecimal() or int(length) > _MAX_BYTES:
            self._answer(413, f"expected at most {_MAX_BYTES:,} bytes")
        else:
            try:
                self.server.keep(self.rfile.read(int(length)).decode())
            except (AutotypeError, OSError, ValueError) as problem:
                self._answer(400, str(problem))
            else:
                self._answer(204)

    def _is_ours(self) -> bool:
        """Check that a request is meant for this address and comes from its page; else refuse."""
        origin = self.headers.get("Origin", f"http://{self.server.host}")
        is_meant = self.headers.get("Host") == self.server.host
        is_ours = is_meant and origin == f"http://{self.server.host}"
        is_ours = is_ours and self.path.startswith(self.server.folder)
        if not is_ours:
            self._answer(404)
        return is_ours

    def _answer(self, code: int, text: str = "", *, kind: str = "text/plain") -> None:
        content = text.encode("utf-8", "replace")
        self.send_response(code)
        if code != 204:
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
        for name, value in {
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content if code != 204 else b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: what is saved stands on the page."""
