#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of the completions and the index of the manual pages.

generate.py TABLE ROOT           writes them
generate.py --check TABLE ROOT   says which of them are not what the commands make

TABLE is the program of table.c. Each file keeps what is outside of the lines between
"Made by generate.py" and "End of what generate.py made".
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import textwrap

Command = collections.namedtuple("Command", "name summary operand options")
Option = collections.namedtuple("Option", "name letter value summary words is_list excludes")

COMPLETION = pathlib.PurePath("examples/gotrace/completion")
BEGIN, END = "Made by generate.py", "End of what generate.py made"
WITHOUT_PAGE = {"help", "version"}


def read_table(program):
    commands = []
    text = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        kind, *columns = ["" if column == "-" else column for column in line.split("\t")]
        if kind == "command":
            commands.append(Command(*columns, []))
        else:
            commands[-1].options.append(Option(*columns))
    return commands


def wrap(words, indent, first="", width=95):
    return textwrap.wrap(" ".join(words), width, initial_indent=first or indent,
                         subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def option_words(option):
    """The option as its letter, if it has one, and as its name."""
    words = [f"-{option.letter}"] if option.letter else []
    return [*words, f"--{option.name}"]


def option_arguments(option):
    return [word + ("=" if option.value else "") for word in option_words(option)]


def commands_by_option(commands):
    """The commands of each option, where options that differ in anything are two."""
    found = collections.defaultdict(list)
    for command in commands:
        for option in command.options:
            found[option].append(command.name)
    return found


def completed_words(option):
    return ("<list> " if option.is_list else "") + option.words


def make_bash(commands):
    lines = wrap([command.name for command in commands], "    ", '_gotrace_commands="')
    lines[-1] += '"'
    yield from lines
    yield ""
    yield '# Sets `options` to those of the command $1; one that takes a value ends in "=".'
    yield "_gotrace_options()"
    yield "{"
    yield "    options="
    yield "    case $1 in"
    for command in commands:
        if not command.options:
            continue
        yield f"    {command.name})"
        words = [word for option in command.options for word in option_arguments(option)]
        for line in wrap(words, "", width=75):
            yield f'        options+="{line} "'
        yield "        ;;"
    yield "    esac"
    yield "}"
    yield ""
    yield "# Sets `words` to what the value of the option $2 of the command $1 may be, or without"
    yield "# $2 the first operand. See command.h."
    yield "_gotrace_words()"
    yield "{"
    yield "    words="
    yield "    case $1:$2 in"
    for command in commands:
        if command.operand:
            yield f'    {command.name}:) words="{command.operand}" ;;'
    for option, names in commands_by_option(commands).items():
        if option.words:
            users = names if len(names) <= 3 else "*"
            pattern = "|".join(f"{user}:{word}" for user in users for word in option_words(option))
            yield f'    {pattern}) words="{completed_words(option)}" ;;'
    yield "    esac"
    yield "}"


def words_with_values(command):
    """The options of a command of which the next word may be the value."""
    return [word for option in command.options if option.value for word in option_words(option)]


def zsh_quoted(text):
    return text.replace("'", "'\\''")


def zsh_spec(option, word):
    excludes = [option.excludes] if option.excludes else []
    excludes += [other for other in option_words(option) if other != word.rstrip("=")]
    exclusive = f"({' '.join(excludes)})" if excludes else ""
    summary = option.summary.replace(":", "\\:")
    spec = f"{exclusive}{word}[{summary}]"
    if option.value:
        actions = {"<file>": "_files", "<directory>": "_files -/", "<nothing>": "", "": ""}
        if option.is_list:
            action = "_values -s , word " + option.words
        else:
            action = actions.get(option.words, f"({option.words})")
        spec += f":{re.sub('[^A-Z]', '', option.value).lower()}:{action}"
    return "'" + zsh_quoted(spec) + "'"


def zsh_operands(command):
    if command.operand == "<nothing>":
        return []
    if command.operand == "<command>":
        return ["'1:command:_gotrace_commands'"]
    if command.operand == "<file>":
        return ["'1:file:_files'"]
    if command.operand:
        return [f"'1:word:({command.operand})'", '"2:trace:$file"']
    return ['"1:trace:$file"']


def make_zsh(commands):
    yield "commands=("
    for command in commands:
        yield f"  '{command.name}:{zsh_quoted(command.summary)}'"
    yield ")"
    yield ""
    yield "# Sets `specs` to what _arguments takes for the command $1."
    yield "_gotrace_specs() {"
    yield "  specs=('--help[explain the command]')"
    yield "  case $1 in"
    for command in commands:
        yield f"  {command.name})"
        specs = [zsh_spec(option, word) for option in command.options
                 for word in option_arguments(option)]
        for spec in [*specs, *zsh_operands(command)]:
            yield f"    specs+=({spec})"
        yield "    ;;"
    yield "  esac"
    yield "}"


def fish_summary(text):
    text = text[0].upper() + text[1:]
    return "-d '" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_value(option):
    if not option.value:
        return ""
    values = {
        "": "-x",
        "<nothing>": "-x",
        "<file>": "-r -F",
        "<directory>": "-x -a '(__fish_complete_directories)'",
    }
    if option.is_list:
        return f"-x -a '(__gotrace_list {option.words})'"
    return values.get(option.words, f"-x -a '{option.words}'")


def fish_condition(names):
    return f"'__gotrace_command_is {' '.join(names)}'"


def fish_needs_word(command):
    return " ".join(["__gotrace_needs_word", command.name, *words_with_values(command)])


def make_fish(commands):
    names = [command.name for command in commands]
    for command in commands:
        yield f"complete -c gotrace -n __fish_use_subcommand -a {command.name} \\"
        yield f"    {fish_summary(command.summary)}"
    yield ""
    yield "# The first operand, where it is no trace."
    for command in commands:
        if command.operand == "<command>":
            yield f"complete -c gotrace -n {fish_condition([command.name])} \\"
            lines = wrap(names, "        ", "    -a '")
            lines[-1] += "'"
            yield from lines
        elif command.operand and not command.operand.startswith("<"):
            yield "complete -c gotrace \\"
            yield f"    -n '{fish_needs_word(command)}' \\"
            yield f"    -a '{command.operand}'"
    without = [command.name for command in commands
               if command.operand in ("<command>", "<nothing>")]
    conditions = [f"not __gotrace_command_is {' '.join(without)}",
                  *(f"not {fish_needs_word(command)}" for command in commands
                    if command.operand and not command.operand.startswith("<"))]
    yield ""
    yield "# Traces; those whose names say so come first."
    yield "complete -c gotrace \\"
    yield f"    -n '{'; and '.join(conditions)}' \\"
    yield "    -k -a '(__fish_complete_suffix .trace)'"
    yield ""
    yield "# Options."
    for option, users in commands_by_option(commands).items():
        yield "complete -c gotrace \\"
        yield f"    -n {fish_condition(users)} \\"
        letter = f"-s {option.letter}" if option.letter else ""
        parts = [letter, f"-l {option.name}", fish_value(option), fish_summary(option.summary)]
        yield "    " + " ".join(part for part in parts if part)


def make_index(commands):
    for command in commands:
        if command.name not in WITHOUT_PAGE:
            yield f".It Xr gotrace-{command.name} 1"
            yield command.summary[0].upper() + command.summary[1:] + "."


def make_references(commands):
    for name in sorted({command.name for command in commands} - WITHOUT_PAGE):
        yield f".Xr gotrace-{name} 1 ,"


def make_pages(commands):
    for name in sorted({command.name for command in commands} - WITHOUT_PAGE):
        yield f"    'gotrace-{name}.1',"


# The comment sign of each file, and what is in its sections, one after the other.
FILES = {
    COMPLETION / "gotrace.bash": ("#", [make_bash]),
    COMPLETION / "_gotrace": ("#", [make_zsh]),
    COMPLETION / "gotrace.fish": ("#", [make_fish]),
    pathlib.PurePath("docs/man/gotrace.1"): ('.\\"', [make_index, make_references]),
    pathlib.PurePath("docs/man/meson.build"): ("    #", [make_pages]),
}


def make_file(text, sign, makers, commands):
    """`text` with new sections."""
    begin, end = f"{sign} {BEGIN}.\n", f"{sign} {END}.\n"
    parts = text.split(begin)
    if len(parts) != len(makers) + 1 or text.count(end) != len(makers):
        sys.exit(f"generate.py: not {len(makers)} sections between '{BEGIN}' and '{END}'")
    made = parts[0]
    for make, part in zip(makers, parts[1:]):
        made += begin + "".join(line + "\n" for line in make(commands)) + part[part.index(end):]
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("table")
    parser.add_argument("root", type=pathlib.Path)
    options = parser.parse_args()
    commands = read_table(options.table)
    stale = 0
    for name, (sign, makers) in FILES.items():
        path = options.root / name
        old = path.read_text(encoding="utf-8")
        new = make_file(old, sign, makers, commands)
        if new == old:
            continue
        stale += 1
        if options.check:
            print(f"{name} is stale: run ninja completions")
        else:
            path.write_text(new, encoding="utf-8")
            print(name)
    sys.exit(1 if options.check and stale else 0)


if __name__ == "__main__":
    main()
