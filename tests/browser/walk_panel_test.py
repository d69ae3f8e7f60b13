# SPDX-License-Identifier: BSD-3-Clause
"""Links that show again what was changed of the panel."""

from browser import unittest
from walks import PANEL, WalkTest


class PanelLinks(WalkTest):
    def test_a_link_shows_in_a_fresh_browser_all_that_was_changed(self):
        for name, steps in PANEL.items():
            with self.subTest(name):
                self.check(steps)


if __name__ == "__main__":
    unittest.main(verbosity=2)
