"""Infer the types of the survey's columns, print the reasons, and draw the probabilities.

python quickstart.py      (the picture needs matplotlib: pip install "autotype-ordinal[report]")
"""

from pathlib import Path

import matplotlib as mpl
import pandas as pd

import autotype

mpl.use("Agg")  # write a file, open no window


def main() -> None:
    survey = pd.read_csv(Path(__file__).with_name("survey.csv"))
    types = autotype.infer_types(survey)  # or survey.ordinal.infer_types()
    print(types)

    for name in ("satisfaction", "plan", "sales_channel"):
        print()
        print(types[name].explain())

    ordinal = [name for name, column in types.items() if column.semantic_type == "ordinal"]
    print()
    print(types.to_frame().loc[ordinal, ["probability", "order"]].to_string())
    types.plot().figure.savefig(Path(__file__).with_suffix(".png"))


if __name__ == "__main__":
    main()
