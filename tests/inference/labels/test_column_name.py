"""Names of columns are weak evidence, read by word."""

import pytest

from autotype.inference.labels.column_name import (
    names_a_count,
    plain_name,
    read_name,
    score_name,
)


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("pain_severity", 1),
        ("qualityOfSleep", 1),
        ("Education", 1),
        ("RATINGS", 1),
        (("survey", "satisfaction"), 1),
        ("blood_type", -1),
        ("eyeColour", -1),
        ("species", -1),
        ("x1", 0),
        ("", 0),
        (17, 0),
        (float("nan"), 0),
        ((), 0),
    ],
)
def test_sign_of_a_name(name, sign):
    value = read_name(name)
    assert -1.0 <= value <= 1.0
    assert (value > 0) - (value < 0) == sign


def test_the_last_known_word_counts_most():
    assert read_name("job_satisfaction") > 0 > read_name("satisfaction_job")


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("How often do you drive to your place of work?", 1),
        ("How satisfied are you with the colour of your car?", 1),
        ("Which of these brands of cars do you like most?", 0.0),
        ("Zufriedenheit", 1),
        ("Beruf", -1),
        ("niveau d'études", 1),
        ("満足度", 1),
    ],
)
def test_questions_and_names_of_several_languages(name, sign):
    value = read_name(name)
    assert (value > 0) - (value < 0) == sign


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("Number of Policies", True),
        ("numChildren", True),
        ("juv_fel_count", True),
        ("Anzahl Kinder", True),
        ("nombre d'enfants", True),
        ("phone number", False),
        ("country", False),
        ("satisfaction", False),
        (("household", "number of rooms"), True),
        (3, False),
        ("", False),
        ("How satisfied are you with your life in the last twelve months?", False),
        ("To what extent do you trust the people around you?", False),
        ("Wie zufrieden sind Sie mit den Zimmern des Hotels?", False),
        ("How many children do you have at home?", True),
        ("How many times in the last twelve months?", True),
        ("In the last year the number of visits to a doctor", True),
        ("Wie viele Personen leben in Ihrem Haushalt insgesamt?", True),
    ],
)
def test_names_of_counts(name, counts):
    assert names_a_count(name) is counts


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("jobSatisfaction_2", "job Satisfaction"),
        (("a", "HTTPCode"), "HTTP Code"),
        ((), ""),
        (12, ""),
    ],
)
def test_the_words_of_a_name(name, plain):
    assert plain_name(name) == plain


def test_the_learned_score_of_a_name():
    assert score_name("satisfaction") > 0.0 > score_name("country")
    assert score_name("12") == score_name(("x", 3)) == 0.0


@pytest.mark.parametrize(
    "name",
    [
        "satisfacción",
        "Wie häufig gehen Sie im Jahr ins Kino?",
        "À quelle fréquence utilisez-vous ce service ?",
        "Auf einer Skala von 1 bis 10: Ihr Eindruck",
        "どのくらい満足していますか",
        "顧客満足度",
        "만족도는 어느 정도입니까",
        "Jak często korzystasz z usług tej firmy?",
    ],
)
def test_accents_and_scripts_without_blanks_are_read(name):
    assert read_name(name) > 0


def test_counts_are_asked_for_with_accents():
    assert names_a_count("Hány gyermeke van önnek otthon?")
    assert read_name("地域コード") < 0


@pytest.mark.parametrize(
    "name", ["Koliko ste zadovoljni poslom?", "עד כמה אתה מרוצה?", "Bewerten Sie bitte das Essen"]
)
def test_a_word_that_counts_may_ask_for_a_degree(name):
    assert not names_a_count(name)
    assert read_name(name) > 0


@pytest.mark.parametrize("name", ["Koliko djece imate?", "כמה ילדים יש לך?", "Koliko puta?"])
def test_it_counts_elsewhere(name):
    assert names_a_count(name)


@pytest.mark.parametrize("name", ["Numer domu", "Nummer des Raums", "номер дома"])
def test_a_number_of_a_thing_is_a_name(name):
    assert read_name(name) < 0


@pytest.mark.parametrize(
    "name",
    [
        "Marital status",
        "employment_status",
        "What is your current employment status?",
        "How did you hear about us?",
        "Which streaming service do you use most?",
        "Which party did you vote for in the last election?",
        "Welche Partei haben Sie bei der letzten Wahl gewählt?",
        "Quelle est votre situation matrimoniale actuelle ?",
        "¿Cuál es el motivo principal de su visita?",
        "Hvilket parti stemte du på ved forrige valg?",
        "Główny środek transportu do pracy to",
        "어느 정당을 지지하십니까?",
        "どの政党に投票しましたか",
        "køn",
    ],
)
def test_names_are_asked_for(name):
    assert read_name(name) < 0


@pytest.mark.parametrize(
    "name",
    ["How satisfied are you with your marital status?", "How often do you travel by this train?"],
)
def test_a_degree_is_asked_for_whatever_its_topic(name):
    assert read_name(name) > 0


def test_which_before_a_word_for_scales_asks_for_no_name():
    assert read_name("What is the level of service in this hotel?") == 0
    assert read_name("Which age group do you belong to now?") == 0
