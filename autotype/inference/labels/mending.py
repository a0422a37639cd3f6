"""Read words as a scale, and read again what leaves a level out: typos, cut words, signs."""

from __future__ import annotations

import re
from dataclasses import replace

from autotype.inference.labels.degrees import complete_by_degrees, read_composition
from autotype.inference.labels.off_scale import is_off_scale
from autotype.inference.labels.reading import Reading, distinct
from autotype.inference.labels.scales import complete_by_leads, complete_by_zero, read_scale
from autotype.inference.labels.unread import complete_cut_words, corrections
from autotype.lexicon.languages import ENGLISH, Language
from autotype.lexicon.tokens import Label, plain_words, read_label
from autotype.lexicon.toml_files import read_toml

_SIGNED = re.compile(r"(?P<name>\w[\w\s-]*?\w)\s*[(\[]?(?P<sign>\+{1,2}|[-–−]{1,2})[)\]]?")
_SHORTEST_CUT_PHRASE = 8  # letters of a label that may be the beginning of a longer one


def read_words(labels: list[Label], words: Language, topics: frozenset[str]) -> Reading | None:
    """Return the better of a vocabulary scale and a composition."""
    scale, composed = read_scale(labels, words, topics), read_composition(labels, words)
    if composed is not None:
        composed = complete_by_zero(labels, composed, words)
    if scale is None or (composed is not None and len(composed.ranks) > len(scale.ranks)):
        scale = composed
    elif composed is not None and words.code != ENGLISH and scale.along[::-1] == composed.along:
        scale = composed  # "bad" is low, whatever the special scale that lists it runs from
    if scale is not None and len(scale.ranks) < len(labels):
        scale = complete_by_zero(labels, scale, words)
        scale = complete_by_degrees(labels, scale, words)
        left = [label for i, label in enumerate(labels) if i not in scale.ranks]
        if not any(is_off_scale(label, words) for label in left):
            scale = complete_by_leads(labels, scale)
    return scale


def mend(reading: Reading, kept: list[Label], words: Language, topics: frozenset[str]) -> Reading:
    """Read the one label without a place once more, its typo or cut end mended."""
    n_kept = len(kept)
    if reading.rule not in ("scale", "composition") or len(reading.ranks) != n_kept - 1:
        return reading
    at = next(i for i in range(n_kept) if i not in reading.ranks)
    label = kept[at]
    if is_off_scale(label, words):
        return reading
    width = max(len(str(each.level)) for each in kept)
    is_cut = len(str(label.level)) == width
    texts = corrections(label.text, words, is_cut=is_cut)
    found = []
    if is_cut and len(label.key) >= _SHORTEST_CUT_PHRASE:
        keys = sorted(key for key in words.scale_index if key.startswith(label.key))
        found = [replace(label, words=(key,), body=(key,), key=key) for key in keys]
    found += [reworded(label, text, words) for text in texts]
    for other in found:
        mended = read_words([*kept[:at], other, *kept[at + 1 :]], words, topics)
        if mended is not None and len(mended.ranks) == n_kept and not mended.weak:
            text = other.text if other.text != label.text else other.key
            return replace(mended, detail=f'{mended.detail}, "{label.text}" read as "{text}"')
    return reading


def read_cut(kept: list[Label], words: Language, topics: frozenset[str]) -> Reading | None:
    """Read labels of which some hold words that were cut off or abbreviated."""
    for texts in complete_cut_words([label.text for label in kept], words):
        labels = [reworded(*pair, words) for pair in zip(kept, texts, strict=True)]
        reading = read_words(labels, words, topics)
        if reading is not None and len(reading.ranks) == len(kept):
            return replace(reading, detail=f"{reading.detail}, cut words completed")
    return None


def read_signed(kept: list[Label], words: Language, topics: frozenset[str]) -> Reading | None:
    """Read levels of which some carry a sign: "low", "medium-", "medium", "medium (+)", "high".

    A sign moves a level less than a step. At least one level stands beside its signed ones.
    """
    parts = [_SIGNED.fullmatch(label.text) for label in kept]
    names = [part["name"] if part else label.text for part, label in zip(parts, kept, strict=True)]
    bare = {label.text.casefold() for part, label in zip(parts, kept, strict=True) if not part}
    if not any(part and part["name"].casefold() in bare for part in parts):
        return None
    own = {name.casefold(): reworded(kept[i], name, words) for i, name in enumerate(names)}
    reading = read_words(list(own.values()), words, topics) if len(own) > 1 else None
    if reading is None or len(reading.ranks) < len(own) or not reading.direction_known:
        return None
    rank_of = {name: reading.ranks[i] for i, name in enumerate(own)}
    signs = [part["sign"] if part else "" for part in parts]
    places = [
        (i, (rank_of[name.casefold()], sign.count("+") - sum(map(sign.count, "-–−"))))
        for i, (name, sign) in enumerate(zip(names, signs, strict=True))
    ]
    ranks = distinct(places)
    return replace(reading, ranks=ranks) if len(ranks) == len(kept) else None


def read_written_out(kept: list[Label], words: Language, topics: frozenset[str]) -> Reading | None:
    """Read levels with the words that registers abbreviate written out: "mild", "mod", "sev"."""
    table = read_toml("register_names")["levels"].get(words.code)
    if table is None:
        return None
    labels = []
    for label in kept:
        own = label.body if words.code == ENGLISH else plain_words(label.text)
        full = [table.get(word, word) for word in own]
        # "Weed-free": nothing of what "sparse" and "dense" grade.
        full = ["none"] if len(full) > 1 and full[-1] == "free" else full
        is_short = full != list(own) and (label.listed or not any(map(str.isdigit, label.text)))
        labels.append(reworded(label, " ".join(full), words) if is_short else label)
    if labels == kept or len({label.key for label in labels}) < len(kept):
        return None
    reading = read_words(labels, words, topics)
    return reading if reading is not None and len(reading.ranks) == len(kept) else None


def reworded(label: Label, text: str, words: Language) -> Label:
    """Return the label of a level whose text is another one."""
    return replace(read_label(text, words.split), level=label.level)
