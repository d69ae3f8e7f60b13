#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the public headers declare, with the comments on it.

The headers are laid out in one way, which this relies on: a comment that begins
with "/**" stands right before what it is about, and "@name ... @{" opens a group.
A declaration that is laid out otherwise is an error, so nothing is passed over.
"""

import re
from dataclasses import dataclass, field

FUNCTION = re.compile(r"GT_API\s+(.*?[\s*])(gt_\w+)\((.*)\)", re.DOTALL)
POINTER = re.compile(r"typedef\s+(.*?)\(\*(gt_\w+)\)\((.*)\)", re.DOTALL)
STRUCT = re.compile(r"typedef struct (gt_\w+) \{\n(.*)\} gt_\w+", re.DOTALL)
ENUM = re.compile(r"(?:typedef )?enum (?:(gt_\w+) )?\{\n(.*)\}(?: gt_\w+)?", re.DOTALL)
ALIAS = re.compile(r"typedef (.*?)(gt_\w+)", re.DOTALL)
COMMENT = re.compile(r"/\*\*?(.*?)\*/", re.DOTALL)
MEMBER = re.compile(r"[^;]*?\(\*(\w+)\)[^;]*|[^;]*?(\w+)(?:\[\w+\])?")
# Not for readers of the reference: guards, and how symbols are exported.
HIDDEN = re.compile(r"GOTRACE_\w+_H|GT_API|GT_NODISCARD|GT_NONNULL|GT_DEPRECATED")
# Their values and names are the format's, which docs/formats.md describes.
WIRE_TYPES = ("Values of gt_wire_type.", "Values of gt_v1_type.")


class Bad(Exception):
    """A header is not as headers are, or does not document something."""


@dataclass
class Item:
    """A declaration, or a member of one."""
    kind: str
    name: str
    text: str
    comment: str
    group: str = ""
    members: list = field(default_factory=list)
    result: str = ""
    parameters: list = field(default_factory=list)


@dataclass
class Header:
    name: str
    comment: str
    items: list


def clean(comment):
    """A comment's text: without its stars, and without what only Doxygen needs."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.split("\n")]
    text = "\n".join(lines).strip()
    return text[2:].strip() if text.startswith("* ") else text


def squeeze(text):
    return re.sub(r"\s+", " ", text).strip()


def split_parameters(text):
    """Parameters of a function; commas in those that are functions do not occur."""
    if squeeze(text) in ("", "void"):
        return []
    found = []
    for part in text.split(","):
        part = squeeze(part)
        name = re.search(r"(\w+)$", part)
        if not name:
            raise Bad("a parameter without a name: %s" % part)
        found.append((part, name.group(1)))
    return found


def without_cplusplus(body):
    """The members of a structure without those that only C++ sees."""
    return re.sub(r"^#if defined\(__cplusplus.*?^#endif\n", "", body,
                  flags=re.DOTALL | re.MULTILINE)


def read_members(place, body, separator):
    body = without_cplusplus(body)
    """Members of a structure or an enumeration, each with the comment before it."""
    members, comment, position = [], "", 0
    while True:
        while position < len(body) and body[position].isspace():
            position += 1
        if position == len(body):
            return members
        found = COMMENT.match(body, position)
        if found:
            comment = clean(found.group(1)) if body.startswith("/**", position) else comment
            position = found.end()
            continue
        end = body.find(separator, position)
        end = len(body.rstrip()) if end < 0 else end
        text = squeeze(body[position:end])
        name = re.match(r"(\w+)", text) if separator == "," else MEMBER.fullmatch(text)
        if not name:
            raise Bad("%s: cannot read the member '%s'" % (place, text))
        members.append(Item("member", next(filter(None, name.groups())), text, comment))
        comment, position = "", end + 1


def make_item(place, text, comment, group):
    """The item that a declaration is, which ends before its semicolon."""
    for kind, pattern in (("function", FUNCTION), ("pointer", POINTER)):
        found = pattern.fullmatch(text)
        if found:
            result, name, parameters = found.groups()
            return Item(kind, name, squeeze(text), comment, group, result=squeeze(result),
                        parameters=split_parameters(parameters))
    for kind, pattern, separator in (("struct", STRUCT, ";"), ("enum", ENUM, ",")):
        found = pattern.fullmatch(text)
        if found:
            name, body = found.groups()
            return Item(kind, name or "", name or "", comment, group,
                        members=read_members(place, body, separator))
    found = ALIAS.fullmatch(text)
    if found:
        return Item("alias", found.group(2), squeeze(text), comment, group)
    raise Bad("%s: cannot read '%s'" % (place, squeeze(text)[:60]))


def declaration_end(text, position):
    """Where the semicolon is that ends the declaration, past all braces."""
    depth = 0
    while position < len(text):
        found = COMMENT.match(text, position)
        if found:
            position = found.end()
            continue
        if text[position] == ";" and depth == 0:
            return position
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        position += 1
    raise Bad("a declaration without an end")


def read_macro(text, position):
    """The name of the macro that is defined here, and where its definition ends."""
    found = re.compile(r"#define (\w+(?:\(\w+\))?)((?:\\\n|[^\n])*)\n").match(text, position)
    return found.group(1), squeeze(found.group(2).replace("\\\n", " ")), found.end()


def without_attributes(text):
    """Declarations without what compilers are told of them besides."""
    return re.sub(r"\s*\bGT_NONNULL\(\([\d, ]+\)\)|(?<=^GT_API )GT_NODISCARD |"
                  r'^GT_DEPRECATED\("[^"]*"\)\s*', "", text, flags=re.M)


def read_header(path):
    """The declarations of a header, in its order."""
    text, items, comment, group, position = path.read_text(encoding="utf-8"), [], "", "", 0
    # Structures of Arrow's specification, which says what they mean.
    text = re.sub(r"^#ifndef ARROW_\w+\n.*?^#endif\n", "", text, flags=re.M | re.S)
    text = without_attributes(text)
    about, last_macro = "", None
    while position < len(text):
        place = "%s:%d" % (path.name, text.count("\n", 0, position) + 1)
        if text[position].isspace():
            position += 1
        elif text.startswith("#define", position):
            name, value, position = read_macro(text, position)
            if not HIDDEN.match(name):
                last_macro = Item("macro", name, value, comment, group)
                items.append(last_macro)
            comment = ""
        elif text[position] == "#" or text.startswith("}\n", position):
            position = text.find("\n", position)
        elif text.startswith('extern "C" {', position):
            position += len('extern "C" {')
        elif re.match(r"struct \w+;", text[position:position + 60]):
            position = text.find(";", position) + 1
        elif text.startswith("/*", position):
            found = COMMENT.match(text, position)
            said, position = clean(found.group(1)), found.end()
            if said.startswith("@file"):
                about = said[len("@file"):].strip()
            elif said.startswith("@name"):
                group = said
            elif said == "@}":
                group = ""
            elif found.group(0).startswith("/**"):
                comment = said
        else:
            end = declaration_end(text, position)
            items.append(make_item(place, text[position:end], comment, group))
            comment, position = "", end + 1
    return Header(path.stem, about, items)


def read_headers(root):
    return [read_header(path) for path in sorted((root / "include" / "gotrace").glob("*.h"))]


def is_mentioned(name, text):
    """Whether a comment speaks of a parameter: in code quotes, or by a word that is one."""
    return (re.search(r"`[^`]*\b%s\b[^`]*`" % re.escape(name), text) is not None or
            len(name) > 3 and re.search(r"\b%s\b" % re.escape(name), text) is not None)


def is_plain(declared, name, item):
    """
    Whether a parameter needs no words: the object that a function is of, a structure of the
    same name, and what a callback of the caller's gets back as it is.
    """
    kind = re.match(r"(?:const )?gt_(\w+) \*", declared)
    if item.kind == "pointer" and name == "user_data":
        return True
    return bool(kind) and (kind.group(1) == name or item.name.startswith("gt_%s_" % kind.group(1)))


def said_of(item, comments):
    """All comments that are about a function: its own, its group's, and what those refer to."""
    text = item.comment + " " + item.group
    for name in re.findall(r"(?:\bAs|\bas|@copydoc) (gt_\w+)", text):
        text += " " + comments.get(name, "")
    return text


def check_item(header, item, comments):
    """What is missing in the comments on one declaration."""
    where = "%s.h: %s" % (header.name, item.name or "an enumeration")
    if not re.sub(r"@since [\d.]+", "", item.comment).strip():
        yield "%s has no comment" % where
    elif "@since" not in item.comment:
        yield "%s does not say since when it is there" % where
    for member in item.members:
        if not member.comment and not item.comment.startswith(WIRE_TYPES):
            yield "%s: %s has no comment" % (where, member.name)
    text = said_of(item, comments)
    for declared, name in item.parameters:
        if not is_mentioned(name, text) and not is_plain(declared, name, item):
            yield "%s does not say what `%s` is" % (where, name)


def check_headers(headers):
    comments = {item.name: item.comment + " " + item.group
                for header in headers for item in header.items if item.name}
    return [problem for header in headers for item in header.items
            for problem in check_item(header, item, comments)]
