"""Hand-written columns: which rule reads them, and in which order."""

import pytest

from autotype.inference.labels.evidence import RULES
from autotype.inference.labels.rules import read_labels

# Each row: rule, and the order from the lowest level to the highest.
ORDERED = [
    # scale
    ("scale", ["Never", "Rarely", "Sometimes", "Often", "Always"]),
    ("scale", ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"]),
    ("scale", ["Strongly Disagree", "Disagree", "Neither Agree nor Disagree", "Agree"]),
    ("scale", ["Po", "Fa", "TA", "Gd", "Ex"]),
    ("scale", ["poor", "fair", "good", "very good", "excellent"]),
    ("scale", ["POOR", "FAIR", "VERY_GOOD", "EXCELLENT"]),
    ("scale", ["XS", "S", "M", "L", "XL", "XXL"]),
    ("scale", ["XS (0-10)", "S (11-50)", "M (51-250)", "L (251+)"]),
    ("scale", ["small", "medium", "large"]),
    ("scale", ["low", "medium", "high"]),
    ("scale", ["low", "medium(-)", "medium", "medium(+)", "high"]),
    ("scale", ["niedrig", "mittel -", "mittel", "mittel +", "hoch"]),
    ("scale", ["ok", "warn", "error", "critical"]),
    ("scale", ["normal", "warning", "alarm"]),
    ("scale", ["informational", "low", "medium", "high", "critical"]),
    ("scale", ["reject", "weak reject", "borderline", "weak accept", "accept"]),
    ("scale", ["bottom", "lower", "middle", "upper", "top"]),
    ("range", ["on time", "1-2 days late", "3-5 days late", "over a week late"]),
    ("range", ["pünktlich", "1-2 Tage zu spät", "3-5 Tage zu spät", "über eine Woche zu spät"]),
    ("range", ["same day", "next day", "2-3 days", "a week or more"]),
    ("scale", ["L", "M", "H"]),
    ("scale", ["none", "mild", "moderate", "severe"]),
    ("scale", ["mild", "moderate", "severe", "life-threatening"]),
    ("scale", ["F", "D", "C", "B", "A"]),
    ("scale", ["B-", "B", "B+", "A-", "A", "A+"]),
    ("scale", ["well", "moderate", "poorly"]),
    ("scale", ["infant", "child", "teen", "adult", "senior"]),
    ("scale", ["juvenile", "subadult", "adult"]),
    ("scale", ["cold", "cool", "mild", "warm", "hot"]),
    ("scale", ["lower class", "middle class", "upper class"]),
    ("scale", ["junior", "mid", "senior"]),
    ("scale", ["AsstProf", "AssocProf", "Prof"]),
    ("scale", ["bronze", "silver", "gold"]),
    ("scale", ["basic", "standard", "premium"]),
    ("scale", ["economy", "business", "first"]),
    ("scale", ["CCC", "B", "BB", "BBB", "A", "AA", "AAA"]),
    ("scale", ["never", "former", "current"]),
    ("scale", ["placebo", "low", "high"]),
    ("scale", ["bottom", "middle", "top"]),
    ("scale", ["near", "far"]),
    ("scale", ["shallow", "deep"]),
    ("scale", ["underweight", "normal", "overweight", "obese"]),
    ("scale", ["rural", "suburban", "urban"]),
    ("scale", ["low", "normal", "high", "urgent"]),
    ("scale", ["easy", "medium", "hard"]),
    ("scale", ["much worse", "worse", "same", "better", "much better"]),
    ("scale", ["decreased", "same", "increased"]),
    ("scale", ["no", "maybe", "yes"]),
    ("scale", ["before", "during", "after"]),
    ("scale", ["early", "mid", "late"]),
    ("scale", ["unripe", "ripe", "overripe"]),
    ("scale", ["I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF"]),
    ("scale", ["Fair", "Good", "Very Good", "Premium", "Ideal"]),
    ("scale", ["freshman", "sophomore", "junior", "senior"]),
    ("scale", ["primary school", "high school", "bachelor", "master", "PhD"]),
    ("scale", ["High School", "Some College", "Associate's degree", "Bachelor's degree"]),
    ("scale", ["gentle", "moderate", "steep"]),
    ("scale", ["thin", "medium", "thick"]),
    ("scale", ["very liberal", "liberal", "moderate", "conservative", "very conservative"]),
    ("scale", ["1. Never", "2. Sometimes", "3. Always"]),
    ("scale", ["(a) low", "(b) medium", "(c) high"]),
    ("scale", ["1 = strongly disagree", "2 = disagree", "3 = agree", "4 = strongly agree"]),
    ("scale", ["1 - never", "2 - on holidays only", "3 - often", "4 - always"]),
    ("scale", ["1 - poor", "2", "3", "4", "5 - great"]),
    ("scale", ["Inc_low", "Inc_mid", "Inc_high"]),
    ("scale", ["low income", "middle income", "high income"]),
    ("scale", ["dose_low", "dose_medium", "dose_high"]),
    ("scale", ["nie", "selten", "manchmal", "oft", "immer"]),
    ("scale", ["nunca", "a veces", "siempre"]),
    ("scale", ["sehr schlecht", "schlecht", "gut", "sehr gut"]),
    ("scale", ["bajo", "medio", "alto"]),
    ("scale", ["niedrig", "mittel", "hoch"]),
    # composition
    ("composition", ["not at all worried", "slightly worried", "very worried"]),
    ("composition", ["not useful", "somewhat useful", "very useful", "extremely useful"]),
    ("composition", ["very unsafe", "unsafe", "safe", "very safe"]),
    ("composition", ["not too confident", "somewhat confident", "very confident"]),
    ("composition", ["not at all comfortable", "a bit comfortable", "quite comfortable"]),
    ("composition", ["almost never on time", "sometimes on time", "almost always on time"]),
    ("composition", ["very unattractive", "neutral", "attractive", "very attractive"]),
    # range
    ("range", ["<5k", "5k-10k", "10k-20k", ">20k"]),
    ("range", ["18 - 24", "25 - 34", "35 - 44", "45+"]),
    ("range", ["under 20", "20 to 30", "over 30"]),
    ("range", ["<0", "0<=X<200", ">=200"]),
    ("range", ["(0, 10]", "(10, 20]", "(20, 30]", "(30, inf]"]),
    ("range", ["[5,10)", "[10,15)", "[15,20)"]),
    ("range", ["none", "1-3 times", "4-10 times", "more than 10"]),
    ("range", ["1-999", "1,000-4,999", "5,000-9,999", "10,000+"]),
    ("range", ["$20K-$40K", "$40K-$60K", "$60K or more"]),
    ("range", ["between 3 and 5", "between 6 and 8"]),
    ("range", ["<1 year", "1-4 years", "4-7 years", ">=7 years"]),
    ("range", ["less than 6 months", "6-12 months", "1-2 years"]),
    ("range", ["0", "1", "2", "3 or more"]),
    ("range", ["up to 500€", "500-1000€", "ab 1000€"][:2]),
    ("range", ["0-9g/day", "10-19", "20-29", "30+"]),
    ("range", ["age_18_24", "age_25_34"]),
    ("range", ["$500K-$1M", "$1M-$2M", "$2M+"]),
    ("composition", ["never", "1-2 times a week", "3-4 times a week", "daily"]),
    ("composition", ["less than once a week", "1-3 times/week", "4+ times/week"]),
    ("range", ["0-4 yrs", "5-9 yrs", "85+ yrs"]),
    ("range", ["2", "3", "4", "5more"]),
    ("range", ["hasta 10", "10 a 20", "más de 20"]),
    ("range", ["unter 20", "20 bis 30", "über 30"]),
    ("range", ["Less than 18 years", "18 to 29", "30 to 49", "65+"]),
    ("range", ["under 5 km", "5-10", "10-20", "more than 20"]),
    ("range", ["0-1M", "1M-10M", "10M-100M", "100M-1B", "1B+"]),
    ("range", ["I never exercise", "I exercise 1-2 times a week", "I exercise 3 times a week"]),
    ("range", ["less than a week", "1-4 weeks", "1-3 months", "more than a year"]),
    ("range", ["within 24 hours", "within a week", "within a month", "over a month"]),
    ("range", ["0 times", "1 time", "2 or 3 times", "4 or more times"]),
    ("composition", ["Never", "Monthly or less", "2-4 times a month", "4 or more times a week"]),
    ("range", ["Starter (0-99)", "Booster (100-199)", "Hyper (200+)"]),
    # ordinal words
    ("ordinal_word", ["1st", "2nd", "3rd"]),
    ("ordinal_word", ["first", "second", "third"]),
    ("ordinal_word", ["4th floor", "5th floor", "6th floor"]),
    # numbers with a unit
    ("number_unit", ["1 room", "2 rooms", "3 rooms"]),
    ("number_unit", ["5 mg", "10 mg", "20 mg"]),
    ("number_unit", ["2 weeks", "3 months", "1 year"]),
    ("number_unit", ["one", "two", "three"]),
    ("number_unit", ["500 g", "1 kg"]),
    ("number_unit", ["5%", "10%", "20%"]),
    ("number_unit", ["placebo", "10mg", "20mg"]),
    # stages
    ("stage_number", ["stage 1", "stage 2", "stage 3"]),
    ("stage_number", ["Stage I", "Stage II", "Stage III", "Stage IV"]),
    ("stage_number", ["Stage IIA", "Stage IIB", "Stage IIIA"]),
    ("stage_number", ["grade 3", "grade 4", "grade 10"]),
    ("stage_number", ["Level1", "Level2", "Level3"]),
    ("stage_number", ["T1a", "T1b", "T2", "T3"]),
    ("stage_number", ["year 1", "year 2"]),
    ("stage_number", ["Phase 1", "Phase 2", "Phase 3"]),
    # the rest
    ("numeric", [1, 2, 3]),
    ("numeric", ["9", "10", "11"]),
    ("numeric", [-1.5, 0.0, 2.25]),
    ("roman", ["I", "II", "III", "IV", "V"]),
    ("enumerator", ["A", "B", "C", "D"]),
    ("enumerator", ["group a", "group b"]),
    ("prefix_number", ["A1", "A2", "A10"]),
    ("stage_number", ["baseline", "week 4", "week 8"]),
    ("stage_number", ["round 1", "round 2", "final"]),
    ("stage_number", ["Tis", "T1", "T2"]),
    ("scale", ["1 (lowest)", "2", "3", "4 (highest)"]),
    ("scale", ["1. < HS Grad", "2. HS Grad", "3. Some College", "4. College Grad"]),
    ("prefix_number", ["P1", "P2", "P10"]),
    ("prefix_number", ["cohort 1", "cohort 2", "cohort 3"]),
    ("prefix_number", ["cyl4", "cyl6", "cyl8"]),
    ("calendar", ["Jan", "Feb", "Mar", "Dec"]),
    ("calendar", ["Monday", "Tuesday", "Sunday"]),
    ("calendar", ["Montag", "Mittwoch", "Freitag"]),
    ("calendar", ["enero", "febrero"]),
    ("calendar", ["Spring", "Summer", "Fall", "Winter"]),
    ("calendar", ["Q1", "Q2", "Q3", "Q4"]),
    ("calendar", ["2019-11", "2019-12", "2020-01"]),
    ("calendar", ["Dec 2019", "Jan 2020"]),
    ("scale", ["Pre-K", "K", "1st grade", "2nd grade"]),
    ("stage_number", ["Reception", "Year 1", "Year 2"]),
    ("scale", ["Tropical depression", "Tropical storm", "Category 1", "Category 2"]),
    ("stage_number", ["round 1", "round 2", "quarterfinals", "semifinals", "final"]),
    ("range", ["Phase 1", "Phase 1/2", "Phase 2", "Phase 3"]),
    ("scale", ["D", "C", "B", "A", "A*"]),
    ("calendar", ["6am-9am", "9am-12pm", "12pm-3pm", "3 pm to 6 pm"]),
    ("calendar", ["00:00-06:00", "06:00-12:00", "12:00-18:00"]),
    ("range", ["No experience", "Less than 1 year", "1 to 3 years", "3+ years"]),
    ("scale", ["CKD 1", "CKD 2", "CKD 3a", "CKD 3b"]),
    ("stage_number", ["Grade 1 (well differentiated)", "Grade 2 (moderate)", "Grade 3 (poor)"]),
    ("roman", ["Ia", "Ib", "IIa", "IIb", "III"]),
    ("composition", ["Not true", "Somewhat true", "Certainly true"]),
    ("composition", ["Not like me at all", "Somewhat like me", "Very much like me"]),
    ("composition", ["Very negative", "Negative", "Neither negative nor positive", "Positive"]),
    ("composition", ["Very unlikely", "About as likely as not", "Very likely"]),
    ("composition", ["No, not limited at all", "Yes, limited a little", "Yes, limited a lot"]),
    ("composition", ["never drinks", "drinks occasionally", "drinks daily"]),
    ("scale", ["none", "primary", "secondary", "bachelor", "master or higher"]),
    ("range", ["10to20", "20to30", "30to40"]),
    ("ordinal_word", ["1er trimestre", "2do trimestre", "3er trimestre"]),
    ("calendar", ["morgens", "mittags", "abends", "nachts"]),
    ("scale", ["Erdgeschoss", "1. Stock", "2. Stock", "Dachgeschoss"]),
    ("scale", ["Lehrling", "Geselle", "Meister"]),
    ("scale", ["stark gesunken", "gesunken", "gleich geblieben", "gestiegen"]),
    ("scale", ["insuficiente", "suficiente", "bien", "notable", "sobresaliente"]),
    ("scale", ["lento", "medio", "rápido"]),
    ("calendar", ["2018/19", "2019/20", "2020/21"]),
    ("calendar", ["1998-1999", "1999-2000", "2000-01"]),
]

NOMINAL = [
    ["left", "right", "both"],
    ["upper left", "upper right", "lower left", "lower right"],
    ["principal", "teacher", "student"],
    ["sand", "clay", "loam", "silt"],
    ["red", "green", "blue"],
    ["light blue", "dark green", "gray"],
    ["North", "South", "East", "West"],
    ["N", "S", "E", "W"],
    ["northeast", "southwest"],
    ["Germany", "France", "Italy", "Ruritania"],
    ["CA", "NY", "TX", "WA"],
    ["California", "Texas", "Ohio"],
    ["M", "F"],
    ["male", "female", "unknown"],
    ["single", "married", "divorced", "widowed"],
    ["Catholic", "Protestant", "Jewish", "none"],
    ["White", "Black", "Hispanic", "Other"],
    ["Democrat", "Republican"],
    ["Republican", "Democrat", "Independent"],
    ["Green", "Yellow", "Red"],
    ["cat", "dog", "horse"],
    ["apple", "banana", "cherry"],
    ["wood", "brick", "stone"],
    ["yes", "no"],
    [True, False],
    ["cash", "credit card", "check"],
    ["car", "bus", "train"],
    ["sedan", "suv", "coupe"],
    ["A", "B", "AB", "O"],
    ["goalkeeper", "defender", "midfielder"],
    ["English", "French", "German"],
    ["self-employed", "unemployed", "retired"],
    ["teacher", "nurse", "engineer", "farmer"],
    ["1. male", "2. female"],
    ["sunny", "overcast", "rainy"],
    ["Region North", "Region South"],
]

SILENT = [
    ["1234-5678", "2345-6789", "3456-7890"],
    ["lead", "customer", "partner"],
    ["foo", "bar", "baz"],
    ["C", "Q", "S"],
    ["3 plughs", "2 xyzzies", "7 years"],
    ["a1b2", "c3d4"],
    ["Ruritania", "Group of 7", "Zembla"],
    ["x"],
    [],
    ["low", "xyzzy", "plugh", "frobnicate"],
    ["5 m", "10 min"],
    ["1a", "1b", "2a"],
    ["1-4", "5-9", "1-19"],
    ["2019/24", "2020/11", "2021/13"],
    ["Zorbia (312)", "Quuxen (40)", "Florp (7)"],
    ["5-3", "7-2"],
    ["H", "D", "A"],
    ["E", "S", "N", "T"],
]


@pytest.mark.parametrize(
    "order",
    [
        ["none", "tr", "mild", "mild-mod", "mod", "sev"],
        ["no AKI", "stage 1", "stage 2", "stage 3"],
        ["nessuna", "I grado", "II grado", "III grado"],
        ["nil", "scant", "small", "moderate", "copious"],
        ["neg", "Spur", "+", "++", "+++"],
        ["ns", "*", "**", "***"],
        ["absence", "traces", "faible", "moyen", "fort"],
        ["inapte", "inapte temporaire", "apte avec restrictions", "apte"],
        ["indep", "assist x1", "assist x2", "bedbound"],
    ],
)
def test_levels_of_registers(order):
    assert read_labels(order[::-1]).order in (tuple(order), tuple(order[::-1]))


@pytest.mark.parametrize(("rule", "order"), ORDERED, ids=lambda x: str(x)[:60])
def test_a_rule_reads_the_order(rule, order):
    evidence = read_labels(sorted(order, key=lambda level: str(level)[::-1]))
    assert evidence.order == tuple(order)
    # "slightly, very worried" may be read as the scale of intensity or as degrees of worry.
    assert evidence.rule.name == rule or {evidence.rule.name, rule} == {"scale", "composition"}
    assert evidence.unplaced == ()
    assert evidence.off_scale == ()
    assert evidence.detail
    assert rule in RULES


@pytest.mark.parametrize("levels", NOMINAL, ids=str)
def test_names_have_no_order(levels):
    evidence = read_labels(levels)
    assert (evidence.rule.name, evidence.order) == ("nominal", None)
    assert not evidence.direction_known


@pytest.mark.parametrize("levels", SILENT, ids=str)
def test_unknown_words_are_no_evidence(levels):
    evidence = read_labels(levels)
    assert (evidence.rule.name, evidence.order, evidence.off_scale) == ("none", None, ())
    assert sorted(map(str, evidence.unplaced)) == sorted(map(str, levels))


@pytest.mark.parametrize(
    ("levels", "off_scale"),
    [
        (["low", "medium", "high", "don't know"], ["don't know"]),
        (["Po", "Gd", "Ex", "No basement"], ["No basement"]),
        (["18-24", "25-34", "65+", "refused"], ["refused"]),
        (["1", "2", "3", "n/a"], ["n/a"]),
        (["agree", "disagree", "neutral", "Not applicable", ""], ["", "Not applicable"]),
        (["stage 1", "stage 2", "unknown"], ["unknown"]),
        (["good", "bad", "other", "missing"], ["missing", "other"]),
        ([1, 2, float("nan")], ["nan"]),
        (["<0", "0<=X<200", ">=200", "no checking"], ["no checking"]),
        (
            ["low", "mid", "high", "Don't know / not applicable to my situation"],
            ["Don't know / not applicable to my situation"],
        ),
        (["never", "often", "always", "Prefer not to tell you"], ["Prefer not to tell you"]),
    ],
    ids=str,
)
def test_levels_off_the_scale_are_separated(levels, off_scale):
    evidence = read_labels(levels)
    assert sorted(map(str, evidence.off_scale)) == off_scale
    assert evidence.unplaced == ()
    assert len(evidence.order) == len(levels) - len(off_scale)


@pytest.mark.parametrize(
    ("levels", "unplaced"),
    [
        (["never", "rarely", "often", "plugh"], ("plugh",)),
        (["18-24", "25-34", "35-44", "plugh"], ("plugh",)),
        (["tiny", "minute", "medium", "large"], ("tiny",)),
    ],
    ids=str,
)
def test_one_unplaced_level_is_allowed(levels, unplaced):
    evidence = read_labels(levels)
    assert evidence.unplaced == unplaced
    assert len(evidence.order) == 3


def test_letters_that_run_on_are_grades_only_by_the_name_of_their_column():
    assert read_labels(list("ABCDEF")).rule.name == "enumerator"
    for name in ("final_grade", "Note", "energy class", "karakter"):
        assert read_labels(list("ABCDEF"), name).order == tuple("FEDCBA")
    assert read_labels(list("ABCDF")).order == tuple("FDCBA")


@pytest.mark.parametrize(
    ("levels", "known", "cyclic"),
    [
        (["low", "high"], True, False),
        (["A", "B", "C"], False, False),
        (["class 1", "class 2"], False, False),
        (["grade 1", "grade 2"], True, False),
        (["Mon", "Tue", "Wed"], False, True),
        (["2019-11", "2019-12"], True, False),
        (["front", "middle", "rear"], False, False),
    ],
    ids=str,
)
def test_direction_and_cycles(levels, known, cyclic):
    evidence = read_labels(levels)
    assert (evidence.direction_known, evidence.cyclic) == (known, cyclic)


def test_spellings_of_one_level_stand_side_by_side():
    evidence = read_labels(["Low ", "low", "MID", "mid", "high", "Don't Know", "don't know"])
    assert evidence.order == ("Low ", "low", "MID", "mid", "high")
    assert evidence.off_scale == ("Don't Know", "don't know")
    assert evidence.spellings == (("Don't Know", "don't know"), ("Low ", "low"), ("MID", "mid"))
    assert read_labels(["Yes", "yes", "No", "NO"]).rule.name == "nominal"
    assert read_labels(["m", "M", "k"]).spellings == ()


@pytest.mark.parametrize("aside", ["don't know", "weiß nicht", "不知道"])
def test_no_answer_is_set_aside_from_levels_that_no_rule_reads(aside) -> None:
    evidence = read_labels(["zorp", "wib", "quux", aside])
    assert (evidence.rule.name, evidence.off_scale) == ("none", (aside,))
    assert read_labels(["zorp", "wib", aside]).off_scale == ()  # too few would remain


def test_short_words_are_not_set_aside_from_levels_that_no_rule_reads() -> None:
    assert read_labels(["zorp", "wib", "quux", "ak", "na"]).off_scale == ()


def test_levels_that_differ_only_in_form_are_one_level():
    evidence = read_labels(["low", "Ｌｏｗ", "low\u200b", "medium", "high"])
    assert evidence.spellings == (("low", "low\u200b", "Ｌｏｗ"),)
    assert evidence.order == ("low", "low\u200b", "Ｌｏｗ", "medium", "high")


@pytest.mark.parametrize(
    "labels",
    [
        ["Kesinlikle Yanlış", "Çoğunlukla Yanlış", "Çoğunlukla Doğru", "Kesinlik Doğru"],
        ["Totalment falso", "Em parte falso", "Em parte verdadeiro", "Totalmente verdadeiro"],
    ],
)
def test_a_misspelled_answer_is_graded_as_the_others(labels):
    assert read_labels(labels).order == tuple(labels)


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("sub_grade", ["B2", "B1", "A5", "A4", "A1"]),
        ("Entgeltgruppe", ["E6", "E8", "E9a", "E9b", "E10"]),
        ("packing_group", ["III", "II", "I"]),
        ("wake", ["L", "M", "H", "J"]),
        ("rating", ["B", "B+", "B++", "A-", "A", "A+", "A++"]),
        ("uiaa", ["IV", "V-", "V", "V+", "VI-", "VI"]),
        ("record", ["P", "G", "G+", "VG", "VG+", "NM"]),
    ],
)
def test_codes_of_registers_are_scales(name, order):
    read = read_labels(order, name)
    assert read.rule.reads_scales
    assert list(read.order) in (order, order[::-1])


@pytest.mark.parametrize(
    "levels", [["Ward 1", "Ward 2", "Ward 5"], ["1st district", "2nd district", "3rd district"]]
)
def test_numbers_that_name_a_place_are_names(levels):
    assert read_labels(levels).rule == RULES["nominal"]


def test_a_phrase_beside_a_scale_costs_no_level_that_may_be_a_phrase_elsewhere():
    order = ("zcela proti", "spíše proti", "nerozhodnutý", "spíše pro", "zcela pro")
    evidence = read_labels([*order, "nemám názor"])
    assert (evidence.order, evidence.off_scale) == (order, ("nemám názor",))


@pytest.mark.parametrize(
    "order", ["Nein;Gelegentlich;Oft", "Нет;Иногда;Часто", "Nie;Czasami;Zawsze", "Nej;Ibland;Ofta"]
)
def test_no_is_the_lowest_beside_frequencies(order):
    order = tuple(order.split(";"))
    assert read_labels(order[::-1]).order == order


def test_of_neighbouring_languages_the_one_that_places_all_labels_reads_them():
    order = ("geen probleem", "klein probleem", "groot probleem", "zeer groot probleem")
    found = read_labels(order)
    assert (found.order, found.language) == (order, "nl")


@pytest.mark.parametrize(
    "order",
    [["nie", "gelegentlich", "haeufig", "taeglich"], ["geringfuegig", "maessig", "schwer"]],
)
def test_german_may_be_typed_without_umlauts(order) -> None:
    found = read_labels(order[::-1])
    assert (found.order, found.language) == (tuple(order), "de")


@pytest.mark.parametrize(
    "levels",
    [
        ["unbefristet", "befristet", "Leiharbeit", "Minijob"],
        ["CDI", "CDD", "intérim", "apprentissage"],
        ["DEV", "QA", "UAT", "PROD"],
    ],
)
def test_kinds_of_contract_and_environments_are_names(levels) -> None:
    assert read_labels(levels).rule.name == "nominal"


@pytest.mark.parametrize(
    "levels", ["いいえ;時々;よく;いつも", "아니요;가끔;자주;항상", "否;偶尔;经常;总是"]
)
def test_a_plain_no_is_never_where_words_have_no_blanks(levels):
    order = tuple(levels.split(";"))
    assert read_labels(sorted(order)).order == order


@pytest.mark.parametrize(
    "order",
    [
        ("never smoked", "formerly smoked", "smokes occasionally", "smokes daily"),
        ("никогда не курил", "бросил", "курит иногда", "курит ежедневно"),
        ("Strong Dem", "Weak Dem", "Lean Dem", "Independent", "Lean Rep", "Strong Rep"),
        ("EF incompleto", "EF completo", "EM incompleto", "EM completo", "ES completo"),
    ],
)
def test_scales_of_habits_homes_and_parties(order):
    assert read_labels(sorted(order)).order == order


@pytest.mark.parametrize(
    ("order", "off_scale"),
    [
        (["weed-free", "sparse", "moderate", "dense"], ()),  # nothing of what the others grade
        (["sugar-free", "low sugar", "medium", "high sugar"], ()),
        (["slow", "ok", "fast"], ()),
        (["1 - Not Verified", "2 - Source Verified", "3 - Verified"], ()),
        (["1 - unacc", "2 - acc", "3 - good", "4 - vgood"], ()),
        (["b'low'", "b'mid'", "b'high'"], ()),  # bytes that were printed
        (["'<0'", "'0<=X<200'", "'>=200'"], ()),
        (["To Do", "In Progress", "Done"], ()),  # no "todo", which is all
        (["non-stop", "1 stop", "2 stops", "3 stops"], ()),  # not in Danish
        (["part-time: 15 hours or less", "part-time: 16 to 30 hours",
          "full-time: 31 to 48 hours", "full-time: 49 or more hours"], ()),
        (["no damage", "minor", "major", "destroyed"], ("inaccessible",)),
        (["getting worse", "staying the same", "getting better"], ()),
        (["none", "rarely", "some weeks", "most weeks", "every week"], ()),
    ],
)  # fmt: skip
def test_english_levels_as_registers_write_them(order, off_scale) -> None:
    read = read_labels(sorted([*order, *off_scale]))
    assert (read.order, read.off_scale, read.rule.decides) == (tuple(order), off_scale, True)


def test_numbers_before_names_do_not_make_english_of_another_language() -> None:
    levels = ["1. Katze", "2. Hund", "3. Pferd", "4. Kuh", "5. Wolf"]
    assert read_labels(levels, "Tier").rule.name == "nominal"  # an animal, not a tier


def test_a_scale_in_front_of_brackets_may_leave_a_level_out() -> None:
    order = ["Poor (P)", "Fair (F)", "Good (G)", "Very Good (VG)", "Near Mint (NM)", "Mint (M)"]
    read = read_labels([*order[::-1], "Zqxwvk"])
    assert (read.order, read.unplaced) == (tuple(order), ("Zqxwvk",))


def test_contents_are_no_labels() -> None:
    assert read_labels(["+", "++", "+" * 20]).rule.name == "stage_number"
    assert read_labels(["+", "++", "+" * 2_000]).order is None
