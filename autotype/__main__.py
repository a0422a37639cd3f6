"""Run the command line as ``python -m autotype``."""

from _autotype_command import main

raise SystemExit(main())
