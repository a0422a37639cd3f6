"""The rules that read labels, and what they show."""

from autotype.inference.labels.evidence import NO_LABELS, NO_RULE, NOMINAL, RULES


def test_rules_are_listed_by_name():
    assert all(name == rule.name == str(rule) for name, rule in RULES.items())
    assert RULES["none"] is NO_RULE
    assert RULES["nominal"] is NOMINAL


def test_a_unique_column_keeps_only_trusted_scales():
    assert all(rule.trusted for rule in RULES.values() if rule.keeps_unique)
    assert not NO_RULE.decides


def test_no_labels_show_nothing():
    assert NO_LABELS.rule is NO_RULE
    assert NO_LABELS.order is None
    assert NO_LABELS.understood == 0.0
