"""Type a register: keys, codes, dates and amounts are no scales; three of its columns are."""

import tempfile
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd

import autotype

mpl.use("Agg")  # write a file, open no window


def register(n_rows: int = 600) -> str:
    """Return an invented register of buildings as CSV, with a title line."""
    rng = np.random.default_rng(3)
    quality = rng.normal(0, 1, n_rows)
    frame = pd.DataFrame(
        {
            "building_id": [f"B-{100_000 + k}" for k in range(n_rows)],
            "postcode": rng.choice(["01067", "01069", "01097", "01099"], n_rows),
            "built": rng.integers(1870, 2020, n_rows),
            "inspected": pd.Timestamp("2023-01-01")
            + pd.to_timedelta(rng.integers(0, 900, n_rows), "D"),
            "energy_class": np.array(list("GFEDCBA"))[
                np.digitize(quality, [-2, -1, 0, 0.7, 1.4, 2])
            ],
            "condition": np.array(["poor", "fair", "good", "very good"])[
                np.digitize(quality + rng.normal(0, 0.6, n_rows), [-1, 0, 1])
            ],
            "floors": rng.integers(1, 9, n_rows),
            "use_code": rng.choice([110, 120, 210, 310, 410], n_rows),
            "value": [f"€ {v:,.0f}" for v in np.exp(12 + 0.5 * quality)],
            "listed": rng.choice(["yes", "no"], n_rows, p=[0.1, 0.9]),
        }
    )
    return "Register of buildings 2025\n\n" + frame.to_csv(index=False)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "register.csv"
        path.write_text(register(), encoding="utf-8")
        table = autotype.read_table(path)
    print("the header is line", table.reading.header)
    types = autotype.infer_types(table)
    print(types)
    print(types["energy_class"].explain())
    types.plot().figure.savefig(Path(__file__).with_suffix(".png"), bbox_inches="tight")


if __name__ == "__main__":
    main()
