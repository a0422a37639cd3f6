"""Sphinx configuration: the site is built from the Markdown pages, without a network.

    sphinx-build --fail-on-warning --keep-going -c docs -d build/doctrees . build/site

The source folder is the root of the project, so that links between the pages of `docs/`, the README
and the scripts in `examples/` are the same in the files and on the site.
"""

from __future__ import annotations

import sys
from pathlib import Path

import autotype

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS / "extensions"))

project = "autotype"
author = "The autotype developers"
copyright = author
release = version = autotype.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "command_line",
    "folder_links",
    "gallery",
    "json_schema",
    "long_lines",
    "navigation",
    "offline",
    "own_members",
]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/*.md", "docs/**/*.md"]
exclude_patterns = ["build/**", "**/.*"]
source_suffix = {".md": "markdown"}

default_role = "py:obj"  # single backticks in docstrings name objects
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autosummary_generate = False
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # Pygments knows no CSV: shown without colours
smartquotes = False  # "--json" is an option, not a dash

html_theme = "furo"
html_title = f"autotype {release}"
html_short_title = "autotype"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_additional_pages = {"index": "to-the-first-page.html"}
templates_path = ["templates"]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "github-dark"
