#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# analyzers.sh [--all]: what gcc, clang, clang-tidy and cppcheck find without running anything.
# With --all clang's analyzer follows as many paths as it wants to, which takes minutes.
# shellcheck disable=SC2086 # $flags are several.
set -euo pipefail
cd "$(dirname "$0")/../.."
export nodes=20000
if [ "${1:-}" = --all ]; then nodes=225000; fi
export flags="-std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Iinclude -Ilib -Iexamples/gotrace"
planted=tests/gates/planted_static.c

# Not gcc's null dereferences and unset values: it forgets what an assertion has said of a
# number behind a pointer, so takes a call that failed for one that did not, and does not
# see what memcpy reads. clang's remain, and the sanitizers. Without optimisation, which
# leaves it little to see.
run_gcc() {
  gcc $flags -Wall -Werror -O0 -fanalyzer -Wno-analyzer-null-dereference \
    -Wno-analyzer-use-of-uninitialized-value -fdiagnostics-plain-output -S -o /dev/null "$1"
}

run_clang() {
  clang $flags --analyze -Xclang -analyzer-werror -Xclang -analyzer-config \
    -Xclang max-nodes="$nodes" -o /dev/null "$1"
}

run_tidy() {
  clang-tidy --quiet "$1" -- $flags 2>/dev/null
}

# Not "if (x) return x;", which finds nothing but that.
run_cppcheck() {
  cppcheck -q --std=c11 --enable=warning,portability,performance --inline-suppr \
    --suppress=identicalInnerCondition --error-exitcode=3 -j 2 \
    --library=posix -D_POSIX_C_SOURCE=200809L -Iinclude -Ilib "$@"
}
export -f run_gcc run_clang run_tidy

# Files on the standard input, two at a time.
each() {
  echo "$1: $SECONDS s"
  xargs -P 2 -I FILE bash -euc "$1 FILE"
}

must_find() {
  local pattern=$1
  shift
  if "$@" >"$log" 2>&1 || ! grep -q -- "$pattern" "$log"; then
    cat "$log" >&2
    echo "analyzers.sh: $1 did not find the planted fault" >&2
    exit 1
  fi
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
must_find double-free run_gcc "$planted"
must_find core.NullDereference run_clang "$planted"
must_find bugprone-too-small-loop-variable run_tidy "$planted"
must_find arrayIndexOutOfBounds run_cppcheck "$planted"

find lib -name '*.c' | sort >"$log"
each run_gcc <"$log"
each run_clang <"$log"
run_cppcheck lib
find examples/gotrace -name '*.c' | sort >>"$log"
each run_tidy <"$log"
