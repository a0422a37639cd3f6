"""Scales of the vocabulary, matched whole, stripped and embedded."""

import pytest

from autotype.inference.labels.reading import Reading
from autotype.inference.labels.rules import read_labels
from autotype.inference.labels.scales import (
    complete_by_leads,
    complete_by_zero,
    read_scale,
    strip_common,
    strip_shared,
)
from autotype.lexicon.languages import codes, language
from autotype.lexicon.tokens import read_label


@pytest.mark.parametrize(
    "order",
    [
        ["low", "medium", "high"],
        ["1. low", "2. medium", "3. high"],
        ["low income", "medium income", "high income"],
        ["low_a_dose", "dose_medium_b", "dose_c_high"],
        ["primary school", "high school or equivalent", "bachelor"],
    ],
)
def test_the_scale_of_labels(order):
    reading = read_scale([read_label(level) for level in order], language("en"))
    assert sorted(reading.ranks, key=reading.ranks.get) == list(range(len(order)))


def test_single_letters_are_asked_for_three():
    english = language("en")
    assert read_scale([read_label(level) for level in ("S", "M", "L")], english) is not None
    assert read_scale([read_label(level) for level in ("S", "L")], english) is None
    assert read_scale([read_label("low")], english) is None


def test_an_unknown_label_is_placed_by_its_number():
    labels = [read_label(text) for text in ("1. never", "2. on holidays", "3. often")]
    reading = complete_by_leads(labels, Reading("scale", {0: 0, 2: 3}))
    assert sorted(reading.ranks, key=reading.ranks.get) == [0, 1, 2]
    unordered = [read_label(text) for text in ("3. never", "2. on holidays", "3. often")]
    assert complete_by_leads(unordered, Reading("scale", {0: 0, 2: 3})).ranks == {0: 0, 2: 3}


def test_the_negation_of_the_shared_word_is_the_lowest():
    labels = [read_label(text) for text in ("no pain", "slight pain", "severe pain")]
    reading = complete_by_zero(labels, Reading("scale", {1: 1, 2: 3}), language("en"))
    assert reading.ranks == {0: 0, 1: 1, 2: 3}


def test_shared_words_are_removed():
    assert strip_shared([("dose", "low"), ("dose", "high")]) == [("low",), ("high",)]
    assert strip_common([("never", "drinks"), ("drinks", "daily")]) == [("never",), ("daily",)]


def test_two_letters_among_other_words_are_a_level():
    for order, code in [
        (["BA in law", "MA in history", "PhD in physics"], "en"),
        (["在小学", "于初中", "大学里"], "zh"),  # primary, middle and high school
    ]:
        words = language(code)
        reading = read_scale([read_label(level, words.split) for level in order[::-1]], words)
        assert sorted(reading.ranks, key=reading.ranks.get) == [2, 1, 0]


@pytest.mark.parametrize(
    ("texts", "reading"),
    [
        # Two labels are left, and either could be the lowest.
        (
            ("no pain", "quux pain", "slight pain", "severe pain"),
            Reading("scale", {2: 1, 3: 2}, direction_known=True),
        ),
        # Which end is the low one is unknown.
        (
            ("no pain", "slight pain", "severe pain"),
            Reading("scale", {1: 1, 2: 3}, direction_known=False),
        ),
        (("no pain", "slight pain"), Reading("scale", {1: 1}, direction_known=True)),
    ],
)
def test_where_the_lowest_is_unclear_no_label_is_placed_there(texts, reading):
    labels = [read_label(text) for text in texts]
    assert complete_by_zero(labels, reading, language("en")) == reading


def test_one_label_of_four_may_be_left_over():
    english = language("en")
    labels = [read_label(level) for level in ("low", "medium", "high", "zorp")]
    assert set(read_scale(labels, english).ranks) == {0, 1, 2}


def test_two_levels_do_not_say_that_numbers_follow_the_scale():
    labels = [read_label(text) for text in ("1. as before", "2. better", "3. worse")]
    known = Reading("scale", {1: 3, 2: 0})
    assert complete_by_leads(labels, known) == known


@pytest.mark.parametrize(
    "labels",
    [
        ["primary school", "high school/ vocational school", "university", "doctorate"],
        ["THPT", "Trung cấp/ Cao đẳng", "Đại học", "Thạc sĩ", "Tiến sĩ"],
    ],
)
def test_the_first_of_two_alternatives_places_a_level(labels):
    assert read_labels(labels).order == tuple(labels)


def test_alternatives_that_no_scale_knows_are_names():
    assert read_labels(["village / hamlet of farms", "town", "city"]).unplaced


def test_each_scale_of_a_standard_reads_its_own_levels(standard_scales) -> None:
    unread = []
    for scale in standard_scales:
        levels = [rank[0] for rank in scale["ranks"]][:20]
        if "colors" in scale or "" in levels or not scale["source"]:
            continue
        found = read_labels(levels, min(scale.get("named", [""])))
        if list(found.order or ()) not in (levels, levels[::-1]):
            unread.append(scale["name"])
    assert unread == []


@pytest.mark.parametrize(
    "order",
    [
        ["Junior Engineer", "Engineer", "Senior Engineer", "Principal Engineer"],
        ["Assistant Director", "Deputy Director", "Director"],
        ["Pre-adolescence", "Adolescence", "Post-adolescence"],
        ["sub-optimal", "optimal", "supra-optimal"],
        ["Hypotonic", "Isotonic", "Hypertonic"],
        ["prenatal", "perinatal", "postnatal"],
        ["Mikroplastik", "Mesoplastik", "Makroplastik"],
        ["oligohaline", "mesohaline", "polyhaline", "euhaline"],
        ["nulliparous", "primiparous", "multiparous"],
    ],
)
def test_words_and_prefixes_grade_what_they_stand_before(order) -> None:
    found = read_labels(order[::-1])
    assert (found.order, found.rule.name) == (tuple(order), "scale")


@pytest.mark.parametrize(
    "order",
    [
        ["extensiv", "halbintensiv", "intensiv"],
        ["автоматический", "полуавтоматический", "ручной"],
        ["lentic", "semi-lentic", "mixed", "semi-lotic", "lotic"],
    ],
)
def test_halves_stand_between_a_word_and_its_opposite(order) -> None:
    found = read_labels(order[::-1])
    assert found.order in (tuple(order), tuple(order[::-1]))
    assert not found.direction_known


@pytest.mark.parametrize(
    "names", [["detached", "semi-detached", "terraced"], ["lotic", "semi-lentic", "mixed"]]
)
def test_halves_of_names_order_nothing(names) -> None:
    assert read_labels(names).order is None


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("Unfallkategorie", ["Sachschaden", "leicht verletzt", "schwer verletzt", "getötet"]),
        ("pente", ["nulle", "faible", "modérée", "forte"]),
        ("categoria", ["Pulcini", "Esordienti", "Giovanissimi", "Allievi"]),
        ("klauzula", ["jawne", "zastrzeżone", "poufne", "tajne"]),
        ("сорт", ["второй сорт", "первый сорт", "высший сорт"]),
        ("Handelsklasse", ["II", "I", "Extra"]),
        ("Erhaltungszustand", ["A", "B", "C"]),
        ("urgentie", ["U1", "U2", "U3"]),
        ("summary_stage", ["In situ", "Localized", "Regional", "Distant"]),
        ("customs_lane", ["Green", "Yellow", "Red"]),
        ("x", ["dead", "poor", "fair", "good"]),
        ("conditie", ["dood", "zeer slecht", "slecht", "matig", "redelijk", "goed"]),
        ("stan", ["martwy", "zły", "średni", "dobry"]),
        ("est_conserv", ["M", "R", "B", "MB"]),
        ("etat_eco", ["MAUV", "MED", "MOY", "BE", "TBE"]),
        ("RL_status", ["TNB", "GE", "KW", "BE", "EB", "VN"]),
        ("status_gizi", ["Gizi Buruk", "Gizi Kurang", "Gizi Baik", "Gizi Lebih", "Obesitas"]),
        ("水质类别", ["Ⅰ", "Ⅱ", "Ⅲ", "Ⅳ", "Ⅴ", "劣Ⅴ"]),
        ("riesgo", ["Verde", "Amarillo", "Naranja", "Rojo"]),
    ],
)
def test_registers_of_several_countries(name, order) -> None:
    found = read_labels(order[::-1], name)
    assert found.rule.decides
    assert found.order in (tuple(order), tuple(order[::-1]))


@pytest.mark.parametrize(
    "order",
    [
        ["V POOR", "POOR", "FAIR", "GOOD", "EXCEL"],
        ["mauv", "moy", "bon"],
        ["ungen", "mangelh", "ausreichend", "gut"],
        ["insuff", "suff", "buono", "ott"],
        ["неуд", "удовл", "хорошо", "отл"],
    ],
)
def test_abbreviated_words_of_several_languages_are_written_out(order) -> None:
    found = read_labels(order[::-1])
    assert found.rule.reads_scales
    assert found.order == tuple(order)


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("activity", ["A1", "A2", "A3", "A4"]),
        ("response", ["R1", "R2", "R3"]),
        ("line", ["L1", "L2", "L3"]),
        ("block", ["B1", "B2", "C1", "C2"]),
        ("room", ["F1", "F2", "F3"]),
    ],
)
def test_codes_of_registers_need_what_tells_them_from_others(name, codes) -> None:
    assert not read_labels(codes, name).rule.decides


@pytest.mark.parametrize(
    "names",
    [
        ["software", "hardware", "firmware"],
        ["monoclinic", "triclinic", "tetragonal", "cubic"],
        ["Apple", "Pear", "Early Apple"],
        ["autotroph", "heterotroph", "mixotroph"],
    ],
)
def test_other_words_of_one_ending_are_names(names) -> None:
    assert not read_labels(names).order


@pytest.mark.parametrize(
    ("name", "levels"),
    [
        ("metal", ["Gold", "Silver", "Platinum", "Palladium"]),
        ("mineral", ["Quartz", "Calcite", "Gypsum", "Feldspar"]),
        ("gem", ["Ruby", "Emerald", "Sapphire", "Diamond"]),
        ("car", ["A3", "A4", "A5", "Q5"]),
        ("road", ["M1", "M4", "M5", "M25"]),
        ("line", ["S1", "S2", "S3", "U1"]),
        ("airspace", ["Class A", "Class B", "Class C", "Class D"]),
        ("title", ["Mr", "Ms", "Mrs", "Dr"]),
        ("group", ["Group 1", "Group 2", "Group 3", "Control"]),
    ],
)
def test_names_that_look_like_codes_of_a_standard(name, levels) -> None:
    found = read_labels(levels, name)
    assert not (found.rule.reads_scales and len(found.order or ()) == len(levels))


@pytest.mark.parametrize(
    "order",
    [
        ["피해 없음", "가벼운 피해", "심한 피해"],
        ["ไม่เข้าร่วม", "เข้าร่วมบ้าง", "เข้าร่วมทุกครั้ง"],
        ["完全没听懂", "听懂一小部分", "听懂大部分", "全部听懂"],
        ["სტრესის გარეშე", "მცირე სტრესი", "საშუალო სტრესი", "ძლიერი სტრესი"],
        ["شرکت نمی‌کنم", "گاهی شرکت می‌کنم", "همیشه شرکت می‌کنم"],
    ],
)
def test_a_negation_of_what_others_grade_is_the_lowest(order):
    evidence = read_labels(order)
    assert (evidence.order, evidence.off_scale) == (tuple(order), ())


def test_a_negation_that_is_no_answer_is_no_level():
    evidence = read_labels(["不清楚", "轻度", "中度", "重度"])
    assert (evidence.order, evidence.off_scale) == (("轻度", "中度", "重度"), ("不清楚",))


@pytest.mark.parametrize(
    ("code", "order"),
    [
        ("es", ["TD", "D", "NA/ND", "A", "TA"]),
        ("pt", ["DT", "D", "N", "C", "CT"]),
        ("en", ["SD", "D", "N", "A", "SA"]),
    ],
)
def test_abbreviated_agreement(code, order):
    evidence = read_labels(order[::-1])
    assert (evidence.order, evidence.language) == (tuple(order), code)


@pytest.mark.parametrize(
    "levels",
    [
        ["low", "medium", "high", "off the charts"],
        ["keine", "leicht", "mittel", "kaum auszuhalten"],
    ],
)
def test_a_word_of_a_scale_in_one_phrase_with_unknown_words_places_nothing(levels):
    found = read_labels(levels)
    assert found.order == tuple(levels[:3])
    assert found.unplaced == (levels[3],)


@pytest.mark.parametrize(
    "levels",
    [
        ["Tidak sekolah", "Tamat SD", "Tamat SMA", "Sarjana (S1)", "Pascasarjana (S2/S3)"],
        ["Ninguno o muy pocos (0-10)", "Un estante (11-25)", "Una librería (26-100)", "Más de 100"],
        ["не хватает даже на еду", "на еду хватает, но на одежду нет", "на еду и одежду хватает",
         "можем позволить себе всё"],
        ["finding it very difficult on present income", "finding it difficult on present income",
         "coping on present income", "living comfortably on present income"],
    ],
)  # fmt: skip
def test_levels_with_brackets_and_ladders_of_households(levels):
    assert list(read_labels(levels[::-1]).order) == levels


@pytest.mark.parametrize(
    "order",
    [
        ("Primary-Secondary", "High school", "University", "Master", "PhD"),
        ("İlkokul-Ortaokul", "Lise", "Üniversite", "Yüksek lisans", "Doktora"),
        ("Poor/Fair", "Good", "Very good", "Excellent"),
    ],
)
def test_two_levels_in_one_stand_at_the_first(order):
    assert read_labels(order[::-1]).order == order


@pytest.mark.parametrize(
    "order",
    [
        ("Farm or home in countryside", "Country village", "Town or small city", "A big city"),
        (
            "Bauernhof oder Haus auf dem Land",
            "Dorf",
            "Eine mittlere oder kleine Stadt",
            "Eine Großstadt",
        ),
        ("Maison à la campagne", "Un village", "Une petite ou moyenne ville", "Une grande ville"),
    ],
)
def test_where_one_lives_from_the_farm_to_the_city(order):
    assert read_labels(order[::-1]).order == order


def test_less_often_is_the_least_beside_rates():
    order = ("Never", "Less often", "Only on special holy days", "Once a week", "Every day")
    assert read_labels(order[::-1]).order == order


@pytest.mark.parametrize(
    ("name", "order", "aside"),
    [
        ("status", ["draft", "sent", "overdue", "paid"], ["void"]),
        ("loan_stage", ["application", "underwriting", "approved", "funded"], ["declined"]),
        ("state", ["open", "under review", "settled", "closed"], []),
        ("ticket state", ["New", "Assigned", "In Progress", "Resolved", "Closed"], ["Cancelled"]),
        ("kyc_status", ["not started", "docs requested", "docs received", "verified"], []),
        ("Bearbeitungsstand", ["angelegt", "in Bearbeitung", "geprüft", "archiviert"], ["ruhend"]),
        ("Status", ["erfasst", "bestätigt", "geliefert", "bezahlt"], ["storniert"]),
        ("status", ["utkast", "inskickad", "under granskning", "betald"], ["avslagen"]),
        ("stav", ["přijato", "v řešení", "vyřešeno", "uzavřeno"], []),
        ("avance", ["solicitado", "en trámite", "autorizado", "cerrado"], ["denegado"]),
    ],
)
def test_steps_of_a_process_are_in_their_order(name, order, aside) -> None:
    found = read_labels([*order[::-1], *aside], name)
    assert (found.order, found.off_scale) == (tuple(order), tuple(aside))


def test_steps_under_any_name_are_read_where_all_are_steps() -> None:
    steps = ["collected", "received", "processed", "analysed", "reported"]
    assert read_labels(steps, "sample").order == tuple(steps)
    assert read_labels(["created", "approved", "deleted"], "action").order is None
    assert read_labels(["draft law", "order", "circular", "notice"], "status").order is None


def test_steps_of_several_processes_are_placed_by_where_they_stand_in_others() -> None:
    steps = ["needed", "ordered", "configured", "verified", "closed"]
    found = read_labels(steps, "status")
    assert found.order[0] == "needed"
    assert found.order[-1] == "closed"
    assert read_labels([*steps[:3], "unheard of"], "status").order is None


@pytest.mark.parametrize(
    "order",
    [
        ["full", "slightly limited", "moderately limited", "severely limited"],
        ["severely reduced", "moderately reduced", "slightly reduced", "normal"],
        ["frei", "leicht eingeschränkt", "stark eingeschränkt"],
    ],
)
def test_what_is_whole_is_beside_the_slightest_of_what_takes_from_it(order) -> None:
    assert read_labels(sorted(order), "mobility").order == tuple(order)
    assert read_labels(["good", *order[1:]]).order != ("good", *order[1:])


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("equipment_state", ["broken", "faulty", "working", "like new"]),
        ("état", ["hors d'usage", "dégradé", "moyen", "bon état", "neuf"]),
        ("urgency", ["can wait", "this month", "this week", "today", "immediately"]),
    ],
)
def test_conditions_and_urgency_in_any_words(name, order) -> None:
    assert read_labels(order[::-1], name).order == tuple(order)


@pytest.mark.parametrize("codes", [["L", "G", "MG"], ["BE", "EE", "ME"], ["F", "P", "Ag", "Au"]])
def test_codes_of_units_countries_and_elements_are_no_scale(codes) -> None:
    assert read_labels(codes, "code").order is None


@pytest.mark.parametrize(
    "topic",
    [
        "access without barriers",
        "acid to alkaline",
        "air quality index",
        "alert of a river",
        "class of accident",
        "class of weight",
        "compliance with rules",
        "course of an infection",
        "cover for a car",
        "dependence on help",
        "doses of vaccination",
        "flow of traffic",
        "harm to a person",
        "intensity of rain",
        "tier of membership",
        "payments by habit",
        "result of an inspection",
        "step of a learner",
        "stock of goods",
        "rise and fall",
        "wear of a building",
    ],
)
def test_scales_of_many_languages_read_their_first_words(topic) -> None:
    read = 0
    for code in codes():
        for scale in language(code).lists.get("scale", ()):
            if scale["name"] == topic:
                levels = tuple(words[0] for words in scale["ranks"])
                assert read_labels(levels, "level").order in (levels, levels[::-1]), code
                read += 1
    assert read > 3


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("crash_sev", ["PDO", "C-Possible", "B-Non-Incap", "A-Incap", "K-Fatal"]),
        ("caa_class", ["MINR", "SMTI", "MAJR"]),
        ("occupancy", ["Derelict", "Vacant", "Part occupied", "Fully occupied"]),
        ("breath_test", ["Negative", "Below limit", "Above limit"]),
        ("instancia", ["1º grau", "2º grau", "Tribunal superior"]),
        ("classe_energetica", ["G", "F", "E", "D", "C", "B", "A1", "A2", "A3", "A4"]),
        ("yr_group", ["R", "1", "2", "3", "4", "5", "6"]),
        ("bldg_grade", ["E", "D", "C-", "C", "C+", "B", "A", "AA"]),
        ("besoldungsgruppe", ["A7", "A9", "A13", "A15", "B3"]),
        ("rank", ["PC", "SGT", "INSP", "CH INSP", "SUPT", "CH SUPT", "ACC", "DCC", "CC"]),
        ("firefighter_role", ["FF", "CM", "WM", "SM", "GM", "AM"]),
        ("use_of_force", ["Verbal", "Compliant cuffs", "Non-compliant cuffs", "CED", "Firearm"]),
        ("outcome", ["Refused", "Partially granted", "Granted in full"]),
    ],
)
def test_standards_as_registers_write_them(name, order) -> None:
    assert list(read_labels(order[::-1], name).order) in (order, order[::-1])


@pytest.mark.parametrize(
    ("name", "order", "aside"),
    [
        ("luc_class", ["1", "2", "3", "4", "5"], ["lake", "town"]),
        ("alc", ["Grade 4", "Grade 3b", "Grade 3a", "Grade 2"], ["Exclusion", "Urban"]),
        ("award", ["Requires improvement", "Bronze", "Silver", "Gold"], ["Provisional"]),
    ],
)
def test_what_registers_enter_beside_a_standard(name, order, aside) -> None:
    found = read_labels([*order, *aside], name)
    assert (list(found.order), sorted(found.off_scale)) == (order, aside)


def test_codes_are_no_ranks_of_fire_services_without_such_a_name() -> None:
    assert read_labels(["SC", "WC", "AC"], "code").order is None
    assert read_labels(["Phase 1", "Phase 2A", "Phase 2B", "Phase 3"]).order[:2] == (
        "Phase 1",
        "Phase 2A",
    )
