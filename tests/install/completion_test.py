#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""completion_test.py GOTRACE DIRECTORY TRACE: each shell completes exactly the commands and
options that `gotrace help` lists, with "=" if a value follows, and values that the command
accepts. Shells that are not installed are left out; exits with 77 if none is."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

GOTRACE, DIRECTORY, TRACE = sys.argv[1:]

# Each script is given lines as typed, and prints each with what the shell offers then.
BASH = r"""
source "$1/gotrace.bash"
shift
for line in "$@"; do
    COMP_WORDBREAKS=$' \t\n"\'><=;|&(:' COMP_LINE=$line
    read -ra COMP_WORDS <<<"${line//=/ = }"
    [[ $line == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _gotrace
    echo "? $line"
    [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
done
"""

FISH = r"""
source $argv[1]/gotrace.fish
for line in $argv[2..-1]
    echo "? $line"
    complete -C $line | string replace -r '\t.*' ''
end
true
"""

# The functions of zsh that take the tables tell them.
ZSH = r"""
_arguments() { print -rl -- "$@" }
_describe() { print -rl -- ${${(P)argv[-1]}%%:*} }
_files() { print -rl -- *(N) }
fpath=($1)
autoload -Uz _gotrace
shift
for line in "$@"; do
    words=(${=line})
    [[ $line == *' ' ]] && words+=('')
    CURRENT=$#words
    print -r -- "? $line"
    _gotrace
done
"""

# Options after which `gotrace pprof` has no operand yet.
KINDS_AFTER = ("--goroutine 5", "--goroutine=5", "--all", "--all --goroutine 5")


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def ask(shell, lines, directory=DIRECTORY):
    """What `shell` offers for each line typed, in a directory of its own."""
    scripts = {
        "bash": ["bash", "--norc", "-c", BASH, "bash"],
        "fish": ["fish", "--no-config", "-c", FISH],
        "zsh": ["zsh", "-f", "-c", ZSH, "zsh"],
    }
    with tempfile.TemporaryDirectory() as work:
        for name in ("one.trace", "two.txt"):
            open(os.path.join(work, name), "w").close()
        done = subprocess.run(
            [*scripts[shell], directory, *lines],
            capture_output=True,
            text=True,
            cwd=work,
            env={**os.environ, "HOME": work},
            check=False,
        )
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{shell}: exit code {done.returncode}: {done.stderr}")
    offers, current = {}, None
    for line in done.stdout.splitlines():
        if line.startswith("? "):
            current = offers.setdefault(line[2:], [])
        else:
            current.append(line)
    return offers


def options_offered(shell, offer):
    """The options in an offer, with "=" where the shell knows that a value follows."""
    if shell == "zsh":
        found = (re.match(r"(?:\([^)]*\))?(-[a-z-]+=?)\[", spec) for spec in offer)
        return {match.group(1) for match in found if match}
    return {word for word in offer if word.startswith("-")}


def options_told(command):
    """The same from the help of the command."""
    text = run(GOTRACE, "help", command)
    told = re.findall(r"^  (?:(-[a-z]), )?(--[a-z-]+)( [A-Z][][A-Z,.]*)?(?= |$)", text, re.M)
    return {word + ("=" if value else "") for *words, value in told for word in words
            if word} | {"--help"}


class Check:
    def __init__(self):
        self.bad = 0

    def equal(self, what, offered, told):
        if offered == told:
            return
        self.bad += 1
        print(f"{what}: offered, not told: {sorted(offered - told)};",
              f"told, not offered: {sorted(told - offered)}")

    def takes(self, shell, arguments):
        line = [GOTRACE, *arguments, TRACE]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.bad += 1
            print(f"{shell} offers what the command refuses: {arguments}: {done.stderr}")


def check_options(check, shell, offers, commands):
    for command in sorted(commands - {"help", "version"}):
        offered = options_offered(shell, offers[f"gotrace {command} -"])
        told = options_told(command)
        if shell == "fish":
            told = {name.rstrip("=") for name in told}
        check.equal(f"{shell}: gotrace {command} -", offered, told)


def check_values(check, shell, offers):
    """Values and files; zsh's own functions choose them there."""
    if shell == "zsh":
        return
    for line, offer in offers.items():
        words = line.split(" ")
        if len(words) == 4 and words[1] != "pprof" and words[2].startswith("--") and \
                words[2] != "--output":
            if not offer:
                check.bad += 1
                print(f"{shell} offers no value: {line}")
            for value in offer:
                check.takes(shell, [*words[1:3], value])
    check.equal(f"{shell}: gotrace help", set(offers["gotrace help "]),
                set(offers["gotrace "]) - {"one.trace", "two.txt", "--help", "--version"})
    for line in ("gotrace stat ", "gotrace pprof net "):
        if "one.trace" not in offers[line]:
            check.bad += 1
            print(f"{shell} offers no trace: {line}")
    for line in ("gotrace cut -o ", "gotrace split -o ", "gotrace cut --output "):
        if "two.txt" not in offers[line]:
            check.bad += 1
            print(f"{shell} offers no file: {line}")


def check_option_of_nothing(check, shell):
    """An option whose value cannot be completed, as a table of commands may have it."""
    spec = importlib.util.spec_from_file_location("generate", f"{DIRECTORY}/generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    option = generate.Option("count", "", "N", "how many", "<nothing>", "", "")
    commands = [generate.Command("try", "try it", "", [option])]
    file = {"bash": "gotrace.bash", "fish": "gotrace.fish", "zsh": "_gotrace"}[shell]
    sign, makers = generate.FILES[generate.COMPLETION / file]
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(DIRECTORY, file), encoding="utf-8") as old:
            text = generate.make_file(old.read(), sign, makers, commands)
        with open(os.path.join(work, file), "w", encoding="utf-8") as new:
            new.write(text)
        line = "gotrace try --count "
        offer = ask(shell, [line], work)[line]
    if shell == "zsh":
        check.equal("zsh: an option of nothing", set(offer) & {"--count=[how many]:n:"},
                    {"--count=[how many]:n:"})
    else:
        check.equal(f"{shell}: an option of nothing", set(offer), set())


def main():
    commands = set(re.findall(r"^  ([a-z]+) {2,}", run(GOTRACE, "help"), re.M))
    kinds = set(re.findall(r"^  ([a-z]+) {2,}", run(GOTRACE, "help", "pprof"), re.M))
    lines = ["gotrace cut -o ", "gotrace split -o ", "gotrace cut --output "]
    lines += ["gotrace ", "gotrace pprof ", "gotrace pprof net ", "gotrace help ", "gotrace stat "]
    lines += [f"gotrace {command} -" for command in sorted(commands)]
    lines += ["gotrace json --view ", "gotrace goroutines --sort ",
              "gotrace goroutines --percentiles block,", "gotrace mmu --flags stw,"]
    # The value of an option is no operand.
    lines += [f"gotrace pprof {option} " for option in KINDS_AFTER]
    check = Check()
    shells = [shell for shell in ("bash", "zsh", "fish") if shutil.which(shell)]
    for shell in shells:
        offers = ask(shell, lines)
        offered = set(offers["gotrace "]) - {"one.trace", "two.txt"}
        check.equal(f"{shell}: gotrace", {word for word in offered if word[0] != "-"}, commands)
        check_options(check, shell, offers, commands)
        check_values(check, shell, offers)
        offered = set(offers["gotrace pprof "])
        if shell == "zsh":
            offered = set(" ".join(offered).split(":word:(")[1].split(")")[0].split())
        check.equal(f"{shell}: gotrace pprof", offered, kinds)
        for option in KINDS_AFTER if shell != "zsh" else ():
            check.equal(f"{shell}: gotrace pprof {option}",
                        set(offers[f"gotrace pprof {option} "]), kinds)
        check_option_of_nothing(check, shell)
    print(f"shells: {' '.join(shells)}; {len(commands)} commands")
    if not shells:
        sys.exit(77)
    sys.exit(check.bad > 0)


if __name__ == "__main__":
    main()
