"""Every backend of joblib gives the same report and the same model, to the byte."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

# In a process of its own: forking the process of the tests, which has threads, is not safe.
_SCRIPT = """
import hashlib, sys
import joblib, numpy as np, pandas as pd
import autotype

rng = np.random.default_rng(0)
x = rng.normal(size=60)
frame = pd.DataFrame({
    "x": x,
    "size": np.array(["S", "M", "L"])[np.digitize(x, [-0.5, 0.5])],
    "plan": np.array(list("pqrs"))[np.digitize(x + rng.normal(size=60), [-0.8, 0.0, 0.8])],

})
for backend in sys.argv[1:]:
    options = {"backend": backend, "n_jobs": 2} if backend != "none" else {}
    with joblib.parallel_config(**options):
        report = autotype.infer_types(frame).to_json()
        machine = autotype.models.LinearNPSVORCV(Cs=[0.1, 1.0], n_jobs=2)
        model = machine.fit(frame[["x"]], frame["plan"] < "q")
    digest = hashlib.sha256(report.encode()).hexdigest()
    print(digest, model.coef_.tolist(), model.scores_.tolist())
"""


def test_backends_agree(child_environment) -> None:
    answers = []
    # Processes are forked before there are threads, and threads find nothing loaded.
    for backends in (["multiprocessing", "loky", "none"], ["threading"]):
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT, *backends],
            env={**child_environment, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        answers += done.stdout.splitlines()
    assert answers == answers[:1] * 4
