#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the public headers declare, as other programs need it.

api.py stub INCLUDE MAP         C that defines the functions of a version script, to no effect
api.py strip INCLUDE            takes comments out of the headers
api.py pins INCLUDE             the layout of all structures, and all constants: pins.h
api.py snapshot INCLUDE         all headers in one, without comments: gotrace-0.1.h
api.py grow INCLUDE             puts a member at the end of all structures that may grow
api.py names HEADER...          the names of functions and structures
api.py structures INCLUDE       complains of structures that neither never change nor have a size
api.py compare OLD INCLUDE CHANGELOG   complains of what programs built with the header OLD lose
api.py pinned PINS INCLUDE CHANGELOG   complains of what PINS, a pins.h, says that is so no more
api.py accepted OLD INCLUDE CHANGELOG  for abidiff: what has grown, and breaks that are explained

A break is accepted if CHANGELOG explains it, in an entry of its first section:

    - **API** `gt_name`, `gt_other_name`: what has changed, because of what.

or **ABI** where programs need only be compiled again.

A declaration that is not understood is an error, so that none gets lost.
"""

import pathlib
import re
import sys
import typing

# Structures that never change, as their comments say. All others begin with their size, and grow
# at the end. A gt_event is the visible part of a larger object.
FROZEN = {
    'gt_batch_column', 'gt_column_description', 'gt_emitter_frame', 'gt_event', 'gt_frame',
    'gt_part', 'gt_raw_frame', 'gt_resource', 'gt_string', 'gt_summary_time', 'gt_symbol',
    'gt_task_log', 'gt_utilization', 'gt_value', 'gt_viewer_argument', 'gt_web_header',
    'gt_wire_argument', 'gt_wire_spec',
}

# A release changes these, or they are no constants.
NO_CONSTANTS = re.compile(r'GT_API|GT_NODISCARD|GT_VERSION(_MAJOR|_MINOR|_PATCH)?|GT_\w+_INIT')

# Size and alignment: 64-bit, 32-bit, and 32-bit where 8 bytes are aligned to 4 (i386).
POINTER = ((8, 8), (4, 4), (4, 4))
SCALARS = {
    'char': ((1, 1),) * 3,
    'uint8_t': ((1, 1),) * 3,
    'int': ((4, 4),) * 3,
    'int32_t': ((4, 4),) * 3,
    'uint32_t': ((4, 4),) * 3,
    'size_t': POINTER,
    'int64_t': ((8, 8), (8, 8), (8, 4)),
    'uint64_t': ((8, 8), (8, 8), (8, 4)),
    'double': ((8, 8), (8, 8), (8, 4)),
}

CONSTANTS = {'INT64_MIN': -2**63, 'UINT64_MAX': 2**64 - 1, 'UINT32_MAX': 2**32 - 1}


PINS_HEAD = """/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/*
 * Made by baseline.sh: what programs rely on. SIZE(structure, sizes) and FIELD(structure, member,
 * type, offsets, sizes) with three of each, as in pins.c; VALUE and TEXT of a constant; TYPE of
 * a callback or another name of a type, and FUNCTION.
 */"""

SNAPSHOT_HEAD = """/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* Made by baseline.sh: all public headers of a release, which stay as they were. */"""


class Member(typing.NamedTuple):
    kind: str  # the type, or '*' for all pointers
    name: str
    count: int
    type: str  # as C has it


class Api:
    """What headers declare, in their order."""

    def __init__(self):
        self.functions = []  # (result, name, parameters)
        self.structures = {}  # name: [Member]
        self.callbacks = []  # (name, type), and other names of types
        self.constants = []  # (name, expression)
        self.macros = []  # (name, expression)
        self.types = dict(SCALARS)


def fail(what):
    sys.exit(f'api.py: {what}')


def without_comments(text):
    return re.sub(r'/\*.*?\*/', '', text, flags=re.S)


def without_cplusplus(text):
    return re.sub(r'^#if(def | defined\()__cplusplus.*?^#endif\n', '', text, flags=re.S | re.M)


def without_foreign(text):
    """The text without the structures of Arrow's specification, which are not ours to change."""
    return re.sub(r'^#ifndef ARROW_\w+\n.*?^#endif\n', '', text, flags=re.S | re.M)


def without_attributes(text):
    """Declarations without what compilers are told of them besides."""
    return re.sub(r'\s*\bGT_NONNULL\(\([\d, ]+\)\)|(?<=^GT_API )GT_NODISCARD |'
                  r'^GT_DEPRECATED\("[^"]*"\)\s*', '', text, flags=re.M)


def read_define(api, line):
    match = re.fullmatch(r'#define (\w+)(\([\w, ]*\))?\s*(.*)', line, re.S)
    if not match:
        fail(f'what is this? {line}')
    name, parameters, body = match.groups()
    if body and not parameters and not NO_CONSTANTS.fullmatch(name):
        api.macros.append((name, body))


def read_member(api, structure, text):
    text = ' '.join(text.split())
    if match := re.fullmatch(r'(.*?\(\*)(\w+)(\)\(.*\))', text):
        return Member('*', match.group(2), 1, match.group(1) + match.group(3))
    match = re.fullmatch(r'((?:const )?(\w+) ((?:\*|const )*))(\w+)(?:\[(\w+)\])?', text)
    if not match:
        fail(f'{structure}: what is this? {text}')
    declared, base, pointer, name, count = match.groups()
    if count and not count.isdigit():
        count = dict(api.macros)[count]
    declared = declared.strip() + (f'[{count}]' if count else '')
    return Member('*' if pointer else base, name, int(count or 1), declared)


def read_enumerators(api, text):
    value = -1
    for enumerator in filter(None, (part.strip() for part in text.split(','))):
        name, _, expression = (part.strip() for part in enumerator.partition('='))
        value = evaluate(expression) if expression else value + 1
        api.constants.append((name, value))


def read_declaration(api, text):
    text = text.strip()
    if match := re.fullmatch(r'GT_API (.*?)(\w+)\(([^()]*)\)', text, re.S):
        api.functions.append(match.groups())
    elif match := re.fullmatch(r'typedef struct (\w+) \{(.*)\} \1', text, re.S):
        name, body = match.groups()
        members = [read_member(api, name, part) for part in body.split(';') if part.strip()]
        api.structures[name] = members
    elif match := re.fullmatch(r'enum \{(.*)\}', text, re.S):
        read_enumerators(api, match.group(1))
    elif match := re.fullmatch(r'typedef (.*\(\*)(\w+)(\)\(.*\))', text, re.S):
        api.types[match.group(2)] = POINTER
        api.callbacks.append((match.group(2), match.group(1) + match.group(3)))
    elif match := re.fullmatch(r'typedef (\w+) (\w+)', text):
        api.types[match.group(2)] = api.types[match.group(1)]
        api.callbacks.append((match.group(2), match.group(1)))
    elif not re.fullmatch(r'struct \w+|typedef struct (\w+) \1', text):
        fail(f'what is this? {text}')


def declarations(text):
    """What ends in a semicolon outside of braces."""
    depth = start = 0
    for at, char in enumerate(text):
        depth += (char == '{') - (char == '}')
        if char == ';' and depth == 0:
            yield text[start:at]
            start = at + 1
    if text[start:].strip():
        fail(f'what is this? {text[start:].strip()}')


def ordered(include):
    """The headers, each behind those that it includes."""
    done = []

    def visit(path):
        for name in re.findall(r'^#include <(gotrace/\w+\.h)>', path.read_text(), re.M):
            visit(include / name)
        if path not in done:
            done.append(path)

    for path in sorted((include / 'gotrace').glob('*.h')):
        visit(path)
    return done


def read_headers(paths):
    api = Api()
    for path in paths:
        text = without_foreign(without_cplusplus(without_comments(path.read_text())))
        text = without_attributes(text.replace('\\\n', ' '))
        for line in re.findall(r'^#define .*$', text, re.M):
            read_define(api, line)
        for declaration in declarations(re.sub(r'^#.*$', '', text, flags=re.M)):
            read_declaration(api, declaration)
    if not api.functions and not api.structures and not api.types:
        fail('nothing is declared')
    return api


def evaluate(expression):
    plain = re.sub(r'U?INT(?:32|64)_C\((\d+)\)', r'\1', expression.replace('(size_t) ', ''))
    for name, value in CONSTANTS.items():
        plain = plain.replace(name, str(value))
    if not re.fullmatch(r'[-0-9()<| ]+', plain):
        fail(f'which value is this? {expression}')
    return eval(plain)  # pylint: disable=eval-used


def aligned(offset, alignment):
    return (offset + alignment - 1) // alignment * alignment


def layouts(api):
    """Yields (structure, its sizes, [(Member, offsets, sizes)])."""
    types = dict(api.types)
    for name, members in api.structures.items():
        sizes, alignments, placed = [0] * 3, [1] * 3, []
        for member in members:
            shape = POINTER if member.kind == '*' else types[member.kind]
            offsets = [aligned(sizes[i], shape[i][1]) for i in range(3)]
            lengths = [shape[i][0] * member.count for i in range(3)]
            placed.append((member, offsets, lengths))
            sizes = [offsets[i] + lengths[i] for i in range(3)]
            alignments = [max(alignments[i], shape[i][1]) for i in range(3)]
        sizes = [aligned(sizes[i], alignments[i]) for i in range(3)]
        types[name] = tuple(zip(sizes, alignments))
        yield name, sizes, placed


def literal(value):
    if value > 2**63 - 1:
        return f'UINT64_C({value})'
    if value == -2**63:
        return 'INT64_MIN'
    return f'INT64_C({value})'


def pin_lines(api):
    for name, sizes, members in layouts(api):
        yield f'SIZE({name}, {", ".join(map(str, sizes))})'
        for member, offsets, lengths in members:
            numbers = ', '.join(map(str, offsets + lengths))
            yield f'FIELD({name}, {member.name}, {member.type}, {numbers})'
    for name, value in api.constants:
        yield f'VALUE({name}, {literal(value)})'
    for name, expression in api.macros:
        if expression.startswith('"'):
            yield f'TEXT({name}, {expression})'
        else:
            yield f'VALUE({name}, {literal(evaluate(expression))})'
    for name, kind in api.callbacks:
        yield f'TYPE({name}, {" ".join(kind.split())})'
    for result, name, parameters in api.functions:
        yield f'FUNCTION({name}, {result.strip()}({" ".join(parameters.split())}))'


def print_pins(include):
    print(PINS_HEAD)
    for line in pin_lines(read_headers(ordered(include))):
        print(line)


def print_stub(include, symbols):
    """A library with these symbols whose functions do nothing."""
    listed = set(re.findall(r'^ +(gt_\w+);', symbols.read_text(), re.M))
    for path in ordered(include):
        print(f'#include <gotrace/{path.name}>')
    for result, name, parameters in read_headers(ordered(include)).functions:
        if name in listed:
            print(f'{result}{name}({parameters}) {{ __builtin_unreachable(); }}')
            listed.remove(name)
    if listed:
        fail(f'not declared: {" ".join(sorted(listed))}')


def strip(include):
    for path in ordered(include):
        path.write_text(re.sub(r'\n\s*\n+', '\n', without_comments(path.read_text())))


def print_snapshot(include):
    print(SNAPSHOT_HEAD)
    for path in ordered(include):
        for line in without_comments(path.read_text()).splitlines():
            if line.strip() and not line.startswith('#include <gotrace/'):
                print(line.rstrip())


def may_grow(members):
    return members[0].name == 'size' and members[0].kind == 'size_t'


def grow(include):
    """A next release, in which each structure that may have one has a member more."""
    paths = ordered(include)
    grown = [n for n, members in read_headers(paths).structures.items() if may_grow(members)]
    for path in paths:
        text = path.read_text()
        for name in grown:
            text = text.replace(f'\n}} {name};', f'\n    unsigned long long later;\n}} {name};')
        path.write_text(text)
    print(' '.join(grown))


def structure_comments(paths):
    """The comment on each structure, as one line."""
    found = {}
    for path in paths:
        for comment, name in re.findall(
                r'/\*\*((?:(?!\*/).)*)\*/\s*typedef struct (\w+) \{', path.read_text(), re.S):
            found[name] = ' '.join(comment.replace('\n *', ' ').split())
    return found


def structure_problems(paths):
    """Yields what keeps a structure from either growing or never changing."""
    structures = read_headers(paths).structures
    comments = structure_comments(paths)
    for name, members in structures.items():
        promised = 'will never change' in comments.get(name, '')
        if may_grow(members) and (name in FROZEN or promised):
            yield f'{name} has a size, and is said never to change'
        elif not may_grow(members) and name not in FROZEN:
            yield f'{name} does not begin with its size, and is not in FROZEN'
        elif not may_grow(members) and not promised:
            yield f'{name} is in FROZEN, but its comment does not say that it will never change'
        for member in members:
            if member.kind in structures and may_grow(structures[member.kind]):
                yield f'{name}.{member.name} would push away what follows it when it grows'
    for name in FROZEN - set(structures):
        yield f'{name} is in FROZEN, and does not exist'


def structures_check(include):
    found = list(structure_problems(ordered(include)))
    if found:
        fail('\napi.py: '.join(found))


def parameter_types(parameters):
    """The types alone: names of parameters may change."""
    return [re.sub(r'\w+$', '', ' '.join(one.split())).strip() for one in parameters.split(',')]


def differences(old, new):
    """Yields what of the old is not so in the new."""
    functions = {name: (result, parameter_types(rest)) for result, name, rest in new.functions}
    for result, name, parameters in old.functions:
        if functions.get(name) != (result, parameter_types(parameters)):
            yield f'{name} is not declared as it was'
    constants = dict(new.constants + new.macros)
    for name, value in old.constants + old.macros:
        if constants.get(name) != value:
            yield f'{name} is not {value}'
    was = {name: (sizes, members) for name, sizes, members in layouts(old)}
    now = {name: (sizes, members) for name, sizes, members in layouts(new)}
    for name, (sizes, members) in was.items():
        if name not in now:
            yield f'{name} is gone'
        elif now[name][1][:len(members)] != members:
            yield f'{name} has other members where it had {len(members)}'
        elif len(now[name][1]) == len(members):
            continue
        elif not may_grow(old.structures[name]):
            yield f'{name} may not grow'
        elif any(now[name][1][len(members)][1][i] < sizes[i] for i in range(3)):
            # The program's size says that it has the member, which it never set.
            yield f'{name} has grown into its padding, which 32-bit programs did not set'


def explained(changelog):
    """The names in the entries of breaks, in the section of the next release."""
    section = changelog.read_text().split('\n## ')[1]
    names = set()
    for entry in re.split(r'\n(?=- )', section)[1:]:
        entry = ' '.join(entry.split('\n\n')[0].split())
        if not re.match(r'- \*\*A[BP]I\*\*', entry):
            continue
        match = re.match(r'- \*\*A[BP]I\*\* ((?:`\w+`(?:, )?)+): .* because .*\w', entry)
        if not match:
            fail(f'an entry of a break needs names, what has changed, and "because": {entry}')
        names |= set(re.findall(r'`(\w+)`', match.group(1)))
    return names


def complain(breaks, changelog):
    """Ends with the breaks, pairs of a name and of a text, that the changelog does not explain."""
    names = explained(changelog)
    found = [text for name, text in breaks if name not in names]
    if found:
        fail('\napi.py: '.join(found))


def compare(old, include, changelog):
    breaks = differences(read_headers([old]), read_headers(ordered(include)))
    complain(((text.split()[0], text) for text in breaks), changelog)


def structures_grown(old, new):
    """The structures that have more members than they had, which may be fine."""
    return {name for name, members in new.structures.items()
            if name in old.structures and len(members) > len(old.structures[name])}


def without_parameter_names(line):
    match = re.fullmatch(r'(FUNCTION\([^(]*)\(([^()]*)\)\)', line)
    return match.group(1) + ', '.join(parameter_types(match.group(2))) if match else line


def pinned(pins, include, changelog):
    api = read_headers(ordered(include))
    now = set(map(without_parameter_names, pin_lines(api)))
    can_grow = {name for name, members in api.structures.items() if may_grow(members)}
    gone = ((re.match(r'(\w+)\((\w+)', line).groups(), line)
            for line in pins.read_text().splitlines() if re.match(r'[A-Z]+\(', line)
            and without_parameter_names(line) not in now)
    complain(((name, f'no longer: {line}') for (kind, name), line in gone
              if kind != 'SIZE' or name not in can_grow), changelog)


def print_accepted(old, include, changelog):
    new = read_headers(ordered(include))
    for name in sorted(structures_grown(read_headers([old]), new)):
        print(f'[suppress_type]\nname = {name}\n')
    for name in sorted(explained(changelog)):
        print(f'[suppress_function]\nname = {name}\n\n[suppress_type]\nname = {name}\n')


def main():
    command, *rest = sys.argv[1:]
    paths = [pathlib.Path(path) for path in rest]
    if command == 'stub':
        print_stub(*paths)
    elif command == 'strip':
        strip(*paths)
    elif command == 'pins':
        print_pins(*paths)
    elif command == 'snapshot':
        print_snapshot(*paths)
    elif command == 'grow':
        grow(*paths)
    elif command == 'names':
        api = read_headers(paths)
        print('\n'.join([name for _, name, _ in api.functions] + list(api.structures)))
    elif command == 'structures':
        structures_check(*paths)
    elif command == 'compare':
        compare(*paths)
    elif command == 'pinned':
        pinned(*paths)
    elif command == 'accepted':
        print_accepted(*paths)
    else:
        fail(__doc__)


main()
