"""Languages of labels: the words of each, and which of them the labels of a column suggest."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, wraps
from itertools import accumulate, chain
from typing import Any, TypeVar

from autotype.lexicon.repeated_texts import kept_for_few
from autotype.lexicon.tokens import plain_words, split_phrases, split_words
from autotype.lexicon.toml_files import Lines, read_built, read_lines, read_toml, stored, toml_stems
from autotype.lexicon.vocabulary import (
    NameList,
    Scale,
    StoredScales,
    build_name_list,
    build_scale,
    parsed,
)

Words = tuple[str, ...]

ENGLISH = "en"
INDEX_LENGTH = 5  # letters of a word that the index of languages keeps
# The tables whose words the index holds, besides those of scales.
_INDEXED = ("fillers", "gradable", "balance", "negation", "degree", "shrink", "family", "off_scale",
            "ends", "bounds", "units", "multipliers", "cardinals", "ordinals", "rates",
            "stages")  # fmt: skip
_ENOUGH = 0.75  # of the words of labels that a language must know for names not to be looked up
_CANDIDATES = 2  # languages besides English and neighbours that are tried at most
_CLEAR_LEAD = 1.0  # words of its own that a language has more than English
_LATIN = re.compile(r"[a-z]", re.I)
_MIN_STEM = 2
_MOST_TEXTS = 4096  # strings whose words are kept
_ROMAN = re.compile("[ivx]+")
LISTED = ("scale", "names")  # tables that a build stores apart, as few need them
STORED_OF_LANGUAGE: list[str] = []  # properties that a build stores
_Property = TypeVar("_Property")


def _stored(
    read: Callable[[list[str]], Any],
) -> Callable[[Callable[[Any], _Property]], cached_property[_Property]]:
    """Read a property of a language from the lines that a build has stored, if there are such."""

    def decorated(compute: Callable[[Any], _Property]) -> cached_property[_Property]:
        @wraps(compute)
        def found(words: Language) -> _Property:
            lines = read_lines(f"{compute.__name__}/{words.code}") if words.is_stored else None
            return compute(words) if lines is None else read(lines)

        STORED_OF_LANGUAGE.append(compute.__name__)
        return cached_property(found)

    return decorated


class Language:
    """The words of one language.

    Parameters
    ----------
    code : str
        Its ISO 639-1 code, such as ``"de"``.
    table : mapping, optional
        Other tables than those of its file ``lexicon/words/languages/<code>.toml`` and its scales
        of ``shared_scales.toml``.

    Attributes
    ----------
    table : mapping
        Its tables, but for those of `lists` where a build stores them apart.
    by_characters : bool
        Whether a label is segmented by the longest known phrase, character by character.
    """

    def __init__(self, code: str, table: dict[str, Any] | None = None) -> None:
        self.code, self.is_stored = code, table is None
        if table is None:
            built = read_built(f"languages/{code}")
            table = build_language(code) if built is None else json.loads(built)
        self.table: dict[str, Any] = table
        self.by_characters = code in read_toml("writing")["without_blanks"]

    def split(self, text: str) -> Words:
        """Split a string into the words under which the vocabulary stores it.

        English words stay as they are (spelling aside), those of other languages lose their
        endings; languages without blanks are split into characters.
        """
        # Built only for scales, names and grammar: "don't know" alone needs no whole vocabulary.
        phrases: dict[str, Words] = self.__dict__.get("_phrases", {})
        words = phrases.get(text)
        if words is None:
            words = self._texts.get(text)
        if words is None:
            if len(self._texts) > _MOST_TEXTS:
                self._texts.clear()
            is_english = self.code == ENGLISH
            words = split_words(text) if is_english else self.stems(plain_words(text))
            self._texts[text] = words
        return words

    @cached_property
    def _texts(self) -> dict[str, Words]:
        """Strings that have been split before."""
        return {}

    def load(self) -> None:
        """Split the phrases of the whole vocabulary at once, and build its scales and names."""
        # From the parts to what is made of them, so that no part is built deep inside another.
        _ = self._plain_phrases, self._protected, self._phrases, self.scales, self.scale_index
        _ = self.name_lists, self.name_keys, self.links, self.off_scale_keys, self.absence_keys

    def key_of(self, phrase: str) -> str:
        """Return the key under which a phrase of the vocabulary is stored."""
        return "".join(self.split(phrase))

    def phrases(self, section: str, key: str) -> Sequence[str]:
        """Return the phrases of one list of its file; none if the file lacks it."""
        return self.table.get(section, {}).get(key, ())

    def keys(self, section: str, key: str) -> frozenset[str]:
        """Return the keys of the phrases of one list of its file."""
        return frozenset(map(self.key_of, self.phrases(section, key)))

    def family_phrases(self) -> Iterator[tuple[str, str, Sequence[str]]]:
        """Yield each family, "high", "low" or a fixed place of it, and the phrases there."""
        for name, family in self.table.get("family", {}).items():
            for end in ("high", "low"):
                yield name, end, family.get(end, ())
            for place, phrases in family.get("fixed", {}).items():
                yield name, place, phrases

    def stems(self, words: Words) -> Words:
        """Return the stems of plain words; their characters in a language without blanks."""
        if self.by_characters:
            return tuple(part for word in words for part in ([word] if word.isdigit() else word))
        return tuple(map(self.token_of, words))

    @cached_property
    def lists(self) -> dict[str, Any]:
        """The tables of its scales and names."""
        built = read_built(f"lists/{self.code}") if self.is_stored else None
        return self.table if built is None else json.loads(built)

    @cached_property
    def _plain_phrases(self) -> dict[str, Words]:
        return split_phrases(phrases_in(self.table), english=self.code == ENGLISH)

    @cached_property
    def _phrases(self) -> dict[str, Words]:
        """Phrases of its vocabulary -> their words, for `split`."""
        plain = self._plain_phrases
        if self.code == ENGLISH:
            return plain
        return {phrase: self.stems(words) for phrase, words in plain.items()}

    def token_of(self, word: str) -> str:
        """Return the stem of a plain word, or the word where its stem has several meanings."""
        token = self._tokens.get(word)
        if token is None:
            stem = self._stem(word)
            token = self._tokens[word] = self._unlisted.get(stem, stem)
        return token

    @cached_property
    def _tokens(self) -> dict[str, str]:
        """Words that have been stemmed before."""
        return {word: word for word in self._protected}

    def _stem(self, word: str) -> str:
        for article in read_toml("writing")["articles"].get(self.code, ()):
            if word.startswith(article) and len(word) - len(article) >= _MIN_STEM:
                word = word[len(article) :]
                break
        if self._endings is None or len(word) <= _MIN_STEM or _ROMAN.fullmatch(word):
            return word
        match = self._endings.search(word, _MIN_STEM)
        return word if match is None else word[: match.start()]

    @cached_property
    def _endings(self) -> re.Pattern[str] | None:
        endings = read_toml("endings").get(self.code)
        if not endings:
            return None
        endings = sorted(endings, key=len, reverse=True)
        return re.compile(f"(?:{'|'.join(endings)})$")

    @cached_property
    def _ambiguous(self) -> dict[str, dict[str, set[str]]]:
        """Stems of words of which no meaning is shared by all -> these words and what they mean.

        "Medio" and "media" are one word, the middle, though some families list but one of them.
        """
        found: dict[str, dict[str, set[str]]] = {}
        for meaning, phrases in self._single_meanings():
            for phrase in phrases:
                words = self._plain_phrases.get(phrase, ())
                if len(words) == 1:
                    stem = self._stem(words[0])
                    found.setdefault(stem, {}).setdefault(words[0], set()).add(meaning)
        return {
            stem: meanings
            for stem, meanings in found.items()
            if not set.intersection(*meanings.values())
        }

    def _single_meanings(self) -> Iterable[tuple[str, Iterable[str]]]:
        for value, phrases in self.table.get("degree", {}).items():
            yield f"degree {value}", phrases
        yield "fillers", self.table.get("fillers", ())
        for name, place, phrases in self.family_phrases():
            yield place if place == "0" else f"{name} {place}", phrases

    @_stored(frozenset)
    def _protected(self) -> frozenset[str]:
        """Words that keep their endings, as other words of their stem mean something else."""
        protected = set().union(*self._ambiguous.values())
        for scale in self.lists.get("scale", ()):
            rank_of: dict[str, tuple[int, str]] = {}
            for rank, phrases in enumerate(scale["ranks"]):
                for phrase in phrases:
                    words = self._plain_phrases.get(phrase, ())
                    if len(words) != 1:
                        continue
                    first, word = rank_of.setdefault(self._stem(words[0]), (rank, words[0]))
                    if first != rank:
                        protected |= {word, words[0]}
        return frozenset(protected)

    @_stored(Lines)
    def _unlisted(self) -> Mapping[str, str]:
        """Stems of protected words -> the shortest of these, for forms that no table lists.

        A word that grades goes last, as adverbs have no further forms.
        """
        degrees = {f"degree {value}" for value in self.table.get("degree", {})}
        return {
            stem: min(words, key=lambda word: (words[word] <= degrees, len(word), word))
            for stem, words in self._ambiguous.items()
        }

    @_stored(StoredScales)
    def scales(self) -> Sequence[Scale]:
        """Its scales that are listed rank by rank, and those of the calendar."""
        own = [*self.lists.get("scale", ()), *self._standard_scales]
        listed = [build_scale(entry, False, self.key_of) for entry in own]
        rounds = [build_scale(entry, True, self.key_of) for entry in _calendar(self.code)]
        return (*listed, *rounds)

    @property
    def _standard_scales(self) -> list[dict[str, Any]]:
        """The tables of what standards define: codes are read as English is, colours as all are."""
        scales = read_toml("standard_scales")["scale"]
        if self.code == ENGLISH:
            return scales
        colors = read_toml("colors")
        own = dict(zip(colors["order"], colors["languages"].get(self.code, ()), strict=False))
        forms = {color: words.split("|") for color, words in own.items()}
        return [
            scale
            | {"ranks": [[w for s in rank for w in forms.get(s, ())] for rank in scale["ranks"]]}
            for scale in scales
            if "colors" in scale
        ]

    @_stored(Lines)
    def scale_index(self) -> Mapping[str, Sequence[int]]:
        """For each key the positions in `scales` of the scales that hold it."""
        index: dict[str, list[int]] = {}
        for position, scale in enumerate(self.scales):
            for key in scale.ranks:
                index.setdefault(key, []).append(position)
        return index

    @_stored(lambda lines: tuple(parsed(NameList, line) for line in lines))
    def name_lists(self) -> tuple[NameList, ...]:
        """Its lists of names that have no order."""
        return tuple(build_name_list(entry, self.key_of) for entry in self.lists.get("names", ()))

    def is_off_scale(self, words: Words) -> bool:
        """Check whether the words of a label have no place on a scale ("don't know").

        Examples
        --------
        >>> language("en").is_off_scale(("dont", "know", "not", "relevant", "to", "me"))
        True
        >>> language("en").is_off_scale(("dont", "agree"))
        False
        """
        return "".join(words) in self.off_scale_keys[0] or self.begins_off_scale(words)

    def begins_off_scale(self, words: Words) -> bool:
        """Check whether a label begins like a refusal: "prefer not ...", "I don't know ..."."""
        _, starts, longest = self.off_scale_keys
        return any(beginning in starts for beginning in accumulate(words[:longest]))

    @cached_property
    def off_scale_keys(self) -> tuple[frozenset[str], frozenset[str], int]:
        """Keys of labels off any scale, of beginnings of such labels, and most words of these."""
        starts = [self.split(phrase) for phrase in self.phrases("off_scale", "starts")]
        longest = max(map(len, starts), default=0)
        wholes = self.keys("off_scale", "words") | self.missing_keys
        return wholes, frozenset(map("".join, starts)), longest

    @cached_property
    def judging(self) -> dict[str, frozenset[str]]:
        """Keys of words for acts of judging, what denies them, and what stands between these."""
        own = read_toml("judging").get(self.code, {})
        keys = ("acts", "denials", "fillers")
        found = {key: frozenset(map(self.key_of, own.get(key, ()))) for key in keys}
        denied = [prefix + act for prefix in own.get("prefixes", ()) for act in own["acts"]]
        return found | {"denied": frozenset(map(self.key_of, denied))}

    def judging_parts(self, words: Words) -> Words:
        """Return words as `judging` lists them; characters are joined to its phrases."""
        if self._judging_phrases is None:
            return words
        return tuple(self._judging_phrases.findall("".join(words)))

    @cached_property
    def _judging_phrases(self) -> re.Pattern[str] | None:
        phrases = frozenset().union(*self.judging.values())
        if not self.by_characters or not phrases:
            return None
        return re.compile("|".join([*sorted(phrases, key=len, reverse=True), "."]))

    @cached_property
    def missing_keys(self) -> frozenset[str]:
        """Keys of its phrases for a missing value."""
        phrases = read_toml("stray")["missing"]["phrases"].get(self.code, ())
        return frozenset(map(self.key_of, phrases))

    @cached_property
    def off_scale_endings(self) -> frozenset[str]:
        """Keys of phrases that mean, behind what they are said of, that it has no place."""
        if self.by_characters:  # any sign may end another word
            return frozenset(key for key in self.missing_keys if len(key) > 1)
        phrases = map(self.split, self.phrases("off_scale", "words"))
        several = {"".join(words) for words in phrases if len(words) > 1}
        return frozenset(key for key in several | self.missing_keys if len(key) > 4)

    @cached_property
    def absence_keys(self) -> frozenset[str]:
        """Keys of words that mean that there is nothing to grade: "no", "without", "none"."""
        english = ("no", "without", "never", "not", "non", "did") if self.code == ENGLISH else ()
        return self.keys("negation", "words") | self.zero_keys | {*english}

    @cached_property
    def denial_keys(self) -> frozenset[str]:
        """Keys of words that deny what is said with them, and of verbs that hold their negation."""
        return self.absence_keys | self.keys("negation", "verbs")

    @cached_property
    def negated_verb(self) -> re.Pattern[str] | None:
        """Form of a plain word that is a verb with its negation: "kullanmıyorum"."""
        form = self.table.get("negation", {}).get("verb_form")
        return re.compile(form) if form else None

    @cached_property
    def links(self) -> frozenset[str]:
        """Words such as "to" and "or" between numbers or alternatives."""
        return self.keys("bounds", "links")

    @_stored(frozenset)
    def known_words(self) -> frozenset[str]:
        """All words that stand in a phrase of its vocabulary, as `split` returns them."""
        words = {word for words in self._plain_phrases.values() for word in words}
        if self.by_characters or self.code == ENGLISH:
            return frozenset(words)
        return frozenset(words).union(map(self.token_of, words))

    @cached_property
    def name_keys(self) -> frozenset[str]:
        """Keys of all its names."""
        return frozenset().union(*(names.keys for names in self.name_lists if not names.codes))

    @cached_property
    def modifiers(self) -> frozenset[str]:
        """Single words that negate a word, or state its degree."""
        degrees = self.table.get("degree", {}).values()
        split = map(self.split, chain(self.phrases("negation", "words"), *degrees))
        return frozenset(words[0] for words in split if len(words) == 1)

    @cached_property
    def ordinal_keys(self) -> frozenset[str]:
        """Keys of its ordinal numbers; "second" is also "other" in some languages."""
        return frozenset(map(self.key_of, self.table.get("ordinals", ())))

    @cached_property
    def filler_keys(self) -> frozenset[str]:
        """Keys of words that a label may hold for no meaning."""
        return frozenset(map(self.key_of, self.table.get("fillers", ()))) | self.keys(
            "balance", "but"
        )

    @cached_property
    def zero_keys(self) -> frozenset[str]:
        """Keys of words that mean that there is nothing ("none")."""
        return self.keys("ends", "zero")

    @cached_property
    def counted_zero_keys(self) -> frozenset[str]:
        """Keys of words that mean zero next to numbers: "none", "never"."""
        return self.zero_keys | self.never_keys

    @property
    def never(self) -> Sequence[str]:
        """Phrases for the frequency zero."""
        return self.table.get("family", {}).get("frequency", {}).get("fixed", {}).get("-6", ())

    @cached_property
    def never_keys(self) -> frozenset[str]:
        """Keys of its phrases for the frequency zero."""
        return frozenset(map(self.key_of, self.never))


@cache
def language(code: str) -> Language:
    """Load one language.

    Examples
    --------
    >>> language("en").code
    'en'
    """
    return Language(code)


def build_language(code: str) -> dict[str, Any]:
    """Return the tables of a language as a build stores them, with its scales of shared topics."""
    table = read_toml(f"languages/{code}")
    scales, names = [], []
    for name, topic in read_toml("shared_scales").items():
        if code in topic:
            ranks = [[word.strip() for word in rank.split(",")] for rank in topic[code]]
            entry: dict[str, Any] = {"name": name.replace("_", " ")}
            if topic.get("names"):
                names.append(entry | {"words": [word for rank in ranks for word in rank]})
                continue
            aside = topic.get("off_scale", {}).get(code, [])
            own = {key: topic[key] for key in ("minimum", "named", "alone") if key in topic}
            entry |= {"ranks": ranks} | own
            scales.append(entry | ({"off_scale": aside} if aside else {}))
    kinds = {"scale": scales, "names": names}
    return table | {kind: [*table.get(kind, ()), *more] for kind, more in kinds.items() if more}


@cache
def codes() -> tuple[str, ...]:
    """Return the codes of all languages that have a file."""
    return toml_stems("languages")


def languages_of(texts: Sequence[str]) -> tuple[Language, ...]:
    """Return the few languages that the labels of a column may be written in.

    Parameters
    ----------
    texts : sequence of str
        The labels.

    Returns
    -------
    tuple of Language
        The languages of the script, or those that share most words with the labels, the likeliest
        first; English is one of them where a label has Latin letters or none has a letter.
    """
    # Sorted: the columns of a scale differ in what is most frequent.
    known = [code for code in _codes_of(sorted(texts)) if code in codes()]
    return tuple(map(language, known or [ENGLISH]))


@kept_for_few
def _codes_of(texts: Sequence[str]) -> list[str]:
    text = "\n".join(texts)
    found: list[str] = []
    if not text.isascii():
        scripts = read_toml("writing")["letters"].items()
        found = next((own for letters, own in scripts if re.search(f"[{letters}]", text)), [])
    if not found:
        found = _by_words(text)
    is_english = _LATIN.search(text) or text.isascii()
    return list(dict.fromkeys([*found, ENGLISH] if is_english else found))


def _by_words(text: str) -> list[str]:
    """Return the languages that most words of a string belong to, rare words counting more."""
    words = [w for w in set(plain_words(text)) if len(w) > 1 and not _ROMAN.fullmatch(w)]
    shares: dict[str, list[float]] = {}
    _add_shares(shares, words, _words_index())
    if max(map(len, shares.values()), default=0) < _ENOUGH * len(words):
        _add_shares(shares, words, _names_index())
    # Exact sums: in the order of a set the last digit would differ from one process to the next.
    votes = {code: math.fsum(own) for code, own in shares.items()}
    english = votes.pop(ENGLISH, 0.0)
    neighbours = read_toml("writing")["neighbours"]
    ranked = sorted(votes, key=lambda code: (-votes[code], code in neighbours, code))
    larger = [code for code in ranked if code not in neighbours]
    ranked = [*dict.fromkeys([*ranked[:_CANDIDATES], *larger[:_CANDIDATES]])]
    # English goes first unless words point to another language: the index leaves out its scales.
    leads = _LATIN.search(text) and not (ranked and votes[ranked[0]] > english + _CLEAR_LEAD)
    return [ENGLISH, *ranked] if leads else ranked


def _add_shares(
    shares: dict[str, list[float]], words: Sequence[str], index: Mapping[str, Sequence[str]]
) -> None:
    """Add for each word the share of it that belongs to each language of an index."""
    for word in words:
        owners = index.get(word[:INDEX_LENGTH], ())
        for code in owners:
            shares.setdefault(code, []).append(1.0 / len(owners))


@stored
def _words_index() -> Mapping[str, Sequence[str]]:
    # In the folder of the source without a build it takes half a second.
    return build_index(of_names=False)


@stored
def _names_index() -> Mapping[str, Sequence[str]]:
    return build_index(of_names=True)


def build_index(*, of_names: bool) -> dict[str, list[str]]:
    """Return the languages that have words, or names, of each beginning.

    Names, which are many and shared by languages, have an index of their own, for labels of which
    the other knows few. The scales of English, and languages that their script tells, are left out.
    """
    index: dict[str, list[str]] = {}
    told = {code for own in read_toml("writing")["letters"].values() for code in own}
    for code in sorted({*codes()} - told):
        table = language(code).table | language(code).lists
        scales = [*_calendar(code), *(table.get("scale", ()) if code != ENGLISH else ())]
        indexed = {section: table.get(section, {}) for section in _INDEXED}
        indexed["scale"] = [scale["ranks"] for scale in scales]
        if of_names:
            indexed = {"names": [names["words"] for names in table.get("names", ())]}
        words = {word for phrase in phrases_in(indexed) for word in plain_words(phrase)}
        beginnings = {word[:INDEX_LENGTH] for word in words if not word.isdigit()}
        for beginning in beginnings:
            index.setdefault(beginning, []).append(code)
    return index


def phrases_of(code: str) -> list[str]:
    """Return the words and phrases of a language, those of its calendar included."""
    calendar = [entry["ranks"] for entry in _calendar(code)]
    tables = language(code).table | language(code).lists
    return phrases_in({"table": tables, "calendar": calendar})


def _calendar(code: str) -> list[dict[str, Any]]:
    """Return the tables of a language's months, weekdays and the like."""
    return [entry for entry in read_toml("calendar")["scale"] if entry["language"] == code]


def phrases_in(table: Mapping[str, Any] | Sequence[str]) -> list[str]:
    """Return the words and phrases in the tables of a language, or in a part of them."""
    phrases: list[str] = []
    parts: list[Any] = [table]
    while parts:
        part = parts.pop()
        if isinstance(part, str):
            phrases.append(part)
        elif isinstance(part, list):
            parts += part
        elif isinstance(part, dict):
            for key, entry in part.items():
                if isinstance(entry, int | float):  # a word and its number
                    phrases.append(key)
                elif key not in ("name", "english"):
                    parts.append(entry)
    return phrases
