# SPDX-License-Identifier: BSD-3-Clause
"""Other readers of Parquet files, which are packages for Node.js in GT_NODE_MODULES."""
import glob
import json
import os
import shutil
import subprocess
import sys

FOLDERS = {"hyparquet": "hyparquet", "duckdb": "@duckdb/node-api"}


def folder_of(name):
    """The folder of a package, or None."""
    modules = os.environ.get("GT_NODE_MODULES", "")
    folder = os.path.join(modules, FOLDERS[name])
    return folder if modules and os.path.isdir(folder) else None


def missing(name):
    """Says what is missing for an engine, or returns None."""
    if not shutil.which("node"):
        return "node is not installed"
    if not folder_of(name):
        return f"GT_NODE_MODULES names no folder with {FOLDERS[name]}"
    return None


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def need(name):
    """Skips the test if something is missing for an engine."""
    why = missing(name)
    if why:
        skip(why)


def library_of(package, *path):
    """A library, which is in a package for each machine. Skips the test without."""
    modules = os.environ.get("GT_NODE_MODULES", "")
    found = glob.glob(os.path.join(modules, package, *path)) if modules else []
    if not found:
        skip(f"GT_NODE_MODULES names no folder with {package}")
    return found[0]


def clickhouse():
    return library_of("@chdb", "lib-*", "libchdb.so")


def duckdb_library():
    return library_of("@duckdb", "node-bindings-*", "libduckdb.so")


def ask(name, questions, folder=None):
    """Returns the rows of each file, or of each statement, as lists of strings or None. Paths may
    be relative to a folder."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine.mjs")
    run = subprocess.run(["node", script, name], input=json.dumps(questions), encoding="utf-8",
                         stdout=subprocess.PIPE, cwd=folder)
    if run.returncode != 0:
        raise SystemExit(f"{name} has failed")
    return json.loads(run.stdout)
