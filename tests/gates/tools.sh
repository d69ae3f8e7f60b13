# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# How the tools that read sources are called, for the scripts of this folder that check the whole
# tree and for `quick`, which checks what changed. These are sourced at the root of the tree.

# The macros and the warnings of the build, of which meson.build has the only list.
build_arguments() {
  sed -n "/^add_project_arguments(\$/,/^)\$/s/^ *'\(-$1.*\)',\$/\1/p" meson.build
}
macros=$(build_arguments D)
warnings=$(build_arguments W)
if [ -z "$macros" ] || [ -z "$warnings" ]; then
  echo "${0##*/}: there is no list of arguments in meson.build" >&2
  exit 1
fi
export flags="-std=c11 ${macros//$'\n'/ } -Iinclude -Ilib -Iexamples/gotrace"
# Those of Meson's warning level 3 come first.
export warnings="-Wall -Wextra -Wpedantic ${warnings//$'\n'/ } -Werror"

# How many states of a function clang's analyzer looks at; tests/deep lets it look at all.
export nodes=8000

# What the tools for JavaScript read: the viewer's page on a server and without one, the package
# of npm, and the settings of these tools, which are also where they are installed.
export page=lib/web/page alone=examples/page package=examples/javascript
export tools=tests/gates/javascript
export bin=$tools/node_modules/.bin

run_layout() {
  clang-format --dry-run -Werror "$@"
}

# Programs extend sys.path before they import from another folder (E402), and a package imports
# the names that it offers (F401).
run_flake8() {
  flake8 --isolated --max-line-length 100 --extend-ignore E402 \
    --per-file-ignores '*/__init__.py:F401' "$@"
}

run_prettier() {
  "$bin/prettier" --config "$tools/prettier.json" --ignore-path /dev/null --check "$@"
}

run_eslint() {
  "$bin/eslint" --config "$tools/eslint.config.js" --max-warnings 0 "$@"
}

run_tsc() {
  "$bin/tsc" --project "$1"
}

# As in a release build: some warnings need its optimisation, and assertions use no variables
# there. The files of tests include those of their folder as well.
# shellcheck disable=SC2086 # $flags and $warnings are several.
run_gcc_warnings() {
  gcc $flags $warnings -Itests -O3 -DNDEBUG -fdiagnostics-plain-output -S -o /dev/null "$1"
}

# As in a build with assertions.
# shellcheck disable=SC2086
run_clang_warnings() {
  clang $flags $warnings -Itests -fsyntax-only "$1"
}

# Without gcc's checks for null dereferences and unset values: it forgets what an assertion
# says about a number behind a pointer, so it takes failed calls for successful ones, and it
# does not see what memcpy reads. clang and the sanitizers have the same checks. Compiles
# without optimisation, which hides most code from the analyzer.
# shellcheck disable=SC2086
run_gcc() {
  gcc $flags -Wall -Werror -O0 -fanalyzer -Wno-analyzer-null-dereference \
    -Wno-analyzer-use-of-uninitialized-value -fdiagnostics-plain-output -S -o /dev/null "$1"
}

# shellcheck disable=SC2086
run_clang() {
  clang $flags --analyze -Xclang -analyzer-werror -Xclang -analyzer-config \
    -Xclang max-nodes="$nodes" -o /dev/null "$1"
}

# Its findings go to standard output; what it says besides is how many it suppressed.
# shellcheck disable=SC2086
run_tidy() {
  clang-tidy --quiet "$1" -- $flags 2>/dev/null
}

# identicalInnerCondition only reports "if (x) return x;", which is no fault.
run_cppcheck() {
  cppcheck -q --std=c11 --enable=warning,portability,performance --inline-suppr \
    --suppress=identicalInnerCondition --error-exitcode=3 -j 2 \
    --library=posix -D_POSIX_C_SOURCE=200809L -Iinclude -Ilib "$@"
}

export -f run_layout run_flake8 run_prettier run_eslint run_tsc run_gcc_warnings \
  run_clang_warnings run_gcc run_clang run_tidy

# must_find PATTERN COMMAND...: fails if the tool does not report the planted fault. The caller
# has a file $log for what the tool says.
must_find() {
  local pattern=$1
  shift
  if "$@" >"$log" 2>&1 || ! grep -q -- "$pattern" "$log"; then
    cat "$log" >&2
    echo "${0##*/}: $1 did not find the planted fault" >&2
    exit 1
  fi
}
