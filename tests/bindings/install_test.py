# SPDX-License-Identifier: BSD-3-Clause
"""The Python module is installed by pip, without a network, and works from where it is then."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77

PROGRAM = """
import gotrace, pathlib, sys
assert pathlib.Path(gotrace.__file__).parent.parent == pathlib.Path(sys.argv[1]), gotrace.__file__
import importlib.metadata
print(importlib.metadata.version("gotrace"), gotrace.version())
with gotrace.open(sys.argv[2]) as trace:
    print(sum(1 for event in trace))
"""


def can_install(python):
    return os.path.exists(python) and all(
        subprocess.run([python, "-c", "import " + module], check=False,
                       stderr=subprocess.DEVNULL).returncode == 0
        for module in ("pip", "setuptools", "wheel"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    python = next(filter(can_install, (sys.executable, "/usr/bin/python3")), None)
    if python is None:
        print("no Python has pip, setuptools and wheel")
        return SKIPPED
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder, "source"), pathlib.Path(folder, "target")
        # Building leaves files next to the sources.
        shutil.copytree(arguments.root / "examples" / "python", source)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index",
                        "--no-build-isolation", "--no-deps", "--target", target, source],
                       check=True, env=environment)
        assert (target / "gotrace" / "py.typed").exists()
        environment["PYTHONPATH"] = str(target)
        trace = arguments.root / "testdata" / "v2" / "go1.27-tasks.trace"
        output = subprocess.run([python, "-c", PROGRAM, target, trace], check=True,
                                env=environment, cwd=folder, stdout=subprocess.PIPE, text=True)
    versions, events = output.stdout.splitlines()
    module, library = versions.split()
    assert module == library, output.stdout
    assert events == "124", output.stdout
    return 0


if __name__ == "__main__":
    sys.exit(main())
