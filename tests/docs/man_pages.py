#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the manual pages of section 3 from the public headers.

man_pages.py ROOT           writes docs/man/gotrace_*.3 and docs/man/functions
man_pages.py --check ROOT   says which of them are not what the headers make

A page keeps its date for as long as nothing else changes in it. docs/man/functions
has a line for each function, with its page, for the names that lead there.
"""

import argparse
import datetime
import pathlib
import re
import sys

import headers

LIBRARIES = {
    "emitter": "viewer", "viewer_json": "viewer", "timeline": "timeline", "web": "web",
    "recorder": "recorder", "columns": "columns", "parquet": "columns",
    "arrow": "columns",
}
OVERVIEW = "libgotrace"
TOKEN = re.compile(r"`[^`]+`|\bGT_[A-Z0-9_]+\b|\bgt_\w+(?:\.\w+)?")
SENTENCE = re.compile(r"(?:(?<=[a-z0-9)\]\"`'])|(?<=[A-Z][A-Z]))([.?!]) (?=[A-Z`])")


def page_of(header):
    return "gotrace_" + header.name


class Writer:
    """Lines of mdoc, in which what the headers mark up is macros."""

    def __init__(self, functions):
        self.functions = functions
        self.lines = []

    def macro(self, text):
        self.lines.append(text)

    @staticmethod
    def escape(text):
        text = text.replace("\\", "\\e")
        return "\\&" + text if text.startswith((".", "'")) else text

    def mark(self, token):
        """The macro for one token: a function, a type, a constant, or code."""
        bare = token.strip("`")
        if bare in self.functions:
            return "Fn " + bare
        if re.fullmatch(r"GT_[A-Z0-9_]+", bare):
            return "Dv " + bare
        if re.fullmatch(r"gt_\w+", bare):
            return "Vt " + bare
        if re.fullmatch(r"[*&]?\w+(?:(?:\.|->)\w+)*", bare):
            return "Va " + bare
        return "Ql " + bare.replace("\\", "\\e")

    def sentence(self, text):
        """One sentence; each token gets a line with what is attached to it."""
        position = 0
        for found in TOKEN.finditer(text):
            if found.start() < position:
                continue
            before = text[position:found.start()]
            head, _space, glued = before.rpartition(" ")
            if head.strip():
                self.lines.append(self.escape(head.strip()))
            after = re.match(r"[^\s`]*", text[found.end():]).group(0)
            closing = re.match(r"[).,:;?!]*", after).group(0)
            rest = after[len(closing):]
            if rest:
                closing, rest = "", after
            line = "." + self.mark(found.group(0))
            if glued:
                line = ".%s%s" % ("No " if glued.strip("([") else "", glued)
                line = (".No %s Ns %s" % (self.escape(glued), self.mark(found.group(0)))
                        if glued.strip("([") else
                        "." + self.mark(found.group(0)).replace(" ", " %s " % " ".join(glued), 1))
            line += "".join(" " + mark for mark in closing)
            if rest:
                line += " Ns %s" % self.escape(rest)
            self.lines.append(line)
            position = found.end() + len(after)
        tail = text[position:].strip()
        if tail:
            self.lines.append(self.escape(tail))

    def prose(self, text):
        """A paragraph. Sentences begin on lines of their own, which sets their spaces."""
        text = SENTENCE.sub(lambda found: found.group(1) + "\n",
                            headers.squeeze(text))
        for sentence in text.split("\n"):
            self.sentence(sentence)

    def literal(self, text):
        self.lines.append(".Bd -literal -offset indent")
        self.lines += [self.escape(line) for line in text.strip("\n").split("\n")]
        self.lines.append(".Ed")

    def bullets(self, text):
        self.lines.append(".Bl -bullet -compact")
        for point in re.split(r"^- ", text, flags=re.MULTILINE)[1:]:
            self.lines.append(".It")
            self.prose(point)
        self.lines.append(".El")

    def retvals(self, text):
        self.lines.append(".Bl -tag -width Ds")
        for part in text.split("@retval")[1:]:
            names = re.match(r"\s*((?:GT_\w+|other)(?:,\s*(?:GT_\w+))*)(.*)", part, re.DOTALL)
            listed = re.split(r",\s*", names.group(1))
            self.lines.append(".It " + " , ".join(
                "Dv " + name if name.startswith("GT_") else "No " + name for name in listed))
            self.prose(names.group(2))
        self.lines.append(".El")

    def comment(self, text):
        """A whole comment: paragraphs, lists, samples, what is returned."""
        text = re.sub(r"@since [\d.]+|@name[^\n]*\n|@\{", "", text).strip()
        parts = re.split(r"\n\s*\n|(?=@retval)|(?=^- )|(?=@code)|(?<=@endcode)", text,
                         flags=re.MULTILINE)
        parts = [part.strip() for part in parts if part.strip()]
        merged = []
        for part in parts:
            kind = next((mark for mark in ("@retval", "- ", "@code") if part.startswith(mark)), "")
            if merged and kind in ("@retval", "- ") and merged[-1][0] == kind:
                merged[-1][1] += "\n" + part
            else:
                merged.append([kind, part])
        for index, (kind, part) in enumerate(merged):
            if index > 0 and kind == "":
                self.lines.append(".Pp")
            if kind == "@retval":
                self.retvals(part)
            elif kind == "- ":
                self.bullets(part)
            elif kind == "@code":
                self.literal(part.replace("@code", "").replace("@endcode", ""))
            else:
                self.prose(part)


def comment_of(item, comments):
    """A comment, or the one that it refers to."""
    found = re.search(r"@copydoc (gt_\w+)", item.comment)
    return comments[found.group(1)] if found else item.comment


def write_synopsis(out, header):
    library = "libgotrace" + ("-" + LIBRARIES[header.name] if header.name in LIBRARIES else "")
    out.macro(".Sh LIBRARY")
    out.macro(".Em %s Pq Fl l Ns %s" % (library, library[len("lib"):]))
    out.macro(".Sh SYNOPSIS")
    out.macro(".In gotrace/%s.h" % header.name)
    for item in header.items:
        if item.kind == "function":
            out.macro(".Ft " + item.result)
            quoted = " ".join('"%s"' % declared for declared, _name in item.parameters)
            out.macro(".Fn %s %s" % (item.name, quoted or "void"))


def write_functions(out, items, comments):
    """Functions, under the names of their groups and with the text on these."""
    group = None
    for index, item in enumerate(items):
        if item.group != group:
            if group is not None:
                out.macro(".El")
            group = item.group
            title = re.match(r"@name (.*)", group)
            out.macro(".Ss " + (title.group(1) if title else
                                "Functions" if index == 0 else "Other functions"))
            out.comment(group)
            out.macro(".Bl -tag -width Ds")
        names = " ".join('"%s"' % name for _declared, name in item.parameters)
        out.macro(".It Fn %s %s" % (item.name, names) if names else ".It Fn " + item.name)
        out.comment(comment_of(item, comments))
    out.macro(".El")


def write_members(out, item):
    out.macro(".Pp")
    out.macro(".Bl -tag -width Ds -compact")
    for member in item.members:
        text = member.text.replace("\\", "\\e")
        out.macro((".It Dv %s" if item.kind == "enum" else '.It Vt "%s"') % text)
        if member.comment:
            out.comment(member.comment)
    out.macro(".El")


def write_types(out, items):
    out.macro(".Ss Types")
    out.macro(".Bl -tag -width Ds")
    for item in items:
        if item.kind in ("struct", "enum"):
            out.macro(".It Vt " + '"%s"' % " ".join(filter(None, (item.kind, item.name))))
        else:
            out.macro('.It Vt "%s"' % item.text)
        out.comment(item.comment)
        if item.members:
            write_members(out, item)
    out.macro(".El")


def write_constants(out, items):
    out.macro(".Ss Constants")
    out.macro(".Bl -tag -width Ds")
    for item in items:
        out.macro(".It Dv " + item.name)
        out.comment(item.comment)
    out.macro(".El")


def write_related(out, header, pages):
    """The pages of what the header mentions, and the overview."""
    text = " ".join(item.comment + item.text for item in header.items) + header.comment
    related = {pages[name] for name in re.findall(r"gt_\w+", text) if name in pages}
    related = sorted(related - {page_of(header)}) + [OVERVIEW]
    out.macro(".Sh SEE ALSO")
    for index, page in enumerate(related):
        out.macro(".Xr %s 3%s" % (page, " ," if index + 1 < len(related) else ""))


def write_page(header, names, comments, pages):
    """The page of a header, without its date."""
    out = Writer({name for name in names})
    functions = [item for item in header.items if item.kind == "function"]
    first = re.match(r"(.*?)[.:]( |\n|$)", header.comment, re.DOTALL).group(1)
    out.macro(".Dt %s 3" % page_of(header).upper())
    out.macro(".Os")
    out.macro(".Sh NAME")
    listed = [page_of(header)] + [item.name for item in functions]
    for index, name in enumerate(listed):
        out.macro(".Nm %s%s" % (name, " ," if index + 1 < len(listed) else ""))
    out.macro(".Nd " + headers.squeeze(first[0].lower() + first[1:]))
    write_synopsis(out, header)
    out.macro(".Sh DESCRIPTION")
    out.comment(header.comment)
    if functions:
        write_functions(out, functions, comments)
    types = [item for item in header.items if item.kind in ("struct", "enum", "alias", "pointer")]
    if types:
        write_types(out, types)
    macros = [item for item in header.items if item.kind == "macro"]
    if macros:
        write_constants(out, macros)
    write_related(out, header, pages)
    return "\n".join(out.lines) + "\n"


def make_all(root):
    """All files that are made, by their paths below the root; pages lack their dates."""
    found = [header for header in headers.read_headers(root) if header.items]
    comments = {item.name: item.comment for header in found for item in header.items if item.name}
    pages = {item.name: page_of(header)
             for header in found for item in header.items if item.name}
    names = [item.name for header in found for item in header.items if item.kind == "function"]
    files = {"docs/man/%s.3" % page_of(header): write_page(header, names, comments, pages)
             for header in found}
    files["docs/man/functions"] = LIST_HEAD + "".join("%s %s\n" % (name, pages[name])
                                                      for name in sorted(names))
    return files


LIST_HEAD = "# SPDX-License-Identifier: BSD-3-Clause\n# Made by tests/docs/man_pages.py.\n"
HEAD = '.\\" SPDX-License-Identifier: BSD-3-Clause\n.\\" Made by tests/docs/man_pages.py.\n'


def split_page(text):
    """A page's date, and the rest; the date is None where it is no page."""
    found = re.fullmatch(re.escape(HEAD) + r"\.Dd ([^\n]*)\n(.*)", text, re.DOTALL)
    return found.groups() if found else (None, text)


def read(path):
    return path.read_text(encoding="utf-8") if path.exists() else ""


def stale_files(root):
    files = make_all(root)
    made = {str(path.relative_to(root)) for path in (root / "docs/man").glob("gotrace_*.3")}
    return sorted(name for name in set(files) | made
                  if split_page(read(root / name))[1] != files.get(name))


def write_files(root):
    files = make_all(root)
    today = datetime.date.today()
    for name in stale_files(root):
        if name not in files:
            (root / name).unlink()
            continue
        date = "%s %d, %d" % (today.strftime("%B"), today.day, today.year)
        head = HEAD + ".Dd %s\n" % date if name.endswith(".3") else ""
        (root / name).write_text(head + files[name], encoding="utf-8")
        print(name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("root", type=pathlib.Path)
    options = parser.parse_args()
    if not options.check:
        write_files(options.root)
        return
    stale = stale_files(options.root)
    for name in stale:
        print("%s is not what the headers make: run tests/docs/man_pages.py" % name)
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
