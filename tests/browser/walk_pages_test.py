# SPDX-License-Identifier: BSD-3-Clause
"""Links that show again what the pages other than the timeline show."""

import time

from browser import PageTest, unittest, wait_for
from walks import PAGES

SEEN = """
    const page = document.getElementById("page");
    return [page.innerText,
            [...page.querySelectorAll("input, select")].map((each) => [each.value, each.checked]),
            [...page.querySelectorAll("th")].map((each) => each.ariaSort),
            [...page.querySelectorAll("canvas")].filter((each) => each.checkVisibility())
              .map((each) => each.toDataURL())];
"""


class PageWalks(PageTest):
    trace = "v2/go1.27-mix.trace"

    def seen(self):
        found = []

        def calm():
            self.settle()
            self.js("document.activeElement?.blur()")
            found.append(self.js(SEEN))
            time.sleep(0.1)
            return len(found) > 2 and found[-1] == found[-2] == found[-3]

        wait_for(calm, "calm")
        return found[-1]

    def test_a_link_shows_in_a_fresh_browser_all_that_was_changed(self):
        for path, steps in PAGES.items():
            with self.subTest(path):
                self.open(path)
                for name, script in steps.items():
                    self.js(f"return (async () => {{ {script} }})()")
                    wait_for(lambda: name in self.parameters(), name)
                    self.seen()
                link = self.js("return import('/STATIC/pagestate.js')"
                               ".then(({pageLink}) => pageLink().text)")
                before = self.seen()
                self.browser.get(self.viewer.url + "/static/icon.svg")
                self.js("localStorage.clear(); localStorage.setItem('gotrace.bars', '0')")
                self.browser.get(link)
                wait_for(lambda: self.seen() == before, "the same page")


if __name__ == "__main__":
    unittest.main(verbosity=2)
