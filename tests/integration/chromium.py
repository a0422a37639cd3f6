"""Drive a headless Chromium over its DevTools pipe, with the standard library alone.

The browser reads commands from its file descriptor 3 and writes answers and events to 4, each a
JSON text that ends in a zero byte.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome", "chrome")
TIMEOUT = 60.0
# A script of a test, not a user, has changed the page that is left.
_NO_GESTURE = "Blocked attempt to show a 'beforeunload' confirmation panel"
_KEYS = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36, "ArrowUp": 38, "ArrowDown": 40}


def find_chromium() -> str | None:
    """Path of a Chromium, or None; the environment variable CHROMIUM names one."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class BrowserError(Exception):
    """The browser refused a command, or a script in the page failed."""


class Browser:
    """A Chromium with one page; what the page asks for and complains of is kept.

    Attributes
    ----------
    requests : list of str
        Addresses that the page asked for.
    complaints : list of str
        Console messages of level warning or error, and uncaught exceptions.
    warnings_before_leaving : int
        How often the page asked whether to leave it; the answer is yes.
    """

    def __init__(self, executable: str) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.warnings_before_leaving = 0
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands_out, self._commands = _high_pipe()
        self._events, events_in = _high_pipe()

        def connect() -> None:
            os.dup2(commands_out, 3)
            os.dup2(events_in, 4)

        self._process = subprocess.Popen(
            [
                executable,
                "--headless",
                "--no-sandbox",  # CI runs as root
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--remote-debugging-pipe",
                f"--user-data-dir={self._folder.name}",
                "about:blank",
            ],
            preexec_fn=connect,
            pass_fds=(3, 4),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(commands_out)
        os.close(events_in)
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._commands)
        os.close(self._events)
        self._folder.cleanup()

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command of the protocol and wait for its answer."""
        number = self._post(method, **parameters)
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _post(self, method: str, **parameters: Any) -> int:
        """Send a command, and return its number without waiting for the answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._commands, data) :]
        return self._number

    def open(self, path: Path | str, *, scheme: str = "light", width: int = 1280) -> None:
        """Open a file or an address, in a colour scheme and width; forget what came before."""
        self.send(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.requests.clear()
        self.complaints.clear()
        self.send("Page.navigate", url=path if isinstance(path, str) else path.as_uri())
        self.evaluate(
            "new Promise(done => document.readyState === 'complete' ? done()"
            " : addEventListener('load', () => done()))"
        )

    def evaluate(self, script: str) -> Any:
        """Run a script in the page, wait for its promise, give its value."""
        answer = self.send(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise BrowserError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Press and release a key that stands for itself, such as Tab or Enter."""
        code = _KEYS[key]
        text = {"Enter": "\r", " ": " "}.get(key, "")
        common = {"key": key, "windowsVirtualKeyCode": code}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def drag(self, start: tuple[float, float], *stops: tuple[float, float]) -> None:
        """Drag the mouse from a place in the window by way of others to the last of them."""
        common = {"button": "left", "clickCount": 1}
        x, y = start
        self.send("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **common)
        for x, y in stops:
            self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, buttons=1)
        self.send("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, **common)

    def save_downloads(self, folder: Path) -> None:
        """Save what the page downloads into a folder."""
        self.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def type(self, text: str) -> None:
        """Type a string into the element that has the focus."""
        self.send("Input.insertText", text=text)

    def _receive(self) -> dict[str, Any]:
        limit = time.monotonic() + TIMEOUT
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._events], [], [], max(limit - time.monotonic(), 0))
            if not ready:
                raise BrowserError(f"Chromium has not answered for {TIMEOUT:g} seconds")
            data = os.read(self._events, 1 << 20)
            if not data:
                raise BrowserError("Chromium has gone")
            self._buffer += data
        text, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(text)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method: str | None, event: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(event["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning"):
            self.complaints.append(json.dumps(event["args"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] in ("error", "warning"):
            if _NO_GESTURE not in event["entry"]["text"]:
                self.complaints.append(event["entry"]["text"])
        elif method == "Page.javascriptDialogOpening" and event["type"] == "beforeunload":
            self.warnings_before_leaving += 1
            self._post("Page.handleJavaScriptDialog", accept=True)
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(f"dialog: {event['message']}")


def _high_pipe() -> tuple[int, int]:
    """Open a pipe whose ends keep clear of the descriptors 3 and 4."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return high[0], high[1]
