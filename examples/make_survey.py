"""Write survey.csv: a synthetic customer survey for the other examples.

Two hidden traits, how content a customer is and how large the customer's company is, shape most of
the answers, so that the columns predict each other as those of a real survey do.

    python make_survey.py [survey.csv]
"""

from __future__ import annotations

import csv
import sys
from datetime import date, timedelta
from pathlib import Path

import numpy as np

N_CUSTOMERS = 1000
SEED = 20240229

SATISFACTION = (
    "Very dissatisfied",
    "Dissatisfied",
    "Neither satisfied nor dissatisfied",
    "Satisfied",
    "Very satisfied",
)
COMPANY_SIZES = ("S", "M", "L", "XL")
EDUCATION = (
    "Primary school",
    "Secondary school",
    "Vocational training",
    "Bachelor's degree",
    "Master's degree",
    "Doctorate",
)

# Nominal columns affect several others in different directions, without a common scale.
# plan: (content, spend, age, tickets)
PLANS = {
    "Altair": (0.5, -0.5, 6.0, 0.5),
    "Lyra": (-0.5, 0.7, 4.0, 0.3),
    "Orion": (0.5, 0.6, -7.0, -0.6),
    "Vega": (-0.4, -0.6, -4.0, -0.3),
}
# region: (size, spend, education)
REGIONS = {
    "Centre": (0.7, -0.5, -0.5),
    "East": (-0.5, -0.4, 0.7),
    "North": (-0.6, 0.6, -0.6),
    "South": (0.6, 0.5, 0.8),
    "West": (0.0, 0.0, 0.0),
}
# sales channel, as the register codes it: (age, spend, tickets, share of newsletter readers)
CHANNELS = {
    1: (8.0, -0.3, 0.6, 0.2),
    2: (-9.0, 0.5, -0.5, 0.8),
    3: (5.0, 0.6, 0.5, 0.8),
    4: (-6.0, -0.6, 0.7, 0.3),
    5: (9.0, 0.4, -0.7, 0.9),
    6: (-7.0, -0.5, -0.6, 0.1),
}

PRAISE = ("Quick answers", "Easy to set up", "Fair price", "Runs without trouble", "Helpful people")
BLAME = ("Slow answers", "Hard to set up", "Too expensive", "Breaks too often", "Nobody calls back")
ABOUT = ("the invoices", "the app", "the export", "the hotline", "the new version", "the contract")
SINCE = ("since spring", "last month", "as always", "for once", "this year", "so far")


def main(path: Path) -> None:
    rng = np.random.default_rng(SEED)
    columns = draw_customers(rng)
    blank_some(columns, rng)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def draw_customers(rng: np.random.Generator) -> dict[str, list]:
    plan = rng.choice(list(PLANS), N_CUSTOMERS, p=[0.2, 0.3, 0.35, 0.15])
    region = rng.choice(list(REGIONS), N_CUSTOMERS, p=[0.15, 0.2, 0.3, 0.15, 0.2])
    channel = rng.choice(list(CHANNELS), N_CUSTOMERS, p=[0.2, 0.25, 0.15, 0.15, 0.1, 0.15])
    of_plan = np.array([PLANS[p] for p in plan])
    of_region = np.array([REGIONS[r] for r in region])
    of_channel = np.array([CHANNELS[c] for c in channel])

    content = rng.normal(size=N_CUSTOMERS) + of_plan[:, 0]
    size = rng.normal(size=N_CUSTOMERS) + of_region[:, 0]
    age = 45 + of_plan[:, 2] + of_channel[:, 0] + rng.normal(scale=9.0, size=N_CUSTOMERS)
    learning = 0.5 * size + of_region[:, 2] - 0.02 * (age - 45)
    log_spend = 4.0 + 0.5 * size + 0.3 * content + of_plan[:, 1] + of_region[:, 1]
    log_spend += of_channel[:, 1] + rng.normal(scale=0.3, size=N_CUSTOMERS)
    log_tickets = 0.9 - 0.5 * content + of_plan[:, 3] + of_channel[:, 2]
    reads = rng.random(N_CUSTOMERS) < of_channel[:, 3]

    satisfaction = graded(content, SATISFACTION, (0.08, 0.22, 0.45, 0.8), rng)
    score = graded(content, (1, 2, 3, 4, 5), (0.1, 0.25, 0.5, 0.8), rng)
    days = rng.integers(0, 5 * 365, N_CUSTOMERS)
    return {
        "customer_id": [f"C-{number}" for number in 10_000 + rng.permutation(N_CUSTOMERS)],
        "signup_date": [(date(2019, 1, 1) + timedelta(int(d))).isoformat() for d in days],
        "age": [int(a) for a in np.clip(age, 18, 90)],
        "region": region.tolist(),
        "plan": plan.tolist(),
        "sales_channel": channel.tolist(),
        "company_size": graded(size, COMPANY_SIZES, (0.3, 0.65, 0.88), rng),
        "education": graded(learning, EDUCATION, (0.06, 0.28, 0.5, 0.76, 0.95), rng),
        "monthly_spend": [f"{s:.2f}" for s in np.exp(log_spend)],
        "currency": ["EUR"] * N_CUSTOMERS,
        "support_tickets": rng.poisson(np.exp(np.minimum(log_tickets, 3.5))).tolist(),
        "satisfaction": satisfaction,
        "recommend": score,
        "newsletter": ["yes" if read else "no" for read in reads],
        "comment": [write_comment(c, rng) for c in content],
    }


def graded(trait: np.ndarray, levels: tuple, shares: tuple, rng: np.random.Generator) -> list:
    """Grade a trait, seen through noise, so that given shares of customers stay below each cut."""
    seen = trait + rng.normal(scale=0.5 * trait.std(), size=len(trait))
    return [levels[k] for k in np.searchsorted(np.quantile(seen, shares), seen)]


def write_comment(content: float, rng: np.random.Generator) -> str:
    opinion = rng.choice(PRAISE if content + rng.normal() > 0 else BLAME)
    return f"{opinion}, above all {rng.choice(ABOUT)}, {rng.choice(SINCE)}."


def blank_some(columns: dict[str, list], rng: np.random.Generator) -> None:
    """Leave answers out, as customers do."""
    shares = {"age": 0.03, "education": 0.06, "satisfaction": 0.05, "recommend": 0.04}
    for name, share in {**shares, "company_size": 0.02, "comment": 0.6}.items():
        for row in np.flatnonzero(rng.random(N_CUSTOMERS) < share):
            columns[name][row] = ""


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("survey.csv"))
