# SPDX-License-Identifier: BSD-3-Clause
"""Other readers of Parquet files, which are packages for Node.js in GT_NODE_MODULES."""
import json
import os
import shutil
import subprocess
import sys

FOLDERS = {"hyparquet": "hyparquet", "duckdb": "@duckdb/node-api"}


def need(name):
    """Skips the test if something is missing for an engine."""
    modules = os.environ.get("GT_NODE_MODULES", "")
    if not shutil.which("node"):
        why = "node is not installed"
    elif not modules or not os.path.isdir(os.path.join(modules, FOLDERS[name])):
        why = f"GT_NODE_MODULES names no folder with {FOLDERS[name]}"
    else:
        return
    print(f"skipped: {why}")
    sys.exit(77)


def ask(name, questions):
    """Returns the rows of each file, or of each statement, as lists of strings or None."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine.mjs")
    run = subprocess.run(["node", script, name], input=json.dumps(questions), encoding="utf-8",
                         stdout=subprocess.PIPE)
    if run.returncode != 0:
        raise SystemExit(f"{name} has failed")
    return json.loads(run.stdout)
