# SPDX-License-Identifier: BSD-3-Clause
"""Links that show again what was changed of rows."""

from browser import unittest
from walks import ROWS, WalkTest


class RowLinks(WalkTest):
    def test_a_link_shows_in_a_fresh_browser_all_that_was_changed(self):
        for name, steps in ROWS.items():
            with self.subTest(name):
                self.check(steps)


if __name__ == "__main__":
    unittest.main(verbosity=2)
