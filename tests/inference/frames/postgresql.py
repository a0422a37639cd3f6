"""A PostgreSQL server on loopback, from the programs of the distribution, for the tests."""

from __future__ import annotations

import atexit
import importlib.util
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

_PROGRAMS = "/usr/lib/postgresql"  # of Debian, a folder for each version
_USER = "tester"
# Of a server of which nothing remains.
_SETTINGS = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}


def missing() -> bool:
    """Whether there is no server to start, or no driver to reach it by."""
    return _folder_of_programs() is None or any(
        importlib.util.find_spec(name) is None for name in ("ibis", "psycopg")
    )


@cache
def server_url() -> str:
    """Start a server, once, and return the URL of its database; it stops with this process."""
    folder = Path(tempfile.mkdtemp(prefix="autotype-postgresql-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    password = secrets.token_hex(8)
    (folder / "password").write_text(password)
    if _owner() is not None:
        for place in (folder, folder / "password"):
            shutil.chown(place, _owner())
    data = folder / "data"
    _call("initdb", "-D", data, "-U", _USER, "-A", "scram-sha-256", "--no-sync",
          f"--pwfile={folder / 'password'}", "-E", "UTF8", "--locale=C")  # fmt: skip
    port = _free_port()
    settings = _SETTINGS | {"listen_addresses": "127.0.0.1", "unix_socket_directories": str(folder)}
    stated = " ".join(f"-c {name}={value}" for name, value in settings.items())
    started = ("-D", data, "-w", "-l", folder / "log", "-o", f"-p {port} {stated}")
    _call("pg_ctl", "start", *started)
    atexit.register(_call, "pg_ctl", "stop", "-D", data, "-m", "immediate")
    return f"postgresql://{_USER}:{password}@127.0.0.1:{port}/postgres"


@cache
def connection() -> Any:
    """Connect to the server, once, until this process ends."""
    import ibis

    connected = ibis.connect(server_url())
    atexit.register(connected.disconnect)
    return connected


def _call(program: str, *arguments: Any) -> None:
    """Call a program of the server, as another user if this is root's process: it refuses root."""
    command = [os.path.join(_folder_of_programs() or "", program), *map(str, arguments)]
    # Its output goes to a file: the server would keep a pipe open.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(
            command, stdout=output, stderr=output, cwd="/", user=_owner(), timeout=120, check=False
        )
        output.seek(0)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {output.read().decode(errors='replace')}")


def _owner() -> str | None:
    return "postgres" if os.geteuid() == 0 else None


@cache
def _folder_of_programs() -> str | None:
    found = shutil.which("pg_ctl")
    if found is not None:
        return os.path.dirname(os.path.realpath(found))
    versions = sorted(Path(_PROGRAMS).glob("*/bin/pg_ctl"))
    return str(versions[-1].parent) if versions else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
