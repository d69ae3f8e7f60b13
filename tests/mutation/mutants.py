# SPDX-License-Identifier: BSD-3-Clause
"""Makes mutants of C sources: each changes one operator, constant, return value or argument,
negates one condition, or removes one statement. It relies on the layout that clang-format
keeps: a binary operator has spaces around it."""
import collections
import hashlib
import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "gates"))
import sources  # noqa: E402

# `start` and `end` are offsets in the text of the file; `before` and `after` are the lines that
# change, in one line each; `number` tells apart mutants of which all that is equal.
Mutant = collections.namedtuple("Mutant",
                                "path function kind line start end text before after number")

TOKEN = re.compile(r'""|[A-Za-z_]\w*|\d[\w.]*|->|<<=|>>=|\+\+|--|&&|\|\||[<>=!+\-*/%&|^]=|<<|>>'
                   r"|[^\s\w]")
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "<<": ">>",
    ">>": "<<", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=", "^=": "|=",
    "<<=": ">>=", ">>=": "<<=", "++": "--", "--": "++",
}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="}
CONTROL = {"if", "for", "while", "switch"}
NO_CALLS = CONTROL | {"return", "sizeof", "assert", "static_assert", "offsetof", "defined",
                      "__attribute__", "_Alignof"}
CLOSING = {"(": ")", "{": "}", "[": "]"}


class File:
    """The tokens of a C file and its functions, and the mutants of both."""

    def __init__(self, root, path):
        self.source = sources.Source(root, path)
        self.text = self.source.text
        self.tokens = [(match[0], match.start()) for match in
                       TOKEN.finditer(self.source.code)]
        self.words = [word for word, _ in self.tokens]
        self.found = []
        self.function = "-"

    def mutants(self):
        covered = []
        for function in self.source.functions:
            first, end = self.token_range(function)
            body = self.words.index("{", first, end)
            covered.append((first, end))
            self.function = function.name
            self.body(body + 1, end - 1, self.returned_type(first, body, function.name))
        self.function = "-"
        for first, end in outside(covered, len(self.tokens)):
            self.constants(first, end)
        return self.numbered()

    def token_range(self, function):
        starts = self.source.starts + [len(self.text)]
        begin, end = starts[function.line - 1], starts[function.line + function.lines - 1]
        places = [index for index, (_, at) in enumerate(self.tokens) if begin <= at < end]
        return places[0], places[-1] + 1

    def returned_type(self, first, body, name):
        words = self.words[first:self.words.index(name, first, body)]
        return " ".join(word for word in words
                        if word not in ("static", "inline") and not word.isupper())

    def body(self, first, end, returned_type):
        self.constants(first, end)
        self.operators(first, end)
        self.conditions(first, end)
        self.calls(first, end)
        for begin, last in self.statements(first, end):
            self.statement(begin, last, returned_type)

    # What there is at a place.

    def matching(self, index):
        closing = CLOSING[self.words[index]]
        depth = 0
        for at in range(index, len(self.words)):
            depth += (self.words[at] == self.words[index]) - (self.words[at] == closing)
            if depth == 0:
                return at
        return len(self.words) - 1

    def span(self, first, last):
        """The offsets of the text from one token to another, including both."""
        return self.tokens[first][1], self.tokens[last][1] + self.width(last)

    def width(self, index):
        """A literal is longer than the token that stands for it."""
        at = self.tokens[index][1]
        literal = sources.LEXEMES.match(self.text, at) if self.words[index] == '""' else None
        return len(literal[0]) if literal else len(self.words[index])

    def piece(self, first, last):
        start, end = self.span(first, last)
        return self.text[start:end]

    def is_operand(self, index):
        word = self.words[index]
        return word in (")", "]", '""') or (re.match(r"\w", word) and word != "return")

    # What is changed.

    def add(self, kind, first, last, text):
        start, end = self.span(first, last)
        old = self.text[start:end]
        if squeezed(old) == squeezed(text):
            return
        # Later lines keep their numbers, and with them the objects of their assertions.
        text += "\n" * (old.count("\n") - text.count("\n"))
        line_start = self.text.rfind("\n", 0, start) + 1
        line_end = self.text.find("\n", end)
        before = squeezed(self.text[line_start:line_end])
        after = squeezed(self.text[line_start:start] + text + self.text[end:line_end])
        self.found.append(Mutant(self.source.path, self.function, kind,
                                 self.source.line_of(start), start, end, text, before, after, 1))

    def numbered(self):
        seen = collections.Counter()
        numbered = []
        for mutant in sorted(self.found, key=lambda mutant: mutant.start):
            key = key_of(mutant)
            seen[key] += 1
            numbered.append(mutant._replace(number=seen[key]))
        return numbered

    def constants(self, first, end):
        for index in range(first, end):
            word = self.words[index]
            if word in ("true", "false"):
                self.add("constant", index, index, "false" if word == "true" else "true")
            elif word[0].isdigit() and not self.is_size(index):
                for other in other_numbers(word):
                    self.add("constant", index, index, other)

    def is_size(self, index):
        """Whether it is the number of elements of an array, or of bits of a member: one more
        changes nothing but memory."""
        if self.words[index - 1] == ":":
            return self.words[index + 1] in (";", ",")
        return (self.words[index - 1] == "[" and self.words[index + 1] == "]" and index > 2
                and (self.words[index - 3] == "*" or re.match(r"\w", self.words[index - 3]))
                and self.words[index - 3] != "return")

    def operators(self, first, end):
        for index in range(first, end):
            word = self.words[index]
            if word not in OPERATORS:
                continue
            after = self.text[self.tokens[index][1] + len(word)]
            is_step = word in ("++", "--")
            if is_step or (self.is_operand(index - 1) and after.isspace()):
                self.add("operator", index, index, OPERATORS[word])

    def conditions(self, first, end):
        for index in range(first, end):
            word = self.words[index]
            if word in ("if", "while"):
                self.negate(index + 2, self.matching(index + 1) - 1)
            elif word == "for" and self.words[index + 1] == "(":
                parts = self.parts(index + 1, ";")
                if len(parts) == 3 and parts[1]:
                    self.negate(*parts[1])
            elif word == "?":
                self.negate(self.start_of_choice(index, first), index - 1)

    def negate(self, first, last):
        if self.words[first] == "!" and (last == first + 1 or (
                self.words[first + 1] == "(" and self.matching(first + 1) == last)):
            self.add("condition", first, last, self.piece(first + 1, last))
        else:
            self.add("condition", first, last, f"!({self.piece(first, last)})")

    def start_of_choice(self, index, first):
        """Where the condition of the "?" at `index` begins."""
        depth = 0
        for at in range(index - 1, first - 1, -1):
            word = self.words[at]
            depth += (word in ")]}") - (word in "([{")
            if depth < 0 or (depth == 0 and (word in ASSIGNMENTS or word in
                                             (",", "return", ";", "?", ":"))):
                return at + 1
        return first

    def parts(self, index, separator):
        """What lies between the bracket at `index` and the one that closes it: the first and
        last token of each part, or None if it is empty."""
        close = self.matching(index)
        parts, begin, at = [], index + 1, index + 1
        while at <= close:
            if self.words[at] in CLOSING:
                at = self.matching(at)
            elif self.words[at] == separator or at == close:
                parts.append((begin, at - 1) if begin < at else None)
                begin = at + 1
            at += 1
        return parts

    def calls(self, first, end):
        for index in range(first, end - 1):
            word = self.words[index]
            if self.words[index + 1] != "(" or word in NO_CALLS or not re.match("[A-Za-z_]", word):
                continue
            parts = self.parts(index + 1, ",")
            if None in parts:
                continue
            for begin, last in parts:
                if not re.fullmatch(r"\d\w*|NULL|true|false", self.piece(begin, last)):
                    self.add("argument", begin, last, "0")
            for left, right in zip(parts, parts[1:]):
                self.add("argument", left[0], right[1],
                         f"{self.piece(*right)}, {self.piece(*left)}")

    def statements(self, first, end):
        """The first token of each simple statement, and its semicolon."""
        index = first
        while index < end:
            word = self.words[index]
            if word in ("{", "}", ";", "else", "do"):
                index += 1
            elif word in CONTROL:
                index = self.matching(index + 1) + 1
            elif word in ("case", "default"):
                index = self.words.index(":", index) + 1
            elif self.is_loop_macro(index):
                index = self.matching(index + 1) + 1
            else:
                last = self.end_of_statement(index, end)
                yield index, last
                index = last + 1

    def is_loop_macro(self, index):
        return (self.words[index + 1] == "("
                and self.words[self.matching(index + 1) + 1] == "{")

    def end_of_statement(self, index, end):
        while index < end and self.words[index] != ";":
            index = self.matching(index) if self.words[index] in CLOSING else index
            index += 1
        return index

    def statement(self, first, last, returned_type):
        word, second = self.words[first], self.words[first + 1]
        if word == "return":
            if second != ";":
                self.returned(first + 1, last - 1, returned_type)
        elif word in ("break", "continue"):
            self.add("statement", first, last, "(void) 0;")
        elif word in ("*", "++", "--") or (word == "(" and second != "void"):
            self.add("statement", first, last, "(void) 0;")
        elif word not in NO_CALLS and second in ASSIGNMENTS | {"(", "->", ".", "[", "++", "--"}:
            self.add("statement", first, last, "(void) 0;")

    def returned(self, first, last, returned_type):
        value = self.piece(first, last)
        if value in ("true", "false"):
            return  # That is a constant.
        if returned_type == "bool":
            self.negate_returned(first, last, value)
        elif returned_type == "gt_status":
            self.add("return", first, last,
                     "GT_ERR_INVALID_ARGUMENT" if value in ("GT_OK", "GT_END") else "GT_OK")
        elif "*" in returned_type:
            if value != "NULL":
                self.add("return", first, last, "NULL")
        elif not re.fullmatch(r"\d\w*", value):
            self.add("return", first, last, f"({returned_type}) (({value}) + 1)")

    def negate_returned(self, first, last, value):
        self.add("return", first, last, f"!({value})")


def outside(covered, count):
    """The ranges below `count` between those that are `covered`."""
    at = 0
    for first, end in covered:
        yield at, first
        at = end
    yield at, count


def other_numbers(word):
    match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)([uUlL]*)", word)
    if not match:
        return [] if re.fullmatch(r"0[0-7]+", word) else [f"({word} + 1)"]
    value = int(match[1], 0)
    form = "{:#x}" if match[1].lower().startswith("0x") else "{}"
    others = [value + 1] + ([value - 1] if value > 0 else [])
    return [form.format(other) + match[2] for other in others]


def squeezed(text):
    return " ".join(text.split())


def key_of(mutant):
    return mutant.path, mutant.function, mutant.before, mutant.after


def mutants_of(root, path):
    return File(root, path).mutants()


def sample(mutants, seed):
    """All mutants in an order that depends on the seed, and in which those that a change of the
    sources leaves as they are keep their places; every kind has its turn, as there are many more
    arguments than conditions."""
    kinds = collections.defaultdict(list)
    for mutant in mutants:
        kinds[mutant.kind].append(mutant)
    for members in kinds.values():
        members.sort(key=lambda mutant: hashlib.sha256(
            repr((seed, key_of(mutant), mutant.number)).encode()).digest())
    turns = itertools.zip_longest(*(members for _, members in sorted(kinds.items())))
    return [mutant for turn in turns for mutant in turn if mutant]
