# SPDX-License-Identifier: BSD-3-Clause
"""Notes on times, spans and areas: by keys, in the list, in files and in links."""

import json
import os
import tempfile
from urllib.parse import urlencode

from browser import Keys, unittest, wait_for
from timeline import TimelineTest

# The first such element, clicked.
CLICK = """
    [...document.querySelectorAll(arguments[0])]
      .find((each) => each.checkVisibility() && each.textContent.startsWith(arguments[1])).click();
"""

SAVED = """
    window.saved = null;
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      blob.text().then((text) => { window.saved = text; });
      return create(blob);
    };
"""


class Notes(TimelineTest):
    def notes(self):
        return self.state()["notes"]

    def write(self, text):
        """Into the note that is open, by keys alone."""
        wait_for(lambda: self.js("return document.activeElement.tagName") == "TEXTAREA",
                 "the field")
        self.press(text)
        self.press_with(Keys.CONTROL, Keys.ENTER)

    def click(self, selector, text):
        self.js(CLICK, selector, text)

    def test_a_note_on_a_time_a_span_and_an_area_by_keys(self):
        self.open_timeline("/?view=goroutine")
        self.press("n")
        self.write("in the middle")
        middle = round(self.js("return gotrace.trace.duration") / 2)
        note = wait_for(self.notes, "a note")[0]
        self.assertEqual((note["text"], note["end"], note["row"]), ("in the middle", None, ""))
        self.assertAlmostEqual(note["time"], middle, delta=2)
        span = self.longest("goroutine", "state")
        self.select(span)
        self.js("document.getElementById('canvas').focus()")
        self.press("n")
        self.write("this span")
        wait_for(lambda: len(self.notes()) == 2, "the second note")
        note = next(each for each in self.notes() if each["text"] == "this span")
        self.assertEqual((note["time"], note["end"], note["row"]),
                         (span["start"], span["end"], f"goroutine:{span['row']['id']}"))
        self.js("gotrace.set({area: {start: 1000, end: 9000, tracks: null}})")
        self.js("document.getElementById('canvas').focus()")
        self.press("n")
        self.write("this area")
        wait_for(lambda: len(self.notes()) == 3, "the third note")
        note = next(each for each in self.notes() if each["text"] == "this area")
        self.assertEqual((note["time"], note["end"], note["row"]), (1000, 9000, ""))
        wait_for(lambda: "this area" in self.text("#panel-notes"), "it in the list")

    def test_a_note_is_changed_deleted_and_brought_back(self):
        self.open_timeline("/?" + urlencode({"notes": "5000~first", "tab": "notes", "panel": 1}))
        self.click("#panel-notes button", "Edit")
        self.write(" and more")
        wait_for(lambda: self.notes()[0]["text"] == "first and more", "the change")
        self.click("#panel-notes button", "Edit")
        wait_for(lambda: self.js("return document.activeElement.tagName") == "TEXTAREA", "a field")
        self.press("dropped", Keys.ESCAPE)
        wait_for(lambda: not self.shown("#panel-notes textarea"), "no field")
        self.assertEqual(self.notes()[0]["text"], "first and more")
        self.click("#panel-notes button", "Delete")
        wait_for(lambda: self.notes() == [], "no note")
        self.js("document.getElementById('canvas').focus()")
        self.press_with(Keys.CONTROL, "z")
        wait_for(lambda: len(self.notes()) == 1, "the note again")

    def test_the_list_leads_to_a_note(self):
        span = self.longest("goroutine", "region")
        row = f"goroutine:{span['row']['id']}"
        text = f"{span['start']}-{span['end']}@{row}~here"
        self.open_timeline("/?" + urlencode({"notes": text, "tab": "notes", "panel": 1}))
        self.click("#panel-notes .note-place", "")
        wait_for(lambda: self.state()["view"] == "goroutine"
                 and self.js("return gotrace.focus") == row, "its row")
        state = self.state()
        self.assertLess(state["s"], span["start"])
        self.assertGreater(state["e"], span["end"])

    def flag(self):
        return wait_for(lambda: self.js("""
            const box = document.getElementById("canvas").getBoundingClientRect();
            const flag = gotrace.notes.flags[0];
            return flag && {x: Math.round(box.x + flag.x + 4), y: Math.round(box.y + flag.y + 4)};
        """), "a flag")

    def test_a_flag_is_drawn_and_its_tooltip_has_the_text(self):
        duration = self.viewer.ask("trace")["duration"]
        self.open_timeline("/?view=goroutine")
        before = [self.js("return document.getElementById(arguments[0]).toDataURL()", name)
                  for name in ("overlay", "axis", "minimap")]
        self.open_timeline("/?" + urlencode({"view": "goroutine",
                                             "notes": f"{duration // 2}~<i>why</i>"}))
        place = self.flag()
        for name, old in zip(("overlay", "axis", "minimap"), before):
            self.assertNotEqual(self.js("return document.getElementById(arguments[0]).toDataURL()",
                                        name), old, name)
        self.pointer(place["x"], place["y"]).perform()
        wait_for(lambda: self.shown("#tooltip") and "<i>why</i>" in self.text("#tooltip"),
                 "the tooltip")
        box = self.box("axis")
        self.pointer(place["x"], int(box["y"] + 8)).perform()
        wait_for(lambda: "<i>why</i>" in self.text("#tooltip"), "the tooltip on the axis")

    def test_notes_are_exported_and_imported(self):
        notes = "1000~one,2000-3000@goroutine:1~two%2c three"
        self.open_timeline("/?" + urlencode({"notes": notes, "tab": "notes", "panel": 1}))
        expected = self.notes()
        self.assertEqual([note["text"] for note in expected], ["one", "two, three"])
        self.js(SAVED)
        self.click("#panel-notes button", "Export")
        text = wait_for(lambda: self.js("return window.saved"), "the file")
        self.assertEqual(json.loads(text), {"version": 1, "notes": expected})
        self.open_timeline("/?tab=notes&panel=1&" + urlencode({"notes": "1000~one"}))
        self.take(text)
        wait_for(lambda: self.notes() == expected, "the notes of the file")
        self.assertIn("1 note imported", self.text("#panel-notes .note"))

    def take(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "notes.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.browser.find_element("css selector", "#panel-notes input[type=file]").send_keys(path)

    def test_files_that_are_no_notes_are_refused(self):
        self.open_timeline("/?tab=notes&panel=1&" + urlencode({"notes": "1000~mine"}))
        good = {"time": 5, "text": "good"}
        bad = [{"time": "5", "text": "x"}, {"time": 1e300, "text": "x"}, {"time": 5}, None, [],
               {"time": 5, "end": 4, "text": "x"}, {"time": 5, "text": "x" * 2001},
               {"time": 5, "row": "a b", "text": "x"}, {"time": 5, "text": {"a": "b"}}]
        for text, said in (("no", "it is not JSON"), ("[" * 100000, "it is not JSON"),
                           ("null", "it is not a file of notes"), ("[]", "it is not a file"),
                           ('{"version":2,"notes":[]}', "it is not a file of notes of version 1"),
                           (" " * 2000000, "it is longer than 1 MiB"),
                           (json.dumps({"version": 1, "notes": bad}), "9 were no notes")):
            with self.subTest(text[:30]):
                self.take(text)
                wait_for(lambda: said in self.text("#panel-notes .note"), said)
                self.assertEqual([note["text"] for note in self.notes()], ["mine"])
        self.take(json.dumps({"version": 1, "notes": [*bad, good]}))
        wait_for(lambda: [note["text"] for note in self.notes()] == ["good", "mine"],
                 "the good note")


if __name__ == "__main__":
    unittest.main(verbosity=2)
