#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Gives private functions and variables the names that they have in object files.

private.py LIB DEPFILE OUTPUT...

All private names in the sources begin with gt_. Several libraries contain the same sources of
base, and programs may have names with gt_ of their own. So each library is compiled with a header
that renames what the headers in the folder LIB declare: gt_mem_init is gotrace_mem_init in
libgotrace, and gotrace_web_mem_init in libgotrace-web. OUTPUT is such a header, of the name
private-gotrace-web.h for libgotrace-web. DEPFILE will list what was read.
"""

import pathlib
import re
import sys

HEAD = '/* Made by lib/private.py. */\n'
# Public functions that several libraries define.
WEAK = '#define GT_COPIED __attribute__((weak))\n'

COMMENT = re.compile(r'/\*.*?\*/', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:.*\\\n)*.*$', re.M)
FUNCTION = re.compile(r'\b(gt_\w+)\s*\(')
# Of those that one declaration may have: extern const int gt_one, gt_list[2];
VARIABLE = re.compile(r'\b(gt_\w+)\s*(?:\[[^\]]*\]\s*)*(?=,|$)')
# Functions whose type has a name: gt_v2_rule gt_v2_go_start, gt_v2_go_stop;
OF_TYPE = re.compile(r'gt_\w+\s+(gt_\w+(?:,\s*gt_\w+)*)$')


def declarations(text):
    """The declarations outside of all braces, without what the braces hold."""
    text = DIRECTIVE.sub('', COMMENT.sub('', text))
    depth = 0
    declaration = ''
    for part in re.split(r'([{};])', text):
        if part == '{':
            depth += 1
        elif part == '}':
            depth -= 1
            # A definition of a function ends here, and that of a structure at its semicolon.
            if depth == 0 and declaration.rstrip().endswith(')'):
                declaration = ''
        elif depth == 0 and part == ';':
            yield declaration.strip()
            declaration = ''
        elif depth == 0:
            declaration += part


def names_in(text):
    for declaration in declarations(text):
        if declaration.startswith(('typedef ', 'static ')):
            continue
        if match := FUNCTION.search(declaration):
            yield match.group(1)
        elif match := OF_TYPE.match(declaration):
            yield from re.findall(r'\w+', match.group(1))
        elif declaration.startswith('extern '):
            yield from VARIABLE.findall(declaration)


def write_header(path, names):
    prefix = path.stem.removeprefix('private-').replace('-', '_')
    lines = [f'#define {name} {prefix}{name[2:]}\n' for name in names]
    path.write_text(HEAD + (WEAK if prefix != 'gotrace' else '') + ''.join(lines))


def main():
    library, depfile, *outputs = (pathlib.Path(argument) for argument in sys.argv[1:])
    headers = sorted(library.rglob('*.h'))
    names = sorted({name for path in headers for name in names_in(path.read_text())})
    for output in outputs:
        write_header(output, names)
    # A new header changes its folder.
    read = headers + sorted({path.parent for path in headers})
    depfile.write_text(f'{outputs[0]}: {" ".join(map(str, read))}\n')


main()
