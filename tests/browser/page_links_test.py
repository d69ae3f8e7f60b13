# SPDX-License-Identifier: BSD-3-Clause
"""What the addresses of the pages other than the timeline store, and what can be copied there."""

import json
import subprocess
from urllib.parse import urlencode

from browser import Keys, PageTest, PATIENCE, unittest, wait_for
from walks import GRAB, NAMES, PAGES


class PageLinks(PageTest):
    trace = "v2/go1.27-mix.trace"

    def names(self):
        """What the page stores; it also knows the table of the timeline, which is not its own."""
        names = [name for _, name in self.js_later(NAMES, "")]
        return set(names[self.js("return import('/STATIC/state.js')"
                                 ".then(({TIMELINE}) => TIMELINE.fields.length)"):])

    def test_every_piece_of_the_state_is_walked(self):
        walked = {name for steps in PAGES.values() for name in steps}
        for path, steps in PAGES.items():
            with self.subTest(path):
                self.open(path)
                names = self.names()
                left = names - set(steps)
                # What tables and flame graphs have in common is walked once.
                self.assertEqual({name.replace("stop-", "") for name in left} - walked, set())
                self.assertEqual(set(steps) - names, set())

    def test_links_from_others_do_no_harm(self):
        for path in PAGES:
            self.open(path)
            names = self.names() - {"sort", "stop-sort"}
            for text in ("1e999", "-5", "1.5", "<img>", "1" * 200, "%FF"):
                with self.subTest(f"{path} {text[:20]}"):
                    sign = "&" if "?" in path else "?"
                    self.open(path + sign + urlencode({name: text for name in names}))
                    self.assertFalse(self.shown("#page .error"))

    def test_keys_copy(self):
        self.open("/contention?class=all")
        self.js(GRAB)
        self.press("y")
        copied = wait_for(lambda: self.js("return window.copied.pop()"), "a copy")
        self.assertTrue(copied.startswith(self.viewer.url + "/contention?class=all"), copied)
        wait_for(lambda: self.text("#live") == "Copied", "it to be said")
        self.press_with(Keys.SHIFT, "y")
        command = wait_for(lambda: self.js("return window.copied.pop()"), "a copy")
        output = subprocess.run(["sh", "-c", command], check=True, capture_output=True,
                                timeout=PATIENCE).stdout
        self.assertEqual(json.loads(output)["total"],
                         self.viewer.ask("contention", **{"class": "all"})["total"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
