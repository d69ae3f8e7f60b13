#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# analyzers.sh [--all | --cppcheck]: runs the static analyzers of gcc and clang, and clang-tidy.
# With --all clang's analyzer follows as many paths as it likes, which takes minutes. With --cppcheck
# it runs cppcheck instead. If GT_BASE names a commit since which the settings of these tools have not
# changed, files that have not changed either, nor what they include, are left out, aloud.
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

# concerned FILE...: those that have to be looked at.
concerned() {
  local since names headers
  if [ -z "${GT_BASE:-}" ] || ! since=$(git merge-base HEAD "$GT_BASE") ||
    ! git diff --quiet "$since" -- .clang-tidy meson.build tests/gates; then
    printf '%s\n' "$@"
    return
  fi
  names=$(git diff --name-only "$since")
  mapfile -t headers < <(grep '\.h$' <<<"$names")
  [ "${#headers[@]}" = 0 ] || names+=$'\n'$(tests/gates/includers.py "${headers[@]}")
  printf '%s\n' "$@" | grep -xF -f <(echo "$names") || true
}

analyze() {
  must_find double-free run_gcc "$planted"
  must_find core.NullDereference run_clang "$planted"
  must_find bugprone-too-small-loop-variable run_tidy "$planted"
  local libraries command some
  mapfile -t libraries < <(find lib -name '*.c' | sort)
  mapfile -t command < <(find examples/gotrace -name '*.c' | sort)
  some=$(mktemp)
  concerned "${libraries[@]}" >"$some"
  each run_gcc <"$some"
  each run_clang <"$some"
  concerned "${command[@]}" >>"$some"
  each run_tidy <"$some"
  echo "looked at $(wc -l <"$some") of $((${#libraries[@]} + ${#command[@]})) files"
  rm "$some"
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ "$which" = --cppcheck ]; then
  must_find arrayIndexOutOfBounds run_cppcheck "$planted"
  run_cppcheck lib
else
  analyze
fi
