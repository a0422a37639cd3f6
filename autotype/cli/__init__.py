"""The command line: ``autotype infer | validate | apply | report``."""

from autotype.cli.program import main as main
