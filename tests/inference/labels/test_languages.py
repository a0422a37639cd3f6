"""Scales of many languages, and the files of their words."""

import importlib.util
import os
import subprocess
import sys
import tomllib

import pytest

from autotype.inference.labels.off_scale import structural_off_scale
from autotype.inference.labels.rules import read_labels
from autotype.inference.labels.unread import complete_cut_words, corrections, edit_distance
from autotype.lexicon.languages import Language, codes, language, languages_of

# One scale that must never fail in each language.
SURE = {
    "en": ["very bad", "bad", "good", "very good"],
    "de": ["sehr schlecht", "schlecht", "gut", "sehr gut"],
    "fr": ["très mauvais", "mauvais", "bon", "très bon"],
    "es": ["muy malo", "malo", "bueno", "muy bueno"],
    "pt": ["muito ruim", "ruim", "bom", "muito bom"],
    "it": ["per nulla", "poco", "abbastanza", "molto"],
    "nl": ["zeer slecht", "slecht", "goed", "zeer goed"],
    "pl": ["bardzo zły", "zły", "dobry", "bardzo dobry"],
    "cs": ["velmi špatný", "špatný", "dobrý", "velmi dobrý"],
    "sk": ["veľmi zlý", "zlý", "dobrý", "veľmi dobrý"],
    "bn": ["খুব খারাপ", "খারাপ", "ভালো", "খুব ভালো"],
    "hy": ["շատ վատ", "վատ", "լավ", "շատ լավ"],
    "ka": ["ძალიან ცუდი", "ცუდი", "კარგი", "ძალიან კარგი"],
    "hu": ["nagyon rossz", "rossz", "jó", "nagyon jó"],
    "ro": ["foarte prost", "prost", "bun", "foarte bun"],
    "bg": ["много лош", "лош", "добър", "много добър"],
    "el": ["πολύ κακή", "κακή", "καλή", "πολύ καλή"],
    "hr": ["vrlo loše", "loše", "dobro", "vrlo dobro"],
    "sr": ["веома лоше", "лоше", "добро", "веома добро"],
    "sl": ["zelo slabo", "slabo", "dobro", "zelo dobro"],
    "sv": ["mycket dåligt", "dåligt", "bra", "mycket bra"],
    "da": ["meget dårlig", "dårlig", "god", "meget god"],
    "no": ["veldig dårlig", "dårlig", "god", "veldig god"],
    "fi": ["erittäin huono", "huono", "hyvä", "erittäin hyvä"],
    "et": ["väga halb", "halb", "hea", "väga hea"],
    "lt": ["labai blogai", "blogai", "gerai", "labai gerai"],
    "lv": ["ļoti slikti", "slikti", "labi", "ļoti labi"],
    "ru": ["очень плохо", "плохо", "хорошо", "очень хорошо"],
    "uk": ["дуже погано", "погано", "добре", "дуже добре"],
    "tr": ["çok kötü", "kötü", "iyi", "çok iyi"],
    "ar": ["سيئ جدا", "سيئ", "جيد", "جيد جدا"],
    "he": ["גרוע מאוד", "גרוע", "טוב", "טוב מאוד"],
    "fa": ["خیلی بد", "بد", "خوب", "خیلی خوب"],
    "hi": ["बहुत खराब", "खराब", "अच्छा", "बहुत अच्छा"],
    "id": ["sangat buruk", "buruk", "baik", "sangat baik"],
    "vi": ["rất kém", "kém", "tốt", "rất tốt"],
    "th": ["แย่มาก", "แย่", "ดี", "ดีมาก"],
    "zh": ["非常差", "差", "好", "非常好"],
    "ja": ["とても悪い", "悪い", "良い", "とても良い"],
    "ko": ["매우 나쁨", "나쁨", "좋음", "매우 좋음"],
    "ca": ["molt dolent", "dolent", "bo", "molt bo"],
    "gl": ["moi malo", "malo", "bo", "moi bo"],
    "mk": ["многу лошо", "лошо", "добро", "многу добро"],
    "af": ["baie sleg", "sleg", "goed", "baie goed"],
    "is": ["mjög slæmt", "slæmt", "gott", "mjög gott"],
    "sq": ["shumë keq", "keq", "mirë", "shumë mirë"],
    "az": ["çox pis", "pis", "yaxşı", "çox yaxşı"],
    "kk": ["өте нашар", "нашар", "жақсы", "өте жақсы"],
    "be": ["вельмі дрэнна", "дрэнна", "добра", "вельмі добра"],
    "eu": ["oso txarra", "txarra", "ona", "oso ona"],
    "ms": ["sangat senyap", "senyap", "bising", "sangat bising"],
    "tl": ["napakasama", "masama", "mabuti", "napakabuti"],
    "sw": ["mbaya sana", "mbaya", "nzuri", "nzuri sana"],
    "ur": ["بہت خراب", "خراب", "اچھا", "بہت اچھا"],
    "ta": ["மிக மோசம்", "மோசம்", "நன்று", "மிக நன்று"],
    "mn": ["маш муу", "муу", "сайн", "маш сайн"],
}


@pytest.mark.parametrize("code", codes())
def test_each_language_reads_a_plain_scale(code):
    evidence = read_labels(sorted(SURE[code], key=lambda text: text[::-1]))
    assert evidence.order == tuple(SURE[code])
    assert evidence.language == code
    assert evidence.understood == 1.0
    assert evidence.unread == ()
    if code != "en":
        assert language(code).table["english"] in evidence.detail


@pytest.mark.parametrize(
    "order",
    [
        # a shared word that no vocabulary knows
        ["Kein Hemmnis", "Geringes Hemmnis", "Mittleres Hemmnis", "Sehr starkes Hemmnis"],
        # separated verbs, and an answer before a degree
        ["stimme gar nicht zu", "stimme eher nicht zu", "stimme eher zu", "stimme voll zu"],
        ["Non, pas du tout", "Non, plutôt pas", "Oui, plutôt", "Oui, tout à fait"],
        # prefixed negation
        ["Very unfavorably", "Somewhat unfavorably", "Somewhat favorably", "Very favorably"],
        # the levels' own negation is not off the scale
        ["Not at all comfortable", "Not so comfortable", "Somewhat comfortable"],
        # negative concord: "not at all I do not trust"
        ["Hiç güvenmiyorum", "Az güveniyorum", "Güveniyorum", "Tamamen güveniyorum"],
        # decorations
        ["😡 Terrible", "🙁 Poor", "😐 OK", "🙂 Good", "😍 Fantastic"],
        ["Never (1)", "Rarely (2)", "Often (3)", "Always (4)"],
        ["1.非常不满意", "2.不满意", "3.一般", "4.满意", "5.非常满意"],
        ["①とても悪い", "②悪い", "③良い", "④とても良い"],
        ["NON_SATISFAIT", "PEU_SATISFAIT", "SATISFAIT", "TRES_SATISFAIT"],
        # typos and cut ends
        ["Very easy", "Fairly easy", "Niether easy nor difficult", "Fairly difficult"],
        ["Did not complete high ", "High school diploma", "Some college", "Master's degree"],
        ["Completely dissat", "Mostly dissatisfi", "Mostly satisfied", "Completely satisf"],
        # the middle has more wordings than can be listed
        ["much worse", "somewhat worse", "as I thought", "somewhat better", "much better"],
    ],
    ids=str,
)
def test_kinds_of_wording(order):
    evidence = read_labels(sorted(order, key=lambda text: text[::-1]))
    assert evidence.order == tuple(order)
    assert evidence.off_scale == ()


@pytest.mark.parametrize(
    ("levels", "off_scale"),
    [
        (["Slightly familiar", "Familiar", "Very familiar", "Unfamiliar (N/A)"], 3),
        (["Never", "Sometimes", "Often", "I don't do this"], 3),
        (["sehr gut", "gut", "schlecht", "Keine Antwort"], 3),
        (["molto", "poco", "per nulla", "non so"], 3),
        (["gut", "schlecht", "mittel", "N/A"], 3),
        (["low", "medium", "high", "?"], 3),
        (["low", "medium", "high", "-"], 3),
        ([1, 2, 3, 4, -9], 4),
        (["1", "2", "3", "4", "99"], 4),
    ],
    ids=str,
)
def test_levels_off_the_scale(levels, off_scale):
    evidence = read_labels(levels)
    assert evidence.off_scale == (levels[off_scale],)
    assert len(evidence.order) == len(levels) - 1


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([1, 2, 3, 97, 98, 99], (97, 98, 99)),
        ([-1, 1, 2, 3, 4], (-1,)),
        ([-1, 0, 1, 2], ()),
        ([-2, -1, 1, 2], ()),
        ([-3, -2, -1, 1, 2, 3], ()),
        ([10, 20, 30, 99], ()),
        ([96, 97, 98, 99], ()),
        (["+", "++", "-", "--"], ()),
        (["a", "b", "", None], ("", None)),
        ([], ()),
    ],
    ids=str,
)
def test_levels_that_stand_aside_by_their_form(levels, expected):
    assert structural_off_scale(levels) == expected


@pytest.mark.parametrize("levels", [["Ja", "Nein"], ["oui", "non", "NSP"], ["да", "нет"]], ids=str)
def test_yes_and_no_alone_are_no_scale(levels):
    evidence = read_labels(levels)
    assert (evidence.rule.name, evidence.order) == ("nominal", None)


def test_a_neighbour_of_larger_languages_goes_after_them():
    assert [words.code for words in languages_of(["зелёный", "синий"])] == ["ru", "bg"]
    assert languages_of(["премногу", "не е задоволен"])[0].code == "mk"


def test_numbers_in_words_suggest_a_language():
    assert read_labels(["први", "други", "трећи", "четврти"]).language == "sr"
    assert read_labels(["ikalawa", "una", "ikatlo"]).order == ("una", "ikalawa", "ikatlo")


def test_only_suggested_languages_are_candidates():
    assert [words.code for words in languages_of(["1", "2"])] == ["en"]
    assert [words.code for words in languages_of(["plugh"])] == ["en"]
    assert [words.code for words in languages_of(["よい", "悪い"])] == ["ja"]
    assert languages_of(["очень плохо"])[0].code == "ru"
    assert len(languages_of(["sehr gut", "gut", "muy bueno", "très bon"])) <= 3


def test_unread_words_are_listed():
    evidence = read_labels(["sehr plughig", "kaum plughig", "xyzzy"])
    assert set(evidence.unread) >= {"plughig", "xyzzy"}
    assert 0.0 < evidence.understood < 1.0


def test_misspelled_and_cut_words():
    words = language("en")
    assert edit_distance("neither", "niether", 1) == 1
    assert edit_distance("good", "gold", 2) == 1
    assert edit_distance("good", "poor", 1) > 1
    assert "very satisfied" in corrections("very satisfeid", words, is_cut=False)
    assert corrections("very satisfied", words, is_cut=False) == []
    assert list(complete_cut_words(["low", "high"], words)) == []


@pytest.fixture(scope="module")
def checks(repository):
    spec = importlib.util.spec_from_file_location(
        "check_languages", repository / "benchmarks" / "check_languages.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("code", codes())
def test_language_files_follow_the_format(checks, code):
    assert checks.faults(language(code)) == []


def test_the_template_of_a_language_follows_the_format(checks, repository):
    file = repository / "autotype" / "lexicon" / "words" / "template.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    assert checks.faults(Language("xx", table)) == []
    assert checks.TOP - set(table) == {"shift", "duals"}  # which few languages have


def test_families_are_those_of_the_languages(checks):
    used = {family for code in codes() for family in language(code).table.get("family", {})}
    assert used == checks.FAMILIES


def test_the_order_of_candidates_is_the_same_in_each_process():
    labels = ["per studio", "per lavoro", "per turismo", "per motivi familiari"]
    script = (
        "from autotype.lexicon.languages import languages_of\n"
        f"print([words.code for words in languages_of({labels})])"
    )
    found = set()
    for seed in ("0", "2"):  # of the hashes of strings, which order sets
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, check=True
        )
        found.add(run.stdout)
    assert len(found) == 1


def test_a_topic_is_read_in_the_words_of_each_language():
    for levels in (
        ("Achtelfinale", "Viertelfinale", "Halbfinale", "Finale"),
        ("contravention", "délit", "crime"),
        ("sąd rejonowy", "sąd okręgowy", "Sąd Najwyższy"),
    ):
        evidence = read_labels(sorted(levels))
        assert (evidence.order, evidence.direction_known) == (levels, True)


def test_what_stands_beside_a_shared_topic_is_off_its_scale():
    evidence = read_labels(["Entwurf", "abgelehnt", "bewilligt", "eingereicht", "in Prüfung"])
    assert evidence.order == ("Entwurf", "eingereicht", "in Prüfung", "bewilligt")
    assert evidence.off_scale == ("abgelehnt",)


def test_names_suggest_a_language_where_no_other_word_does():
    evidence = read_labels(["smrk", "borovice", "habr", "olše"])
    assert (evidence.rule.name, evidence.language) == ("nominal", "cs")


@pytest.mark.parametrize(
    "order",
    [
        ["ușoară", "medie", "gravă"],
        ["mică", "medie", "mare"],
        ["lieve", "media", "grave"],
        ["низьке", "середнє", "високе"],
        ["lahka", "srednja", "težka"],
        ["kleine", "middelgrote", "grote"],
        ["zwakke", "matige", "sterke"],
        ["pienet", "keskisuuret", "suuret"],
        ["slabá", "mírná", "silná"],
        ["очень недовольна", "недовольна", "довольна", "очень довольна"],
    ],
)
def test_inflected_forms_are_the_words_that_a_table_lists(order):
    assert read_labels(order[::-1]).order == tuple(order)
