"""Infer the types of the survey's columns, and print the reasons.

python quickstart.py
"""

from pathlib import Path

import pandas as pd

import autotype


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


if __name__ == "__main__":
    main()
