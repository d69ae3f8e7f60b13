#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# analyzers.sh [--all | --cppcheck]: runs the static analyzers of gcc and clang, and clang-tidy.
# With --all clang's analyzer follows as many paths as it likes, which takes minutes. With --cppcheck
# it runs cppcheck instead.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/gates/tools.sh
which=${1:-}
if [ "$which" = --all ]; then nodes=225000; fi
planted=tests/gates/planted_static.c

# each CHECK: runs it on the files that standard input names, two at a time.
each() {
  echo "$1: $SECONDS s"
  xargs -P 2 -I FILE bash -euc "$1 FILE"
}

analyze() {
  must_find double-free run_gcc "$planted"
  must_find core.NullDereference run_clang "$planted"
  must_find bugprone-too-small-loop-variable run_tidy "$planted"
  find lib -name '*.c' | sort >"$log"
  each run_gcc <"$log"
  each run_clang <"$log"
  find examples/gotrace -name '*.c' | sort >>"$log"
  each run_tidy <"$log"
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ "$which" = --cppcheck ]; then
  must_find arrayIndexOutOfBounds run_cppcheck "$planted"
  run_cppcheck lib
else
  analyze
fi
