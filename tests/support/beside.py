# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests of a file beside each other: those that mostly wait for programs that wait."""

import concurrent.futures
import sys
import time
import unittest

# So many tests that wait do not keep a machine with two processors busy.
AT_ONCE = 6


def tests_of(suite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from tests_of(each)
        else:
            yield each


def run_one(test):
    """The result of a test, and how many seconds it took."""
    if type(test).setUpClass.__func__ is not unittest.TestCase.setUpClass.__func__:
        raise TypeError(f"{test.id()}: tests that share something cannot run beside each other")
    result = unittest.TestResult()
    start = time.monotonic()
    test.run(result)
    return result, time.monotonic() - start


def tell(test, result, seconds):
    """Prints how a test went, and returns whether it went well."""
    word = "ok" if result.wasSuccessful() else "FAILED"
    print(f"{test.id().replace('__main__.', '')}: {word}, {seconds:.1f} s", file=sys.stderr)
    for _, reason in result.skipped:
        print(f"left out: {reason}", flush=True)
    for part, text in result.errors + result.failures:
        print(f"{'=' * 70}\n{part}\n{text}", file=sys.stderr)
    for part in result.unexpectedSuccesses:
        print(f"{part} should fail and does not", file=sys.stderr)
    return result.wasSuccessful()


def main():
    """Runs the tests of the program, or only those that its arguments name, as unittest.main does.
    A test may use nothing that another one changes, such as the working directory."""
    loader, program, names = unittest.defaultTestLoader, sys.modules["__main__"], sys.argv[1:]
    suite = (loader.loadTestsFromNames(names, program) if names
             else loader.loadTestsFromModule(program))
    tests = list(tests_of(suite))
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(run_one, tests))
    good = [tell(test, *result) for test, result in zip(tests, results)]
    print(f"{len(good)} tests, {good.count(False)} failed", file=sys.stderr)
    sys.exit(0 if good and all(good) else 1)
