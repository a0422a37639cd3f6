"""The key of a server."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

KEY_VARIABLE = "AUTOTYPE_JUDGE_KEY"
_OPENAI_VARIABLE = "OPENAI_API_KEY"
_OPENAI_HOST = "api.openai.com"


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
