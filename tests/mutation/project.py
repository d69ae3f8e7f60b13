# SPDX-License-Identifier: BSD-3-Clause
"""A copy of the tree in which mutants are built and tested. The tree itself never changes."""
import collections
import json
import os
import pathlib
import resource
import shlex
import shutil
import signal
import subprocess
import time

from mutants import sources

# Suites that look at texts or at the interface, or need tools that may be missing.
LEFT_OUT = {"abi", "docs", "install", "browser", "mutation"}
# Other suites than these run later; a folder is found by the longest name.
FIRST = {
    "lib": ("unit", "reader"),
    "lib/analysis": ("analysis", "corpus"),
    "lib/raw": ("raw", "golden"),
    "lib/rewrite": ("rewrite",),
    "lib/store": ("view",),
    "lib/timeline": ("timeline", "viewer"),
    "lib/validate": ("validate", "unit"),
    "lib/viewer": ("viewer", "timeline"),
    "lib/web": ("view",),
    "lib/writer": ("viewer",),
    "examples/gotrace": ("command", "analysis", "golden"),
    "examples/gotrace/http": ("view",),
}
# With warnings as errors a mutant that the compiler would report does not count. These warnings
# are about what every second mutant does.
OPTIONS = ["-Dtests=enabled", "-Dwerror=true", "-Doptimization=1", "-Ddebug=false",
           "-Db_ndebug=false", "-Dc_args=-Wno-parentheses -Wno-unused"]
SANITIZED = ["-Db_sanitize=address,undefined", "-Db_lundef=false"]
# For a mutant that allocates without end, or writes a file without end.
MAX_ADDRESSES = 16 << 30
MAX_FILE = 1 << 30

Test = collections.namedtuple("Test", "name suite command environment folder targets sources")


class Error(Exception):
    pass


class Project:
    def __init__(self, root, state, sanitized=False):
        self.root, self.state = pathlib.Path(root), pathlib.Path(state)
        self.tree = self.state / "tree"
        self.build = self.state / ("sanitized" if sanitized else "build")
        self.options = OPTIONS + (SANITIZED if sanitized else [])
        # The addresses that a sanitizer reserves are no memory.
        self.most = resource.RLIM_INFINITY if sanitized else MAX_ADDRESSES
        self.changed = None

    def prepare(self):
        """Copies the tree, builds it, and remembers its objects."""
        self.copy()
        if not (self.build / "build.ninja").exists():
            environment = dict(os.environ)
            if shutil.which("ccache"):
                environment.setdefault("CC", "ccache cc")
            run(["meson", "setup", self.build, self.tree, *self.options], env=environment)
        run(["ninja", "-C", self.build, "build.ninja"])
        self.tests = list(self.read_tests())
        targets = sorted({target for test in self.tests for target in test.targets})
        run(["ninja", "-C", self.build, *targets])
        self.objects = collections.defaultdict(dict)
        for entry in self.read("compile_commands.json"):
            path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), self.tree)
            made = self.build / entry["output"]
            if made.exists():
                self.objects[path][entry["output"]] = made.read_bytes()

    def copy(self):
        """Files that are the same keep their time, so that they are not compiled again."""
        names = set(sources.tracked_files(self.root))
        for name in names:
            source, target = self.root / name, self.tree / name
            if target.exists() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
        for path in [path for path in self.tree.rglob("*") if path.is_file()]:
            if path.relative_to(self.tree).as_posix() not in names:
                path.unlink()

    def read(self, name):
        return json.loads((self.build / name).read_text())

    def read_tests(self):
        built = {target["id"]: [os.path.relpath(name, self.build) for name in target["filename"]]
                 for target in self.read("meson-info/intro-targets.json")}
        inputs = {}
        for test in self.read("meson-info/intro-tests.json"):
            suite = test["suite"][0].split(":")[-1]
            if suite in LEFT_OUT:
                continue
            targets = [name for target in test["depends"] for name in built.get(target, [])]
            for target in targets:
                if target not in inputs:
                    inputs[target] = self.inputs(target)
            yield Test(f"{suite} / {test['name']}", suite, test["cmd"], test["env"],
                       test["workdir"] or self.build, tuple(targets),
                       frozenset().union(*(inputs[target] for target in targets)))

    def inputs(self, target):
        listed = run(["ninja", "-C", self.build, "-t", "inputs", target])
        return frozenset(os.path.relpath(os.path.join(self.build, line.strip()), self.tree)
                         for line in listed.split("\n") if line.strip().endswith(".c"))

    # A mutant.

    def plant(self, mutant):
        """Changes the copy; what was changed before is as it was."""
        self.restore()
        path = self.tree / mutant.path
        text = path.read_text()
        path.write_text(text[:mutant.start] + mutant.text + text[mutant.end:])
        self.changed = path, text

    def restore(self):
        if self.changed:
            path, text = self.changed
            path.write_text(text)
            self.changed = None

    def compile(self, path):
        """Whether the changed file compiles, to something else than before."""
        objects = self.objects[path]
        if not objects or not self.make(objects):
            return False
        return any((self.build / name).read_bytes() != old for name, old in objects.items())

    def make(self, targets):
        made = subprocess.run(["ninja", "-C", self.build, *sorted(set(targets))],
                              capture_output=True)
        return made.returncode == 0

    def tests_for(self, path):
        """The tests that contain the file: those of the suites of its folder, and the rest."""
        suites = next(FIRST[folder] for folder in map(str, pathlib.PurePath(path).parents)
                      if folder in FIRST)
        relevant = [test for test in self.tests if path in test.sources]
        return ([test for test in relevant if test.suite in suites],
                [test for test in relevant if test.suite not in suites])


def run(command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise Error(f"{shlex.join(map(str, command))} fails:\n{done.stdout}{done.stderr}")
    return done.stdout


class Running:
    """A test that has been started, in a process group of its own."""

    def __init__(self, test, addresses, cpu_seconds, seconds):
        def limit():
            for what, most in ((resource.RLIMIT_AS, addresses), (resource.RLIMIT_CORE, 0),
                               (resource.RLIMIT_FSIZE, MAX_FILE),
                               (resource.RLIMIT_CPU, cpu_seconds)):
                resource.setrlimit(what, (most, most))

        environment = {"MALLOC_PERTURB_": "165", "UBSAN_OPTIONS": "halt_on_error=1",
                       **os.environ, **test.environment}
        self.test = test
        self.began = time.monotonic()
        self.until = self.began + seconds
        self.process = subprocess.Popen(
            test.command, env=environment, cwd=test.folder, preexec_fn=limit,
            start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def poll(self):
        """None while it runs; then "passed", "skipped", or what went wrong."""
        code = self.process.poll()
        if code is None and time.monotonic() < self.until:
            return None
        self.end()
        if code is None:
            return "takes too long"
        return {0: "passed", 77: "skipped"}.get(code, f"ends with {code}")

    def seconds(self):
        return time.monotonic() - self.began

    def end(self):
        """Ends it with all that it has started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
