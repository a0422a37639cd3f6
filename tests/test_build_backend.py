"""What a build lacks is said in one line."""

from __future__ import annotations

import importlib.util
import shutil
import sys
import sysconfig
from types import SimpleNamespace

import pytest

_HOOKS = ("build_editable", "build_sdist", "build_wheel")


@pytest.fixture
def backend(repository, monkeypatch):
    """The backend, on a meson-python that builds nothing."""
    hooks = {name: lambda *args, name=name, **options: (name, args, options) for name in _HOOKS}
    monkeypatch.setitem(sys.modules, "mesonpy", SimpleNamespace(**hooks))
    place = repository / "build_backend" / "autotype_build.py"
    spec = importlib.util.spec_from_file_location("autotype_build", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module.os, "environ", {})
    monkeypatch.setattr(shutil, "which", {"clang": "/usr/bin/clang"}.get)
    return module


@pytest.fixture
def headers(tmp_path, monkeypatch):
    """The folder of the headers of Python."""
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    (tmp_path / "Python.h").touch()
    return tmp_path


@pytest.mark.parametrize("hook", _HOOKS)
def test_a_complete_system(backend, headers, hook) -> None:
    built = getattr(backend, hook)("out", config_settings=None)
    assert built == (hook, ("out",), {"config_settings": None})
    assert not hasattr(backend, f"get_requires_for_{hook}")  # pyproject.toml declares them all


@pytest.mark.parametrize("hook", _HOOKS)
def test_no_compiler(backend, headers, monkeypatch, hook) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match=r"^autotype cannot be built: there is no C compiler; "):
        getattr(backend, hook)("out")
    monkeypatch.setitem(backend.os.environ, "CC", "tcc")
    assert getattr(backend, hook)("out")


def test_no_headers(backend, headers) -> None:
    (headers / "Python.h").unlink()
    with pytest.raises(SystemExit, match=r"built: .*Python\.h is missing; install the headers of"):
        backend.build_wheel("out")


def test_pyproject_names_the_backend(repository) -> None:
    text = (repository / "pyproject.toml").read_text(encoding="utf-8")
    assert 'build-backend = "autotype_build"\nbackend-path = ["build_backend"]\n' in text
