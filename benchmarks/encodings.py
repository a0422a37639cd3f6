"""Measure how often the encoding of text files is found: ours, chardet's, and the first that fits.

Usage: python benchmarks/encodings.py FOLDER...

A folder holds `frames/` and a `frames.csv` with columns `file` and `lang`. Each CSV file in UTF-8
is written again in encodings that files in its language are published in. One counts as right if
at most 2% of its cells with letters beyond ASCII are read otherwise. The same is done with a few of
those cells at a time, and the files as they are must stay UTF-8.
"""

from __future__ import annotations

import csv
import gzip
import io
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import chardet

from autotype.tables.text.encoding import Encoding, detect_encoding

# Encodings -> the languages whose files are published in them.
PUBLISHED = {
    "cp1252": "de fr es pt it sv da nb no fi nl ca",
    "cp1250": "pl cs hu ro sk hr sl",
    "cp1251": "ru uk bg",
    "cp1253": "el",
    "cp1254": "tr",
    "cp1255": "he",
    "cp1256": "ar fa",
    "cp1257": "lt lv et",
    "cp1258": "vi",
    "cp874": "th",
    "cp949": "ko",
    "gbk": "zh",
    "big5": "zh",
    "shift_jis": "ja",
    "euc_jp": "ja",
    "koi8_r": "ru",
    "iso8859_2": "pl cs",
    "mac_roman": "de",
    "cp850": "fr",
}
LONGEST = 200_000
FEWEST_LETTERS = 10
FEW = (1, 2, 4, 8)  # cells
SEED = 20_260
FIELD = re.compile(r'[,;\t|"\r\n]+')


def main() -> None:
    right: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seconds: Counter[str] = Counter()
    n: Counter[str] = Counter()
    not_utf8, rng = 0, random.Random(SEED)
    for name, language, text in frames_of(map(Path, sys.argv[1:])):
        found = ours(text.encode())
        not_utf8 += found.name != "utf-8" or bool(found.doubts)
        for encoding in (one for one, own in PUBLISHED.items() if language in own.split()):
            data = text.encode(encoding, "ignore")
            written = cells(data, Encoding(encoding))
            if sum(map(count_letters, written)) < FEWEST_LETTERS:
                continue
            samples = {"file": data}
            for k in FEW:
                some = rng.sample(sorted(written), min(k, len(written)))
                samples[f"{k} cells"] = "\n".join(some).encode(encoding, "ignore")
            for size, sample in samples.items():
                n[size] += 1
                for way, detect in WAYS.items():
                    start = time.process_time()
                    found = detect(sample)
                    seconds[way] += time.process_time() - start
                    is_right = is_same(sample, encoding, found)
                    right[way][size] += is_right
                    if way == "ours":
                        right["ours, or a doubt"][size] += is_right or bool(found.doubts)
                        right["doubts"][size] += bool(found.doubts)
                    if way == "ours" and size == "file" and not is_right:
                        print("wrong", name, encoding, found)
    print(f"{'':20}" + "".join(f"{size:>10}" for size in n))
    for way, own in right.items():
        print(f"{way:20}" + "".join(f"{own[size] / n[size]:10.3f}" for size in n))
    print("files", n["file"], "seconds", {way: round(s, 1) for way, s in seconds.items()})
    print("files in UTF-8 that are read otherwise:", not_utf8)


def frames_of(folders: Iterator[Path]) -> Iterator[tuple[str, str, str]]:
    """Yield name, language and text of each CSV file in UTF-8."""
    for folder in folders:
        with open(folder / "frames.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            path = folder / "frames" / Path(row["file"]).name
            if not path.name.endswith((".csv", ".csv.gz")):
                continue
            data = path.read_bytes()
            data = (gzip.decompress(data) if path.suffix == ".gz" else data)[:LONGEST]
            data = data[: data.rfind(b"\n") + 1] or data
            try:
                yield row["file"], row.get("lang", ""), data.decode("utf-8-sig")
            except UnicodeDecodeError:
                continue


def cells(data: bytes, encoding: Encoding) -> set[str]:
    text = data.decode(encoding.name, encoding.errors)
    return {cell for cell in FIELD.split(text) if not cell.isascii()}


def count_letters(cell: str) -> int:
    return sum(not character.isascii() for character in cell)


def is_same(data: bytes, written: str, found: Encoding) -> bool:
    try:
        read = cells(data, found)
    except (LookupError, UnicodeError):
        return False
    truth = cells(data, Encoding(written))
    return len(truth ^ read) <= 0.04 * max(len(truth), 1)


def ours(data: bytes) -> Encoding:
    return detect_encoding(lambda: io.BytesIO(data))


def by_chardet(data: bytes) -> Encoding:
    name = chardet.detect(data, prefer_superset=True, compat_names=False)["encoding"]
    return Encoding(name or "latin-1", errors="replace")


def first_that_fits(data: bytes) -> Encoding:
    for name in ("utf-8", "cp1252"):
        try:
            data.decode(name)
        except UnicodeDecodeError:
            continue
        return Encoding(name)
    return Encoding("latin-1")


WAYS: dict[str, Callable[[bytes], Encoding]] = {
    "ours": ours,
    "chardet": by_chardet,
    "the first that fits": first_that_fits,
}

if __name__ == "__main__":
    main()
