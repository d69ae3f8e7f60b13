#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run.py PLAN [--base COMMIT] [--jobs N] [GATE...]: runs the gates of a plan of plan.py, by default
two at a time, or only those that are named, without what they come after; build-tests is brought up
to date before.

Each gate is a function of gate.sh. What it prints goes to build-gates/GATE.log, and the last lines
of that are shown when it fails. Whatever fails, all gates run that need nothing of it. At the end
there is a table of all gates, and the exit code is 1 if one of them failed.

A gate that only ended because tests took too long has them run once more, with nothing beside them.
A gate that plan.py gives inputs is skipped when none of these has changed since the commit that
--base or GT_BASE names, from which the work at hand branched off.

Processor time is that of a gate and of all processes that it waited for.
"""
import argparse
import collections
import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import time

import plan

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = pathlib.Path(__file__).resolve().parent / "gate.sh"
LOGS = ROOT / "build-gates"
LAST_LINES = 40
SKIPPED = 77
TOOK_TOO_LONG = 75
# A gate that takes longer is ended. GT_TIME_SCALE is a factor for it.
LIMIT = 3000 * max(1.0, float(os.environ.get("GT_TIME_SCALE", "1")))
# Of <sys/prctl.h>.
PR_SET_CHILD_SUBREAPER = 36

Outcome = collections.namedtuple("Outcome", "result wall cpu why", defaults=[""])


def say(text):
    print(text, flush=True)


def adopt_orphans():
    """Processes whose parent has ended, such as those of a browser, become children of the gate,
    so that their processor time counts."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Run:
    """A gate that is running, or what has to run again of it."""

    def __init__(self, name, command, log, environment, is_alone, before=None):
        self.name = name
        self.command = command
        self.log = log
        self.is_alone = is_alone
        # What its first run took, if tests took too long there.
        self.before = before
        self.is_late = False
        self.start = time.monotonic()
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                preexec_fn=adopt_orphans)

    def seconds(self):
        return time.monotonic() - self.start

    def end(self):
        """Ends what is left of it."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def end_late(self, limit):
        if not self.is_late and self.seconds() > limit:
            self.is_late = True
            with open(self.log, "a") as log:
                log.write(f"It was ended after {limit:.0f} s.\n")
            self.end()


class Runner:
    """Runs gates of a script, two at a time."""

    def __init__(self, gates, script=SCRIPT, logs=LOGS, jobs=2, base=None, limit=LIMIT):
        self.script = script
        self.logs = pathlib.Path(logs)
        self.jobs = jobs
        self.base = base
        self.limit = limit
        self.names = {gate.name for gate in gates}
        self.waiting = list(gates)
        self.running = {}
        self.again = []
        self.outcomes = {}

    def run(self):
        self.logs.mkdir(exist_ok=True)
        try:
            while self.waiting or self.running or self.again:
                self.start_what_can()
                self.wait()
        finally:
            for run in self.running.values():
                run.end()
        return self.outcomes

    def start_what_can(self):
        """Nothing new starts as long as something waits for running again alone."""
        while self.has_room():
            if self.again:
                self.start_again(*self.again.pop())
                return
            gate = next(filter(self.is_ready, self.waiting), None)
            if not gate or (gate.is_alone and self.running):
                return
            self.waiting.remove(gate)
            why = self.reason_to_skip(gate)
            if why:
                self.end(gate.name, Outcome("skipped", 0, 0, why))
            else:
                self.start(gate)

    def has_room(self):
        if self.again:
            return not self.running
        return len(self.running) < self.jobs and not any(
            run.is_alone for run in self.running.values())

    def is_ready(self, gate):
        return all(name in self.outcomes for name in gate.after if name in self.names)

    def reason_to_skip(self, gate):
        for name in gate.after:
            if name in self.outcomes and self.outcomes[name].result != "good":
                return f"it needs {name}"
        return plan.unchanged(gate, ROOT, self.base)

    def file_of(self, name, kind):
        return self.logs / f"{name}.{kind}"

    def start(self, gate):
        for kind in ("log", "again"):
            self.file_of(gate.name, kind).unlink(missing_ok=True)
        say(f"-- {gate.name}")
        self.begin(gate.name, ["bash", str(self.script), gate.name], gate.is_alone)

    def start_again(self, name, outcome):
        say(f"-- {name}: some tests took too long, and run again alone")
        self.begin(name, ["bash", "-eux", str(self.file_of(name, "again"))], True, outcome)

    def begin(self, name, command, is_alone, before=None):
        environment = {"GT_AGAIN": str(self.file_of(name, "again")), "GT_BASE": self.base or ""}
        run = Run(name, command, self.file_of(name, "log"), environment, is_alone, before)
        self.running[run.process.pid] = run

    def wait(self):
        """Waits until one that is running ends."""
        while self.running:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
            if pid in self.running:
                run = self.running.pop(pid)
                run.end()
                run.process.returncode = os.waitstatus_to_exitcode(status)
                self.judge(run, usage.ru_utime + usage.ru_stime)
                return
            for run in self.running.values():
                run.end_late(self.limit)
            time.sleep(0.05)

    def judge(self, run, cpu):
        code = run.process.returncode
        outcome = Outcome("good" if code == 0 else "failed", run.seconds(), cpu)
        if code == TOOK_TOO_LONG and not run.before:
            self.again.append((run.name, outcome))
            return
        if run.before:
            outcome = outcome._replace(
                wall=outcome.wall + run.before.wall, cpu=cpu + run.before.cpu,
                why="some tests took too long, and ran again alone")
        if code == SKIPPED:
            outcome = outcome._replace(result="skipped", why=last_line(run.log))
        self.end(run.name, outcome)
        if outcome.result == "failed":
            show_failure(run)

    def end(self, name, outcome):
        self.outcomes[name] = outcome
        say(f"== {line_of(name, outcome)}")


def last_line(path):
    lines = path.read_text(errors="replace").split("\n")
    return next((line for line in reversed(lines) if line.strip()), "no reason given")


def show_failure(run):
    say(f"   command: {' '.join(run.command)}")
    say(f"   it ended with {run.process.returncode}; the end of {run.log}:")
    lines = run.log.read_text(errors="replace").rstrip("\n").split("\n")
    for line in lines[-LAST_LINES:]:
        say(f"   | {line}")


def line_of(name, outcome):
    line = f"{name:<20} {outcome.result:<8} {outcome.wall:8.0f} s {outcome.cpu:8.0f} CPU s"
    return line + (f"  {outcome.why}" if outcome.why else "")


def table(outcomes, wall):
    """What is printed at the end; its last line counts the gates."""
    counts = collections.Counter(outcome.result for outcome in outcomes.values())
    lines = [line_of(*item) for item in outcomes.items()]
    cpu = sum(outcome.cpu for outcome in outcomes.values())
    result = "failed" if counts["failed"] else "good"
    lines.append(line_of("all", Outcome(result, wall, cpu)))
    lines.append("")
    lines.append(f"{counts['good']} passed, {counts['failed']} failed, "
                 f"{counts['skipped']} skipped")
    return "\n".join(lines)


def arguments_of(words):
    parser = argparse.ArgumentParser(description="runs gates")
    parser.add_argument("plan", choices=sorted(plan.PLANS))
    parser.add_argument("--base", default=os.environ.get("GT_BASE"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("names", nargs="*", metavar="GATE")
    arguments = parser.parse_args(words)
    unknown = set(arguments.names) - {gate.name for gate in plan.PLANS[arguments.plan]}
    if unknown:
        parser.error(f"no gate of this plan: {', '.join(sorted(unknown))}")
    return arguments


def bring_up_to_date(build):
    """Gates that are named read a build that may be older than the sources."""
    if not (build / "build.ninja").exists():
        return
    done = subprocess.run(["ninja", "-C", str(build)], capture_output=True, text=True)
    if done.returncode != 0:
        say(done.stdout + done.stderr)
        sys.exit(f"{build} does not build")


def main(words):
    arguments = arguments_of(words)
    if arguments.names and "readme_tests" not in arguments.names:
        bring_up_to_date(ROOT / "build-tests")
    gates = [gate for gate in plan.PLANS[arguments.plan]
             if not arguments.names or gate.name in arguments.names]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    start = time.monotonic()
    outcomes = Runner(gates, jobs=arguments.jobs, base=arguments.base).run()
    say("\n" + table(outcomes, time.monotonic() - start))
    return any(outcome.result == "failed" for outcome in outcomes.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
