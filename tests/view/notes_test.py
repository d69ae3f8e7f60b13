# SPDX-License-Identifier: BSD-3-Clause
"""Notes in the file beside a trace: what is read, what is written, and what is left alone."""

import gzip
import http.client
import json
import os
import shutil
import stat
import tempfile
import threading
import time
import unittest

from tabs_test import BYTES, PATIENCE, TRACES, Viewer, read, wait_for

NOTE = {"time": 5, "end": 9, "row": "goroutine:1", "text": "why? ä \U0001f600"}
OTHER = {"time": 7, "end": None, "row": "", "text": "other"}


def text_of(*notes):
    return json.dumps({"version": 1, "notes": notes}).encode()


class NotesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.trace = os.path.join(self.folder, "a.trace")
        self.file = self.trace + ".notes.json"
        shutil.copy(TRACES[0], self.trace)

    def write(self, data):
        with open(self.file, "wb") as file:
            file.write(data)

    def kept(self, viewer, path="/"):
        return viewer.ask(path + "api/notes")

    def send(self, viewer, data, path="/", revision=None, **headers):
        """Status and JSON."""
        if revision is None:
            revision = self.kept(viewer, path)["revision"]
        headers = {"Origin": "http://" + viewer.host, "Content-Type": BYTES, **headers}
        status, _, body = viewer.request("POST", "%sapi/notes?revision=%s" % (path, revision),
                                         data, **headers)
        return status, json.loads(body)

    def assert_refused(self, status, answer):
        self.assertEqual(answer[0], status, answer)
        self.assertTrue(answer[1]["error"])

    def assert_left_alone(self, *others):
        """There is nothing in the folder besides the trace and these."""
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(["a.trace", *others]))

    def test_notes_are_kept_beside_the_trace(self):
        with Viewer(self.trace) as viewer:
            first = self.kept(viewer)
            self.assertEqual((first["is_kept"], first["name"], first["can_change"],
                              first["error"], first["notes"]),
                             (True, "a.trace.notes.json", True, None, []))
            self.assert_left_alone()
            data = text_of(NOTE)
            status, answer = self.send(viewer, data)
            self.assertEqual(status, 200)
            self.assertEqual(read(self.file), data)
            self.assertEqual(self.kept(viewer), {**first, "revision": answer["revision"],
                                                 "notes": [NOTE]})
            self.assertNotEqual(answer["revision"], first["revision"])
            self.assert_left_alone("a.trace.notes.json")
        with Viewer(self.trace) as viewer:
            self.assertEqual(self.kept(viewer)["notes"], [NOTE])
            self.assertEqual(self.send(viewer, text_of())[0], 200)
            self.assertEqual(read(self.file), text_of())

    def test_notes_that_nobody_saw_are_not_replaced(self):
        with Viewer(self.trace) as viewer, Viewer(self.trace) as other:
            old = self.kept(viewer)["revision"]
            self.assertEqual(self.send(other, text_of(NOTE))[0], 200)
            self.assert_refused(409, self.send(viewer, text_of(OTHER), revision=old))
            self.assert_refused(409, self.send(viewer, text_of(OTHER), revision=""))
            self.assertEqual(viewer.request("POST", "/api/notes", text_of(),
                                            Origin="http://" + viewer.host,
                                            **{"Content-Type": BYTES})[0], 400)
            self.assertEqual(read(self.file), text_of(NOTE))
            self.assertEqual(self.kept(viewer)["notes"], [NOTE])

    def test_tabs_of_one_file_lose_nothing(self):
        with Viewer(self.trace, self.trace) as viewer:
            def add(path):
                for i in range(20):
                    def send():
                        kept = self.kept(viewer, path)
                        note = {**OTHER, "text": "%s %d" % (path, i)}
                        return self.send(viewer, text_of(*kept["notes"], note), path,
                                         kept["revision"])[0]
                    self.assertEqual(wait_for(lambda: (status := send()) != 409 and status,
                                              "a turn of its own"), 200)

            threads = [threading.Thread(target=add, args=[path]) for path in ("/", "/t/2/")]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len({note["text"] for note in self.kept(viewer)["notes"]}), 40)
        self.assert_left_alone("a.trace.notes.json")

    def test_each_trace_has_its_own(self):
        second = os.path.join(self.folder, "b.trace")
        shutil.copy(TRACES[1], second)
        with Viewer(self.trace, second) as viewer:
            self.assertEqual(self.send(viewer, text_of(NOTE), "/t/2/")[0], 200)
            self.assertEqual(self.kept(viewer)["notes"], [])
            self.assertEqual(self.kept(viewer, "/t/2/")["notes"], [NOTE])
        self.assert_left_alone("b.trace", "b.trace.notes.json")

    def test_other_files_are_not_touched(self):
        """A file that is no notes, or that a newer version wrote, is told of and left alone."""
        cases = [b"hello\n", b"{}", b'{"version":2,"notes":[]}', b'{"version":1,"notes":[],"x":1}',
                 text_of({**NOTE, "color": "red"}), text_of(*[OTHER] * 1001), text_of(NOTE)[:-1],
                 b"[" * 1000000, b"\xff\xfe", b" " * ((1 << 20) + 1), text_of(NOTE)[:-1] + b"\0}",
                 b'{"version":1,"notes":[{"time":1,"text":"\x1b[2J"}]}',
                 text_of({**NOTE, "text": "\x00"}), text_of({**NOTE, "time": 1e300})]
        with Viewer(self.trace) as viewer:
            for data in cases:
                with self.subTest(data[:40]):
                    self.write(data)
                    kept = self.kept(viewer)
                    self.assertIn("a.trace.notes.json: ", kept["error"])
                    self.assertEqual((kept["can_change"], kept["notes"], kept["revision"]),
                                     (False, [], ""))
                    self.assert_refused(409, self.send(viewer, text_of(NOTE)))
                    self.assertEqual(read(self.file), data)
            self.write(b"")
            self.assertEqual(self.send(viewer, text_of(NOTE))[0], 200)
            self.assertEqual(viewer.facts("/")["error"], None)

    def test_links_pipes_and_folders_are_not_followed(self):
        target = os.path.join(self.folder, "target")
        with open(target, "wb") as file:
            file.write(text_of(NOTE))

        def folder(path):
            os.mkdir(path)

        def link(path):
            os.symlink(target, path)

        def broken(path):
            os.symlink(target + "x", path)

        with Viewer(self.trace) as viewer:
            for make, why in ((link, "symbolic link"), (broken, "symbolic link"),
                              (os.mkfifo, "not a file"), (folder, "not a file")):
                with self.subTest(why):
                    make(self.file)
                    kept = self.kept(viewer)
                    self.assertIn(why, kept["error"])
                    self.assert_refused(409, self.send(viewer, text_of(OTHER)))
                    self.assertEqual(stat.S_IFMT(os.lstat(self.file).st_mode) == stat.S_IFREG,
                                     False)
                    if make is folder:
                        os.rmdir(self.file)
                    else:
                        os.remove(self.file)
        self.assertEqual(read(target), text_of(NOTE))
        self.assert_left_alone("target")

    def test_permissions_stay(self):
        self.write(text_of(NOTE))
        os.chmod(self.file, 0o640)
        with Viewer(self.trace) as viewer:
            self.assertEqual(self.send(viewer, text_of(OTHER))[0], 200)
        self.assertEqual(stat.S_IMODE(os.stat(self.file).st_mode), 0o640)

    def test_what_a_crash_has_left_is_no_obstacle(self):
        left = self.file + ".new0"
        with open(left, "wb") as file:
            file.write(b"left")
        with Viewer(self.trace) as viewer:
            self.assertEqual(self.send(viewer, text_of(NOTE))[0], 200)
        self.assertEqual(read(left), b"left")
        self.assert_left_alone("a.trace.notes.json", "a.trace.notes.json.new0")

    def test_failure_to_write_is_told_and_leaves_the_old_notes(self):
        with Viewer(self.trace) as viewer:
            self.assertEqual(self.send(viewer, text_of(NOTE))[0], 200)
            for i in range(100):
                os.symlink("x", "%s.new%d" % (self.file, i))
            answer = self.send(viewer, text_of(OTHER))
            self.assert_refused(507, answer)
            self.assertIn("a.trace.notes.json: cannot write it: ", answer[1]["error"])
            self.assertEqual(self.kept(viewer)["notes"], [NOTE])
            self.assertTrue(self.kept(viewer)["can_change"])

    def test_trace_that_is_no_file_has_no_notes(self):
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)

        def feed():
            with open(pipe, "wb") as file:
                file.write(read(self.trace))

        feeder = threading.Thread(target=feed)
        feeder.start()
        with Viewer(pipe) as viewer:
            self.assertFalse(self.kept(viewer)["is_kept"])
            self.assert_refused(403, self.send(viewer, text_of(NOTE), revision="0"))
        feeder.join()
        os.remove(pipe)
        with Viewer(self.trace) as viewer:
            status, answer = viewer.send(read(self.trace), self.trace)
            self.assertEqual(status, 201)
            path = "/" + answer["path"]
            self.assertEqual({**self.kept(viewer, path)},
                             {"is_kept": False, "name": "", "can_change": False, "revision": "",
                              "error": None, "notes": []})
            self.assert_refused(403, self.send(viewer, text_of(NOTE), path, "0"))
        self.assert_left_alone()

    def test_compressed_trace_has_notes_too(self):
        packed = self.trace + ".gz"
        with open(packed, "wb") as file:
            file.write(gzip.compress(read(self.trace)))
        with Viewer(packed) as viewer:
            self.assertEqual(self.send(viewer, text_of(NOTE))[0], 200)
        self.assert_left_alone("a.trace.gz", "a.trace.gz.notes.json")

    def test_option_turns_it_off(self):
        self.write(text_of(NOTE))
        with Viewer("--no-notes", self.trace) as viewer:
            kept = self.kept(viewer)
            self.assertEqual((kept["is_kept"], kept["notes"]), (False, []))
            self.assert_refused(403, self.send(viewer, text_of(), revision="0"))
        self.assertEqual(read(self.file), text_of(NOTE))

    def test_foreign_pages_are_refused(self):
        with Viewer(self.trace) as viewer:
            data, port = text_of(NOTE), viewer.host.split(":")[1]
            for origin in ("null", "", "http://evil.example", "https://" + viewer.host,
                           "http://localhost:" + port):
                self.assert_refused(403, self.send(viewer, data, Origin=origin))
            evil = "evil.example:" + port
            self.assert_refused(403, self.send(viewer, data, Host=evil, Origin="http://" + evil))
            revision = self.kept(viewer)["revision"]
            target = "/api/notes?revision=" + revision
            self.assertEqual(viewer.request("POST", target, data, **{"Content-Type": BYTES})[0],
                             403)
            for kind in ("text/plain", "application/json", "application/x-www-form-urlencoded", ""):
                self.assert_refused(415, self.send(viewer, data, **{"Content-Type": kind}))
            for method in ("PUT", "PATCH", "DELETE"):
                self.assertEqual(viewer.request(method, target, Origin="http://" + viewer.host)[0],
                                 405)
            self.assert_refused(413, self.send(viewer, data + b" " * (1 << 20)))
            self.assert_refused(400, self.send(viewer, b""))
            self.assert_left_alone()
            own = "localhost:" + port
            self.assertEqual(self.send(viewer, data, Host=own, Origin="http://" + own)[0], 200)

    def test_body_that_does_not_arrive_changes_nothing(self):
        with Viewer(self.trace) as viewer:
            host, port = viewer.host.split(":")
            connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
            connection.putrequest("POST", "/api/notes?revision="
                                  + self.kept(viewer)["revision"])
            for name, value in (("Origin", "http://" + viewer.host), ("Content-Type", BYTES),
                                ("Content-Length", "100")):
                connection.putheader(name, value)
            connection.endheaders(text_of()[:-1])
            # Another one does not wait for it.
            self.assertEqual(self.send(viewer, text_of(NOTE))[0], 200)
            began = time.monotonic()
        self.assertLess(time.monotonic() - began, 20)
        connection.close()
        self.assertEqual(read(self.file), text_of(NOTE))

    def test_public_server_changes_notes_only_if_it_is_told_to(self):
        self.write(text_of(NOTE))
        address = ("--http", "0.0.0.0:0")
        with Viewer(*address, self.trace) as viewer:
            kept = self.kept(viewer)
            self.assertEqual((kept["can_change"], kept["notes"]), (False, [NOTE]))
            self.assert_refused(405, self.send(viewer, text_of()))
        self.assertEqual(read(self.file), text_of(NOTE))
        with Viewer(*address, "--allow-open", self.trace) as viewer:
            self.assertTrue(self.kept(viewer)["can_change"])
            self.assertEqual(self.send(viewer, text_of())[0], 200)


if __name__ == "__main__":
    unittest.main()
