# SPDX-License-Identifier: BSD-3-Clause
"""Random use of the viewer, for a short time; monkey.py does the same for long."""

import unittest

import monkey
from browser import PageTest

ACTIONS = 40


class RandomUse(PageTest):
    def use(self, seed, stay):
        """With windows and pixel ratios as they were, for the tests after this one."""
        size = self.browser.get_window_size()
        self.addCleanup(self.browser.set_window_size, size["width"], size["height"])
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        user = monkey.Monkey(self.viewer, self.browser, seed, stay)
        self.open_timeline()
        monkey.run(user, ACTIONS)
        self.browser.get_log("browser")

    def test_random_actions_lead_to_no_error(self):
        self.use(3, False)

    def test_random_actions_on_one_page_lead_to_no_error(self):
        self.use(4, True)

    def test_an_error_of_the_page_is_seen(self):
        user = monkey.Monkey(self.viewer, self.browser, 1, True)
        for wrong in ("setTimeout(() => { throw new Error('planted'); })",
                      "Promise.reject(new Error('planted'))", "fetch('api/nothing')",
                      "console.error('planted')"):
            self.open_timeline()
            user.check()
            self.js(wrong)
            with self.assertRaises(monkey.Fault, msg=wrong):
                for _ in range(200):
                    user.check()

    def test_memory_that_grows_is_seen(self):
        user = monkey.Monkey(self.viewer, self.browser, 1, True)
        self.open_timeline()
        user.actions = [(1, lambda: self.js("(window.kept ??= []).push("
                                            "Array.from({length: 1e4}, (_, i) => ({i})))"))]
        for _, action in user.actions:
            action.__name__ = "leak"
        with self.assertRaisesRegex(monkey.Fault, "the objects of the page grew"):
            monkey.run(user, 20)


if __name__ == "__main__":
    unittest.main()
