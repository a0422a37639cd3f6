"""Rules for labels that hold numbers."""

import pytest

from autotype.inference.labels.numbers.numerals import (
    read_enumerators,
    read_fractions,
    read_numerals,
)
from autotype.inference.labels.numbers.plain_numbers import read_anchored_numbers, read_numeric
from autotype.inference.labels.numbers.quantities import read_quantities
from autotype.inference.labels.rules import read_labels
from autotype.lexicon.languages import language
from autotype.lexicon.tokens import read_label


def labels_of(levels):
    return [read_label(level) for level in levels]


@pytest.mark.parametrize(
    ("read", "rule", "order"),
    [
        (read_numeric, "numeric", ["-1.5", "0", "2"]),
        (read_anchored_numbers, "scale", ["1 - poor", "2", "3", "4 - excellent"]),
        (read_numerals, "roman", ["I", "II", "III"]),
        (read_numerals, "stage_number", ["Stage I", "Stage IIA", "Stage IIB"]),
        (read_enumerators, "enumerator", ["A", "B", "C"]),
        (read_quantities, "range", ["under 18", "18-29", "30 or more"]),
        (read_quantities, "ordinal_word", ["first", "second", "third"]),
        (read_quantities, "number_unit", ["none", "2 rooms", "three rooms"]),
        (read_quantities, "prefix_number", ["item 1", "item 2"]),
        (read_quantities, "range", ["6 months or less", "1 year", "2-3 years"]),
        (read_quantities, "number_unit", ["monthly", "2 times a month", "daily"]),
    ],
)
def test_rules_and_their_order(read, rule, order):
    labels = labels_of(order[::-1])
    reading = read(labels, language("en"))
    assert reading.rule == rule
    assert sorted(reading.ranks, key=reading.ranks.get) == list(range(len(order)))[::-1]


@pytest.mark.parametrize(
    ("scale", "aside"),
    [
        (["1 = poor", "2", "3", "4", "5 = good"], "9 = refused"),
        (["1 (aucune)", "2", "3", "4 (totale)"], "98 (NSP)"),
        (["1 - a", "2 - b", "3 - c"], "99 - what else"),
    ],
)
def test_what_stands_beside_numbers_with_words(scale, aside):
    evidence = read_labels([*scale, aside])
    assert (evidence.off_scale, evidence.order) == ((aside,), tuple(scale))


def test_a_hyphen_between_blanks_lists():
    assert read_label("9 - no view").listed
    assert not read_label("3-room").listed


def test_the_first_class_is_the_best_so_the_low_end_is_unknown():
    assert not read_quantities(labels_of(["class 1", "class 2"]), language("en")).direction_known


@pytest.mark.parametrize(
    "levels", [["3 apples", "2 roads"], ["1-10", "2-9"], ["5 kg", "3 m"], ["x", "y"]]
)
def test_numbers_of_different_things_have_no_order(levels):
    assert read_quantities(labels_of(levels), language("en")) is None


def test_ranges_that_a_spreadsheet_took_for_dates() -> None:
    levels = ["1", "2-4", "5-Sep", "10-Dec", "13+"]
    reading = read_quantities([read_label(level) for level in levels], language("en"))
    assert sorted(reading.ranks, key=reading.ranks.get) == [0, 1, 2, 3, 4]


def test_dates_alone_are_no_ranges() -> None:
    labels = [read_label(level) for level in ("1-Feb", "2-Mar", "3-Apr")]
    reading = read_quantities(labels, language("en"))
    assert reading is None or reading.rule != "range"


@pytest.mark.parametrize(
    "levels", [[-2, -1, 0, 1, 2], [-2, -1, 1, 2], list(map(str, range(-3, 4)))]
)
def test_numbers_to_both_sides_of_zero_are_a_scale(levels) -> None:
    evidence = read_labels(levels)
    assert evidence.rule.name == "scale"
    assert list(evidence.order) == sorted(levels, key=float)


@pytest.mark.parametrize("levels", [[-1, 0, 1], [-2, 0, 2], [-1, 1, 2, 3], [0, 1, 2]])
def test_other_numbers_are_plain(levels) -> None:
    assert read_labels(levels).rule.name == "numeric"


def test_two_small_letters_are_words_and_three_are_numerals() -> None:
    assert read_numerals(labels_of(["i", "ii"]), language("en")) is None
    assert list(read_numerals(labels_of(["iii", "i", "ii"]), language("en")).ranks.values()) == [
        (3, ""),
        (1, ""),
        (2, ""),
    ]


@pytest.mark.parametrize(
    ("levels", "code"),
    [
        (["not employed", "1-2 years", "3-5 years"], "en"),
        (["nicht berufstätig", "1-2 Jahre", "3-5 Jahre"], "de"),
        (["sans emploi", "1-2 ans", "3-5 ans"], "fr"),
    ],
)
def test_what_is_denied_next_to_spans_of_time_is_none_of_it(levels, code) -> None:
    words = language(code)
    reading = read_quantities([read_label(level, words.split) for level in levels[::-1]], words)
    assert sorted(reading.ranks, key=reading.ranks.get) == [2, 1, 0]


def test_what_is_denied_next_to_single_times_is_off_their_scale() -> None:
    reading = read_quantities(labels_of(["not employed", "1 year", "3 years"]), language("en"))
    assert set(reading.ranks) == {1, 2}


@pytest.mark.parametrize(
    "order",
    [
        ["1. under 18", "2. 18-24", "3. 25+"],
        ["a) 5 mg", "b) 10 mg", "c) 20 mg"],
        ["(1) 0-5", "(2) 6-10", "(3) >10"],
        ["1 = unter 18", "2 = 18 bis 24", "3 = 25 und älter"],
        ["1: 1-9", "2: 10-49", "3: 50+"],
        ["1. <100", "2. 100-200", "3. >200"],
    ],
)
def test_ranges_behind_numbers_are_in_their_order(order):
    read = read_labels(order[::-1])
    assert (read.order, read.rule.decides) == (tuple(order), True)


@pytest.mark.parametrize("levels", [["5-3", "7-2", "6-4"], ["1:10", "2:9", "3:8"]])
def test_scores_are_not_listed(levels):
    assert read_labels(levels).rule.name == "none"


@pytest.mark.parametrize(
    "levels",
    [
        ["1 мужской", "2 женский", "9 не указан"],
        ["Ил-86", "Ту-154", "Як-42"],
        ["1北京", "2上海", "3广州"],
        ["1 Αθήνα", "2 Πάτρα", "3 Βόλος"],
        ["1 חיפה", "2 אילת", "3 עכו"],
        ["1 القاهرة", "2 دبي", "3 بيروت"],
        ["1 กรุงเทพ", "2 ภูเก็ต", "3 ตรัง"],
        ["1917", "300", "Apollo 13"],
    ],
)
def test_words_beside_numbers_that_are_neither_shared_nor_read_are_names(levels):
    assert not read_labels(levels).rule.reads_scales


@pytest.mark.parametrize(
    "order",
    [
        ["1 дом", "2 дома", "3 дома"],
        ["1 этаж", "2 этаж", "3 этаж"],
        ["200万円〜400万円", "400万円〜600万円", "600万円以上"],
        ["13 хүртэл", "13-14", "15-16", "18-аас"],
    ],
)
def test_words_of_any_script_beside_numbers_are_shared_or_at_the_ends(order):
    assert read_labels(order[::-1]).order == tuple(order)


def test_what_a_verb_denies_at_its_end_is_none_of_so_many():
    levels = ["읽지 않음", "1권", "2~3권", "4~5권", "6권 이상"]
    assert read_labels(levels[::-1]).order == tuple(levels)


@pytest.mark.parametrize(
    "order",
    [
        ["In the last month", "1-5 years ago", "More than 5 years ago", "Never"],
        ["En el último mes", "Hace menos de 2 años", "Hace más de 5 años", "Nunca"],
        ["в последний месяц", "1-5 лет назад", "более 5 лет назад", "никогда не был"],
        ["1か月以内", "半年から1年前", "5年以上前", "一度もない"],
    ],
)
def test_what_never_was_is_farther_off_than_all_in_the_past(order):
    assert read_labels(order[::-1]).order == tuple(order)


@pytest.mark.parametrize(
    "order",
    [
        ["1/6", "2/6", "3/6", "6/6"],
        ["<1:10", "1:10", "1:20", "1:40"],
        ["Negative", "1:20", "1:40", "1:80"],
    ],
)
def test_points_of_a_whole_and_dilutions_are_in_their_order(order) -> None:
    found = read_fractions(labels_of(order))
    assert sorted(found.ranks, key=found.ranks.get) == list(range(len(order)))


@pytest.mark.parametrize("levels", [["1/2", "1/3", "2/5"], ["2:1", "1:1", "1:2"], ["4/4", "3/4"]])
def test_other_fractions_are_no_points_of_a_whole(levels) -> None:
    assert read_fractions(labels_of(levels)) is None


def test_numbers_in_front_are_grades_where_the_name_says_so() -> None:
    levels = ["0 - fully active", "1 - restricted", "2 - up and about", "3 - in bed"]
    assert read_labels(levels, "ecog_ps").rule.name == "stage_number"
    assert read_labels(levels, "answer").rule.name != "stage_number"


def test_letters_behind_a_graded_noun_are_grades() -> None:
    found = read_labels(["Risk A", "Risk B", "Risk C"])
    assert (found.rule.name, found.direction_known) == ("stage_number", False)
    assert read_labels(["Team A", "Team B", "Team C"]).rule.name != "stage_number"


@pytest.mark.parametrize(
    ("levels", "rule", "direction_known"),
    [
        (["कक्षा 1", "कक्षा 2", "कक्षा 3"], "stage_number", True),
        (["ระดับ 1", "ระดับ 2", "ระดับ 3"], "stage_number", True),
        (["安全等级1", "安全等级2", "安全等级3"], "stage_number", True),
        (["Kidato 1", "Kidato 2", "Kidato 3"], "stage_number", True),
        (["1级", "2级", "3级"], "number_unit", False),
        (["I stopień", "II stopień", "III stopień"], "stage_number", True),
        (["I. stupeň", "II. stupeň", "III. stupeň", "IV. stupeň"], "stage_number", True),
        (["I. osztály", "II. osztály", "III. osztály"], "stage_number", False),
        (["I. Bezirk", "II. Bezirk", "III. Bezirk"], "nominal", False),
        (["I. stupeň - mírná", "II. stupeň - těžší", "III. stupeň - úplná"], "enumerator", False),
        (["cada 4 h", "cada 6 h", "cada 12 h"], "number_unit", True),
        (["alle 4 Stunden", "alle 6 Stunden", "alle 12 Stunden"], "number_unit", True),
        (["1号线", "2号线", "3号线"], "nominal", False),
        (["第一小学", "第二小学", "第三小学"], "nominal", False),
        (["2호선", "3호선", "9호선"], "nominal", False),
    ],
)
def test_nouns_beside_numbers_in_the_words_of_a_language(levels, rule, direction_known):
    evidence = read_labels(levels)
    assert (evidence.rule.name, evidence.direction_known) == (rule, direction_known)
    assert evidence.order == (None if rule == "nominal" else tuple(levels))


def test_letters_before_a_hyphen_are_no_conjunctions():
    evidence = read_labels(["OR-2", "OR-4", "OR-6", "OF-1", "OF-3", "OF-5"])
    assert evidence.rule.name == "enumerator"


def test_numbers_with_several_signs_are_grades():
    assert read_labels(["3등급", "2등급", "1등급", "1+등급", "1++등급"]).order is None


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("", ["I/VI", "II/VI", "III/VI", "VI/VI"]),
        ("", ["0", "I", "II", "III"]),
        ("", ["Stage I", "early stage II", "Stage II", "Late stage II", "Stage III"]),
        ("", ["O/N", "1W", "1M", "6M", "1Y", "10Y"]),
        ("", ["ON", "1W", "1M", "6M", "1Y"]),
        ("", ["Up to 1 Lakh", "1 Lakh - 10 Lakh", "10 Lakh - 1 Cr", "1 Cr - 5 Cr", "Above 5 Cr"]),
        ("", ["Level 0: naive", "Level 1: aware", "Level 2: repeatable", "Level 3: optimised"]),
        ("texture grade", ["L0 thin", "L1 rather thick", "L2 thick"]),
        ("smoking", ["current", "ex <10y", "ex >10y", "never"]),
        ("", ["6m", "18m", "2y", "3y"]),
        ("", ["F0", "F1", "F2", "F3"]),
        ("", ["N0", "N1", "N2a", "N2b", "N3"]),
        ("", ["none", "pitting +", "pitting ++", "pitting +++"]),
        ("", ["-", "±", "+", "++"]),
        ("", ["A", "A+", "A++"]),
        ("rock_strength", ["R1", "R2", "R3"]),
        ("Schwierigkeit", ["T1", "T2", "T3", "T4"]),
        ("severity", ["A", "B", "C"]),
        ("level", ["Level 1", "Level 2", "Level 3", "Elite"]),
        ("figo", ["IA1", "IA2", "IB1", "IIA1", "IIIC1", "IVA"]),
        ("Gewässergüteklasse", ["I", "I-II", "II", "II-III", "III"]),
        ("", ["<24h", "1-3d", "4-7d", ">7d"]),
        ("", ["<15m", "15-60m", "1-4h", ">4h"]),
        ("", ["⊕", "⊕⊕", "⊕⊕⊕"]),
        ("", ["🌶", "🌶🌶", "🌶🌶🌶"]),
        ("", ["D-7", "D-1", "D+0", "D+3"]),
        ("", ["T-3", "T-1", "T0", "T2"]),
        ("", ["T+0", "T+1", "T+2"]),
        ("", ["10 Mbps", "100 Mbps", "Gigabit", "10 Gbps"]),
        ("", ["400 V", "10 kV", "110 kV"]),
        ("", ["512 MiB", "2 GiB", "1 TiB"]),
        ("", ["nil", "<50k", "50k-250k", "250k-1m", "1m+"]),
        ("", ["<1mm", "1-10mm", "100mm-1bn", ">1bn"]),
        ("", ["400m", "800m", "5k", "10k"]),  # run
        ("", ["<6 mo", "6-12 mo", "1-3 yr", "10+ yr", "Life"]),
        ("", ["CUR", "30DPD", "60DPD", "90+ DPD", "CO"]),
        ("", ["Screening", "Baseline", "Wk 4", "Wk 12"]),
        ("wave", ["W1", "W2", "W3"]),
        ("shoe_size", ["EU 38", "EU 38.5", "EU 40"]),
        ("oil", ["0W-20", "5W-30", "10W-40", "20W-60"]),
        ("", ["C1D1", "C1D8", "C2D1"]),
        ("", ["<1919", "1919-44", "1945-64", ">1980"]),
        ("", ["<1%", "1%-5%", "5%-10%", ">10%"]),
        ("", ["<1/week", "1-3/week", "4-6/week", "daily"]),
        ("", ["1 pc", "10 pcs", "1,000 pcs"]),
        ("", ["1:10,000", "1:25,000", "1:50,000"]),
        ("", ["1 out of 5", "2 out of 5", "3 out of 5"]),
        ("", ["1Q22", "2Q22", "1Q23"]),
        ("", ["W12-2022", "W01-2023", "W02-2023"]),
        ("", ["FY98", "FY99", "FY00"]),
        ("", ["Q3'99", "Q4'99", "Q1'00"]),
        ("", ["Fall98", "Spring99", "Fall00"]),
        ("", ["Q4 FY21", "Q1 FY22", "Q2 FY22"]),
        ("", ["Fall21", "Spring22", "Fall22"]),
        ("shift", ["Early", "Late", "Night"]),
        ("bolt", ["M5", "M6", "M10"]),
        ("andon", ["green", "yellow", "red"]),
        ("los", ["F", "E", "D", "C", "B", "A"]),
        ("pt", ["pTa", "pTis", "pT1", "pT2a", "pT3b"]),  # what does not invade comes first
        ("pn", ["pN0", "pN1mi", "pN1", "pN1a", "pN2"]),
        ("bpe", ["0", "1", "2", "3", "4", "4*"]),
        ("suture_size", ["6-0", "5-0", "2-0", "0", "1"]),  # zeros count
        ("wire", ["3/0", "2/0", "1/0", "1", "2", "10"]),
        ("steel_wool", ["0000", "000", "00", "0", "1"]),
    ],
)
def test_codes_signs_and_terms_of_scales(name, order) -> None:
    found = read_labels(order[::-1], name)
    assert found.rule.decides
    assert found.order == tuple(order)


@pytest.mark.parametrize(
    ("levels", "rule"),
    [
        (["E 8", "E 9a", "E 9b", "E 10"], "prefix_number"),
        (["0", "A", "B", "C"], "enumerator"),
        (["3.1", "3.2", "3.10"], "prefix_number"),
        (["v1.0.2", "v1.0.10", "v1.1.0"], "prefix_number"),
        (["A-1", "A-2", "A-10"], "prefix_number"),
        (["No.1", "No.2", "No.10"], "prefix_number"),
    ],
)
def test_codes_with_parts_and_letters_behind_zero_have_an_order(levels, rule) -> None:
    found = read_labels(levels[::-1])
    assert (found.rule.name, found.order) == (rule, tuple(levels))


@pytest.mark.parametrize(
    ("name", "levels"),
    [
        ("cluster", ["C0", "C1", "C2"]),  # programs count things from zero
        ("", ["c0", "c1", "c2"]),
        ("", ["F1", "F2", "F3"]),
        ("", ["F0", "F2", "F3"]),
        ("pressure_valve", ["V0", "V1", "V2"]),
        ("risk_sensor", ["R1", "R2", "R3"]),  # the last word of a name is its noun
        ("priority_source", ["A", "B", "C"]),
        ("", ["+", "A+", "B++"]),
        ("", ["5d", "3m", "2m"]),
    ],
)
def test_codes_of_things_do_not_decide(name, levels) -> None:
    assert not read_labels(levels, name).rule.decides


@pytest.mark.parametrize(
    "levels",
    [
        ["under a quarter of an hour", "15 to 29 minutes", "half an hour to 59 minutes"],
        ["minder dan een kwartier", "een kwartier tot een half uur", "langer dan een half uur"],
        ["não vejo televisão", "menos de uma hora por dia", "entre uma e duas horas por dia",
         "mais de duas horas por dia"],
    ],
)  # fmt: skip
def test_parts_of_units_and_denials_of_rates(levels):
    assert read_labels(levels[::-1]).order == tuple(levels)


def test_hardly_ever_is_no_zero_beside_never():
    levels = ["Nunca", "Casi nunca (en casos puntuales)", "1-2 veces por semana",
              "3-4 veces por semana", "5 o más veces por semana"]  # fmt: skip
    evidence = read_labels(levels)
    assert "Nunca" in evidence.order
    assert evidence.off_scale == ()


@pytest.mark.parametrize(
    "order",
    [
        ["34A", "34B", "36A", "36C"],
        ["75B", "80A", "80DD"],
        ["W30/L32", "W31/L32", "W32/L30", "W32/L34"],
        ['1/2"', '3/4"', '1"', '1 1/4"'],
    ],
)
def test_sizes_are_ordered_by_their_first_number(order):
    read = read_labels(order[::-1])
    assert (read.order, read.rule.decides) == (tuple(order), True)


@pytest.mark.parametrize(
    "levels", [["31A", "30B", "12C"], ["1/2", "3/8", "5/6"], ["32/34", "30/30"]]
)
def test_seats_and_ratios_are_no_sizes(levels):
    assert read_labels(levels).detail != "sizes"


def test_numbers_of_which_some_have_parts_list_things() -> None:
    found = read_labels(["4", "7", "8a", "8b"])
    assert (found.rule.name, found.order) == ("prefix_number", ("4", "7", "8a", "8b"))
    assert not read_labels(["302", "307", "498A"]).rule.decides


@pytest.mark.parametrize(
    "order",
    [
        ["senza figli", "1 figlio", "2 figli"],
        ["brak dzieci", "jedno dziecko", "dwoje dzieci", "troje lub więcej"],
        ["нет детей", "1 ребенок", "2 ребенка", "3 и более"],
        ["자녀 없음", "1명", "2명", "3명 이상"],
        ["no pets", "1 person", "2 persons"],
        ["No car", "1", "2", "3 or more"],
        ["childless", "1 child", "2 children", "3+ children"],
        ["kinderlos", "1 Kind", "2 Kinder", "3 und mehr Kinder"],
        ["Balkonsuz", "1 balkonlu", "2 balkonlu", "3+ balkonlu"],
        ["Тагтгүй", "1 тагттай", "2 тагттай"],
    ],
)
def test_what_lacks_the_counted_thing_is_zero(order):
    assert read_labels(order[::-1]).order == tuple(order)


@pytest.mark.parametrize(
    "levels", [["type 1", "type 2", "no diabetes"], ["1", "2", "3", "nie geëvalueer nie"]]
)
def test_a_denial_beside_numbers_that_count_nothing_is_no_zero(levels):
    assert levels[-1] not in (read_labels(levels).order or ())


def test_a_sentence_beside_ranges_of_time_is_set_aside() -> None:
    sentence = "more than we can say of all the years " * 4
    evidence = read_labels(["0-5 years", "6-10 years", "11-20 years", sentence])
    assert evidence.order == ("0-5 years", "6-10 years", "11-20 years")
    assert evidence.off_scale == (sentence,)


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        (["-60 kg", "-66 kg", "-90 kg", "+90 kg"], "range"),
        ([1, 2, 3, 5, 8, 13], "stage_number"),
        (["XV", "XVI", "XVII", "XVIII"], "roman"),
        (["once every 5 years", "once every two years", "every 3 months", "weekly"], "number_unit"),
        (
            [
                "less than 1 month ago",
                "1 month or more but less than 6 months ago",
                "more than 6 months but within the past year",
                "more than a year ago",
            ],
            "range",
        ),
        (["current", "1-30", "31-60", ">60"], "range"),
        (["Prep", "Level 1", "Level 2"], "stage_number"),
    ],
)
def test_weights_points_centuries_intervals_and_clauses(order, rule) -> None:
    found = read_labels(order[::-1])
    assert (found.order, found.rule.name) == (tuple(order), rule)


@pytest.mark.parametrize("levels", [[-60, -66], ["-60 kg", "-66 kg"], [1, 2, 3, 4, 5, 8, 13]])
def test_other_numbers_are_neither_weights_nor_points(levels) -> None:
    assert read_labels(levels).rule.name in ("numeric", "number_unit")


@pytest.mark.parametrize(
    "order",
    [
        ("Less than ½ hour", "½ hour to 1 hour", "More than 1 hour, up to 1½ hours", "2 hours +"),
        ("less than 1/2 hour", "1/2 to 1 hour", "1 1/2 hours", "2 hours or more"),
        ("weniger als eine halbe Stunde", "eine halbe bis eine Stunde", "mehr als eine Stunde"),
        ("under en halvtimme", "en halv till en timme", "en till två timmar", "över två timmar"),
    ],
)
def test_halves_and_quarters_of_units(order):
    assert read_labels(order[::-1]).order == order


@pytest.mark.parametrize(
    ("levels", "rule"),
    [
        (["1. Kammer", "2. Kammer", "3. Kammer"], "nominal"),
        (["Senat I", "Senat II", "Senat III"], "nominal"),
        (["1. Liga", "2. Liga", "3. Liga"], "ordinal_word"),
        (["1 room", "2 rooms", "3 rooms"], "number_unit"),
        (["Sim, de forma ativa", "Sim, de forma limitada", "Não"], "composition"),
    ],
)
def test_counted_nouns_that_name(levels, rule) -> None:
    assert read_labels(levels).rule.name == rule


@pytest.mark.parametrize(
    "levels",
    [
        ["never", "one day a week", "a few days a week", "most days", "every day"],
        ["nooit", "één dag per week", "enkele dagen per week", "elke dag"],
        ["никогда", "один день в неделю", "несколько дней в неделю", "каждый день"],
        ["सप्ताह में एक दिन", "सप्ताह में कुछ दिन", "लगभग हर दिन", "हर दिन"],
        ["never", "only on weekends", "on weekdays", "every day"],
        ["mai", "solo nel fine settimana", "nei giorni feriali", "tutti i giorni"],
        ["nikdy", "jen o víkendu", "v pracovní dny", "každý den"],
        ["전혀 안 함", "주말에만", "평일", "매일"],
    ],
)
def test_days_and_parts_of_the_week_are_rates(levels):
    assert read_labels(levels).order == tuple(levels)


def test_letters_behind_the_same_number_are_its_parts_and_no_billions() -> None:
    order = ("Cat 1A", "Cat 1B", "Cat 2", "Cat 3")
    assert read_labels([*order[::-1], "X-ray"]).order in (order, order[::-1], None)
    assert read_labels(["$10M", "$1B", "$500M"]).order == ("$10M", "$500M", "$1B")


@pytest.mark.parametrize("name", ["circuit", "precinct", "bus_route"])
def test_ordinal_numbers_that_name_things(name) -> None:
    levels = ["1st", "2nd", "5th", "9th"]
    assert read_labels([*levels, "DC"], name).rule.name == "nominal"
    assert read_labels(levels, "grade").rule.name == "ordinal_word"


def test_a_class_of_things_is_a_name_and_a_class_alone_is_none() -> None:
    levels = ["1", "2", "3A", "4A", "4B"]
    assert not read_labels(levels, "parcel_class").rule.decides
    assert read_labels(levels, "class").rule.decides
    assert read_labels(["Class 1", "Class 2", "Class 3"]).rule.decides
    assert read_labels(["Class 2.1", "Class 3", "Class 8"], "hazmat").rule.name == "nominal"


@pytest.mark.parametrize(
    ("levels", "order"),
    [
        (["Above-14", "Under-7", "Above-7"], ("Under-7", "Above-7", "Above-14")),
        (
            ["100-500", "more-than-500", "less-than-100"],
            ("less-than-100", "100-500", "more-than-500"),
        ),
        (
            ["2-9", "10-49", "Just me - I am a freelancer"],
            ("Just me - I am a freelancer", "2-9", "10-49"),
        ),
        (["2-10", "11-50", "Solo / freelancer"], ("Solo / freelancer", "2-10", "11-50")),
        ([">300", "norm", ">200"], ("norm", ">200", ">300")),
        (
            ["+ de 60 ans", "moins de 25 ans", "25-60 ans"],
            ("moins de 25 ans", "25-60 ans", "+ de 60 ans"),
        ),
    ],
)
def test_bounds_and_ends_as_tables_have_them(levels, order):
    assert read_labels(levels).order == order


def test_none_beside_what_is_normal_was_not_tested():
    found = read_labels(["None", "Norm", ">7", ">8"])
    assert found.order == ("Norm", ">7", ">8")
    assert found.off_scale == ("None",)


@pytest.mark.parametrize(
    ("levels", "odd"),
    [
        (["Tier I", "Tier II", "Tier III", "Tier IV"], "uncertified"),
        (["Band 2", "Band 8a", "Band 8b", "Band 9"], "VSM"),
    ],
)
def test_one_label_beside_numbers_with_one_noun_is_left_without_a_place(levels, odd) -> None:
    found = read_labels([odd, *levels[::-1]])
    assert found.order in (tuple(levels), tuple(levels[::-1]))
    assert found.unplaced == (odd,)


@pytest.mark.parametrize(
    "levels",
    [
        ["BWV 846", "BWV 988", "BWV 1007", "BWV 1052"],
        ["Class 158", "Class 170", "Class 222", "Class 390"],
        ["W1234", "W1235", "W0101"],
        ["Pool A", "Pool B", "Pool C", "Pool D"],
    ],
)
def test_large_numbers_and_letters_of_nouns_that_are_named_are_names(levels) -> None:
    assert read_labels(levels).rule.name == "nominal"


def test_round_numbers_behind_a_noun_grade_it() -> None:
    assert read_labels(["Class 150", "Class 300", "Class 600"]).rule.name == "stage_number"


@pytest.mark.parametrize("levels", [["0", "⓵", "00"], ["level 0: a", "level ⓵: b", "level 2: c"]])
def test_circled_digits_are_no_numbers_that_python_reads(levels) -> None:
    assert set(read_labels(levels).order or ()) <= set(levels)
