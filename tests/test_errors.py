"""Errors and warnings of the package itself."""

from __future__ import annotations

import pytest

from autotype.errors import deprecated


def test_a_deprecated_function_warns_its_caller_and_works() -> None:
    @deprecated("new_name(x)", removed_in="0.3")
    def old_name(x: int) -> int:
        """Return the next integer."""
        return x + 1

    message = r"^old_name will be removed in autotype 0\.3; call new_name\(x\) instead$"
    with pytest.warns(FutureWarning, match=message) as caught:
        assert old_name(1) == 2
    assert caught[0].filename == __file__
    assert old_name.__doc__ == "Return the next integer."
