"""Labels of gradable words and modifiers are ranked by one family of words."""

import numpy as np
import pytest

from autotype.inference.labels.degrees import DEGREE_PLACES, read_composition
from autotype.inference.labels.rules import read_labels
from autotype.lexicon.languages import language
from autotype.lexicon.tokens import read_label


def order_of(levels, code="en"):
    words = language(code)
    reading = read_composition([read_label(level, words.split) for level in levels], words)
    if reading is None:
        return None
    return [levels[i] for i in sorted(reading.ranks, key=reading.ranks.get)]


def test_degrees_of_one_family():
    levels = ["very useful", "not at all useful", "somewhat useful", "useful"]
    assert order_of(levels) == [levels[1], levels[2], levels[3], levels[0]]


def test_answers_with_degrees():
    levels = ["Yes, definitely", "No, probably not", "Yes, probably", "No, definitely not"]
    assert order_of(levels) == [levels[3], levels[1], levels[2], levels[0]]


def test_the_middle_of_a_comparison_may_be_unknown():
    levels = ["much worse", "worse", "as foreseen", "better", "much better"]
    assert order_of(levels[::-1]) == levels


def test_the_middle_of_another_family_is_one_of_this_between_as_many_levels():
    levels = ["väga ebamugav", "ebamugav", "keskmine", "mugav", "väga mugav"]
    assert order_of(levels[::-1], "et") == levels
    levels = ["meget ubekvemt", "ubekvemt", "middel", "bekvemt", "meget bekvemt"]
    assert order_of(levels[::-1], "da") == levels
    assert "rød" not in order_of([*levels[:2], "rød", *levels[3:]], "da")


def test_degrees_of_another_language():
    levels = ["sehr zufrieden", "eher unzufrieden", "eher zufrieden", "sehr unzufrieden"]
    assert order_of(levels, "de") == [levels[3], levels[1], levels[2], levels[0]]


def test_counts_and_ranges_of_a_period_stand_among_other_frequencies():
    levels = ["never", "less than once a month", "1-3 times a month", "1-2 times a week", "daily"]
    assert order_of(levels[::-1]) == levels
    levels = ["전혀 안 함", "월 1회 미만", "월 1~3회", "주 1~2회", "거의 매일"]
    assert order_of(levels[::-1], "ko") == levels
    days = ["never", "once a month", "1-2 days a week", "5 days a week", "daily"]
    assert order_of(days[::-1]) == days


@pytest.mark.parametrize(
    ("levels", "aside"),
    [
        (["not at all", "a little", "moderately", "a lot"], "unsure"),
        (["pas du tout", "un peu", "moyennement", "beaucoup"], "pas sûr"),
        (["น้อยที่สุด", "น้อย", "ปานกลาง", "มาก", "มากที่สุด"], "ไม่แน่ใจ"),
    ],
)
def test_unsure_is_no_degree_of_an_amount(levels, aside):
    evidence = read_labels([*levels[::-1], aside])
    assert evidence.order == tuple(levels)
    assert evidence.off_scale == (aside,)


def test_unsure_is_the_middle_of_as_many_denials():
    levels = ["not at all", "not really", "unsure", "somewhat", "very much"]
    assert read_labels(levels[::-1]).order == tuple(levels)


def test_names_are_no_composition():
    assert order_of(["Paris", "London", "Rome"]) is None
    assert order_of(["good"]) is None


def test_the_answer_gives_its_sign_to_the_degree_behind_it():
    levels = ["No, very unhappy", "No, unhappy", "Yes, happy", "Yes, very happy"]
    assert order_of([levels[k] for k in (2, 0, 3, 1)]) == levels
    whole = ["No, very", "No, somewhat", "Yes, somewhat", "Yes, very"]
    assert order_of([whole[k] for k in (1, 3, 0, 2)]) == whole


def test_what_some_of_the_labels_are_about_is_skipped():
    levels = ["No, very bad", "No, bad for zorp", "Yes, good", "Yes, very good for zorp"]
    assert order_of([levels[k] for k in (2, 0, 3, 1)]) == levels
    levels = ["very unhappy", "unhappy", "happy zorp", "very happy zorp"]
    assert order_of(levels[::-1]) == levels


def test_only_a_middle_that_is_missing_is_filled_in():
    with_middle = ["much worse", "worse", "the same", "better", "much better"]
    assert order_of([*with_middle, "as foreseen"]) == with_middle
    uneven = ["much worse", "worse", "better"]
    assert order_of([*uneven, "as foreseen"]) == uneven


def test_all_labels_but_one_have_to_be_read():
    levels = ["very bad", "bad", "good", "very good"]
    assert order_of([*levels, "zorp"]) == levels
    assert order_of([*levels, "zorp", "wib"]) is None
    bare = ["not at all", "slightly", "moderately", "very", "extremely"]
    assert order_of([*bare[::-1], "zorp"]) == bare
    assert order_of([*bare[::-1], "zorp", "wib"]) is None


def test_three_letters_behind_a_prefix_are_enough_for_an_opposite():
    levels = ["sehr ungut", "ungut", "gut", "sehr gut"]
    assert order_of(levels[::-1], "de") == levels


def test_degrees_without_a_word_keep_their_order_among_magnitudes():
    degrees = np.linspace(-7, 7, 281)
    places = np.interp(degrees, *np.array(DEGREE_PLACES).T)
    assert places[0] == -6.0
    assert places[-1] > 6.0
    assert np.all(np.diff(places) >= 0)
    assert np.diff(places).max() < 0.5  # without jumps: close degrees are close


def test_other_beginnings_make_no_opposites():
    levels = ["very unhappy", "happy", "very happy"]
    assert order_of([*levels, "rehappy"]) == levels


def test_a_word_of_two_families_grades_the_one_that_it_raises():
    levels = ["not at all anxious", "anxious", "very anxious"]
    assert order_of(levels[::-1]) == levels


@pytest.mark.parametrize(
    "order",
    [
        ("никогда не читаю", "читаю редко", "читаю каждый день"),
        ("soha nem olvasok", "ritkán olvasok", "minden nap olvasok"),
        ("no leo nunca", "leo a menudo", "leo todos los días"),
    ],
)
def test_never_and_not_are_one_negation(order):
    assert read_labels(order).order == order


@pytest.mark.parametrize(
    "order",
    [
        ["Uncontained", "Partially contained", "Contained"],
        ["unburned", "lightly burned", "burned", "heavily burned"],
        ["mildly venomous", "venomous", "highly venomous"],
        ["not irrigated", "partly irrigated", "irrigated"],
        ["no bleaching", "mild bleaching", "severe bleaching", "mortality"],
        ["below action level", "near action level", "exceeds action level"],
    ],
)
def test_degrees_of_a_word_that_no_family_holds(order):
    assert order_of(order[::-1]) == order


@pytest.mark.parametrize(
    "names", [["Egret", "Heron", "Little Egret"], ["manual", "automatic", "semi-automatic"]]
)
def test_a_name_beside_itself_is_no_degree(names):
    assert order_of(names) is None


@pytest.mark.parametrize(
    "order",
    [
        ("spottbillig", "billig", "teuer", "superteuer"),
        ("baratísimo", "barato", "caro", "carísimo"),
        ("сверхдешёвый", "дешёвый", "дорогой", "супердорогой"),
        ("daug mažiau", "šiek tiek mažiau", "tiek pat", "šiek tiek daugiau", "daug daugiau"),
        ("много лошије", "мало лошије", "исто", "мало боље", "много боље"),
        ("beaucoup trop court", "un peu court", "juste bien", "un peu long", "beaucoup trop long"),
    ],
    ids=str,
)
def test_affixes_and_adverbs_of_excess_are_degrees(order):
    evidence = read_labels(sorted(order))
    assert (evidence.order, evidence.direction_known) == (order, True)


def test_a_negation_by_prefix_is_apart_from_an_unknown_word():
    order = ("spíše nepřesvědčivý", "spíše přesvědčivý", "velmi přesvědčivý")
    assert read_labels(sorted(order)).order == order


@pytest.mark.parametrize(
    ("code", "order"),
    [
        ("es", ["Muy TRZ", "TRZ", "Ni TRZ ni KLO", "KLO", "Muy KLO"]),
        ("de", ["sehr Z", "Z", "weder Z noch U", "U", "sehr U"]),
        ("en", ["very frumpy", "frumpy", "snazzy", "very snazzy"]),
    ],
)
def test_degrees_of_two_words_that_no_family_holds(code, order):
    reading = read_labels(order)
    assert reading.rule.name == "composition"
    assert not reading.direction_known
    assert list(reading.order) in (order, order[::-1])
    assert reading.language == code


@pytest.mark.parametrize(
    "levels",
    [
        ["frumpy", "very frumpy", "snazzy", "quux"],  # the fourth is no degree of either
        ["frumpy", "very frumpy", "hardly frumpy", "snazzy"],  # the other is not graded
        ["frumpy", "very frumpy", "snazzy", "very snazzy", "frumpy and snazzy"],
    ],
)
def test_two_unknown_words_alone_are_no_ends(levels):
    assert read_labels(levels).order is None


def test_a_verb_that_its_ending_denies_is_what_the_labels_are_about():
    levels = ["Hiç başaramıyorum", "Arada sırada başarıyorum", "Çoğunlukla başarıyorum"]
    assert read_labels(levels).order == tuple(levels)


@pytest.mark.parametrize(
    "order",
    [
        ["Normal", "Questionable", "Very mild", "Mild", "Moderate", "Severe"],
        ["Ineffective", "Needs improvement", "Largely effective", "Effective"],
        ["Normal", "Suspicious", "Slightly abnormal", "Abnormal"],
    ],
)
def test_a_degree_stands_beside_the_word_that_a_scale_places(order):
    found = read_labels(order[::-1])
    assert (found.order, found.unplaced) == (tuple(order), ())


def test_a_word_with_one_place_has_no_degrees():
    levels = ["sangat senyap", "senyap", "bising", "sangat bising"]
    assert read_labels(levels).language == "ms"  # in Indonesian "senyap" is silent


@pytest.mark.parametrize(
    "levels",
    [
        ["výrazně se zhoršila", "zhoršila se", "nezměnila se", "mírně se zlepšila"],
        [
            "völlig unzufrieden",
            "eher unzufrieden",
            "teils zufrieden, teils unzufrieden",
            "zufrieden",
        ],
        ["скорее не доволен", "отчасти да, отчасти нет", "скорее доволен", "доволен"],
        ["viel schlechter", "schlechter", "ziemlich genau gleich", "besser"],
        ["намного хуже", "немного хуже", "без изменений", "немного лучше", "намного лучше"],
        ["veel slechter", "ongeveer hetzelfde", "beter", "veel beter"],
        ["nunca", "casi nunca", "a veces", "casi siempre"],
        ["menos de un salario mínimo", "entre 1 y 2 salarios mínimos", "más de 2 salarios mínimos"],
    ],
)
def test_wordings_of_a_middle_and_of_reflexive_verbs(levels):
    assert read_labels(levels).order == tuple(levels)


def test_an_unknown_word_and_its_opposite_are_graded_on_one_scale():
    levels = ["unfrumpy", "mostly unfrumpy", "mostly frumpy", "frumpy"]
    assert read_labels(levels).order == tuple(levels)


@pytest.mark.parametrize(
    "levels",
    [
        ["avec de grandes difficultés", "avec difficulté", "avec certaines difficultés",
         "facilement"],
        ["с большим трудом", "с трудом", "с некоторым трудом", "довольно легко", "очень легко"],
        ["не согласна", "отчасти согласна, отчасти нет", "скорее согласна", "совсем согласна"],
        ["nej, aldrig", "ja, men sjældent", "ja, en gang imellem", "ja, ofte"],
        ["jamais au cours des 12 derniers mois", "une ou deux fois par an",
         "environ une fois par mois", "plusieurs fois par mois"],
        ["non conta nulla", "conta poco", "conta abbastanza", "conta molto"],
        ["less than once a month, but at least once a year", "once a month, but not every week",
         "at least once a week, but not every day", "every day or nearly every day"],
        ["aldrig", "2-4 gange om måneden", "2-3 gange om ugen", "4 gange om ugen eller oftere"],
        ["can do easily", "can do with help", "cannot do at all"],
        ["easily", "with some difficulty", "with great difficulty", "unable"],
        ["kann ich leicht", "kann ich mit Hilfe", "kann ich nicht"],
    ],
)  # fmt: skip
def test_phrases_of_surveys(levels):
    order = read_labels(levels[::-1]).order
    assert order in (tuple(levels), tuple(levels[::-1]))


def test_an_adjective_that_the_labels_share_grades_no_noun():
    levels = ["A lot worse than I expected", "A bit worse than I expected", "As I expected",
              "A bit better than I expected", "A lot better than I expected"]  # fmt: skip
    assert read_labels(levels[::-1]).order == tuple(levels)


@pytest.mark.parametrize(
    "levels",
    [
        ["much too strict", "a bit too strict", "just as it is", "a bit too lax", "much too lax"],
        ["always late", "sometimes late", "often on site", "always on site"],
        ["immer Deutsch", "meistens Deutsch", "halbe-halbe", "meistens Türkisch", "immer Türkisch"],
        ["komt veel geld tekort", "komt een beetje geld tekort", "komt precies rond",
         "houdt een beetje geld over", "houdt veel geld over"],
    ],
)  # fmt: skip
def test_degrees_of_two_things_with_one_level_between(levels):
    evidence = read_labels(levels)
    assert list(evidence.order) in (levels, levels[::-1])
    assert not evidence.direction_known


@pytest.mark.parametrize(
    "levels",
    [
        [
            "much too strict",
            "slightly too strict",
            "don't know",
            "slightly too lax",
            "much too lax",
        ],
        ["very gnarly", "slightly gnarly", "red", "slightly snazzy", "very snazzy"],
        ["very gnarly", "not gnarly", "very snazzy", "not snazzy"],
    ],
)
def test_what_is_no_middle_lies_between_no_two_things(levels):
    order = read_labels(levels).order
    assert order is None or len(order) < len(levels)


@pytest.mark.parametrize(
    ("code", "levels"),
    [
        ("en", ["completely dissatisfied", "more dissatisfied than satisfied",
                "more satisfied than dissatisfied", "completely satisfied"]),
        ("ru", ["совсем не доверяю", "скорее не доверяю, чем доверяю",
                "скорее доверяю, чем не доверяю", "полностью доверяю"]),
        ("et", ["üldse ei ole rahul", "pigem ei ole rahul kui olen",
                "pigem olen rahul kui ei ole", "täiesti rahul"]),
        ("lt", ["daug blogesnė nei prieš metus", "truputį blogesnė", "tokia pati",
                "truputį geresnė", "daug geresnė nei prieš metus"]),
        ("es", ["no confío nada", "no confío mucho", "confío bastante", "confío mucho"]),
        ("de", ["keine", "weniger als ein Viertel", "etwa die Hälfte", "mehr als drei Viertel"]),
    ],
)  # fmt: skip
def test_comparisons_of_opposites_and_denied_degrees(code, levels):
    assert order_of(levels[::-1], code) == levels


@pytest.mark.parametrize(
    "levels",
    [
        ["only Welsh", "more Welsh than English", "equally Welsh and English",
         "more English than Welsh", "only English"],
        ["nur Deutsch", "mehr Deutsch als Türkisch", "mehr Türkisch als Deutsch", "nur Türkisch"],
        ["solo catalán", "más catalán que español", "tan catalán como español",
         "más español que catalán", "solo español"],
        ["только на русском", "в основном на русском", "в основном на украинском",
         "только на украинском"],
        ["only online", "mostly online", "both equally", "mostly in person", "only in person"],
        ["online", "mostly online", "mostly in person", "in person"],
        ["entirely online", "mostly online", "mostly in person", "entirely in person"],
    ],
)  # fmt: skip
def test_only_one_thing_is_more_than_mostly(levels):
    evidence = read_labels(levels[1:] + levels[:1])
    assert list(evidence.order) in (levels, levels[::-1])
    assert not evidence.direction_known


@pytest.mark.parametrize(
    "levels", [["only cats", "only dogs", "cats and dogs"], ["weekdays only", "weekends only"]]
)
def test_only_without_another_degree_orders_nothing(levels):
    assert read_labels(levels).order is None


@pytest.mark.parametrize(
    "order",
    [
        "Per niente;Molto poco;Poco;Molto;Moltissimo",
        "Gens;Molt poc;Poc;Molt",
        "Inte alls;Mycket lite;Lite;Mycket;Väldigt mycket",
        "Изобщо не;Много малко;Малко;Много;Изключително много",
        "Καθόλου;Πολύ λίγο;Λίγο;Πολύ;Πάρα πολύ",
        "Hiç;Çok az;Az;Çok;Pek çok",
        "כלל לא;מעט מאוד;מעט;הרבה;הרבה מאוד",
        "ไม่เลย;น้อยมาก;น้อย;มาก;มากที่สุด",
        "Мүлдем жоқ;Өте аз;Аз;Көп;Өте көп",
        "Hapana kabisa;Kidogo sana;Kidogo;Sana;Sana sana",
        "全くない;ごく少ない;少ない;多い;非常に多い",
        "Überhaupt nichts;Wenig;Ziemlich viel;Sehr viel",
        "bajo-bajo;bajo;medio;alto;alto-alto",
        "baixo-baixo;baixo;médio-baixo;médio;alto;alto-alto",
    ],
)
def test_very_little_is_less_than_little_and_more_than_nothing(order):
    order = tuple(order.split(";"))
    assert read_labels(order[::-1]).order == order


@pytest.mark.parametrize(
    "order",
    [
        "Jamais;Occasionnellement;Parfois;Souvent",
        "Nigdy;Okazjonalnie;Czasami;Często",
        "Hiçbir zaman;Arada sırada;Bazen;Sık sık",
        "Niekada;Retkarčiais;Kartais;Dažnai",
        "Никогда;Изредка;Иногда;Часто",
        "Mai;Occasionalmente;A volte;Spesso",
    ],
)
def test_occasionally_is_less_often_than_sometimes(order):
    order = tuple(order.split(";"))
    assert read_labels(order[::-1]).order == order


@pytest.mark.parametrize(
    "levels",
    [
        ["Vůbec", "Trochu", "Docela dobře", "Velmi dobře", "Plynule"],
        ["Sinistra", "Centro-sinistra", "Centro", "Centro-destra", "Destra"],
        ["Vrlo negativan", "Negativan", "Nema utjecaja", "Pozitivan", "Vrlo pozitivan"],
        ["inga besvär", "lätta besvär", "måttliga besvär", "svåra besvär"],
        ["太简单", "偏简单", "适中", "偏难", "太难"],
    ],
)
def test_words_at_the_top_and_in_the_middle_of_a_family(levels):
    assert read_labels(levels[::-1]).order in (tuple(levels), tuple(levels[::-1]))


@pytest.mark.parametrize(
    "order",
    [
        "Per niente simile a me;Non simile a me;Poco simile a me;Simile a me;Molto simile a me",
        "Ei lainkaan minun tapaistani;Jonkin verran minun tapaistani;Minun tapaistani;"
        "Hyvin paljon minun tapaistani",
        "Egyáltalán nem hasonlít rám;Nem hasonlít rám;Hasonlít rám;Nagyon hasonlít rám",
        "ไม่เหมือนฉันเลย;ไม่เหมือนฉัน;เหมือนฉันเล็กน้อย;เหมือนฉัน;เหมือนฉันมาก",
    ],
)
def test_shared_words_without_a_degree_lie_between_somewhat_and_very(order):
    levels = order.split(";")
    assert read_labels(sorted(levels)).order == tuple(levels)


@pytest.mark.parametrize(
    "order",
    [
        "Alldeles för lite;Lite för lite;Lagom;Lite för mycket;Alldeles för mycket",
        "Beaucoup trop peu;Un peu trop peu;Juste ce qu'il faut;Un peu trop;Beaucoup trop",
        "Mult prea puțin;Puțin prea puțin;Exact cât trebuie;Puțin prea mult;Mult prea mult",
    ],
)
def test_a_bit_too_much_is_no_small_amount(order):
    levels = order.split(";")
    assert read_labels(sorted(levels)).order == tuple(levels)


@pytest.mark.parametrize(
    "levels",
    [
        ["never heard of it", "heard of it", "used it before", "use it regularly"],
        ["noch nie gehört", "schon gehört", "schon gekauft", "kaufe ich regelmäßig"],
        ["jamais entendu parler", "seulement de nom", "je connais bien"],
        ["helemaal niet bekend", "enigszins bekend", "goed bekend"],
        ["никогда не слышал", "слышал", "пробовал", "пользуюсь регулярно"],
    ],
)
def test_how_well_a_thing_is_known(levels):
    assert read_labels(levels).order == tuple(levels)
