"""Read the name of a column: whether it suggests a scale, names or a count."""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from functools import cache

from autotype.lexicon.languages import phrases_in
from autotype.lexicon.tokens import LETTER, is_unspaced, runs, typed_forms, without_accents
from autotype.lexicon.toml_files import read_toml, stored

_WORD = re.compile(rf"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|(?:(?![A-Za-z]){LETTER})+")
# Latin letters that are none with an accent would part the words that hold them.
_UNACCENTED = re.compile(_WORD.pattern.replace("A-Z", "A-ZÆØŒŁĐÞƏ").replace("a-z", "a-zæøœłđþðßəı"))
_PLURAL = re.compile(r"(?<=[a-z]{3})s$")
_LONGEST_PHRASE = 4  # words of a known phrase
_LONGEST_RUN = 20  # letters and marks of a known phrase in scripts without blanks
_WITHIN_WORDS = dict.fromkeys(range(0x55B, 0x55F))  # Armenian marks of questions and stress
_FIRST_IDEOGRAPH = "\u2e80"  # a word has two, and four letters of Thai
_HANGUL = re.compile("[\uac00-\ud7af]")  # endings follow words, between blanks
_FEWEST_WORDS = 4  # of a question
_QUESTION_SIGNS = "?？؟"
_QUESTION_FROM = 6  # words; a name as long as that is a question, whose nouns are its topic
# Lists of all languages among those of one.
_OF_ALL_LANGUAGES = frozenset({"opening", "placing", "which", "using"})
_SIGNS = {"ordinal": 1, "nominal": -1, "question_degree": 1}  # of lists of phrases
_NOUNS = ("ordinal", "nominal")
_CODE = "code"
_SHORTEST_BEFORE = 3  # letters before it
_SHORTEST_TAIL = 5  # letters of a known word at the end of a compound


def read_name(name: Hashable) -> float:
    """Compute which kind of column a name suggests.

    Parameters
    ----------
    name : hashable
        The column's name; of a tuple (MultiIndex) the last part counts.

    Returns
    -------
    float
        In [-1, 1]: the proportion of known words that are usually ordinal less the share that are
        usually categorical. The last known word counts double, as in "job satisfaction". Of a
        question only the words that ask for a degree count, "how often", or else those that ask
        for a name: "which party".

    Examples
    --------
    >>> read_name("pain_severity"), read_name("BloodType"), read_name("x1")
    (1.0, -1.0, 0.0)
    >>> read_name("How often do you drive to your place of work?")
    1.0
    >>> read_name("For which party did you vote in the last election?")
    -1.0
    """
    words = _words(name)
    votes = _votes(words, text_of(name))
    if not votes:
        return 0.0
    # In "age class" the last word says nothing beside the one of degree; a "risk code" is either.
    if sum(votes[:-1]) > 0 and words[-1] in _folded("register_names", "weak"):
        return sum(votes[:-1]) / (len(votes) - (words[-1] != _CODE))
    return (sum(votes) + votes[-1]) / (len(votes) + 1)


def score_name(name: Hashable) -> float:
    """Return the learned log odds that a column of this name is ordinal; 0 without a word.

    A single word that is known to name things is not denied by its letters, which in "Abteilung"
    are those of "Bewertung", nor is the last word of "health insurance" by the first, nor what is
    graded by its object: "trust in the parliament".
    """
    # Here: a build, which stores phrases of names, has no NumPy.
    from autotype.inference.labels.text_model import shipped_text_models

    _, model = shipped_text_models()
    learned = model.log_odds_of_name(" ".join(written_out(plain_name(name).lower().split())))
    words = _words(name)
    if learned < 0.0:
        return 0.0 if read_name(name) == 1.0 and _votes_of_graded(words) else learned
    is_known = len(words) == 1 or _vote_of_class(words) or _length(words) >= _FEWEST_WORDS
    return 0.0 if is_known and read_name(name) == -1.0 else learned


def plain_name(name: Hashable) -> str:
    """Return the words of a name, those in camel case and under scores apart.

    Examples
    --------
    >>> plain_name("jobSatisfaction_2")
    'job Satisfaction'
    """
    return " ".join(_WORD.findall(text_of(name)))


def is_question(name: Hashable) -> bool:
    """Check for a name of four words and more, or as long in a script without blanks.

    Examples
    --------
    >>> is_question("How strong is it?"), is_question("満足していますか"), is_question("pain")
    (True, True, False)
    """
    return _length(_words(name)) >= _FEWEST_WORDS


def _words(name: Hashable) -> list[str]:
    """Return the folded words of a name: without accents first, which would part them.

    What registers abbreviate is written out: "weapon_cd" is a weapon code. A sentence abbreviates
    nothing: "cât" is no category in "Cât de important este?".
    """
    text = without_accents(text_of(name).translate(_WITHIN_WORDS))
    words = _folded_all([" ".join(_UNACCENTED.findall(text))])[0].split()
    is_sentence = len(text.split()) >= _FEWEST_WORDS or _has_question_sign(text)
    return words if is_sentence else list(written_out(words))


def written_out(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a name with those in place of which registers have abbreviations.

    Examples
    --------
    >>> written_out(["esi", "lvl"])
    ('esi', 'level')
    """
    table = _abbreviations()
    return tuple(table.get(word, word) for word in words)


@cache
def _abbreviations() -> dict[str, str]:
    table = read_toml("register_names")["abbreviations"]
    return dict(zip(table, _folded_all(table.values()), strict=True))


def _length(words: Sequence[str]) -> int:
    """Estimate the number of words, of which several stand in one in scripts without blanks."""
    unspaced = [word for word in words if is_unspaced(word) and not _HANGUL.match(word)]
    return len(words) + sum(
        len(word) // (2 if word >= _FIRST_IDEOGRAPH else 4) for word in unspaced
    )


def names_a_count(name: Hashable) -> bool:
    """Check whether by its name a column counts things or measures a time.

    The nouns of a question that asks for a degree are its topic: "How satisfied are you with the
    last months?" counts no months.

    Parameters
    ----------
    name : hashable
        The column's name; of a tuple (MultiIndex) the last part counts.

    Examples
    --------
    >>> names_a_count("Number of Policies"), names_a_count("juv_fel_count")
    (True, True)
    >>> names_a_count("Anzahl Kinder"), names_a_count("phone number")
    (True, False)
    """
    words = _words(name)
    text = " ".join(words)
    spaced, unspaced, longest = _count_phrases()
    if any(phrase in text for phrase in unspaced):
        return True
    degrees = _spans(words, _degree_phrases(), _LONGEST_PHRASE)
    # "koliko" counts, but not in "koliko ste zadovoljni".
    counted = [
        count
        for count in _spans(words, spaced, longest)
        if len(count) > 1 or not any(len(d) > 1 and count[0] in d for d in degrees)
    ]
    if words[1:] and words[-1] in _folded("column_names", "counting_ahead"):
        counted = [count for count in counted if count != range(len(words) - 1, len(words))]
    if counted and _is_stated(words, text_of(name)):  # "People can be trusted" counts none
        verbs = _folded("column_names", "stating")
        counted = [n for n in counted if verbs.isdisjoint(words[n.stop : n.stop + 1])]
    if len(words) < _QUESTION_FROM or not counted:
        return bool(counted)
    # "how" asks for a degree, but not in "how many".
    return all(any(start in count for count in counted) for start, *_ in degrees)


def _has_question_sign(text: str) -> bool:
    return any(sign in text for sign in _QUESTION_SIGNS)


def _is_stated(words: Sequence[str], text: str) -> bool:
    """Check for a sentence to agree with: "I feel safe at work", "People can be trusted".

    One that the answer completes is none: "My favourite colour is".
    """
    if len(words) < _FEWEST_WORDS:
        return False
    verbs = _folded("column_names", "stating")
    if words[-1] in verbs or words[-1] in _folded("column_names", "linking"):
        return False
    if not _folded("column_names", "first_person").isdisjoint(words):
        return True
    subject = words[: next((k for k, word in enumerate(words) if word in verbs), 0)]
    if not subject or _has_question_sign(text):
        return False
    opening = (_folded("column_names", "relative"), _folded("question_names", "opening"))
    return all(asked.isdisjoint(subject) for asked in opening)


def _spans(words: Sequence[str], phrases: Container[str], longest: int) -> list[range]:
    """List the places of the words of each known phrase."""
    return [range(*at) for *at, phrase in runs(words, longest, " ") if phrase in phrases]


def text_of(name: Hashable) -> str:
    """Return the text of a column's name; of a tuple (MultiIndex) its last part."""
    if isinstance(name, tuple):
        name = name[-1] if name else ""
    return str(name)


def _votes(words: Sequence[str], text: str) -> list[int]:
    """List the signs of the known phrases of a name, the longest phrases first."""
    # "group" names things where nothing is added to it, but not "age group".
    if words and len(set(words)) == 1 and words[0] in _folded("column_names", "alone"):
        return [-1]
    length = _length(words)
    questions = _degree_phrases()
    is_stated = _is_stated(words, text)
    # "Rate the quality of the product" asks for a degree of its nouns, too.
    spans, single = _spans(words, questions, _LONGEST_PHRASE), _asking_words()
    asks = any(len(span) > 1 or words[span.start] in single for span in spans)
    asks = asks or any(is_unspaced(word) and _votes_within(word, single) for word in words)
    is_sentence = length >= _FEWEST_WORDS or _has_question_sign(text)
    if not asks and is_sentence and (vote := _vote_of_opening(words, text)):
        return [vote]
    if not (asks or is_stated or length >= _QUESTION_FROM):
        starts = (" ".join(words[:size]) for size in (2, 1) if len(words) > size)
        # "tipo_riesgo" is no risk.
        signs = _signed_of_registers("leading")
        leading = [signs[start] for start in starts if start in signs]
        votes = leading[:1] or _votes_of_graded(words) or _vote_of_class(words)
        return votes or _votes_by(words, _known_phrases(), compounds=True)
    votes = _votes_by(words, _asking_phrases())
    found = [vote for vote in votes if vote > 0] or votes
    return found or ([1] if is_stated else [])


def _votes_of_graded(words: Sequence[str]) -> list[int]:
    """List the signs of what is graded where its object follows: "trust in the party".

    The object of an attitude may stand without a word between them: "trust_party".
    """
    if words and words[-1] in _folded("column_names", "kinds"):
        return []
    linking = _folded("column_names", "linking")
    link = next((k for k, word in enumerate(words) if k and word in linking), 0)
    votes = _votes_by(words[:link], _known_phrases(), compounds=True)
    if votes and votes[-1] > 0:
        return votes
    is_attitude = words[:1] and words[0] in _folded("column_names", "attitudes")
    return [1] if is_attitude and words[-1] not in _folded("column_names", "classing") else []


def _vote_of_class(words: Sequence[str]) -> list[int]:
    """List the sign of a name that ends in a word for a kind of what is graded: "pain source"."""
    kinds = (_folded("column_names", "kinds"), _folded("column_names", "classing"))
    return [-1] if words[1:] and any(words[-1] in own for own in kinds) else []


def _vote_of_opening(words: Sequence[str], text: str) -> int:
    """Return the sign of a question by its first words: "Who decides how often you meet?".

    "Where would you place yourself on this scale?" asks for a degree, "Where I live, it is safe" is
    a statement, and the WHO has grades.
    """
    while words and len(words[0]) == 1 and not is_unspaced(words[0]):
        words = words[1:]  # of its number: "Q1a"
    is_placed = bool(_spans(words, _folded("question_names", "placing"), _LONGEST_PHRASE))
    is_opened = bool(words) and words[0] in _folded("question_names", "opening")
    if is_opened and ("WHO " not in text or text.isupper()):
        is_plain = "," not in text and "i" not in words and not _is_stated(words, text)
        is_asked = is_plain or _has_question_sign(text)
        return (1 if is_placed else -1) if is_asked else 0
    naming = _naming_phrases()
    starts = (" ".join(words[:size]) in naming for size in range(2, _LONGEST_PHRASE + 1))
    is_item = text.rstrip().endswith("]")  # "Which of these do you use? [Email]" may be graded
    is_named = any(starts) or (not is_item and _asks_which(words))
    return -1 if is_named and not is_placed else 0


def _asks_which(words: Sequence[str]) -> bool:
    """Check for a question which one of several, no degree: "Which bank do you use?"."""
    which = _folded("question_names", "which")
    at = next((k for k, word in enumerate(words[:2]) if word in which), len(words))
    rest = [word for word in words[at + 1 :] if word not in _folded("question_names", "using")]
    return bool(rest) and max(_votes_by(rest, _known_phrases(), compounds=True), default=0) <= 0


def _votes_by(
    words: Sequence[str], tables: Mapping[str, int], *, compounds: bool = False
) -> list[int]:
    votes, start = [], 0
    while start < len(words):
        for size in range(min(_LONGEST_PHRASE, len(words) - start), 0, -1):
            phrase = " ".join(words[start : start + size])
            vote = tables.get(phrase) or tables.get(_PLURAL.sub("", phrase), 0)
            if vote:
                votes.append(vote)
                start += size - 1
                break
        else:
            word = words[start]
            if is_unspaced(word):
                votes += _votes_within(word, tables) or compounds * _vote_of_ending(word)
            elif compounds and (vote := _vote_of_compound(word)):
                votes.append(vote)
        start += 1
    return votes


def _vote_of_compound(word: str) -> int:
    """Return the sign of the longest known word with which a compound ends: "kundnöjdhet".

    A class of what is graded is a grade: "Risikoklasse".
    """
    tails = _compound_tails()
    for k in range(_SHORTEST_BEFORE, len(word)):
        if word[k:] in _folded("register_names", "weak"):
            graded = (_nouns().get(word[:k].removesuffix(link), 0) for link in ("", "s"))
            return int(1 in graded)
        if word[k:] in tails:
            return tails[word[k:]]
    return 0


def _vote_of_ending(word: str) -> list[int]:
    """List the sign of what a word of a script without blanks ends with: "熟练度"."""
    ends = _signed_of_registers("endings").items()
    return [sign for end, sign in ends if len(word) > len(end) and word.endswith(end)][:1]


def _votes_within(word: str, tables: Mapping[str, int]) -> list[int]:
    """List the signs of the phrases in a run of a script without blanks, the longest at each."""
    votes, start = [], 0
    while start < len(word):
        for size in range(min(_LONGEST_RUN, len(word) - start), 1, -1):
            vote = tables.get(word[start : start + size], 0)
            if vote and (start == 0 or not _HANGUL.match(word)):
                votes.append(vote)
                start += size - 1
                break
        start += 1
    return votes


@stored
def _known_phrases() -> Mapping[str, int]:
    """Known words of names with their sign, of all languages; and phrases that ask for a degree."""
    asking = {phrase: vote for phrase, vote in _degree_phrases().items() if " " in phrase}
    return {**asking, **_nouns(), **_naming_phrases()}


@stored
def _compound_tails() -> Mapping[str, int]:
    """Words with which compounds end, in the languages that write these as one word."""
    found = dict(_signed_of_registers("tails"))
    for code in read_toml("writing")["compounding"]:
        for kind in _NOUNS:
            own = read_toml("column_names")["languages"][code][kind]
            for word in _folded_all(typed_forms(own)):
                if " " not in word and len(word) >= _SHORTEST_TAIL:
                    found.setdefault(word, _SIGNS[kind])
    return found


@cache
def _signed_of_registers(table: str) -> dict[str, int]:
    """Collect the phrases of a table of registers' names, 1 the ordinal and -1 the nominal."""
    lists = read_toml("register_names")[table]
    return {
        phrase: _SIGNS[kind] for kind in _NOUNS for phrase in _folded_all(typed_forms(lists[kind]))
    }


@stored
def _asking_phrases() -> Mapping[str, int]:
    """Phrases with which questions ask for a name or, of the same phrases, for a degree."""
    return {**_naming_phrases(), **_degree_phrases()}


@stored
def _asking_words() -> Mapping[str, int]:
    """Single words that ask for a degree, and name and count nothing: "inwieweit", not "scale"."""
    counting = _folded("column_names", "count")
    return {
        word: vote
        for word, vote in _degree_phrases().items()
        if " " not in word and word not in counting and word not in _nouns()
    }


@stored
def _naming_phrases() -> Mapping[str, int]:
    """Phrases with which questions ask for a name: "which party", "how do you travel"."""
    table = read_toml("question_names")
    lists = (own for key, own in table.items() if key not in _OF_ALL_LANGUAGES)
    return dict.fromkeys(_folded_all(phrase for own in lists for phrase in own), -1)


@stored
def _degree_phrases() -> Mapping[str, int]:
    """Phrases with which questions ask for a degree."""
    return _signed("question_degree")


@stored
def _nouns() -> Mapping[str, int]:
    """Words for what has degrees, and for what has names."""
    return _signed_of_registers("names") | _signed(*_NOUNS)


def _signed(*lists: str) -> dict[str, int]:
    """Collect the phrases of some lists of all languages, each with the sign of its list."""
    votes: dict[str, int] = {}
    linking = _folded("column_names", "linking")
    tables = read_toml("column_names")["languages"]
    for code in sorted(tables, key=lambda code: code != "en"):  # English wins where words coincide
        for name in lists:
            for phrase in _folded_all(typed_forms(tables[code][name])):
                votes.setdefault(phrase, _SIGNS[name])
                # "titolo_studio" is a "titolo di studio".
                bare = [word for word in phrase.split() if word not in linking]
                if len(bare) > 1 and name in _NOUNS:
                    votes.setdefault(" ".join(bare), _SIGNS[name])
    return votes


@cache
def _folded(stem: str, table: str) -> frozenset[str]:
    """Return the folded phrases of a table, of all languages if it is parted by these."""
    return frozenset(_folded_all(typed_forms(phrases_in(read_toml(stem)[table]))))


def _folded_all(phrases: Iterable[str]) -> list[str]:
    """Fold phrases of one line each at once, as the cost is mostly that of the calls."""
    text = without_accents("\n".join(phrases)).casefold().replace("-", " ")
    return [" ".join(line.split()) for line in text.split("\n")]


@cache
def _count_phrases() -> tuple[frozenset[str], tuple[str, ...], int]:
    """Phrases of whole words; those of scripts without blanks, parts of a name; most words."""
    phrases = _folded("column_names", "count")
    unspaced = {phrase for phrase in phrases if is_unspaced(phrase) and len(phrase) > 1}
    longest = max(len(phrase.split()) for phrase in phrases)
    return frozenset(phrases - unspaced), tuple(sorted(unspaced)), longest
