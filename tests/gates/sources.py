# SPDX-License-Identifier: BSD-3-Clause
"""Reads C sources for the gates of this folder: which files there are, which functions they
define, how long and how deeply nested those are, and what includes what."""
import bisect
import collections
import functools
import pathlib
import re
import shutil
import subprocess

Function = collections.namedtuple("Function", "name path line lines nesting static")

# Comments, literals and preprocessor lines, in the order in which C looks for them.
LEXEMES = re.compile(
    r"(?P<comment>/\*.*?\*/|//[^\n]*)"
    r"|(?P<literal>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|(?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)", re.S | re.M)
TOKEN = re.compile(r"\w+|[{}();:]|[^\s\w{}();:]")
CONTROL = {"if", "for", "while", "switch"}


def tracked_files(root):
    """The paths of all files below `root` relative to it: what git knows, or without git
    everything outside of build directories."""
    root = pathlib.Path(root)
    if shutil.which("git"):
        git = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
        if git.returncode == 0 and git.stdout:
            names = git.stdout.split("\0")
            return sorted(name for name in names if name and (root / name).is_file())
    return sorted(walk(root, root))


def walk(root, folder):
    if (folder / "meson-private").is_dir():
        return
    for path in folder.iterdir():
        # In a worktree, .git is a file.
        if path.name in (".git", "__pycache__", "node_modules"):
            continue
        if path.is_dir():
            yield from walk(root, path)
        elif path.is_file():
            yield path.relative_to(root).as_posix()


def blank(text):
    """`text` as spaces that keeps its line ends."""
    return re.sub(r"[^\n]", " ", text)


class Source:
    """One C file."""

    def __init__(self, root, path):
        self.path = path
        self.text = (pathlib.Path(root) / path).read_text()
        # Without comments; and without literals and preprocessor lines as well.
        self.uncommented = LEXEMES.sub(
            lambda match: blank(match[0]) if match["comment"] else match[0], self.text)
        self.code = LEXEMES.sub(
            lambda match: '""' + " " * (len(match[0]) - 2) if match["literal"]
            else blank(match[0]), self.text)
        self.starts = [match.start() for match in re.finditer("^", self.code, re.M)]

    def line_of(self, position):
        return bisect.bisect_right(self.starts, position)

    def includes(self):
        return re.findall(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', self.uncommented, re.M)

    def code_lines(self):
        """How many lines have something else than comments."""
        return sum(1 for line in self.uncommented.split("\n") if line.strip())

    def comment_lines(self):
        """How many lines have nothing but comments."""
        return sum(1 for bare, full in zip(self.uncommented.split("\n"), self.text.split("\n"))
                   if not bare.strip() and full.strip())

    @functools.cached_property
    def functions(self):
        tokens = [(match[0], match.start()) for match in TOKEN.finditer(self.code)]
        found, head, index = [], [], 0
        while index < len(tokens):
            word = tokens[index][0]
            if word == "{" and [part for part, _ in head] == ["extern", '"', '"']:
                head = []
            elif word == "{":
                end = matching(tokens, index)
                if function_name(head):
                    found.append(self.function(head, tokens[index:end + 1]))
                    head = []
                index = end
            elif word in (";", "}"):
                head = []
            else:
                head.append(tokens[index])
            index += 1
        return found

    def function(self, head, body):
        line = self.line_of(head[0][1])
        words = [word for word, _ in head]
        return Function(function_name(head), self.path, line,
                        self.line_of(body[-1][1]) - line + 1, Nesting(body).depth,
                        "static" in words)


def matching(tokens, index):
    """The index of the bracket that closes the one at `index`."""
    opening = tokens[index][0]
    closing = {"{": "}", "(": ")"}[opening]
    depth = 0
    for at in range(index, len(tokens)):
        depth += (tokens[at][0] == opening) - (tokens[at][0] == closing)
        if depth == 0:
            return at
    return len(tokens) - 1


def function_name(head):
    """The name of the function that the tokens before a '{' begin, or None."""
    words = [word for word, _ in head]
    if "(" not in words or words[-1] != ")" or "=" in words or "typedef" in words:
        return None
    names, depth = [], 0
    for before, word in zip(words, words[1:]):
        if word == "(" and depth == 0 and re.match(r"\w", before):
            names.append(before)
        depth += (word == "(") - (word == ")")
    # Attributes are macros, and come before or after.
    return next((name for name in names if not name.isupper() and not name.startswith("__")),
                names[0] if names else None)


class Nesting:
    """How deeply control statements are nested in a function's body; "else if" is as deep as
    its "if"."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.depth = 0
        self.statement(0, 0)

    def word(self, index):
        return self.tokens[index][0] if index < len(self.tokens) else ""

    def statement(self, index, depth):
        """Reads the statement at `index` within `depth` others; returns where the next is."""
        word = self.word(index)
        if word == "{":
            return self.block(index, depth)
        if word in CONTROL or self.is_loop_macro(index):
            return self.controlled(index, depth)
        if word == "do":
            self.depth = max(self.depth, depth + 1)
            return self.simple(self.statement(index + 1, depth + 1))
        if word in ("case", "default") or self.word(index + 1) == ":":
            return self.label(index)
        return self.simple(index)

    def is_loop_macro(self, index):
        word = self.word(index)
        return (re.match(r"\w", word) and word != "return" and self.word(index + 1) == "("
                and self.word(matching(self.tokens, index + 1) + 1) == "{")

    def block(self, index, depth):
        index += 1
        while index < len(self.tokens) and self.word(index) != "}":
            index = self.statement(index, depth)
        return index + 1

    def controlled(self, index, depth):
        self.depth = max(self.depth, depth + 1)
        is_if = self.word(index) == "if"
        index = self.statement(matching(self.tokens, index + 1) + 1, depth + 1)
        if is_if and self.word(index) == "else":
            index = self.statement(index + 1, depth + (self.word(index + 1) != "if"))
        return index

    def label(self, index):
        while index < len(self.tokens) and self.word(index) != ":":
            index += 1
        return index + 1

    def simple(self, index):
        while index < len(self.tokens) and self.word(index) not in (";", "}"):
            if self.word(index) in ("{", "("):
                index = matching(self.tokens, index)
            index += 1
        return index + (self.word(index) == ";")


def c_sources(root, folders):
    return [Source(root, path) for path in tracked_files(root)
            if path.endswith((".c", ".h")) and path.startswith(tuple(f"{folder}/"
                                                                     for folder in folders))]


def include_graph(sources, folders=("lib", "examples/gotrace", "include")):
    """Which of `sources` each of them includes."""
    paths = {source.path for source in sources}
    graph = {}
    for source in sources:
        near = source.path.rsplit("/", 1)[0]
        graph[source.path] = {
            path for included in source.includes() for folder in (near, *folders)
            if (path := f"{folder}/{included}") in paths}
    return graph


def cycles(graph):
    """The sets of more than one node of which each reaches each other, largest first."""
    reached = {node: reachable(graph, node) for node in graph}
    found = {frozenset(other for other in reached[node] if node in reached[other])
             for node in graph if node in reached[node]}
    return sorted((group for group in found if len(group) > 1), key=lambda group:
                  (-len(group), sorted(group)))


def reachable(graph, start):
    seen, waiting = set(), [start]
    while waiting:
        for node in graph.get(waiting.pop(), ()):
            if node not in seen:
                seen.add(node)
                waiting.append(node)
    return seen


def pairs(graph):
    """The same graph with a .c and a .h of one name as one node."""
    joined = collections.defaultdict(set)
    for node, targets in graph.items():
        stem = node.rsplit(".", 1)[0]
        joined[stem] |= {target.rsplit(".", 1)[0] for target in targets} - {stem}
    return joined
