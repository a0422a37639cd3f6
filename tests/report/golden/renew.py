"""Rewrite the golden files from tickets.csv, after an intended change.

    python tests/report/golden/renew.py && git diff tests/report/golden

Review the difference before the commit: it is what changes for users.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

import autotype

FOLDER = Path(__file__).resolve().parent
TABLE, JSON_FILE, TEXT_FILE = (FOLDER / f"tickets.{end}" for end in ("csv", "json", "txt"))


def make_report() -> autotype.TypeReport:
    return autotype.infer_types(pd.read_csv(TABLE))


def without_version(summary: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in summary.items() if key != "autotype_version"}


def rounded(value: Any) -> Any:
    """Round numbers to what does not depend on the libraries that compute them."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return round(float(f"{value:.4g}"), 6) if isinstance(value, float) else value


def main() -> None:
    report = make_report()
    summary = rounded(without_version(json.loads(report.to_json())))
    JSON_FILE.write_text(json.dumps(summary, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    TEXT_FILE.write_text(f"{report}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
