#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""with_trace.py PAGE TRACE OUTPUT: writes the page gotrace.html together with a trace as one HTML
file, which shows the trace wherever it is opened and can load nothing from anywhere."""

import base64
import html
import pathlib
import sys

PLACE = "<!-- TRACE -->"
OWN_SITE = "connect-src 'self'"


def main(page, trace, output):
    text = pathlib.Path(page).read_text(encoding="utf-8")
    if text.count(PLACE) != 1 or text.count(OWN_SITE) != 1:
        sys.exit(f"{page} is not gotrace.html")
    data = base64.b64encode(pathlib.Path(trace).read_bytes()).decode()
    name = html.escape(pathlib.Path(trace).name)
    block = (f'<script id="trace" type="application/octet-stream" data-name="{name}">{data}'
             "</script>")
    text = text.replace(OWN_SITE, "connect-src 'none'").replace(PLACE, block)
    pathlib.Path(output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
