"""Names of columns are weak evidence, read by word."""

import pytest

from autotype.inference.labels.column_name import read_name


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
