"""Write the learned scores of strings as the package stores them."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping

import numpy as np

from autotype.inference.labels.text_model import SHAPE_FEATURES, TextModel


def to_stored(levels: TextModel, names: TextModel, fitted: Mapping[str, object]) -> dict:
    """Return the models as JSON holds them: n-gram weights as bytes, with one unit for all.

    Parameters
    ----------
    levels, names : TextModel
        The models.
    fitted : mapping
        Where they come from: command, date, data, penalty.
    """
    return {
        "fitted": dict(fitted),
        "levels": {
            "intercept": round(levels.intercept, 6),
            "features": list(SHAPE_FEATURES),
            "weights": [round(float(w), 6) for w in levels.shape],
            "means": [round(float(m), 6) for m in levels.means],
            "scales": [round(float(s), 6) for s in levels.scales],
            **_packed(levels.ngrams),
        },
        "names": {"intercept": round(names.intercept, 6), **_packed(names.ngrams)},
    }


def _packed(weights: np.ndarray) -> dict[str, object]:
    unit = float(np.abs(weights).max()) / 127 or 1.0
    codes = np.round(weights / unit).astype(np.int8)
    packed = base64.b64encode(zlib.compress(codes.tobytes(), 9)).decode()
    return {"ngram_unit": unit, "ngrams": packed}
