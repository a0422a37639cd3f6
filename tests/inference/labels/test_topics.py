"""What column names say of their levels: colours of belts are a scale, words of songs are none."""

import pytest

from autotype.inference.labels.rules import read_labels
from autotype.inference.labels.topics import NAMES_THINGS, TITLES, topics_of
from autotype.lexicon.languages import codes
from autotype.lexicon.tokens import is_unspaced
from autotype.lexicon.toml_files import read_toml


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("Karategürtel", "belt"),
        ("ceinture", "belt"),
        ("rrip", "belt"),
        ("viðvörun", "alert"),
        ("figyelmeztetés", "alert"),
        ("檢傷分級", "triage"),
        ("érem", "medal"),
        ("akreditasi", "lettered grade"),
        ("alerts", "alert"),
        ("Tumorstadium", "stage"),
        ("病期", "stage"),
        (("survey", "ski_slope"), "piste"),
        ("Vorname", TITLES),
        ("canción", TITLES),
        ("song_title", TITLES),
    ],
)
def test_a_name_holds_a_word_for_its_topic(name, topic) -> None:
    assert topic in topics_of(name)


@pytest.mark.parametrize("name", ["colour", "x1", 7, (), "quality of the film", "postage of it"])
def test_other_names_hold_none(name) -> None:
    assert topics_of(name) <= {"stage"}
    assert TITLES not in topics_of(name)


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("belt", ["white", "yellow", "orange", "green", "blue", "brown", "black"]),
        ("Gürtel", ["weiß", "gelb", "grün", "braun", "schwarz"]),
        ("帯", ["白", "黄", "緑", "黒"]),
        ("alert", ["green", "yellow", "red"]),
        ("piste", ["green", "blue", "red", "black"]),
        ("relation", ["child", "parent", "grandparent"]),
        ("league", ["U8", "U10", "U12"]),
        ("priority", ["P1", "P2", "P3"]),
        ("стадия", ["I", "II", "III"]),
        ("pu_category", ["I", "II", "III", "IV"]),
        ("stab_class", ["A", "B", "C", "D", "E", "F"]),
        ("gewaesserguete", ["I", "II", "III"]),
        ("energie", ["G", "F", "E", "D", "C", "B", "A"]),
        ("clasa energetică", ["D", "C", "B", "A"]),
        ("van_herick", [0, 0.5, 1, 2, 3]),
    ],
)
def test_a_scale_that_the_name_says(name, order) -> None:
    read = read_labels(order[::-1], name)
    assert (read.order, read.rule.decides) == (tuple(order), True)
    assert not read_labels(order[::-1], "x").rule.reads_scales


def test_a_word_that_all_levels_share_is_a_name() -> None:
    assert read_labels(["white sash belt", "green sash belt", "black sash belt"]).order is not None


@pytest.mark.parametrize(
    ("name", "levels"),
    [
        ("nome", ["Primo", "Secondo", "Terzo"]),
        ("song", ["Always", "Sometimes", "Never"]),
        ("film", ["1917", "300", "Apollo 13"]),
        ("surname", ["Short", "Long", "Little"]),
    ],
)
def test_titles_are_names(name, levels) -> None:
    assert read_labels(levels, name).rule.name == "nominal"


def test_numbers_are_no_titles() -> None:
    assert read_labels([1, 2, 3], "film").rule.name == "numeric"


def test_each_language_names_all_colors() -> None:
    colors = read_toml("colors")
    assert {*colors["languages"], "en"} == set(codes())
    assert {len(own) for own in colors["languages"].values()} == {len(colors["order"])}


def test_each_standard_scale_has_a_source_and_known_topics(standard_scales) -> None:
    topics = read_toml("topics")["topics"].keys()
    for scale in standard_scales:
        assert scale["source"], scale["name"]
        assert topics >= set(scale.get("named", ())), scale["name"]
    assert topics >= set(read_toml("numbers")["stages"]["topics"])


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("injury", ["O", "C", "B", "A", "K"]),
        ("triage", ["green", "yellow", "red", "black"]),
        ("pT", ["pT1", "pT2", "pT3a", "pT3b"]),
        ("x", ["3+3", "3+4", "4+3", "4+4"]),
        ("licence", ["AM", "A1", "A2", "A"]),
        ("highway", ["residential", "tertiary", "secondary", "primary", "motorway"]),
        ("x", ["Kreisstraße", "Landesstraße", "Bundesstraße", "Autobahn"]),
        ("x", ["IGT", "DOC", "DOCG"]),
        ("x", ["League Two", "League One", "Championship", "Premier League"]),
        ("paper", ["A5", "A4", "A3"]),
        ("title", ["CM", "FM", "IM", "GM"]),
        ("x", ["2nd kyu", "1st kyu", "1st dan"]),
        ("apgar", ["7", "8", "9", "10"]),
        ("Beaufort", [3, 4, 5]),
        ("pay_grade", ["E-1", "E-4", "O-1"]),
        ("pT", ["pTis", "pT1a", "pT1b", "pT2"]),
        ("Geschoss", ["KG", "EG", "1. OG", "2. OG", "DG"]),
        ("x", ["LRS", "SRS", "HRS"]),
        ("cls_std", ["FR", "SO", "JR", "SR"]),
        ("medal", ["B", "S", "G"]),
        ("tier", ["C", "B", "A", "S"]),
        ("hf_stage", ["A", "B1", "B2", "C", "D"]),
        ("Dekubitus", ["Grad I", "Grad II", "Grad III"]),
        ("naca", ["II", "III", "IV"]),
        ("pegi", [3, 7, 12, 16, 18]),
        ("cabin", ["Y", "W", "J", "F"]),
        ("wtc", ["L", "M", "H", "J"]),
        ("tlp", ["CLEAR", "GREEN", "AMBER", "AMBER+STRICT", "RED"]),
        ("road_class", ["G", "K", "L", "B", "A"]),
        ("los_am", ["F", "E", "D", "C", "B", "A"]),
        ("xyz_kl", ["Z", "Y", "X"]),
        ("flood_zone", ["X", "A", "V"]),
        ("prio", ["W", "C", "S", "M"]),
        ("memb_tier", ["BR", "SI", "GO", "PL"]),
        ("pN", ["pN0", "pN1mi", "pN1a", "pN2a"]),
        ("stage", ["cT1", "cT2", "cT3"]),
        ("grade", ["A", "A/B", "B", "B/C", "C"]),
        ("MMVD", ["A", "B1", "B2", "C", "D"]),
        ("fat_cl", ["2-", "2=", "2+", "3-", "3="]),
        ("x", ["1-", "1", "1+", "2"]),
        ("Note", ["1", "1-", "2+", "2", "2-"]),
        ("murmur", ["none", "I/VI", "II/VI", "III/VI"]),
        ("drainagecl", ["VP", "P", "SP", "MW", "W", "SE", "E"]),
        ("hr_zone", ["Z1", "Z2", "Z3"]),
        ("crown", ["SUP", "INT", "COD", "DOM"]),
        ("stripe_rust", ["R", "RMR", "MR", "MRMS", "MS", "S", "VS"]),
        ("sz", ["T", "S", "M", "L", "H", "G"]),
        ("rec", ["UW", "EW", "OW"]),
        ("period", ["NEO", "EBA", "MBA", "LBA", "EIA"]),
        ("Praedikat", ["QbA", "Kab", "Spl", "Ausl", "BA", "TBA"]),
    ],
)
def test_codes_that_standards_define(name, order):
    assert read_labels(order[::-1], name).order == tuple(order)
    assert read_labels(order[::-1], name).rule.decides


@pytest.mark.parametrize("name", ["gate", "blood group", "NACE section", "ICD chapter", "tax_cls"])
def test_codes_that_look_alike_are_names(name):
    assert read_labels(["A1", "A2", "B1", "B2"], name).rule.name == "nominal"


def test_which_end_of_numbers_with_signs_is_low_is_not_known_of_marks() -> None:
    levels = ["1", "1-", "2+", "2"]
    assert not read_labels(levels, "Note").direction_known
    assert read_labels(levels, "x").direction_known


@pytest.mark.parametrize("levels", [["1", "1+", "2+"], ["1-", "2", "x"]])
def test_other_signs_at_numbers_move_nothing(levels) -> None:
    assert read_labels(levels).detail != "numbers with signs"


def test_letters_that_do_not_follow_each_other_are_no_step_between_two() -> None:
    assert read_labels(["A", "A/C", "B", "C"], "grade").order is None


@pytest.mark.parametrize("name", ["time", "band", "cat", "via"])
def test_short_words_of_other_languages_are_no_titles(name) -> None:
    assert TITLES not in topics_of(name)


def test_the_last_word_of_a_name_is_its_noun() -> None:
    assert NAMES_THINGS in topics_of("school") & topics_of("severity_sensor")
    assert NAMES_THINGS not in topics_of("sensor_severity") | topics_of("quality")
    levels = ["A1", "A2", "B1", "B2", "C1"]
    assert read_labels(levels, "level").rule.decides
    assert not read_labels(levels, "room").rule.decides


def test_the_longest_phrase_of_a_script_without_blanks_is_found_within_a_name() -> None:
    topics = read_toml("topics")["topics"]
    unspaced = [(len(p), p, topic) for topic, own in topics.items() for p in own if is_unspaced(p)]
    _, phrase, topic = max(unspaced)
    assert topic in topics_of(f"その{phrase}は")


@pytest.mark.parametrize("levels", [["C1", "C2", "C3"], ["Q1", "Q3", "Q5"], ["SI", "PL", "BR"]])
def test_short_codes_of_standards_need_their_name(levels) -> None:
    found = read_labels(levels)
    assert not found.rule.decides or found.rule.name == "nominal"


@pytest.mark.parametrize("name", ["guertel", "Gürtel", "Guertelfarbe"])
def test_umlauts_of_names_may_be_typed_as_two_letters(name) -> None:
    assert "belt" in topics_of(name)
