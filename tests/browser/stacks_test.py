# SPDX-License-Identifier: BSD-3-Clause
"""The pages about stacks say what the commands say, and their switches are in the address."""

import json

from browser import PageTest, run, unittest, wait_for


def profile_time(*arguments):
    """The time of all stacks of `gotrace pprof`, in nanoseconds."""
    lines = run("pprof", *arguments, "--text").splitlines()
    return sum(int(line.split(b" ")[1]) for line in lines)


class Profiles(PageTest):
    trace = "v2/go1.27-mix.trace"

    def test_the_scheduler_page_has_all_runnable_time(self):
        summary = [json.loads(line) for line in run("summary", self.path()).splitlines()]
        runnable = sum(line["stats"]["SchedWait"] for line in summary if "created" in line)
        self.assertGreater(runnable, profile_time("sched", self.path()))
        self.assertEqual(runnable, self.viewer.ask("profile", kind="sched", waits="all")["total"])
        self.open("/sched")
        self.assertIn(f"{runnable / 1e6:.2f} ms", self.text("#page .lead"))
        self.assertIn("All waits are counted", self.text("#page .lead"))

    def test_as_go_counts_is_a_part_of_the_address(self):
        as_go = profile_time("sched", self.path())
        self.open("/sched")
        self.js("""[...document.querySelectorAll("#page a.button")]
                   .find((link) => link.textContent === "As Go counts").click()""")
        wait_for(lambda: "waits=go" in self.browser.current_url, "the address")
        self.settle()
        self.assertIn(f"{as_go / 1e6:.2f} ms", self.text("#page .lead"))
        self.assertIn("Only what go tool trace counts", self.text("#page .lead"))
        self.assertEqual(self.text("#page a.button[aria-current=true]"), "As Go counts")
        for page in self.js("return [...document.querySelectorAll('#page a[href*=\"block\"]')]"
                            ".map((link) => link.href)"):
            self.assertIn("waits=go", page)

    def test_the_saved_profile_is_what_the_page_shows(self):
        for address, options in (("/sched", ["--all"]), ("/sched?waits=go", [])):
            self.open(address)
            saved = self.js("""
                return fetch(document.querySelector("#page a[download]").href)
                    .then((answer) => answer.arrayBuffer())
                    .then((data) => [...new Uint8Array(data)]);
            """)
            self.assertEqual(bytes(saved), run("pprof", "sched", *options, self.path()))


if __name__ == "__main__":
    unittest.main()
