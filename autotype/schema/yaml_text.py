"""Write YAML of plain values, and read that of unknown origin within limits."""

from __future__ import annotations

import re
from typing import Any

import yaml

from autotype.errors import UnreadableTypesError

# Characters of a string, 16 Mi.
MAX_YAML_SIZE = 2**24
# Scalars, lists and mappings, counted while they are read, those behind an alias each time that it
# stands for them: a kilobyte of aliases of aliases can stand for billions.
MAX_YAML_NODES = 1_000_000
# Lists and mappings inside each other; a schema has about ten.
MAX_YAML_DEPTH = 100
# How values without quotes are written that each version of YAML reads alike: 010 and 12:30 are the
# numbers 8 and 750 to YAML 1.1, and "no" is false.
_PLAIN_FORMS = {
    "int": re.compile("-?(0|[1-9][0-9]*)", re.ASCII),
    "float": re.compile("[^:_]*"),
    "bool": re.compile("true|false", re.IGNORECASE),
}
# Text to YAML 1.1, and numbers to YAML 1.2.
_NUMBER_TO_SOME = re.compile(r"0o[0-7]+|[-+]?(\.\d+|\d+(\.\d*)?)e[-+]?\d+", re.ASCII | re.I)


def read_yaml(text: str) -> Any:
    r"""Read YAML text of plain values.

    Parameters
    ----------
    text : str

    Returns
    -------
    dict, list, str, int, float, bool, datetime, bytes or None
        Tags of Python's objects are refused, as by ``yaml.safe_load``.

    Raises
    ------
    UnreadableTypesError
        If it is not YAML, beyond the limits, repeats a key of a mapping, or contains itself.

    Examples
    --------
    >>> read_yaml("a: [1, 2.5]")
    {'a': [1, 2.5]}
    >>> read_yaml("a: 1\na: 2")
    Traceback (most recent call last):
    ...
    autotype.errors.UnreadableTypesError: not YAML with one meaning: the key 'a' is repeated
    """
    if len(text) > MAX_YAML_SIZE:
        raise UnreadableTypesError(
            f"too long: {len(text):,} characters, more than the {MAX_YAML_SIZE:,} that are read"
        )
    try:
        return yaml.load(text, Loader=_LimitedLoader)  # a subclass of SafeLoader
    except yaml.YAMLError as problem:
        raise UnreadableTypesError(f"not YAML: {' '.join(str(problem).split())}") from problem
    except (ValueError, TypeError, KeyError, OverflowError, AttributeError) as problem:
        if isinstance(problem, UnreadableTypesError):
            raise
        # Values that only look like a date or a number, and tags at values of another kind.
        raise UnreadableTypesError(f"not YAML: {problem}") from problem


def write_yaml(plain: Any) -> str:
    r"""Return plain values as YAML without aliases, which every reader takes for the same values.

    Raises
    ------
    yaml.YAMLError
        If a value is of a class that YAML does not have.

    Examples
    --------
    >>> write_yaml({"set": ["no", "1", 2]})
    "set:\n- 'no'\n- '1'\n- 2\n"
    """
    text = yaml.dump(plain, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True)
    # PyYAML writes these line breaks unescaped but reads them as spaces: escape everything.
    if any(character in text for character in "\x85\u2028\u2029"):
        text = yaml.dump(plain, Dumper=_PlainDumper, sort_keys=False)
    return text


class _PlainDumper(yaml.SafeDumper):
    """A dumper that repeats a value instead of writing an alias."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_str(self, data: str) -> Any:
        style = "'" if _NUMBER_TO_SOME.fullmatch(data) else None
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=style)


_PlainDumper.add_representer(str, _PlainDumper.represent_str)
# Members of an enumeration, which are equal to these.
_PlainDumper.add_multi_representer(int, lambda dumper, data: dumper.represent_int(int(data)))
_PlainDumper.add_multi_representer(str, lambda dumper, data: dumper.represent_str(str(data)))


class _LimitedLoader(yaml.SafeLoader):
    """A loader that counts nodes while it composes them."""

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)
        self._depth = self._n_values = 0
        self._sizes: dict[str, int] = {}  # of what an anchor names

    def compose_node(self, parent: Any, index: Any) -> Any:
        is_alias = self.check_event(yaml.events.AliasEvent)
        anchor, before = self.peek_event().anchor, self._n_values
        self._depth += 1
        if self._depth > MAX_YAML_DEPTH + 1:
            raise UnreadableTypesError(
                f"nested deeper than the {MAX_YAML_DEPTH} lists and mappings that are read"
            )
        node = super().compose_node(parent, index)
        self._depth -= 1
        if is_alias and anchor not in self._sizes:
            raise UnreadableTypesError("not YAML with one meaning: a value contains itself")
        self._n_values += self._sizes[anchor] if is_alias else 1
        if self._n_values > MAX_YAML_NODES:
            raise UnreadableTypesError(
                f"too large: more than the {MAX_YAML_NODES:,} values that are read, each "
                "counted as often as an alias repeats it"
            )
        if not is_alias:
            _refuse_repeated(node)
            _refuse_disguised(node, is_item=isinstance(index, int))
            if anchor is not None:
                self._sizes[anchor] = self._n_values - before
        return node


def _refuse_repeated(node: Any) -> None:
    seen = set()
    for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(key.value, str):
            if (key.tag, key.value) in seen:
                raise UnreadableTypesError(
                    f"not YAML with one meaning: the key {key.value!r} is repeated"
                )
            seen.add((key.tag, key.value))


def _refuse_disguised(node: Any, *, is_item: bool) -> None:
    """Raise for text that some YAML takes for another number, or in a list for true or false."""
    if not isinstance(node.value, str):
        return
    kind = node.tag.rpartition(":")[2]
    form = _PLAIN_FORMS.get(kind) if is_item or kind != "bool" else None
    is_number = kind == "str" and node.style is None and _NUMBER_TO_SOME.fullmatch(node.value)
    if is_number or (form and not form.fullmatch(node.value)):
        line = node.start_mark.line + 1
        raise UnreadableTypesError(
            f"not YAML with one meaning: {node.value} in line {line} may be text; put text in "
            "quotes, and write numbers in decimal digits, and true or false"
        )
