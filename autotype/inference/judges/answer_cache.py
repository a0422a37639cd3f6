"""Answers on disk, one file each: a number and positions, and no text of the data."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

from autotype.inference.judges.label_judge import JudgeVerdict
from autotype.inference.judges.questions import PROMPT_VERSION, Question, checked_answer
from autotype.types.atomic_file import write_text

_MAX_SIZE = 10_000  # bytes of a file; an answer about 100 levels has some 400


class AnswerCache:
    """The answers of one model of one server, in a folder.

    Parameters
    ----------
    folder : path or None
        None keeps nothing.
    url, model : str
        The server and its model, part of the key of each answer.
    """

    def __init__(self, folder: str | os.PathLike | None, *, url: str, model: str) -> None:
        self.folder = None if folder is None else Path(folder)
        self._source = [url, model, PROMPT_VERSION]

    def path(self, question: Question) -> Path | None:
        """Return the file of an answer: its name is a hash of the question, model and server."""
        if self.folder is None:
            return None
        key = json.dumps([*self._source, question.name, question.levels])
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"

    def read(self, question: Question) -> JudgeVerdict | None:
        """Return the answer to a question, or None if there is none that can be read."""
        path = self.path(question)
        if path is None:
            return None
        try:
            with open(path, "rb") as file:
                stored = json.loads(file.read(_MAX_SIZE))
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(stored, dict):
            return None
        return checked_answer(stored.get("probability"), stored.get("order"), len(question.levels))

    def write(self, question: Question, answer: JudgeVerdict) -> None:
        """Write the answer to a question, atomically.

        Raises
        ------
        OSError
            If the folder cannot be written to.
        """
        path = self.path(question)
        if path is None:
            return
        os.makedirs(path.parent, exist_ok=True)
        stored = {"probability": answer.probability, "order": answer.order}
        write_text(path, json.dumps(stored) + "\n")


def user_cache_folder() -> Path:
    """Return the folder for answers in the user's cache folder of this operating system.

    Raises
    ------
    RuntimeError
        If the user has no home folder.
    """
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base, "autotype", "judges")
