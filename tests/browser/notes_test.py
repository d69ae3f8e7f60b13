# SPDX-License-Identifier: BSD-3-Clause
"""Notes on times, spans and areas: by keys, in the list, in files and in links."""

import json
import os
import re
import shutil
import tempfile
from urllib.parse import urlencode

from browser import Keys, Viewer, unittest, wait_for
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


NOTE = {"time": 5000, "end": None, "row": "", "text": "kept"}
OTHER = {"time": 7000, "end": 9000, "row": "goroutine:1", "text": "of <another>"}


class KeptNotes(TimelineTest):
    """Notes in the file beside a trace."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.traces = [os.path.join(folder.name, name) for name in ("a.trace", "b.trace")]
        for trace in self.traces:
            shutil.copy(self.path(), trace)
        self.own = self.start(*self.traces)

    def start(self, *arguments, keeps_notes=True):
        viewer = Viewer(*arguments, keeps_notes=keeps_notes)
        self.addCleanup(lambda: viewer.process.poll() is None and viewer.stop())
        return viewer

    def resume(self):
        """Lets the page find out at once that a server answers again."""
        self.js("return import('./STATIC/connection.js').then(({connection}) =>"
                " connection.resume())")

    def tearDown(self):
        """The browser itself reports each request that fails."""
        wrong = [entry["message"] for entry in self.browser.get_log("browser")]
        self.assertEqual([line for line in wrong
                          if not re.search(r"net::ERR_|does not answer|api/notes", line)], [])

    def show(self, path="/?tab=notes&panel=1"):
        self.browser.get(self.own.url + path)
        wait_for(lambda: self.js("return window.gotrace?.trace?.progress?.done === true"
                                 " && gotrace.actions.has('palette')"), "the whole trace")
        wait_for(self.keeping, "where notes are kept")

    def keeping(self):
        return self.text(".note-keeping")

    def await_keeping(self, text):
        wait_for(lambda: text in self.keeping(), text)

    def texts(self):
        return [note["text"] for note in self.state()["notes"]]

    def file(self, number=0):
        return self.traces[number] + ".notes.json"

    def kept(self, number=0):
        if not os.path.exists(self.file(number)):
            return []
        with open(self.file(number), encoding="utf-8") as file:
            return [note["text"] for note in json.load(file)["notes"]]

    def keep(self, *notes, number=0):
        with open(self.file(number), "w", encoding="utf-8") as file:
            json.dump({"version": 1, "notes": notes}, file)

    def write(self, text):
        self.js("document.getElementById('canvas').focus()")
        self.press("n")
        wait_for(lambda: self.js("return document.activeElement.tagName") == "TEXTAREA", "a field")
        self.press(text)
        self.press_with(Keys.CONTROL, Keys.ENTER)

    def add(self, text):
        """Without keys, for windows that have no focus."""
        self.js("gotrace.notes.set([...gotrace.state.notes,"
                " {time: 1000, end: null, row: '', text: arguments[0]}])", text)

    def remove(self, text):
        self.js("gotrace.notes.set(gotrace.state.notes.filter((each) => "
                "each.text !== arguments[0]))", text)

    def look(self):
        """As the user does who comes back to the window."""
        self.js("window.dispatchEvent(new Event('focus'))")

    def in_two_windows(self):
        first = self.browser.current_window_handle
        self.show()
        self.browser.switch_to.new_window("window")
        second = self.browser.current_window_handle

        def end():
            self.browser.switch_to.window(second)
            self.browser.close()
            self.browser.switch_to.window(first)

        self.addCleanup(end)
        self.show()
        return (lambda: self.browser.switch_to.window(first),
                lambda: self.browser.switch_to.window(second))

    def test_what_is_written_is_in_the_file_and_comes_back(self):
        self.show()
        self.await_keeping("Saved in a.trace.notes.json")
        self.assertFalse(os.path.exists(self.file()))
        self.write("first")
        wait_for(lambda: self.kept() == ["first"], "the file")
        self.await_keeping("Saved in")
        self.show()
        self.assertEqual(self.texts(), ["first"])
        self.remove("first")
        wait_for(lambda: self.kept() == [], "an empty file")

    def test_each_trace_has_its_own_notes(self):
        self.keep(NOTE)
        self.keep(OTHER, number=1)
        self.show("/t/2/?tab=notes&panel=1")
        self.assertEqual(self.texts(), ["of <another>"])
        self.add("second")
        wait_for(lambda: "second" in self.kept(1), "the file of this trace")
        self.assertEqual(self.kept(), ["kept"])

    def test_notes_of_a_link_are_added_and_only_stored_if_the_user_wants_that(self):
        self.keep(NOTE)
        self.show("/?tab=notes&panel=1&" + urlencode({"notes": "5000~kept,6000~linked"}))
        self.assertEqual(self.texts(), ["kept", "linked"])
        self.await_keeping("except for 1 note of the link")
        self.js("gotrace.zoomTo(1000, 9000)")
        self.js("gotrace.undo()")
        self.await_keeping("except for 1 note of the link")
        self.assertEqual(self.kept(), ["kept"])
        self.js("document.querySelector('.note-keeping button').click()")
        wait_for(lambda: self.kept() == ["kept", "linked"], "both in the file")
        self.await_keeping("Saved in")

    def test_two_windows_lose_nothing(self):
        self.keep(NOTE, OTHER)
        first, second = self.in_two_windows()
        first()
        self.add("of the first")
        self.remove("kept")
        second()
        self.add("of the second")
        expected = {"of <another>", "of the first", "of the second"}
        wait_for(lambda: set(self.kept()) == expected, "all of it in the file")
        wait_for(lambda: set(self.texts()) == expected, "all of it in the second window")
        first()
        self.look()
        wait_for(lambda: set(self.texts()) == expected, "all of it in the first window")
        self.js("gotrace.undo()")
        wait_for(lambda: "kept" in self.texts(), "what the user deleted")
        self.js("gotrace.undo()")
        wait_for(lambda: "of the first" not in self.texts(), "without what the user added")
        self.assertIn("of the second", self.texts())
        wait_for(lambda: set(self.kept()) == {"kept", "of <another>", "of the second"}, "the file")

    def test_note_that_another_window_deleted_does_not_come_back(self):
        self.keep(NOTE, OTHER)
        first, second = self.in_two_windows()
        self.remove("kept")
        wait_for(lambda: self.kept() == ["of <another>"], "the file")
        first()
        self.add("third")
        wait_for(lambda: self.kept() == ["third", "of <another>"], "the file without it")
        # The answer comes after the file is written, and says that the note is gone.
        wait_for(lambda: self.texts() == ["third", "of <another>"], "the window without it")
        self.browser.refresh()
        wait_for(lambda: self.js("return window.gotrace?.actions.has('palette')"), "the page")
        self.await_keeping("Saved in")
        self.assertEqual(self.texts(), ["third", "of <another>"])

    def test_notes_are_not_stored_with_another_trace_that_comes_to_the_address(self):
        self.show()
        self.own.stop()
        self.add("for a")
        self.await_keeping("Not saved in a.trace.notes.json: the server does not answer")
        address = re.sub("^http://", "", self.own.url)
        self.own = self.start("--http", address, *reversed(self.traces))
        self.resume()
        self.await_keeping("Not saved in a.trace.notes.json: the server has another trace here"
                           " now, with b.trace.notes.json")
        self.assertEqual(self.kept(1), [])
        self.show("/t/2/?tab=notes&panel=1")
        wait_for(lambda: self.kept() == ["for a"], "the file of the trace")
        self.assertEqual(self.kept(1), [])

    def test_nothing_is_lost_while_the_server_is_away(self):
        self.show()
        self.own.stop()
        self.add("away")
        self.await_keeping("Not saved in a.trace.notes.json: the server does not answer")
        self.assertEqual(self.kept(), [])
        address = re.sub("^http://", "", self.own.url)
        self.own = self.start("--http", address, self.traces[0])
        self.resume()
        wait_for(lambda: self.kept() == ["away"], "the file")
        self.own.stop()
        self.add("closed")
        self.await_keeping("Not saved")
        self.own = self.start("--http", address, *reversed(self.traces))
        self.show()
        self.assertEqual(self.texts(), [])
        self.show("/t/2/?tab=notes&panel=1")
        wait_for(lambda: "closed" in self.texts(), "what the browser has kept")
        wait_for(lambda: set(self.kept()) == {"away", "closed"}, "the file")
        self.await_keeping("Saved in")
        self.assertEqual(self.kept(1), [])
        self.assertEqual(self.js("return Object.keys(localStorage)"
                                 ".filter((key) => key.startsWith('gotrace.notes.'))"), [])

    def test_long_notes_are_kept_though_the_link_has_no_room(self):
        self.show()
        self.add("a" * 1900)
        self.add("b" * 1900)
        wait_for(lambda: len(self.kept()) == 2, "the file")
        self.js("gotrace.zoomTo(1000, 9000)")
        self.js("gotrace.undo()")
        self.await_keeping("Saved in")
        self.assertEqual(len(self.texts()), 2)
        self.show("/")
        self.assertEqual(len(self.texts()), 2)

    def test_what_is_no_file_of_notes_is_told_of_and_left(self):
        with open(self.file(), "w", encoding="utf-8") as file:
            file.write('{"version": 3}')
        self.show()
        self.await_keeping("Only in the link: a.trace.notes.json: only version 1 is known")
        self.add("mine")
        self.assertEqual(self.texts(), ["mine"])
        with open(self.file(), encoding="utf-8") as file:
            self.assertEqual(file.read(), '{"version": 3}')

    def test_failure_to_store_is_told_and_can_be_repeated(self):
        self.show()
        blocks = [f"{self.file()}.new{i}" for i in range(100)]
        for block in blocks:
            os.symlink("x", block)
        self.add("mine")
        self.await_keeping("cannot write it")
        for block in blocks:
            os.remove(block)
        self.js("document.querySelector('.note-keeping button').click()")
        wait_for(lambda: self.kept() == ["mine"], "the file")
        self.await_keeping("Saved in")

    def test_note_that_is_being_written_survives_another_window(self):
        self.show()
        self.js("document.getElementById('canvas').focus()")
        self.press("n")
        wait_for(lambda: self.shown(".notes textarea"), "a field")
        self.press("half")
        self.keep(OTHER)
        self.look()
        wait_for(lambda: self.texts() == ["of <another>"], "the other note")
        self.press(" done")
        self.press_with(Keys.CONTROL, Keys.ENTER)
        wait_for(lambda: "half done" in self.kept(), "the file")

    def test_server_that_keeps_none_says_so(self):
        self.own.stop()
        self.own = self.start(self.traces[0], keeps_notes=False)
        self.show()
        self.await_keeping("Only in the link, as this trace has no file for notes")
        self.add("mine")
        self.assertFalse(os.path.exists(self.file()))


if __name__ == "__main__":
    unittest.main(verbosity=2)
