# SPDX-License-Identifier: BSD-3-Clause
"""Links and commands that others may have made, and those that are copied."""

import json
import shlex
import subprocess
from urllib.parse import parse_qs, urlencode, urlsplit

from browser import Keys, PATIENCE, unittest, wait_for
from walks import GRAB, NAMES, PANEL, ROWS, WalkTest

HOSTILE = ("1e999", "NaN", "-1", "null", "0x10", "[object Object]", "%00", "%", "1" * 400,
           "a" * 3000, "99999999999999999999",
           "-99999999999999999999-99999999999999999999@0-4000000000",
           ",".join(f"goroutine:{i}" for i in range(900)), "*,%FF,%ZZ", "<img src=x>", "true",
           "0-4000000000", "goroutine:1e9", "task:5-1", "1.2.3-4.5.6", "area:--time,constructor:x",
           "__proto__", "toString,valueOf", "1.5")


class Links(WalkTest):
    def test_every_piece_of_the_state_is_walked(self):
        self.open_timeline("/")
        keys = {key for key, _ in self.js_later(NAMES, "")}
        walks = [*ROWS.values(), *PANEL.values()]
        # Only a trace that is being recorded has "live", and only one of which the older part was
        # let go has "from"; live_test.py and keep_test.py go through them.
        self.assertEqual(keys, {key for steps in walks for key in steps} | {"live", "from"})
        self.assertEqual(keys, set(self.state()))

    def test_links_from_others_do_no_harm(self):
        self.open_timeline("/")
        names = {name for _, name in self.js_later(NAMES, "")}
        for text in HOSTILE:
            states = self.js("""
                const [names, text] = arguments;
                return import("/STATIC/state.js").then(({parseState, stateQuery}) =>
                  names.map((name) => {
                    const state = parseState(new URLSearchParams([[name, text]]).toString(),
                                             `#${text}:${text}`);
                    return [name, stateQuery(state, state.s === null, true).text.length];
                  }));
            """, sorted(names), text)
            for name, length in states:
                self.assertLess(length, 6500, f"{name}={text[:40]}")
        for text in ("1e999", "goroutine:1e9", "-5", "1" * 200):
            with self.subTest(text[:20]):
                self.open_timeline("/?" + urlencode({name: text for name in names}))
                self.assertTrue(self.js("return gotrace.actions.has('palette')"))

    def test_a_state_that_is_too_long_is_left_out_and_said(self):
        self.open_timeline("/?view=goroutine")
        link = self.js("return gotrace.link({filter: 'x'.repeat(2000), pin: Array.from("
                       "{length: 2000}, (_, i) => `goroutine:${i}`)})")
        self.assertEqual(link["tooLong"], ["the filter", "the pinned rows"])
        self.assertLess(len(link["text"]), 12100)
        self.grab()
        self.js("gotrace.set({filter: 'x'.repeat(2000)})")
        self.js("document.querySelector('[data-copy=link]').click()")
        self.assertLess(len(self.copied()), 2000)
        wait_for(lambda: self.text("#live") == "Copied, without what is too long (the filter)",
                 "it to be said")
        self.assertEqual(self.text("[data-copy=link]"), "Copied in part")

    def grab(self):
        self.js(GRAB)

    def copied(self):
        return wait_for(lambda: self.js("return window.copied.pop()"), "a copy")

    def test_keys_copy_and_say_so(self):
        self.open_timeline("/?view=goroutine")
        self.grab()
        self.press("y")
        link = self.copied()
        self.assertEqual(link, self.link())
        self.assertTrue(link.startswith(self.viewer.url + "/?view=goroutine&"), link)
        wait_for(lambda: "Link copied" in self.text("#live"), "it to be said")
        self.press_with(Keys.SHIFT, "y")
        self.assertIn("/jsontrace?view=goroutine", self.copied())
        wait_for(lambda: "curl command copied" in self.text("#live"), "it to be said")

    def fetch(self, command):
        """What a command prints, which is run by a shell."""
        return subprocess.run(["sh", "-c", command], check=True, capture_output=True,
                              timeout=PATIENCE).stdout

    def test_copied_commands_fetch_what_the_panels_show(self):
        self.open_timeline("/?view=goroutine&area=1000000-9000000&tab=area&panel=1")
        self.rest()
        self.grab()
        for tab, field in (("area", "classes"), ("flame", "nodes")):
            with self.subTest(tab):
                self.js("gotrace.set({tab: arguments[0]})", tab)
                self.rest()
                self.press_with(Keys.SHIFT, "y")
                self.assertGreater(len(json.loads(self.fetch(self.copied()))[field]), 3)
        self.js("gotrace.set({q: 'reason:sync', tab: 'search'})")
        self.rest()
        self.press_with(Keys.SHIFT, "y")
        self.assertGreater(json.loads(self.fetch(self.copied()))["total"], 0)

    def test_names_cannot_leave_the_quotes_of_a_command(self):
        self.open_timeline("/?view=goroutine")
        self.grab()
        for text in ("'; touch /tmp/x; '", "$(id)", "`id`", "a\"b", "{1,2}[1-9]", "\\'", "--help"):
            with self.subTest(text):
                self.js("gotrace.set({q: arguments[0], tab: 'search', panel: true})", text)
                self.js("gotrace.run('copy-curl')")
                words = shlex.split(self.copied())
                self.assertEqual(words[:-1], ["curl", "--silent", "--show-error", "--fail",
                                              "--globoff"])
                query = parse_qs(urlsplit(words[-1]).query)
                self.assertEqual(query["q"], [text.strip()])
        self.js("gotrace.set({q: ''})")
        # Some of the texts are no searches, of which the browser complains where one of them stays
        # long enough to be asked for.
        self.rest()
        self.browser.get_log("browser")


if __name__ == "__main__":
    unittest.main(verbosity=2)
