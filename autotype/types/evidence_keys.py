"""The keys of `ColumnType.evidence`: the one table that names them, with their types and meanings.

`Evidence`, the JSON Schema of a report, the features of the type model and the documentation are
all made from it. To add a feature, write a line here and compute its value in `type_features`.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, TypedDict

# The features of the type model, in the order of its weights: name -> meaning. All are float.
FEATURES: dict[str, str] = {
    "label_scale": "1 if the labels are a known scale, calendar or composition.",
    "label_measure": "1 if the labels are ranges, measures, ordinal words or numbered stages.",
    "label_numeric": "1 if the labels are plain numbers.",
    "label_enumerator": "1 if the labels are enumerators, such as Roman numerals or A, B, C.",
    "label_nominal": "1 if the labels are known names without an order.",
    "label_opaque": "1 if no rule reads the labels.",
    "label_unplaced": "proportion of the levels that such a rule cannot place.",
    "label_text": "learned log odds of the level strings, without a vocabulary, at most 6.",
    "understood": "proportion of the levels in which words were recognised.",
    "columns_alike": "logarithm of the number of columns with the same levels, at most 8.",
    "numbers_alike": "the same for levels that are numbers.",
    "numbers_signed": "1 if the levels are numbers of which some are negative.",
    "suggested_agrees": (
        "absolute Kendall's tau of the labels' order and the data's, minus its mean by chance."
    ),
    "suggested_gap": (
        "log(1 + g), g the log evidence, in nats, of the data's best order over the labels' order."
    ),
    "name_words": (
        "words of the column's name for (+) or against (-) an order, if no rule read the labels."
    ),
    "name_text": "learned log odds of the column's name, if no rule read the labels.",
    "name_words_read": "words of the column's name, if a rule read the labels.",
    "name_text_read": "learned log odds of the column's name, if a rule read the labels.",
    "inverse_levels": "inverse of the number of levels.",
    "log_rows": "logarithm of the number of rows, at most that of 1,000.",
    "predictability": (
        "log(1 + z), z the statistic of how well the other columns predict this one."
    ),
    "evidence_gain": (
        "signed root of the ordinal model's gain in log evidence over the multi-class one."
    ),
    "captured": "proportion of the multi-class leave-one-out gain that the ordinal model reaches.",
    "order_weight": "posterior weight of the best order.",
}

# Every key: name -> type and meaning.
EVIDENCE_KEYS: dict[str, tuple[Any, str]] = {
    "label_rule": (
        str,
        "The rule that reads the labels, such as 'scale' or 'numeric'; 'none' if no rule does.",
    ),
    "label_detail": (str, "What the rule read, for instance the name of the scale."),
    "order_source": (
        str,
        "The source of the reported order: 'labels', 'judge', 'data' or 'battery'.",
    ),
    "judge_probability": (float, "Probability that the label judge gave for an ordinal column."),
    "loo_ordinal": (
        float,
        "Mean leave-one-out log probability, in nats per row, of the model with ordered levels.",
    ),
    "loo_multiclass": (float, "The same of the model with unordered levels."),
    "loo_baseline": (float, "The same of the proportions of the levels, without predictors."),
    "log_evidence_ordinal": (
        float,
        "Laplace approximation of the ordinal model's log marginal likelihood, in nats.",
    ),
    "log_evidence_multiclass": (float, "The same of the multi-class model."),
    "n_predictors": (int, "Columns of the design matrix that predict this column."),
    "effective_rows": (
        float,
        "Independent rows that say as much as those used, which may be repeated or drift in time.",
    ),
    "data_order": (list[Any], "The best order by the data alone, lowest first, up to reversal."),
    "thresholds": (
        list[float],
        "Thresholds of the ordinal model between the levels of data_order, increasing.",
    ),
    "level_means": (
        list[float],
        "Mean of the latent function over the rows of each level of data_order.",
    ),
    "level_sds": (list[float], "Its standard deviation over these rows."),
    "top_predictors": (
        list[Any],
        "Pairs of a column name and its proportion of the latent function's variance, largest "
        "first.",
    ),
    **{name: (float, f"Feature: {meaning}") for name, meaning in FEATURES.items()},
    "unit": (str, "Unit or currency that all amounts of the column have in common."),
    "separator": (str, "What separates the items in the cells of a column of lists."),
    "items": (list[Any], "The items of these lists, those of most different cells first."),
    "tll_ordinal": (float, "autotype.paper2014 only: test log likelihood of the ordinal model."),
    "tll_multiclass": (float, "The same of the multi-class model."),
}

_KINDS = {str: "str", int: "int", float: "float", list[float]: "list of float", list[Any]: "list"}

if TYPE_CHECKING:
    Evidence = dict[str, Any]
else:
    Evidence = TypedDict(
        "Evidence", {name: kind for name, (kind, _) in EVIDENCE_KEYS.items()}, total=False
    )
    Evidence.__doc__ = """The numbers behind a verdict, by name.

    `ColumnType.evidence` and the JSON of a report hold them. All keys are optional: those of the
    data are absent if no other column can predict this one, and features of the verdict that are
    zero or unknown are omitted. The weights of the features are explained in
    ``docs/algorithms/verdict.md``.

    Attributes
    ----------
    """ + "\n    ".join(
        line
        for name, (kind, meaning) in EVIDENCE_KEYS.items()
        for line in (
            f"{name} : {_KINDS[kind]}",
            *textwrap.wrap(meaning, 92, initial_indent="    ", subsequent_indent="    "),
        )
    )
