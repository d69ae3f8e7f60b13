#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run_test.py: run.py names a gate that fails, with its command and the end of its output, goes on
with the others, and runs again alone what only took too long."""
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import plan
import run
import tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import skips  # noqa: E402

# Takes so many seconds of processor time.
BURNT = 0.5
BURN = f"import time\nwhile time.process_time() < {BURNT}: pass"
SCRIPT = """
case $1 in
  good | needs_good) seq 100 ;;
  bad) seq 100; trap 'echo "failed: $BASH_COMMAND"' ERR; set -eE; test planted = found ;;
  slow | slower)
    echo "mkdir $MARKS/$1 && test $1 = slow && sleep 0.3 && rmdir $MARKS/$1" >"$GT_AGAIN"
    exit 75 ;;
  beside) for i in 1 2 3 4 5; do test ! -d "$MARKS/slow" || exit 1; sleep 0.1; done ;;
  hangs) sleep 600 ;;
  skips) echo "there is no tool"; exit 77 ;;
  orphan)
    (python3 -c "$BURN" && touch "$MARKS/burnt" &)
    while [ ! -e "$MARKS/burnt" ]; do sleep 0.05; done
    sleep 0.5 ;;
  *) echo "nobody should run $1"; exit 1 ;;
esac
"""


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.script = self.folder / "script"
        self.script.write_text(f"MARKS={folder.name}\nBURN='{BURN}'\n{SCRIPT}")

    def run_gates(self, *gates, **options):
        """What became of the gates, and what was printed."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            outcomes = run.Runner(list(gates), self.script, self.folder / "logs", **options).run()
        self.printed = printed.getvalue()
        return {name: outcome.result for name, outcome in outcomes.items()}, outcomes

    def test_a_failing_gate_names_itself_and_the_others_go_on(self):
        results, outcomes = self.run_gates(
            plan.Gate("bad"), plan.Gate("needs_bad", ["bad"]), plan.Gate("good"),
            plan.Gate("needs_good", ["good"]))
        self.assertEqual(results, {"bad": "failed", "good": "good", "needs_bad": "skipped",
                                   "needs_good": "good"})
        self.assertEqual(outcomes["needs_bad"].why, "it needs bad")
        self.assertIn(f"command: bash {self.script} bad\n", self.printed)
        lines = [line[5:] for line in self.printed.split("\n") if line.startswith("   | ")]
        self.assertEqual(lines, [*map(str, range(62, 101)), "failed: test planted = found"])
        table = run.table(outcomes, 1).split("\n")
        self.assertRegex(table[0], r"^bad +failed +\d+ s +\d+ CPU s$")
        self.assertEqual(table[-1], "2 passed, 1 failed, 1 skipped")

    def test_what_took_too_long_runs_again_alone_and_once(self):
        results, outcomes = self.run_gates(plan.Gate("slow"), plan.Gate("beside"),
                                           plan.Gate("slower"), plan.Gate("good"))
        self.assertEqual(results, {"slow": "good", "beside": "good", "slower": "failed",
                                   "good": "good"})
        self.assertIn("ran again alone", outcomes["slow"].why)
        self.assertEqual(self.printed.count("slower: some tests took too long"), 1)

    def test_a_gate_that_hangs_is_ended(self):
        results, _ = self.run_gates(plan.Gate("hangs"), plan.Gate("good"), limit=0.3)
        self.assertEqual(results, {"hangs": "failed", "good": "good"})
        self.assertIn("It was ended after 0 s.", self.printed)

    def test_a_gate_is_skipped_for_what_it_says(self):
        _, outcomes = self.run_gates(plan.Gate("skips"))
        self.assertEqual(outcomes["skips"][:1] + outcomes["skips"][3:],
                         ("skipped", "there is no tool"))

    def test_one_that_is_alone_has_nothing_beside_it(self):
        self.run_gates(plan.Gate("good"), plan.Gate("slow", is_alone=True), plan.Gate("beside"))
        begins = [line for line in self.printed.split("\n") if line.startswith(("--", "=="))]
        self.assertEqual([line.split()[1] for line in begins],
                         ["good", "good", "slow", "slow:", "slow", "beside", "beside"])

    def test_processes_that_lost_their_parent_count(self):
        _, outcomes = self.run_gates(plan.Gate("orphan"))
        self.assertGreater(outcomes["orphan"].cpu, BURNT)

    def test_an_old_build_is_brought_up_to_date(self):
        for command, good in ("touch $out", True), ("echo planted; false", False):
            (self.folder / "build.ninja").write_text(
                f"rule make\n  command = {command}\nbuild made-{good}: make\n")
            printed = io.StringIO()
            ended = contextlib.nullcontext() if good else self.assertRaises(SystemExit)
            with contextlib.redirect_stdout(printed), ended:
                run.bring_up_to_date(self.folder)
            self.assertEqual((self.folder / f"made-{good}").exists(), good)
            self.assertEqual("planted" in printed.getvalue(), not good)
        run.bring_up_to_date(self.folder / "none")

    def test_what_has_not_changed_is_skipped(self):
        git = ["git", "-C", str(self.folder), "-c", "user.name=n", "-c", "user.email=e"]
        try:
            subprocess.run([*git, "init", "-q"], check=True)
        except FileNotFoundError:
            self.skipTest("there is no git")
        (self.folder / "one").write_text("1")
        (self.folder / "two").mkdir()
        (self.folder / "two" / "file").write_text("1")
        for number in ("1", "2"):
            (self.folder / "two" / "file").write_text(number)
            subprocess.run([*git, "add", "."], check=True)
            subprocess.run([*git, "commit", "-qm", number], check=True)
        for inputs, base, is_skipped in ((["one"], "HEAD~1", True), (["two"], "HEAD~1", False),
                                         (["tw"], "HEAD~1", True), (["one"], None, False),
                                         (["one"], "nowhere", False), ([], "HEAD", False)):
            why = plan.unchanged(plan.Gate("gate", inputs=inputs), self.folder, base)
            self.assertEqual(bool(why), is_skipped, (inputs, base))

    def judge(self, *results):
        """How tests count that ended so, and what is to run again."""
        again = self.folder / "again"
        again.unlink(missing_ok=True)
        (self.folder / "meson-logs").mkdir(exist_ok=True)
        lines = [json.dumps({"name": f"gotrace:install+long / test {i}", "result": result,
                             "duration": 1.0, "stdout": "what it said"})
                 for i, result in enumerate(results)]
        (self.folder / "meson-logs" / "testlog.json").write_text("\n".join(lines))
        with contextlib.redirect_stdout(io.StringIO()) as printed, \
                unittest.mock.patch.dict(os.environ, {"GT_AGAIN": str(again)}):
            code = tests.judge(str(self.folder), 1)
        self.assertIn("what it said", printed.getvalue())
        return code, again.read_text() if again.exists() else ""

    def test_only_tests_that_took_too_long_are_tried_again(self):
        code, again = self.judge("OK", "TIMEOUT", "SKIP", "TIMEOUT")
        self.assertEqual(code, 0)
        self.assertRegex(again, r"--suite=install --suite=long .*'test 1' 'test 3'\n$")
        self.assertEqual(self.judge("TIMEOUT", "FAIL"), (1, ""))

    def test_plans_only_name_gates_that_there_are(self):
        functions = run.SCRIPT.read_text()
        for gates in plan.PLANS.values():
            names = [gate.name for gate in gates]
            self.assertEqual(len(set(names)), len(names))
            for gate in gates:
                self.assertIn(f"\ngate_{gate.name}() {{", functions)
                self.assertLessEqual(set(gate.after), set(names), gate.name)
                for path in gate.inputs:
                    self.assertTrue((run.ROOT / path).exists(), path)


if __name__ == "__main__":
    skips.main()
