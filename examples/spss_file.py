"""Read a file of SPSS with its labels, type it, and write it back with the measures of columns."""

import tempfile
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pyreadstat

import autotype

mpl.use("Agg")  # write a file, open no window
LABELS = {1: "Never", 2: "Rarely", 3: "Sometimes", 4: "Often", 5: "Always", 9: "No answer"}


def main() -> None:
    rng = np.random.default_rng(2)
    age = rng.integers(18, 90, 500)
    often = np.clip(np.round(age / 22 + rng.normal(0, 0.8, 500)), 1, 5)
    often[::29] = 9
    answers = pd.DataFrame({"q1": often, "age": age, "region": rng.integers(1, 5, 500)})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "survey.sav"
        pyreadstat.write_sav(
            answers,
            path,
            column_labels={"q1": "How often do you read a paper?"},
            variable_value_labels={
                "q1": LABELS,
                "region": {1: "North", 2: "East", 3: "South", 4: "West"},
            },
        )
        table = autotype.read_table(path)
        types = autotype.infer_types(table)
        print(types)
        typed = autotype.apply_types(table.frame, types)
        autotype.write_table(typed, Path(folder) / "typed.sav", types=types)
        _, meta = pyreadstat.read_sav(Path(folder) / "typed.sav", metadataonly=True)
        print(meta.variable_measure)

    q1 = types["q1"]
    print(f"{q1.title} {' < '.join(q1.labels[value] for value in q1.order)}; off: {q1.off_scale}")
    ax = autotype.plot(table.frame, "q1", types, kind="counts")
    ax.figure.savefig(Path(__file__).with_suffix(".png"), bbox_inches="tight")


if __name__ == "__main__":
    main()
