# SPDX-License-Identifier: BSD-3-Clause
"""gotrace page: the pages that it writes, where it finds the viewer, and what it refuses."""

import base64
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

COMMAND = os.environ["GT_COMMAND"]
DATA = pathlib.Path(os.environ["GT_TESTDATA"])
TRACE = DATA / "v2" / "go1.27-tasks.trace"
POLICY = "default-src 'none'; connect-src 'self'; img-src data:"
VIEWER = f'<meta content="{POLICY}">\n<body>\n<!-- TRACE -->\n<b>rest</b>\n'
BLOCK = re.compile(r'<script id="trace" type="application/octet-stream" data-name="([^"]*)">'
                   r'([A-Za-z0-9+/=]*)</script>')


class PageCommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.viewer = self.folder / "gotrace.html"
        self.viewer.write_text(VIEWER, encoding="utf-8")
        self.page = self.folder / "out.html"

    def run_page(self, *arguments, viewer=True, code=0, command=COMMAND, **options):
        own = ["--viewer", self.viewer] if viewer else []
        done = subprocess.run([command, "page", *own, *arguments], capture_output=True,
                              timeout=60, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def check_page(self, text, trace=TRACE, name=None):
        """The page is the viewer with the trace inside, and may load nothing."""
        found = BLOCK.search(text)
        self.assertEqual(found[1], name or trace.name)
        data = base64.b64decode(found[2], validate=True)
        self.assertEqual(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data,
                         trace.read_bytes())
        self.assertEqual(BLOCK.sub("<!-- TRACE -->", text).replace("connect-src 'none'",
                                                                   "connect-src 'self'"), VIEWER)
        self.assertNotIn("connect-src 'self'", text)

    def test_trace_is_in_the_page(self):
        done = self.run_page("-o", self.page, TRACE)
        self.check_page(self.page.read_text(encoding="utf-8"))
        self.assertEqual(done.stdout, b"")
        size = self.page.stat().st_size
        self.assertIn(f"{self.page}: {size / 1e6:.2f} MB: ".encode(), done.stderr)

    def test_every_trace_of_any_length_is_encoded(self):
        for length in range(5):
            trace = self.folder / "cut.trace"
            data = TRACE.read_bytes()
            trace.write_bytes(data[:len(data) - length])
            with self.subTest(length=length):
                self.run_page("-o", self.page, trace, env={**os.environ, "PATH": ""})
                self.check_page(self.page.read_text(encoding="utf-8"), trace)

    def test_standard_output_is_the_default_and_has_a_name(self):
        for arguments in ((TRACE,), ("-o", "-", TRACE)):
            with self.subTest(arguments=arguments):
                self.check_page(self.run_page(*arguments).stdout.decode())

    def test_compressed_trace_and_standard_input_are_decompressed(self):
        packed = self.folder / "trace.gz"
        packed.write_bytes(gzip.compress(TRACE.read_bytes()))
        self.check_page(self.run_page(packed).stdout.decode(), name="trace.gz")
        self.check_page(self.run_page("-", input=packed.read_bytes()).stdout.decode(), name="-")
        self.check_page(self.run_page("-", input=TRACE.read_bytes()).stdout.decode(), name="-")

    def test_trace_is_compressed_where_gzip_is(self):
        large = DATA / "v2" / "go1.27-mix.trace"
        with_gzip = self.run_page(large).stdout
        without = self.run_page(large, env={**os.environ, "PATH": str(self.folder)}).stdout
        self.check_page(without.decode(), large)
        if shutil.which("gzip"):
            self.check_page(with_gzip.decode(), large)
            self.assertLess(len(with_gzip), len(without) / 1.5)

    def test_name_cannot_leave_its_attribute(self):
        name = 'a"><script>alert(1)</script>&amp;.trace'.replace("/", "")
        path = self.folder / name
        path.write_bytes(TRACE.read_bytes())
        text = self.run_page(path).stdout.decode()
        self.check_page(text, name="a&quot;&gt;&lt;script&gt;alert(1)&lt;script&gt;&amp;amp;.trace")

    def test_folder_gets_the_viewer(self):
        folder = self.folder / "site"
        for _ in range(2):
            done = self.run_page("-o", folder)
            self.assertEqual([each.name for each in folder.iterdir()], ["index.html"])
            self.assertEqual((folder / "index.html").read_text(encoding="utf-8"), VIEWER)
            self.assertIn(f"{folder}/index.html: 0.00 MB\n".encode(), done.stderr)

    def test_viewer_alone_can_be_a_file(self):
        self.run_page("-o", self.page)
        self.assertEqual(self.page.read_text(encoding="utf-8"), VIEWER)
        self.assertEqual(self.run_page("-o", "-").stdout.decode(), VIEWER)

    def test_input_is_not_replaced(self):
        trace = self.folder / "trace.html"
        shutil.copy(TRACE, trace)
        self.assertIn(b"it is the input", self.run_page("-o", trace, trace, code=1).stderr)
        self.assertEqual(trace.read_bytes(), TRACE.read_bytes())

    def test_what_cannot_be_written_is_said(self):
        missing = self.folder / "missing" / "out.html"
        self.assertIn(b"No such file", self.run_page("-o", missing, TRACE, code=1).stderr)
        self.page.write_text("x", encoding="utf-8")
        done = self.run_page("-o", self.page / "site", code=1)
        self.assertIn(b"Not a directory", done.stderr)
        with open("/dev/full", "wb") as full:
            done = subprocess.run([COMMAND, "page", "--viewer", self.viewer, TRACE], stdout=full,
                                  stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"No space left", done.stderr)

    def test_cut_file_gives_what_it_holds(self):
        packed = self.folder / "cut.trace.gz"
        packed.write_bytes(gzip.compress(TRACE.read_bytes())[:-8])
        done = self.run_page("-o", self.page, packed)
        self.check_page(self.page.read_text(encoding="utf-8"), name="cut.trace.gz")
        self.assertIn(b"unexpected end of file; what came before is read", done.stderr)

    def test_what_is_no_trace_leaves_the_file_as_it_is(self):
        self.page.write_text("before", encoding="utf-8")
        for content in (b"", b"no trace", gzip.compress(b"no trace"), b"\x1f\x8b broken"):
            path = self.folder / "file"
            path.write_bytes(content)
            with self.subTest(content=content):
                done = self.run_page("-o", self.page, path, code=1)
                self.assertIn(b"gotrace: ", done.stderr)
                self.assertEqual(self.page.read_text(encoding="utf-8"), "before")
        self.assertIn(b"No such file", self.run_page("/nonexistent", code=1).stderr)

    def test_trace_that_no_browser_could_open_is_refused(self):
        trace = self.folder / "large.trace"
        shutil.copy(TRACE, trace)
        os.truncate(trace, 403 << 20)
        done = self.run_page("-o", self.page, trace, code=1,
                             env={**os.environ, "PATH": str(self.folder)})
        self.assertIn(b"gotrace view", done.stderr)
        self.assertFalse(self.page.exists())

    def test_other_pages_are_no_viewer(self):
        for text in ("", "<html>", VIEWER + VIEWER, VIEWER.replace("connect-src", ""),
                     "<!-- TRACE -->" + VIEWER.replace("<!-- TRACE -->", ""), VIEWER + "\0"):
            self.viewer.write_text(text, encoding="utf-8")
            with self.subTest(text=text[:20]):
                self.assertIn(b"is not the page", self.run_page(TRACE, code=1).stderr)
        self.viewer.unlink()
        self.assertIn(b"No such file", self.run_page(TRACE, code=1).stderr)

    def test_viewer_is_found_where_the_command_is_installed(self):
        """The command is moved to places without a page and with one."""
        program = self.folder / "bin" / "gotrace"
        program.parent.mkdir()
        shutil.copy(COMMAND, program)
        libraries = pathlib.Path(COMMAND).parents[2] / "lib"
        environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries)}
        if not os.path.exists("/usr/local/share/gotrace/gotrace.html"):
            done = self.run_page(TRACE, viewer=False, code=1, command=program, env=environment)
            self.assertIn(b"without a compiler for WebAssembly", done.stderr)
        place = self.folder / "share" / "gotrace" / "gotrace.html"
        place.parent.mkdir(parents=True)
        place.write_text(VIEWER, encoding="utf-8")
        self.check_page(self.run_page(TRACE, viewer=False, command=program,
                                      env=environment).stdout.decode())

    def test_wrong_use(self):
        self.run_page("-o", "", TRACE, code=2)
        self.run_page(TRACE, TRACE, code=2)
        self.run_page("--nothing", code=2)


if __name__ == "__main__":
    unittest.main()
