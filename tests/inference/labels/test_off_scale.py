"""Levels that have no place on a scale, by their form or by a phrase."""

import pytest

from autotype.inference.labels.off_scale import (
    candidates,
    is_off_scale,
    means_other,
    structural_off_scale,
)
from autotype.inference.labels.rules import read_labels
from autotype.lexicon.languages import language
from autotype.lexicon.tokens import read_label


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("uk", "важкий"), ("be", "цяжкая"), ("sl", "se ne strinjam"), ("tr", "hiçbir zaman"),
        ("az", "çətinlik"),
    ],
)  # fmt: skip
def test_grades_do_not_begin_like_refusals(code, text) -> None:
    words = language(code)
    assert not is_off_scale(read_label(text, words.split), words)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("uk", "важко сказати"), ("be", "цяжка адказаць"), ("sl", "še ni znano"),
        ("pt", "se necessário"), ("ja", "頓用"), ("sw", "ikihitajika"), ("fr", "taille unique"),
        ("zh", "均码"),
    ],
)  # fmt: skip
def test_what_is_taken_as_needed_and_fits_all_has_no_place(code, text) -> None:
    words = language(code)
    assert is_off_scale(read_label(text, words.split), words)


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([1, 2, 3, 99], (99,)),
        ([-9, 1, 2, 3], (-9,)),
        ([-1, 0, 1, 2], ()),
        ([1, 2, 99], ()),
        (["never", "ex", "light", "heavy", "9"], ("9",)),
        (["under 5", "5 to 8", "over 8", "9"], ()),
        (["low", "", "high"], ("",)),
        (["+", "-"], ()),
        (["r", "+", "1", "2"], ()),
        (["low", "high", "[Discrepancy]"], ("[Discrepancy]",)),
        (["low", "medium", "high", "<none>"], ("<none>",)),
        (["[low]", "[high]"], ()),
    ],
)
def test_codes_and_blanks(levels, expected):
    assert structural_off_scale(levels) == expected


SURVEY_CODES = [
    *(66, 77, 88, 96, 97, 98, 99, 666, 777, 888, 996, 997, 998, 999, 7777, 8888, 9998, 9999),
    *(-2, -3, -4, -5, -6, -7, -8, -9, -77, -88, -97, -98, -99, -999),
]


@pytest.mark.parametrize("code", SURVEY_CODES)
def test_the_codes_of_surveys_for_no_answer_are_off_the_scale(code):
    assert structural_off_scale([1, 2, 3, 4, code]) == (code,)


@pytest.mark.parametrize("number", [5, 12, 65, 67, 95, 100, 995, 1000, 9997, -10, -76, -100])
def test_other_numbers_are_levels(number):
    assert structural_off_scale([1, 2, 3, 4, number]) == ()


@pytest.mark.parametrize(
    ("text", "code", "off"),
    [
        ("don't know", "en", True),
        ("Unfamiliar (N/A)", "en", True),
        ("good", "en", False),
        ("weiß nicht", "de", True),
        ("don't know", "de", True),
        ("gut", "de", False),
        ("egal (weiß nicht)", "de", True),
        ("egal (don't know)", "de", True),
        ("egal (gut)", "de", False),
        ("missing/refused", "en", True),
        ("weiß nicht / keine Angabe", "de", True),
        ("yes/no", "en", False),
        ("Oferece e nunca utilizei", "pt", False),
        ("other or unknown", "en", True),
        ("I am unsure", "en", True),
        ("TBC", "en", True),
        ("see remarks", "en", True),
        ("siehe Bemerkung 3", "de", True),
        ("ich bin unsicher", "de", True),
        ("je ne suis pas d'accord", "fr", False),
        ("I am satisfied", "en", False),
        ("私は満足", "ja", False),
    ],
)
def test_phrases(text, code, off):
    words = language(code)
    assert is_off_scale(read_label(text, words.split), words) is off


def test_labels_are_tried_with_and_without_what_may_be_off_the_scale():
    levels = ["none", "mild", "severe", "unknown"]
    kept = candidates([read_label(level) for level in levels], language("en"))
    assert [[label.level for label in labels] for labels in kept] == [
        ["none", "mild", "severe", "unknown"],
        ["none", "mild", "severe"],
        ["mild", "severe"],
    ]


@pytest.mark.parametrize(
    ("total", "others"),
    [
        ("Total", ["low", "medium", "high"]),
        ("All", ["low", "medium", "high"]),
        ("Grand Total", ["never", "sometimes", "often"]),
        ("TOTAL (all ages)", ["18-24", "25-34", "35+"]),
        ("Gesamt", ["gering", "mittel", "hoch"]),
        ("Всего", ["низкий", "средний", "высокий"]),
        ("合計", ["低", "中", "高"]),
        ("Ensemble", ["faible", "moyen", "élevé"]),
        ("Ogółem", ["niski", "średni", "wysoki"]),
        ("Total general", ["bajo", "medio", "alto"]),
        ("Total", ["red", "green", "blue"]),
        ("جمع کل", ["کم", "متوسط", "زیاد"]),
        ("सभी", ["कम", "मध्यम", "उच्च"]),
        ("סך הכל", ["נמוכה", "בינונית", "גבוהה"]),
        ("Kaikki yhteensä", ["matala", "keskitaso", "korkea"]),
        ("Tổng số", ["thấp", "trung bình", "cao"]),
    ],
)
def test_a_total_is_set_aside_in_all_languages(total, others):
    read = read_labels([total, *others])
    assert read.off_scale == (total,)
    assert total not in (read.order or ())


def test_no_opinion_is_the_middle_beside_dont_know_where_a_scale_lists_it():
    order = ["کاملا مخالفم", "مخالفم", "نظری ندارم", "موافقم", "کاملا موافقم"]
    read = read_labels([*order, "نمی‌دانم", "بدون پاسخ"])
    assert read.order == tuple(order)
    assert set(read.off_scale) == {"نمی‌دانم", "بدون پاسخ"}


def test_second_is_no_other_answer_among_ordinals():
    order = ["første", "anden", "tredje", "fjerde"]
    assert read_labels(order).order == tuple(order)
    others = ["lav", "høj", "anden"]
    assert read_labels(others).order == ("lav", "høj")


@pytest.mark.parametrize("order", [["none", "some", "all"], ["nothing", "partial", "total"]])
def test_all_beside_parts_is_a_level(order):
    assert read_labels(order).order == tuple(order)


@pytest.mark.parametrize(
    ("aside", "others"),
    [
        ("-99", ["sehr zufrieden", "zufrieden", "unzufrieden", "sehr unzufrieden"]),
        ("99", ["very satisfied", "satisfied", "dissatisfied"]),
        ("NS/NC", ["bajo", "medio", "alto"]),
        ("99. Ns/Nc", ["1. Malo", "2. Regular", "3. Bueno"]),
        ("8 - refused", ["1 - good", "2 - fair", "3 - poor"]),
        ("Severity unknown", ["low", "medium", "high"]),
        ("Không muốn tiết lộ", ["dưới 5", "5-10", "trên 10"]),
        ("Stage X", ["Stage I", "Stage II", "Stage III"]),
        ("No basement", ["Ex", "Gd", "TA", "Fa"]),
        ("拒绝回答", ["满意", "不满意", "非常满意"]),
        ("затрудняюсь ответить", ["плохо", "средне", "хорошо"]),
    ],
)
def test_answers_without_a_place_are_set_aside(aside, others):
    assert read_labels([aside, *others]).off_scale == (aside,)


@pytest.mark.parametrize(
    "order",
    [
        ["No bleaching", "low", "medium", "high"],
        ["No", "Sí, nivel básico", "Sí, nivel medio", "Sí, nivel avanzado"],
        ["largely unknown", "somewhat familiar", "very familiar"],
        ["-2", "-1", "0", "1", "2"],
        ["Hiç uyuyamıyorum", "Nadiren uyuyorum", "Bazen uyuyorum", "Her zaman uyuyorum"],
    ],
)
def test_denials_of_what_is_graded_are_levels(order):
    assert read_labels(order).order == tuple(order)


@pytest.mark.parametrize(
    ("order", "aside"),
    [
        (["schlecht", "mittel", "gut"], ["nutze ich nicht", "habe kein Auto"]),
        (["dårlig", "middel", "god"], ["bruger jeg ikke", "har ingen børn"]),
        (["špatná", "průměrná", "dobrá"], ["nemám auto", "nezkoušel jsem"]),
        (["kötü", "orta", "iyi"], ["kullanmıyorum", "denemedim"]),
        (["pis", "orta", "yaxşı"], ["istifadə etmirəm"]),
        (["нашар", "орташа", "жақсы"], ["пайдаланбаймын"]),
        (["муу", "дунд", "сайн"], ["туршиж үзээгүй"]),
        (["blogai", "vidutiniškai", "gerai"], ["nesinaudoju"]),
        (["悪い", "普通", "良い"], ["行ったことがない", "子どもはいない"]),
        (["سيئ", "متوسط", "جيد"], ["لا أستخدمه", "ليس لدي أطفال"]),
        (["muy malo", "malo", "bueno"], ["no lo conozco", "nunca he ido"]),
    ],
)
def test_a_denial_of_what_no_level_is_about_is_set_aside_wherever_it_stands(order, aside):
    evidence = read_labels([*order, *aside])
    assert evidence.order == tuple(order)
    assert set(evidence.off_scale) == set(aside)


@pytest.mark.parametrize(
    "order",
    [
        ["rendah", "sedang", "tinggi", "sangat tinggi"],
        ["크게 감소", "다소 감소", "변화 없음", "다소 증가", "크게 증가"],  # "no change"
        ["wenig wichtig", "wichtig", "sehr wichtig"],
        ["لا أستخدمه أبدا", "مرة في الشهر", "مرة في الأسبوع", "يوميا"],  # "I never use it"
        ["geen", "beginner", "gemiddeld", "gevorderd"],  # of a scale that starts with a denial
        ["ei lainkaan", "alkeet", "tyydyttävä", "äidinkieli"],
    ],
)
def test_what_belongs_to_the_scale_stays_beside_a_denial(order):
    evidence = read_labels(order)
    assert evidence.order == tuple(order)
    assert not evidence.off_scale


def test_a_phrase_off_the_scale_is_a_level_where_another_grades_it():
    levels = ["дуже легко", "легко", "середньо", "важко", "дуже важко", "не пробував"]
    evidence = read_labels(levels)
    assert evidence.order == tuple(levels[:-1])
    assert evidence.off_scale == ("не пробував",)


@pytest.mark.parametrize(
    "aside",
    [
        *("nehodnotené", "ni ocenjeno", "neocijenjen", "не е оценен", "не оцінено", "nem értékelt"),
        *("δεν αξιολογήθηκε", "ei arvioitu", "hindamata", "nevertinta", "nav vērtēts", "neevaluat"),
        *("değerlendirilmedi", "pendent d'avaluar", "ekki metið", "chưa đánh giá", "belum dinilai"),
        *("nie geëvalueer nie", "por evaluar", "da valutare", "à évaluer", "noch zu bewerten"),
    ],
)
def test_what_was_not_judged_is_off_the_scale_in_each_language(aside):
    assert aside in read_labels(["1", "2", "3", "4", aside]).off_scale


@pytest.mark.parametrize(
    ("levels", "aside"),
    [
        (["klein", "mittel", "groß", "Ich esse nie Pommes zum Essen"], 3),
        (["never", "rarely", "often"], None),
    ],
)
def test_a_sentence_that_denies_the_question_beside_short_levels(levels, aside):
    evidence = read_labels(levels)
    assert evidence.off_scale == (() if aside is None else (levels[aside],))
    assert evidence.order == tuple(levels[:3])


@pytest.mark.parametrize(
    "labels",
    [
        ["never", "rarely", "often", "I don't remember"],
        ["nunca", "menos de uma vez por mês", "uma vez por semana", "não se lembra"],
        ["hiçbir zaman", "nadiren", "bazen", "sık sık", "hatırlamıyorum"],
    ],
)
def test_never_stays_on_the_scale_beside_a_denial(labels):
    found = read_labels(labels)
    assert found.order == tuple(labels[:-1])
    assert found.off_scale == (labels[-1],)


def test_no_data_is_no_level_of_a_scale_that_holds_no():
    labels = ["podstawowe", "średnie", "wyższe", "brak danych"]
    assert read_labels(labels).off_scale == ("brak danych",)


@pytest.mark.parametrize(
    ("levels", "off_scale"),
    [
        (["risk low", "risk moderate", "risk high", "risk not assessed"], "risk not assessed"),
        (["1 = gut", "2 = mittel", "3 = schlecht", "9 = keine Angabe möglich"], "9 = keine"),
        (["faible", "moyen", "élevé", "niveau non évalué"], "niveau non évalué"),
    ],
)
def test_phrases_behind_what_they_are_said_of(levels, off_scale):
    (found,) = read_labels(levels).off_scale
    assert found.startswith(off_scale)


def test_numbers_in_front_place_no_answer_off_the_scale():
    levels = ["1. Pagamos todo", "2. Pagamos una parte", "3. Esperamos", "99. Ns/Nc"]
    assert read_labels(levels).off_scale == ("99. Ns/Nc",)


def test_an_abbreviation_beside_sentences_is_off_the_scale():
    sentences = ["stopped more than a year ago", "stopped less than a year ago", "goes on as ever"]
    assert read_labels([*sentences, "ND"]).off_scale == ("ND",)
    assert read_labels(["AB", "CD", "EF", "ND"]).off_scale == ()


@pytest.mark.parametrize(
    ("text", "is_other"),
    [
        ("Más de 200 libros", False),
        ("más", True),
        ("Alt for mye", False),
        ("Beste Qualität", False),
        ("Drugi stopień", False),
        ("drugo", True),
        ("その他（具体的に）", True),
    ],
)
def test_words_for_other_that_another_language_has(text, is_other):
    assert means_other(text) is is_other


@pytest.mark.parametrize(
    ("aside", "others"),
    [
        ("Not Set", ["Low", "Moderate", "High"]),
        ("Untriaged", ["P3", "P2", "P1"]),
        ("No rating", ["Low", "Moderate", "Considerable", "High"]),
        ("Inspected but not rated", ["Inadequate", "Good", "Outstanding"]),
        ("AwaitingInspection", ["Poor", "Good", "Very good"]),
        ("noch nicht eingestuft", ["gering", "mittel", "hoch"]),
        ("en attente de classement", ["faible", "moyen", "élevé"]),
        ("WR", ["Caa1", "B3", "Ba2", "Baa1", "Aaa"]),
        ("BI-RADS 0", ["BI-RADS 1", "BI-RADS 2", "BI-RADS 3"]),
        ("pTX", ["pT1", "pT2", "pT3"]),
        ("EFU", ["EF0", "EF1", "EF2"]),
        ("Not Screened", ["Low", "Moderate", "High"]),
        ("Unstageable", ["Stage 1", "Stage 2", "Stage 3"]),
        ("[Discrepancy]", ["Stage I", "Stage II", "Stage III"]),
        ("X", ["0", "1", "2", "3"]),
        ("X", ["I", "II", "III", "IV"]),
        ("9", ["I", "II", "III"]),
        ("9", ["0", "1", "2", "3"]),
        ("9", ["A", "B", "C"]),
        ("G9", ["G1", "G2", "G3"]),
        ("Class 9", ["Class 1", "Class 2", "Class 3"]),
        ("U", ["0-9", "10-19", "20-29", "30+"]),
        ("999", ["0-9", "10-19", "20-29", "30+"]),
        ("Untiered", ["Tier 1", "Tier 2", "Tier 3"]),
        ("PEND", ["A", "B", "C"]),
        ("o.A.", ["gering", "mittel", "hoch"]),
        ("sonst.", ["Euro 4", "Euro 5", "Euro 6"]),
        ("pTX", ["pTis", "pT1", "pT2", "pT3"]),
    ],
)
def test_what_registers_enter_beside_a_scale_is_set_aside(aside, others):
    read = read_labels([aside, *others])
    assert read.off_scale == (aside,)
    assert len(read.order) == len(others)


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("stage", ["I", "II", "VI", "IX", "X"]),
        ("", ["G6", "G7", "G8", "G9"]),
        ("pregnancy category", ["A", "B", "C", "D", "X"]),
        ("", ["1", "2", "3", "4", "5", "6", "9"]),  # steps of two and three are counted
        ("grade", ["U", "1", "2", "3", "4"]),
    ],
)
def test_codes_that_count_on_are_levels(name, order):
    found = read_labels(order, name)
    assert (found.order, found.off_scale) == (tuple(order), ())


@pytest.mark.parametrize(
    ("name", "aside", "others"),
    [
        ("isced", 9, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ("okta", 9, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ("birads", "0", ["1", "2", "3", "4A", "4B", "5"]),
    ],
)
def test_codes_that_a_standard_has_for_no_level(name, aside, others):
    read = read_labels([aside, *others], name)
    assert (read.order, read.off_scale) == (tuple(others), (aside,))


def test_an_absence_in_words_of_judging_is_a_level_where_the_others_are_no_judgement():
    assert read_labels(["UNCLASSIFIED", "RESTRICTED", "SECRET"]).order[0] == "UNCLASSIFIED"


def test_codes_that_cannot_be_assessed_beside_other_levels_without_a_place() -> None:
    found = read_labels(["GX", "G1", "G2", "G3", "[Unknown]"], "grade")
    assert found.order == ("G1", "G2", "G3")
    assert set(found.off_scale) == {"GX", "[Unknown]"}


@pytest.mark.parametrize(
    ("levels", "aside"),
    [
        (["低风险", "中风险", "高风险"], "尚未进行评估"),
        (["低风险", "中风险", "高风险"], "待检测"),
        (["軽度", "中度", "重度"], "判定結果待ち"),
        (["매우 나쁨", "나쁨", "좋음", "매우 좋음"], "평가 대기중"),
        (["แย่", "ปานกลาง", "ดี"], "ยังไม่ได้รับการประเมิน"),
        (["खराब", "अच्छा", "बहुत अच्छा"], "अभी तक मूल्यांकन नहीं किया गया"),
        (["גרוע", "טוב", "טוב מאוד"], "טרם נבדק"),
        (["سيئ", "جيد", "جيد جدا"], "لم يتم التقييم بعد"),
        (["بد", "خوب", "خیلی خوب"], "هنوز بررسی نشده"),
        (["ცუდი", "კარგი", "ძალიან კარგი"], "ჯერ არ არის შემოწმებული"),
        (["վատ", "լավ", "շատ լավ"], "դեռ չի գնահատվել"),
        # a refusal to answer
        (["खराब", "अच्छा", "बहुत अच्छा"], "उत्तर देने से मना किया"),
        (["سيئ", "جيد", "جيد جدا"], "لا يرغب بالإجابة"),
        (["mbaya", "nzuri", "nzuri sana"], "hataki kujibu"),
        (["masama", "mabuti", "napakabuti"], "ayaw sabihin"),
        (["pis", "yaxşı", "çox yaxşı"], "cavab vermək istəmir"),
    ],
)
def test_what_was_not_judged_or_answered_in_other_languages(levels, aside):
    evidence = read_labels([*levels, aside])
    assert (evidence.order, evidence.off_scale) == (tuple(levels), (aside,))


@pytest.mark.parametrize(
    "order",
    [
        ["不想参加", "有点想参加", "很想参加"],
        ["মনে করি না", "কিছুটা মনে করি", "পুরোপুরি মনে করি"],
    ],
)
def test_what_is_denied_of_other_acts_is_a_level(order):
    assert read_labels(order).off_scale == ()


@pytest.mark.parametrize(
    ("levels", "off_scale"),
    [
        (["poor", "sufficient", "good", "excellent", "closed"], ("closed",)),
        (["low", "normal", "high", "on hold"], ("on hold",)),
        (["open", "ajar", "closed"], ()),
        (["open", "closed", "merged", "on hold"], ()),  # states of a request
    ],
)
def test_states_are_off_a_scale_of_other_words(levels, off_scale):
    assert read_labels(levels).off_scale == off_scale


@pytest.mark.parametrize(
    ("levels", "off_scale"),
    [
        (["Nikdy", "Raz za týždeň", "Takmer každý deň", "Odmietol(a) odpovedať"], 3),
        (["poor", "good", "very good", "not applicable, no children"], 3),
        (["none of them", "about half", "more than half", "all of them"], 4),
        (
            [
                "전혀 읽지 않았다",
                "한 달에 한 번 정도",
                "일주일에 한두 번",
                "거의 매일",
                "응답 거절",
            ],
            4,
        ),
        (["wcale", "mniej niż godzinę", "od 1 do 2 godzin", "ponad 4 godziny"], 4),
    ],
)
def test_levels_and_what_is_beside_them(levels, off_scale):
    evidence = read_labels(levels[::-1])
    assert (list(evidence.order), evidence.off_scale) == (
        levels[:off_scale],
        tuple(levels[off_scale:]),
    )


def test_kinds_of_what_is_off_other_scales_are_levels():
    kinds = ["retired", "disabled", "looking for work"]
    levels = ["Working - as an employee", "Working - self-employed"]
    assert read_labels([*levels, *(f"Not working - {kind}" for kind in kinds)]).off_scale == ()
    aside = "not applicable, no children"
    assert read_labels(["very good", "good", "bad", aside]).off_scale == (aside,)


@pytest.mark.parametrize(
    ("levels", "aside"),
    [
        (["Stage I", "Stage IIA", "Stage IIB", "Stage III", "Stage NK"], "Stage NK"),
        (["G1", "G2", "G2/3", "G3", "G9"], "G9"),
        (["good", "fair", "poor", "under review"], "under review"),
        (["Cat 1A", "Cat 1B", "Cat 2", "Cat 3", "NC"], "NC"),
        (["NN", "01", "02", "03", "11"], "NN"),
        (["not safe", "somewhat safe", "very safe", "N/A - freelancer"], "N/A - freelancer"),
        (["schlecht", "mittel", "gut", "k.A. - nutze ich nicht"], "k.A. - nutze ich nicht"),
    ],
)
def test_codes_for_unknown_behind_the_noun_of_the_others(levels, aside) -> None:
    assert read_labels(levels).off_scale == (aside,)


def test_labels_all_of_which_may_be_off_the_scale_are_read() -> None:
    assert read_labels(["cancelled", "rejected", "on hold"]).order is None
    assert read_labels(["unknown", "refused"]).order is None


@pytest.mark.parametrize(
    ("name", "levels", "off_scale"),
    [
        ("CCMU", ["1", "2", "3", "4", "5", "P", "D"], {"P", "D"}),
        ("sfari_score", ["1", "2", "3", "S"], {"S"}),
        ("house_no", ["1", "2", "3", "S"], set()),
        (
            "PU_stage",
            ["Stage 1", "Stage 2", "Stage 3", "Unstageable", "DTI"],
            {"Unstageable", "DTI"},
        ),
        ("bump", ["patch", "minor", "major", "digest"], {"digest"}),
        ("edema", ["mild", "mod", "sev", "UTA"], {"UTA"}),
        ("", ["low", "medium", "high", "not appl."], {"not appl."}),
        ("", ["low", "medium", "high", "NYD"], {"NYD"}),
        ("", ["UNSAT", "MARG", "SAT", "N/O"], {"N/O"}),
        ("medal", ["bronze", "silver", "gold", "DNF"], {"DNF"}),
        ("visit", ["SCR", "BL", "V1", "V2", "EOT", "UNS"], {"UNS"}),
        ("", ["<50ms", "50-100ms", ">100ms", "timeout"], {"timeout"}),
        ("risco", ["baixo", "médio", "alto", "não class."], {"não class."}),
        ("Risiko", ["gering", "mittel", "hoch", "nicht bew."], {"nicht bew."}),
    ],
)
def test_letters_and_abbreviations_beside_grades(name, levels, off_scale):
    assert set(read_labels(levels, name).off_scale) == off_scale


BESIDE_A_SCALE = {
    "en": ("I already have it", "More than one answer", "I work alone", "Other (please specify)"),
    "de": ("habe ich schon", "Frage übersprungen", "zu jung", "Interview abgebrochen"),
    "fr": ("je l'ai déjà", "plusieurs réponses", "je travaille seul", "je suis retraité"),
    "pl": ("już mam", "pytanie pominięte", "pracuję sam", "błąd techniczny"),
    "ru": ("уже есть", "вопрос пропущен", "работаю один", "интервью прервано"),
    "tr": ("zaten var", "birden fazla cevap", "çok genç", "geçersiz cevap"),
    "az": ("artıq var", "cavab vermək çətindir", "işləmirəm", "yadımda deyil"),
    "ja": ("すでに持っている", "複数回答", "一人で働いている", "技術的エラー"),
}
PLAIN = {
    "en": ["very bad", "bad", "good", "very good"],
    "de": ["sehr schlecht", "schlecht", "gut", "sehr gut"],
    "fr": ["très mauvais", "mauvais", "bon", "très bon"],
    "pl": ["bardzo zły", "zły", "dobry", "bardzo dobry"],
    "ru": ["очень плохо", "плохо", "хорошо", "очень хорошо"],
    "tr": ["çok kötü", "kötü", "iyi", "çok iyi"],
    "az": ["çox pis", "pis", "yaxşı", "çox yaxşı"],
    "ja": ["とても悪い", "悪い", "良い", "とても良い"],
}


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in BESIDE_A_SCALE.items() for text in texts]
)
def test_what_respondents_are_or_did_is_off_the_scale(code, text):
    evidence = read_labels([*PLAIN[code], text])
    assert (evidence.order, evidence.off_scale) == (tuple(PLAIN[code]), (text,))


@pytest.mark.parametrize(
    ("levels", "aside"),
    [
        # A statement about another matter than a whole scale; a middle is shorter, or grades.
        (["very easy", "easy", "difficult", "very difficult"], "included in the rent"),
        (["never", "rarely", "sometimes", "often", "always"], "my partner does that"),
        (["less than 15 minutes", "15 to 30 minutes", "30 to 60 minutes", "more than an hour"],
         "working in the home office"),
        # "Never" is the lowest before what holds it or denies something else.
        (["Nunca", "Casi nunca", "A veces", "Siempre"], "Nunca he oído hablar de ello"),
        (["전혀 안 함", "거의 안 함", "가끔 함", "자주 함", "항상 함"], "일하지 않음"),
        (["nie", "seltener als einmal im Monat", "ein- bis dreimal im Monat",
          "ein- bis zweimal pro Woche", "täglich"], "ich arbeite nicht"),
    ],
)  # fmt: skip
def test_the_last_level_is_off_the_scale(levels, aside):
    evidence = read_labels([*levels, aside])
    assert (evidence.order, evidence.off_scale) == (tuple(levels), (aside,))


@pytest.mark.parametrize(
    "levels",
    [
        ["I don't use it", "a few times a year", "a few times a month", "every week", "daily"],
        ["No lo uso", "Alguna vez al año", "Alguna vez al mes", "Todas las semanas"],
        ["kullanmıyorum", "ayda bir", "haftada bir", "her gün"],
        ["从不使用", "每年几次", "每月几次", "每周几次", "每天"],
        ["No debt", "Up to 5,000", "5,000 to 20,000", "Over 20,000"],
        ["Brak dochodu", "Do 2000 zł", "2001-4000 zł", "Powyżej 4000 zł"],
        ["None of them", "Some of them", "Most of them", "All of them"],
    ],
)
def test_nothing_is_the_lowest_beside_amounts_and_frequencies(levels):
    evidence = read_labels(levels)
    assert (evidence.order, evidence.off_scale) == (tuple(levels), ())


@pytest.mark.parametrize(
    ("levels", "aside"),
    [
        (("lav", "middel", "høj"), ("på forespørgsel", "fortrolig")),
        (("låg", "medel", "hög"), ("på begäran", "sekretess", "ej genomförd")),
        (("matala", "keskitaso", "korkea"), ("tarvittaessa", "luottamuksellinen")),
        (("faible", "moyen", "élevé"), ("sur demande", "confidentiel", "selon les besoins")),
        (("bajo", "medio", "alto"), ("en investigación", "a convenir")),
        (("baixo", "médio", "alto"), ("sob consulta", "em apuração")),
        (("niski", "średni", "wysoki"), ("na żądanie", "poufne", "do uzgodnienia")),
        (("nízký", "střední", "vysoký"), ("v šetření", "na dotaz", "nerozhoduje")),
        (("χαμηλό", "μέτριο", "υψηλό"), ("κατόπιν αιτήματος", "ασαφές")),
        (("düşük", "orta", "yüksek"), ("talep üzerine", "fark etmez")),
        (("منخفض", "متوسط", "مرتفع"), ("عند الطلب", "قيد التحقيق")),
        (("निम्न", "मध्यम", "उच्च"), ("अनुरोध पर", "विविध")),
        (("初级", "中级", "高级"), ("经验不限", "面议")),
        (("낮음", "보통", "높음"), ("경력무관", "협의")),
        (("jaarlijks", "maandelijks", "wekelijks"), ("op aanvraag", "naar behoefte")),
    ],
)
def test_on_request_confidential_and_the_like_are_off_the_scale(levels, aside) -> None:
    for phrase in aside:
        assert read_labels([*levels, phrase]).off_scale == (phrase,)


@pytest.mark.parametrize(
    ("levels", "aside"),
    [
        (["G1", "G2", "G3a", "G3b", "G4", "G5", "dialysis"], ("dialysis",)),
        (["Band 5", "Band 6", "Band 7", "Band 8a", "agency"], ("agency",)),
        (["dry", "moist", "wet", "superseded"], ("superseded",)),
    ],
)
def test_states_of_a_record_are_off_the_scale_beside_it(levels, aside):
    assert read_labels(levels).off_scale == aside
