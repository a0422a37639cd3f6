"""Write parts of `autotype/inference/learned.json`, with their provenance."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd

import autotype
from autotype.inference import learned

TARGET = Path(learned.__file__).with_name("learned.json")


def write_learned(
    *,
    models: Mapping[str, Any] | None = None,
    constants: Mapping[str, float] | None = None,
    fitted: Mapping[str, Any] | None = None,
) -> None:
    """Replace models, constants and provenance, and keep the rest of the file."""
    stored = json.loads(TARGET.read_text(encoding="utf-8"))
    stored["models"] |= models or {}
    for name, value in (constants or {}).items():
        stored["constants"][name]["value"] = value
    stored["fitted"] = dict(fitted or stored["fitted"])
    learned.read_learned(stored)
    TARGET.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {TARGET.name}")


def with_models(models: Mapping[str, Any]) -> learned.Learned:
    """Return what the package would load if these models replaced the shipped ones."""
    stored = json.loads(TARGET.read_text(encoding="utf-8"))
    stored["models"] |= models
    return learned.read_learned(stored)


def provenance(
    folder: Path, corpora: tuple[str, ...], *, command: str, **figures: Any
) -> dict[str, Any]:
    """Describe a fit: package version, date, command, data sets with checksums, and figures."""
    data = {}
    for corpus in corpora:
        labels = folder / corpus / "labels.csv"
        data[corpus] = {
            "labels_sha256": hashlib.sha256(labels.read_bytes()).hexdigest(),
            "n_columns": len(pd.read_csv(labels)),
        }
    return {
        "package_version": autotype.__version__,
        "date": date.today().isoformat(),
        "command": command,
        **figures,
        "data": data,
    }
