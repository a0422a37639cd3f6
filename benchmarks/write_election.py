"""Write examples/election.csv, the survey of the tutorial, with the words of its code book.

usage: python benchmarks/write_election.py [FILE.csv]      (needs `pip install statsmodels`)

944 voters of the American National Election Study of 1996, as statsmodels bundles them
(`statsmodels.datasets.anes96`, in the public domain). statsmodels' note on the codes of education
names 5 to 7 a college degree, a Master's degree and a PhD. The study's own code book does not, and
13% of PhDs would be too many: 5 is a degree of a community college, 6 a Bachelor's level degree,
7 an advanced one.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pandas as pd
from statsmodels.datasets import anes96

PLACEMENT = [
    "Extremely liberal",
    "Liberal",
    "Slightly liberal",
    "Moderate",
    "Slightly conservative",
    "Conservative",
    "Extremely conservative",
]
PARTY = [
    "Strong Democrat",
    "Weak Democrat",
    "Independent-Democrat",
    "Independent-Independent",
    "Independent-Republican",
    "Weak Republican",
    "Strong Republican",
]
EDUCATION = [
    "8 grades or less",
    "Some high school",
    "High school diploma",
    "Some college",
    "Community college degree",
    "Bachelor's degree",
    "Advanced degree",
]
# Lower bounds of the ranges of income, in dollars; the first is "none".
INCOME = [3, 5, 7, 9, 10, 11, 12, 13, 14, 15, 17, 20, 22, 25, 30, 35, 40, 45, 50, 60, 75, 90, 105]
VOTE = ["Clinton", "Dole"]


def incomes() -> list[str]:
    """Return the ranges of income, lowest first."""
    bounds = [1_000 * bound for bound in INCOME]
    inner = [f"${low:,}-${high - 1:,}" for low, high in pairwise(bounds)]
    return ["None or less than $3,000", *inner, f"${bounds[-1]:,} and over"]


def main(path: Path) -> None:
    codes = anes96.load_pandas().data.astype({"popul": int})

    def words(column: str, levels: list[str], first: int = 1) -> list[str]:
        return [levels[int(code) - first] for code in codes[column]]

    survey = pd.DataFrame(
        {
            "place_population": codes["popul"] * 1_000,
            "tv_news_days": codes["TVnews"].astype(int),
            "self_placement": words("selfLR", PLACEMENT),
            "clinton_placement": words("ClinLR", PLACEMENT),
            "dole_placement": words("DoleLR", PLACEMENT),
            "party": words("PID", PARTY, first=0),
            "age": codes["age"].astype(int),
            "education": words("educ", EDUCATION),
            "income": words("income", incomes()),
            "vote": words("vote", VOTE, first=0),
        }
    )
    survey.to_csv(path, index=False, lineterminator="\n")


if __name__ == "__main__":
    default = Path(__file__).resolve().parent.parent / "examples" / "election.csv"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
