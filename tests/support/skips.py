# SPDX-License-Identifier: BSD-3-Clause
"""unittest counts the tests that are skipped, and keeps to itself why. This says it in words that
tests/skipped.py looks for."""

import unittest


class Result(unittest.TextTestResult):
    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"left out: {reason}", flush=True)


def main(**options):
    """unittest.main() for programs with tests that may be skipped."""
    runner = unittest.TextTestRunner(resultclass=Result)
    return unittest.main(testRunner=runner, **options)
