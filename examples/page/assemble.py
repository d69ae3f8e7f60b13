# SPDX-License-Identifier: BSD-3-Clause
"""assemble.py OUTPUT MODULE: makes the page gotrace.html, which contains the module and everything
else that the viewer needs. Runs while the project is built."""

import base64
import gzip
import hashlib
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent
# Scripts are those of the page and of the module; both the frame and the Worker inherit this. The
# page may load traces from its own site, and nothing from any other.
POLICY = ("default-src 'none'; script-src 'sha256-@HASH@' blob: 'wasm-unsafe-eval'; "
          "worker-src blob:; style-src blob: 'unsafe-inline'; img-src blob: data:; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'")


def read(name):
    return (FOLDER / name).read_text(encoding="utf-8")


def worker():
    """The Worker as one classic script: from disk, browsers start no other kind."""
    engine = read("engine.js").replace("export class", "class")
    return engine + re.sub(r"^import .*\n", "", read("worker.js"), flags=re.M)


def main(output, module):
    shell = "\n" + read("shell.js")
    digest = base64.b64encode(hashlib.sha256(shell.encode()).digest()).decode()
    packed = gzip.compress(pathlib.Path(module).read_bytes(), 9, mtime=0)
    parts = {
        "POLICY": POLICY.replace("@HASH@", digest),
        "STYLE": read("shell.css"),
        "WORKER": worker(),
        "MODULE": base64.b64encode(packed).decode(),
        "SHELL": shell,
    }
    for name in ("WORKER", "SHELL"):
        assert not re.search("</script|<!--", parts[name], re.I), name
    page = re.sub(r"@(\w+)@", lambda match: parts[match[1]], read("shell.html"))
    pathlib.Path(output).write_text(page, encoding="utf-8")


main(*sys.argv[1:])
