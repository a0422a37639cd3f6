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
    assert read_name("job_severity") > 0 > read_name("severity_job")


@pytest.mark.parametrize(
    "name",
    [
        "trust_parliament",
        "satisfaction_job",
        "Trust in the legal system",
        "severity of disease",
        "quality_of_product",
        "Zufriedenheit mit der Partei",
        "Vertrauen_Partei",
        "confiance dans le système judiciaire",
        "satisfacción con el producto",
        "fiducia nel sistema",
        "zaufanie do partii",
        "доверие к партии",
    ],
)
def test_the_object_of_what_is_graded_is_its_topic(name):
    assert read_name(name) == 1.0
    assert score_name(name) >= 0.0


@pytest.mark.parametrize("name", ["support_type", "trust_name", "type of trust", "source of fear"])
def test_words_that_class_an_attitude_name_things(name):
    assert read_name(name) < 1.0


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("How often do you drive to your place of work?", 1),
        ("How satisfied are you with the colour of your car?", 1),
        ("Which of these brands of cars do you like most?", -1),
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
        ("Line items", True),
        ("Artículos", True),
        ("view", False),
        ("item", False),
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
        "आप अपनी नौकरी से कितने संतुष्ट हैं?",
        "सेवा की गुणवत्ता",
        "ความพึงพอใจโดยรวม",
        "คุณจะแนะนำเราให้เพื่อนมากน้อยเพียงใด",
        "قيّم جودة المنتج من 1 إلى 5",
        "Rate the quality of the product",
        "Hizmet kalitesini 1 ile 5 arasında puanlayınız",
        "Sejauh mana Anda setuju dengan pernyataan ini?",
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


@pytest.mark.parametrize(
    "name",
    [
        "Koliko djece imate?",
        "כמה ילדים יש לך?",
        "Koliko puta?",
        "परिवार के सदस्यों की संख्या",
        "จำนวนบุตร",
        "คุณดื่มกาแฟวันละกี่แก้ว",
        "자녀 수",
        "하루에 커피를 몇 잔 마십니까?",
        "房间数",
        "部屋数",
        "Số anh chị em",
        "Lääkärikäyntien määrä",
    ],
)
def test_it_counts_elsewhere(name):
    assert names_a_count(name)


@pytest.mark.parametrize(
    "name", ["점수", "분수", "分数", "Hizmet kalitesini 1 ile 5 arasında puanla"]
)
def test_words_that_hold_one_for_a_count_count_nothing(name):
    assert not names_a_count(name)


@pytest.mark.parametrize(
    "name",
    [
        "Numer domu",
        "Nummer des Raums",
        "номер дома",
        "郵便番号",
        "우편번호",
        "รหัสไปรษณีย์",
        "पिन कोड",
    ],
)
def test_a_number_of_a_thing_is_a_name(name):
    assert read_name(name) < 0


@pytest.mark.parametrize(
    "name",
    [
        "Marital status",
        "employment_status",
        "What is your current employment status?",
        "How did you hear about us?",
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
    [
        "Who decides how the money is used?",
        "Q4 Where do you shop most often",
        "Why did the project end early?",
        "Wo verbringen Sie am häufigsten Ihren Urlaub?",
        "Qui s'occupe le plus souvent des enfants ?",
        "Кто чаще всего готовит в Вашей семье?",
        "Hol vásárol leggyakrabban?",
        "Which brand do you buy most often?",
    ],
)
def test_a_question_begins_by_asking_for_a_person_a_place_or_a_reason(name):
    assert read_name(name) == -1.0


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("Where would you place yourself on this scale?", 1),
        ("Où vous situez-vous sur cette échelle de 1 à 10 ?", 1),
        ("How much do you trust those who decide on taxes?", 1),
        ("WHO grade of the tumour at diagnosis", 0),
        ("Where I live the streets are clean", 0),
    ],
)
def test_such_a_word_asks_for_no_name_on_a_scale_or_in_a_statement(name, sign):
    value = read_name(name)
    assert (value > 0) - (value < 0) == sign


@pytest.mark.parametrize(
    "name",
    ["How satisfied are you with your marital status?", "How often do you travel by this train?"],
)
def test_a_degree_is_asked_for_whatever_its_topic(name):
    assert read_name(name) > 0


def test_which_before_a_word_for_scales_asks_for_no_name():
    assert read_name("What is the level of service in this hotel?") == 0
    assert read_name("Which age group do you belong to now?") == 0


@pytest.mark.parametrize(
    "name",
    [
        "Koliko vam je važna cijena?",
        "Cik svarīga jums ir cena?",
        "Kiek jums svarbi kaina?",
        "Колко важна е за Вас цената?",
    ],
)
def test_how_before_an_adjective_asks_for_a_degree(name):
    assert read_name(name) > 0
    assert not names_a_count(name)


@pytest.mark.parametrize(
    "name",
    [
        "Combien de fois avez-vous consulté un médecin ?",
        "Koliko ste puta prošle godine bili kod liječnika?",
        "Hányszor járt orvosnál az elmúlt évben?",
    ],
)
def test_how_many_times_counts(name):
    assert names_a_count(name)


@pytest.mark.parametrize("name", ["Jag trivs på mitt arbete", "Мне комфортно на работе"])
def test_a_sentence_about_oneself_asks_for_a_degree(name):
    assert read_name(name) > 0


@pytest.mark.parametrize("name", ["Helhetsbetyg", "Arbeitszufriedenheit", "klanttevredenheid"])
def test_compounds_count_by_their_last_word(name):
    assert read_name(name) > 0 > read_name("Fahrzeughersteller")


@pytest.mark.parametrize(
    "name", ["gruppe", "Groupe_2", "グループ", "filiale", "sklad", "вид", "mağaza"]
)
def test_words_that_name_things_in_other_languages(name):
    assert read_name(name) == -1.0


def test_a_group_of_what_is_graded_is_no_name():
    assert read_name("grupo de edad") > 0
    assert read_name("Altersgruppe") > 0
    assert read_name("group of income") > read_name("grupo")


def test_letters_deny_no_known_word_that_stands_alone():
    assert score_name("Abteilung") == 0.0 < score_name("Bewertung")


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("weapon_cd", -1),
        ("term_rsn", -1),
        ("fault_tp", -1),
        ("Zuggattung", -1),
        ("cost_ctr", -1),
        ("esi_lvl", 1),
        ("prio", 1),
        ("sea_state", 1),
        ("days_past_due", 1),
        ("pack_grp", 1),
        ("sp", -1),
        ("mobilitaet", 1),  # without the marks of its letters
        ("abund_idx", 1),
        ("hab_dir", -1),
    ],
)
def test_what_registers_abbreviate_and_the_nouns_of_their_trades(name, sign):
    assert read_name(name) * sign > 0


@pytest.mark.parametrize("name", ["age_cat", "income_cat", "side effects", "screen size"])
def test_words_that_grade_as_often_are_no_nouns_of_trades(name):
    assert read_name(name) >= 0


@pytest.mark.parametrize(
    "name", ["tipo_riesgo", "type_risque", "rodzaj_ryzyka", "тип_риска", "type of risk"]
)
def test_a_kind_of_what_is_graded_is_a_kind(name):
    assert read_name(name) == -1.0


@pytest.mark.parametrize(
    "name",
    ["nivel_servicio", "niveau_service", "poziom_usług", "уровень_сервиса", "degree of risk"],
)
def test_a_level_of_what_is_named_is_a_level(name):
    assert read_name(name) == 1.0


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("Medientyp", -1),
        ("Wahlkreisart", -1),
        ("bränsletyp", -1),
        ("kasvilaji", -1),
        ("fizetésmód", -1),
        ("Wichtigkeitsgrad", 1),
        ("risknivå", 1),
        ("riskitaso", 1),
        ("Risikoklasse", 1),
        ("Zielgruppe", 0),
        ("import", 0),
    ],
)
def test_short_nouns_at_the_ends_of_compounds(name, sign):
    assert read_name(name) == sign


@pytest.mark.parametrize("name", ["severity_code", "size_cd", "age_grp", "risk category"])
def test_weak_nouns_say_nothing_beside_a_word_of_degree(name):
    assert read_name(name) > 0 > read_name("fault code")


@pytest.mark.parametrize(
    "name",
    [
        "Насколько важна семья?",
        "Mennyire fontos a család?",
        "Seberapa penting keluarga?",
        "家庭有多重要?",
        "가족이 얼마나 중요합니까?",
        "Ailə nə dərəcədə vacibdir?",
        "Որքանո՞վ է կարևոր ընտանիքը",
        "Cât de importantă este familia?",
        "Hoeveel vertrouwen heeft u in de partij?",
        "Kako ste zadovoljni z delom?",
    ],
)
def test_one_word_may_ask_for_a_degree(name):
    assert read_name(name) == 1.0
    assert not names_a_count(name)


@pytest.mark.parametrize(
    "name", ["health_insurance", "income source", "education_field", "use of force type"]
)
def test_the_last_word_names_a_kind_of_what_is_graded(name):
    assert read_name(name) == -1.0
    assert score_name(name) <= 0.0


@pytest.mark.parametrize(
    "name",
    [
        "The website was easy to use",
        "People can be trusted",
        "Die Website war leicht zu bedienen und ist hilfreich",
        "Les impôts sont trop élevés",
        "Los impuestos son demasiado altos",
        "Strona była łatwa w obsłudze",
        "Сайт был удобен в использовании",
    ],
)
def test_a_statement_asks_for_agreement(name):
    assert read_name(name) == 1.0
    assert not names_a_count(name)


@pytest.mark.parametrize(
    "name",
    [
        "country where you were born",
        "Wie wird in Ihrem Betrieb überwiegend mit Teilen gearbeitet",
        "Which of these is your main job",
        "My favourite colour is",
        "The best party is",
        "weather_condition_code",
    ],
)
def test_a_verb_of_a_question_or_clause_states_nothing(name):
    assert read_name(name) < 1.0


@pytest.mark.parametrize(
    "name",
    [
        "Which bank do you use?",
        "Welche Bank nutzen Sie?",
        "¿Qué banco utiliza?",
        "Qual banco utiliza?",
        "Каким банком Вы пользуетесь?",
        "Z którego banku Pan korzysta?",
    ],
)
def test_a_question_which_one_asks_for_a_name(name):
    assert read_name(name) == -1.0


@pytest.mark.parametrize(
    "name",
    [
        "Which age group are you in?",
        "Quel est votre niveau d'études ?",
        "Which of these do you use at work? [Email]",
    ],
)
def test_a_question_which_degree_asks_for_no_name(name):
    assert read_name(name) >= 0.0


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("belægning", -1),
        ("eldsneyti", -1),
        ("właściciel", -1),
        ("īpašnieks", -1),
        ("pasėlis", -1),
        ("раён", -1),
        ("прычына", -1),
        ("prichina", -1),
        ("בעלים", -1),
        ("مواد البناء", -1),
        ("作物", -1),
        ("법규위반", -1),
        ("vakavuusaste", 1),
        ("estado de conservação", 1),
        ("estat_de_conservació", 1),
        ("стан_дороги", 1),
        ("ступень", 1),
        ("сапасы", 1),
        ("피해정도", 1),
        ("larritasuna", 1),
    ],
)
def test_what_tables_of_towns_and_ministries_call_their_columns(name, sign) -> None:
    assert read_name(name) == sign


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("trancheEffectifs", 1.0),
        ("fascia_di_reddito", 1.0),
        ("tramo_edad", 1.0),
        ("effectiveness", 1.0),
        ("asset_class", -1.0),
        ("vid_razresheniya", -1.0),
        ("land_use_code", -1.0),
    ],
)
def test_bands_and_kinds_of_registers(name, sign):
    assert read_name(name) == sign


@pytest.mark.parametrize(
    "name",
    [
        *("titolo_studio_cod", "nivel_estudios", "soddisf_lavoro", "zadowol_z_pracy", "BMI_cat"),
        *("wiek_kat", "slp_dur_cat", "bp_cat", "gluc", "pss4"),
        *("Leg room service", "Checkin service", "customer_service", "接客態度", "自评健康"),
    ],
)
def test_what_tables_abbreviate_is_graded(name):
    assert read_name(name) > 0.4


@pytest.mark.parametrize("name", ["service", "service_code", "kmeans_label", "cv_fold", "dzial"])
def test_what_tables_abbreviate_is_named(name):
    assert read_name(name) == -1.0


def test_a_code_of_what_is_graded_may_be_either():
    assert read_name("damage_code") == 0.5
    assert read_name("damage_class") == 1.0


def test_an_abbreviated_number_behind_a_noun_counts_nothing():
    assert not names_a_count("store_nbr")
    assert names_a_count("nbr_sinistres")
    assert names_a_count("nb_enfants")


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        *(
            ("健康度", 1.0),
            ("病情等级", 1.0),
            ("事故形态", -1.0),
            ("性别代码", -1.0),
            ("制度", -1.0),
        ),
        *(
            ("Zustand_Geb", 1.0),
            ("haeufigkeit_nutzung", 1.0),
            ("sale_cond", -1.0),
            ("stan_cyw", -1.0),
        ),
    ],
)
def test_endings_and_openings_of_names(name, sign):
    assert read_name(name) == sign


@pytest.mark.parametrize(
    "name",
    [
        "Discount Code",
        "Cupón",
        "SITEID",
        "GL account",
        "AEBODSYS",
        "Messstelle",
        "unità di misura",
        "Контрагент",
    ],
)
def test_names_in_exports_of_programs(name):
    assert read_name(name) == -1.0
