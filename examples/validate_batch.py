"""Write a schema of the first batch, validate the next one, and compare both reports.

Run it in the folder of the examples::

    python validate_batch.py
"""

import tempfile
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from pandera.errors import SchemaErrors

import autotype

mpl.use("Agg")  # write a file, open no window

SURVEY = Path(__file__).with_name("survey.csv")
COLUMNS = ["company_size", "plan", "satisfaction", "recommend", "monthly_spend"]


def main() -> None:
    survey = pd.read_csv(SURVEY)
    day1, day2 = survey[:500], survey[500:]
    types = autotype.infer_types(day1, COLUMNS)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "survey.yaml"
        autotype.write_schema(day1.ordinal.to_schema(types, name="survey"), path)
        schema = autotype.read_schema(path)

    checked = day2.ordinal.validate(schema)
    print(f"the batch is fine: {(checked['satisfaction'] >= 'Satisfied').mean():.0%} are satisfied")

    bad = day2.assign(
        satisfaction=day2["satisfaction"].replace("Very satisfied", "Delighted"),
        company_size=pd.Categorical(day2["company_size"], ordered=True),
    )
    try:
        bad.ordinal.validate(schema)
    except SchemaErrors as failures:
        print(failures)

    moved = day2.assign(plan=day2["plan"].replace("Vega", "Orion"))
    comparison = types.compare(autotype.infer_types(moved, COLUMNS))
    print(comparison)
    ax = autotype.plots.plot_drift(comparison)
    ax.figure.savefig(Path(__file__).with_suffix(".png"), bbox_inches="tight")


if __name__ == "__main__":
    main()
