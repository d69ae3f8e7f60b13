# SPDX-License-Identifier: BSD-3-Clause
"""Which gates there are, in which order they start, and what each needs; gate.sh has what they do.

What is cheap and fails most comes first, then what takes longest, so that no processor is idle at
the end.
"""
import collections
import subprocess

# `after` names gates that must be good. One that `is_alone` has the machine for itself. `inputs`
# are folders and files: if none of them changed, the gate may be skipped. Without any it never is.
Gate = collections.namedtuple("Gate", "name after inputs is_alone", defaults=[(), (), False])

# What nearly every gate reads.
BUILD = ("meson.build", "meson_options.txt", "tests/meson.build", "tests/gates")
LIBRARIES = BUILD + ("include", "lib")
TRACES = ("testdata", "tests/support")
PAGE = ("lib/web", "lib/store", "examples/page", "examples/wasm", "examples/javascript",
        "examples/gotrace", "tests/browser")

CI = [
    Gate("readme_job", is_alone=True),
    Gate("readme_tests", ["readme_job"], is_alone=True),
    Gate("tools", ["readme_tests"], is_alone=True),
    Gate("layout", ["tools"]),
    Gate("python", ["tools"]),
    Gate("javascript", ["tools"]),
    Gate("sanitizers_build", ["tools"]),
    Gate("analyzers", ["tools"]),
    Gate("times", ["tools"]),
    Gate("sanitizers", ["sanitizers_build"]),
    Gate("browser", ["tools"], LIBRARIES + PAGE + ("testdata", "docs")),
    Gate("fuzz", ["sanitizers_build"]),
    Gate("threads", ["tools"], LIBRARIES + TRACES + (
        "examples/gotrace", "tests/threads", "tests/unit", "tests/recorder", "tests/reader",
        "tests/view", "tests/columns")),
    Gate("portable", ["tools"], LIBRARIES + TRACES + (
        "examples/page", "examples/wasm", "examples/gotrace", "tests/portable")),
    Gate("long", ["tools"]),
    Gate("corpus", ["tools"]),
    Gate("left_out", ["tools", "javascript"]),
    Gate("interface", ["tools"]),
    Gate("valgrind", ["tools"]),
    Gate("without_threads", ["tools"]),
]

DEEP = [
    Gate("deep_tools"),
    Gate("release_build", ["deep_tools"]),
    Gate("debootstrap", ["deep_tools"], is_alone=True),
    Gate("cppcheck", ["deep_tools"]),
    Gate("analyzers_all", ["deep_tools"]),
    Gate("memory", ["deep_tools"]),
    Gate("coverage", ["release_build"]),
    Gate("sanitizers_build", ["deep_tools"]),
    Gate("fuzz_all", ["sanitizers_build"]),
    Gate("explorer_three", ["release_build"]),
    Gate("configurations", ["release_build"]),
    Gate("portable_all", ["release_build"]),
    Gate("all_traces", ["release_build"]),
    Gate("monkey", ["release_build"]),
    Gate("soak", ["deep_tools"]),
]

PLANS = {"ci": CI, "deep": DEEP}


def changed_since(root, base):
    """What has changed since the work at hand branched off from `base`, or None if that is not
    known."""
    if not base:
        return None
    git = ["git", "-C", str(root)]
    point = subprocess.run([*git, "merge-base", "HEAD", base], capture_output=True, text=True)
    if point.returncode != 0:
        return None
    names = subprocess.run([*git, "diff", "--name-only", point.stdout.strip()],
                           capture_output=True, text=True)
    return names.stdout.split("\n") if names.returncode == 0 else None


def unchanged(gate, root, base):
    """Why a gate need not run, or nothing."""
    if not gate.inputs:
        return ""
    changed = changed_since(root, base)
    if changed is None:
        return ""
    for name in changed:
        if any(name == part or name.startswith(part + "/") for part in gate.inputs):
            return ""
    return f"nothing that it reads has changed since {base}"
