"""Type a Parquet file without loading it: DuckDB counts, and draws some rows.

The file has three million rows here, so that the example takes seconds.
"""

import tempfile
from pathlib import Path

import duckdb
import matplotlib as mpl

import autotype

mpl.use("Agg")  # write a file, open no window
ROWS = """
    SELECT i AS id, ['slow', 'medium', 'fast', 'very fast'][grade] AS speed,
        ['north', 'east', 'south'][1 + i * 7 % 3] AS region, round(grade * 20 + noise, 2) AS mbit,
        grade * 3 + i % 5 AS calls, i % 11 AS week, noise AS signal, i % 2 = 0 AS fibre
    FROM (SELECT i, 1 + i * 2654435761 % 4 AS grade, (i * 40503 % 997) / 100.0 AS noise
          FROM range(3_000_000) t(i))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        path = Path(folder) / "lines.parquet"
        connection.sql(ROWS).write_parquet(str(path))
        lines = connection.read_parquet(str(path))
        types = autotype.infer_types(lines)
        print(types)
        schema = autotype.to_schema(lines, types)
        print(schema.columns["mbit"].checks)
        autotype.validate(lines, schema)
        ax = autotype.plot(lines.limit(1000).df(), "speed", types)
        ax.figure.savefig(Path(__file__).with_suffix(".png"), bbox_inches="tight")


if __name__ == "__main__":
    main()
