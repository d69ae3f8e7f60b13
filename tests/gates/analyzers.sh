#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# analyzers.sh [--all]: runs clang's static analyzer, clang-tidy and cppcheck. With --all also
# gcc's analyzer, and clang's follows as many paths as it likes, which takes minutes.
# shellcheck disable=SC2086 # $flags are several.
set -euo pipefail
cd "$(dirname "$0")/../.."
export nodes=20000
all=${1:-}
if [ "$all" = --all ]; then nodes=225000; fi
export flags="-std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Iinclude -Ilib -Iexamples/gotrace"
# As in the build: the libraries check arguments that no caller should give.
flags+=" -DGT_NONNULL(which)="
# Where the command looks for the page of the viewer.
flags+=' -DVIEWERPAGE_DATA="share/gotrace" -DVIEWERPAGE_ROOT="/usr/share/gotrace"'
# And for the agent.
flags+=' -DGT_AGENT_FILE="../lib/gotrace/libgotrace-agent.so"'
planted=tests/gates/planted_static.c

# Without gcc's checks for null dereferences and unset values: it forgets what an assertion
# says about a number behind a pointer, so it takes failed calls for successful ones, and it
# does not see what memcpy reads. clang and the sanitizers have the same checks. Compiles
# without optimisation, which hides most code from the analyzer.
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

# identicalInnerCondition only reports "if (x) return x;", which is no fault.
run_cppcheck() {
  cppcheck -q --std=c11 --enable=warning,portability,performance --inline-suppr \
    --suppress=identicalInnerCondition --error-exitcode=3 -j 2 \
    --library=posix -D_POSIX_C_SOURCE=200809L -Iinclude -Ilib "$@"
}
export -f run_gcc run_clang run_tidy

# each CHECK: runs it on the files that standard input names, two at a time.
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
[ "$all" != --all ] || must_find double-free run_gcc "$planted"
must_find core.NullDereference run_clang "$planted"
must_find bugprone-too-small-loop-variable run_tidy "$planted"
must_find arrayIndexOutOfBounds run_cppcheck "$planted"

find lib -name '*.c' | sort >"$log"
[ "$all" != --all ] || each run_gcc <"$log"
each run_clang <"$log"
run_cppcheck lib
find examples/gotrace -name '*.c' | sort >>"$log"
each run_tidy <"$log"
