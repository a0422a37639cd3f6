"""Run the command line as ``python -m autotype``."""

from autotype.cli import main

raise SystemExit(main())
