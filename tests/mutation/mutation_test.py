#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests mutate.py: which mutants there are of a small source, and that in a project of one
function and one test it tells apart mutants that are killed, survive, or are equivalent."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import ledger
import mutants

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = """/* a - b */
static const int table[3] = {1, 20};
static int *place(int *list, unsigned long i)
{
    if (i > 4 && list)
        list[0] = 'x' - (int) i;
    while (!list)
        break;
    return list ? pick(list, i, 0) : list;
}
"""
# Function, number, before and after of the mutants that must be among those of SOURCE.
MADE = [
    ("-", "static const int table[3] = {1, 20};", "static const int table[3] = {2, 20};"),
    ("-", "static const int table[3] = {1, 20};", "static const int table[3] = {1, 19};"),
    ("place", "if (i > 4 && list)", "if (!(i > 4 && list))"),
    ("place", "if (i > 4 && list)", "if (i >= 4 && list)"),
    ("place", "if (i > 4 && list)", "if (i > 4 || list)"),
    ("place", "if (i > 4 && list)", "if (i > 5 && list)"),
    ("place", "list[0] = 'x' - (int) i;", "list[0] = 'x' + (int) i;"),
    ("place", "list[0] = 'x' - (int) i;", "(void) 0;"),
    ("place", "while (!list)", "while (list)"),
    ("place", "break;", "(void) 0;"),
    ("place", "return list ? pick(list, i, 0) : list;", "return NULL;"),
    ("place", "return list ? pick(list, i, 0) : list;",
     "return !(list) ? pick(list, i, 0) : list;"),
    ("place", "return list ? pick(list, i, 0) : list;", "return list ? pick(i, list, 0) : list;"),
    ("place", "return list ? pick(list, i, 0) : list;", "return list ? pick(list, 0, 0) : list;"),
]
# The test looks at one side of the limit only.
PROJECT = {
    "meson.build": """project('small', 'c', default_options: ['c_std=c11', 'warning_level=2'])
test('limit', executable('limit', 'tests/limit.c', 'lib/base/limit.c'), suite: 'unit')
""",
    "meson_options.txt": "option('tests', type: 'feature')\n",
    "lib/base/limit.c": """int limit(int x);

int limit(int x)
{
    if (x > 10)
        return 10;
    return x;
}
""",
    "tests/limit.c": """int limit(int x);

int main(void)
{
    return limit(50) == 10 ? 0 : 1;
}
""",
    "equivalent.txt": """# A number that is 10 is not changed by the limit.
lib/base/limit.c limit
- if (x > 10)
+ if (x >= 10)
10 is returned in both ways.
""",
}
OUTCOMES = {
    "if (!(x > 10))": "unit / limit ends with 1",
    "return 11;": "unit / limit ends with 1",
    "return 9;": "unit / limit ends with 1",
    "if (x > 11)": "survived",
    "return (int) ((x) + 1);": "survived",
}


class MutantsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def test_source_has_these_mutants(self):
        (self.root / "a.c").write_text(SOURCE)
        found = [(mutant.function, mutant.before, mutant.after)
                 for mutant in mutants.mutants_of(self.root, "a.c")]
        for mutant in MADE:
            self.assertIn(mutant, found)
        # Neither comments, nor pointers, nor the sizes of arrays.
        text = "\n".join(after for _, _, after in found)
        for never in ("a + b", "table[4]", "int /"):
            self.assertNotIn(never, text)

    def test_mutants_that_look_alike_are_numbered(self):
        (self.root / "a.c").write_text("void f(void)\n{\n    g();\n    h();\n    g();\n}\n")
        numbers = [(mutant.before, mutant.number)
                   for mutant in mutants.mutants_of(self.root, "a.c")]
        self.assertEqual(numbers, [("g();", 1), ("h();", 1), ("g();", 2)])

    def test_sample_depends_on_the_seed_alone(self):
        (self.root / "a.c").write_text(SOURCE)
        found = mutants.mutants_of(self.root, "a.c")
        self.assertEqual(mutants.sample(found, "1"), mutants.sample(found[::-1], "1"))
        self.assertNotEqual(mutants.sample(found, "1"), mutants.sample(found, "2"))
        self.assertEqual(sorted(mutants.sample(found, "1")), sorted(found))

    def test_ledger_must_give_reasons(self):
        (self.root / "ledger").write_text("a.c f\n- x\n+ y\n")
        with self.assertRaises(ledger.Error):
            ledger.Ledger(self.root / "ledger")


class ProjectTest(unittest.TestCase):
    def test_outcomes_are_told_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder) / "small"
            for name, text in PROJECT.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            state = pathlib.Path(folder) / "state"
            done = subprocess.run([sys.executable, "-B", HERE / "mutate.py", "--root", root,
                                   "--state", state, "--ledger", root / "equivalent.txt"],
                                  capture_output=True, text=True)
            # Too many of the mutants survive.
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            results = map(json.loads, (state / "results.jsonl").read_text().splitlines())
            found = {result["key"][3]: result["outcome"] for result in results}
            self.assertEqual(OUTCOMES, {after: found.get(after) for after in OUTCOMES})
            # One more is the same program with some compilers, and does not count there.
            self.assertRegex(done.stdout, "lib/base +3 +[23] +1 ")
            self.assertNotIn("if (x >= 10)", found)
            self.assertEqual((state / "tree/lib/base/limit.c").read_text(),
                             PROJECT["lib/base/limit.c"])


if __name__ == "__main__":
    if not shutil.which("meson") or not shutil.which("ninja"):
        print("skipped: meson and ninja are not installed")
        sys.exit(77)
    unittest.main()
