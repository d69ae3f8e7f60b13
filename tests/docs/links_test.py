#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Links in the documents lead somewhere.

links_test.py --root DIR

Each relative link in docs/*.md, README.md and testdata/README.md names a file or folder of the
source tree, and where it has a fragment, a heading of that document. Pictures are no larger
than they should be, and each is shown somewhere. docs/README.md leads to every document.
"""

import argparse
import pathlib
import re
import sys

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LARGEST = 150_000


def read_prose(path):
    """A document without its samples."""
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def anchors(path):
    """The names of a document's headings, as web sites that show Markdown make them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", read_prose(path), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        found.add(re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-"))
    return found


def check_link(root, path, link):
    name, _, fragment = link.partition("#")
    target = (path.parent / name).resolve() if name else path
    where = "%s: %s" % (path.relative_to(root), link)
    if root not in target.parents and target != root or not target.exists():
        yield "%s leads nowhere" % where
    elif fragment and target.suffix == ".md" and fragment not in anchors(target):
        yield "%s: there is no such heading" % where


def check_documents(root, paths):
    for path in paths:
        for link in LINK.findall(read_prose(path)):
            if not re.match(r"[a-z]+:", link):
                yield from check_link(root, path, link)


def check_pictures(root, paths):
    shown = {(path.parent / link).resolve() for path in paths
             for link in LINK.findall(read_prose(path))}
    for picture in sorted((root / "docs/pictures").iterdir()):
        if picture not in shown:
            yield "%s is shown nowhere" % picture.name
        if picture.stat().st_size > LARGEST:
            yield "%s is larger than %d bytes" % (picture.name, LARGEST)


def check_index(root):
    index = root / "docs" / "README.md"
    linked = {link.partition("#")[0] for link in LINK.findall(read_prose(index))}
    for path in sorted((root / "docs").glob("*.md")):
        if path != index and path.name not in linked:
            yield "docs/README.md does not lead to %s" % path.name


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, required=True)
    root = parser.parse_args().root.resolve()
    paths = sorted((root / "docs").glob("*.md")) + [root / "README.md", root / "testdata/README.md"]
    problems = list(check_documents(root, paths))
    problems += check_pictures(root, paths)
    problems += check_index(root)
    for problem in problems:
        print(problem)
    print("%d documents, %d problems" % (len(paths), len(problems)))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
