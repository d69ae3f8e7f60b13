#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# layers_test.sh SOURCE_ROOT: who may include whom. A folder of lib/ includes
# itself and lower layers of the same library, where base is of all; public
# headers include each other; examples and all tests but the unit tests include
# no private header.
set -u

root=$1
failed=0

complain() {
    echo "$1" >&2
    failed=$((failed + 1))
}

# These set a variable of their name: a subshell for each include would take half a minute.
rank() {
    case $1 in
    base) rank=0 ;;
    viewer) rank=1 ;;
    recorder) rank=1 ;;
    timeline) rank=1 ;;
    store) rank=1 ;;
    parquet | arrow) rank=1 ;;
    columns) rank=2 ;;
    agent) rank=2 ;;
    web) rank=2 ;;
    writer) rank=2 ;;
    source | model | merge) rank=1 ;;
    v1 | v2 | format) rank=2 ;;
    analysis | raw | reader | rewrite | validate) rank=3 ;;
    *) rank=9 ;;
    esac
}

# The library that a folder is of: each links without the others' folders.
library() {
    case $1 in
    viewer | writer) library=viewer ;;
    timeline) library=timeline ;;
    agent | recorder) library=recorder ;;
    store | web) library=web ;;
    columns | parquet | arrow) library=columns ;;
    *) library=gotrace ;;
    esac
}

# The folder within a layer's folder, of which there are some in analysis: they share what
# is in the layer's folder itself, and do not know each other.
subfolder() {
    case $1 in
    */*) subfolder=${1%%/*} ;;
    *) subfolder= ;;
    esac
}

# Whether a test is one of the internals of libgotrace-web, which it gives memory.
is_test_of_web() {
    case $1 in
    tests/view/* | tests/bench/bench_store.c | tests/fuzz/fuzz_http.c | tests/fuzz/fuzz_web.c) ;;
    *) return 1 ;;
    esac
}

# Whether a test takes the place of the system and of the atomic operations of the recorder, or gives
# it files that are damaged.
is_test_of_recorder() {
    case $1 in
    tests/recorder/explorer/* | tests/recorder/elf_test.c | tests/recorder/cfi_rows.c) ;;
    tests/fuzz/fuzz_elf.c) ;;
    *) return 1 ;;
    esac
}

# Whether a test is one of the writer of Parquet files, which it gives other columns than tables have.
is_test_of_parquet() {
    case $1 in
    tests/columns/parquet_*.c) ;;
    *) return 1 ;;
    esac
}

# Prints "FILE INCLUDED" for every #include "..." of the files given.
quoted() {
    awk -F '"' '/^#include "/ { print FILENAME, $2 }' "$@"
}

cd "$root" || exit 1
includes=$(mktemp) || exit 1
trap 'rm -f "$includes"' EXIT
trap 'exit 1' HUP INT TERM

# shellcheck disable=SC2046
quoted $(find lib -name '*.[ch]') >"$includes"
[ -s "$includes" ] || complain 'nothing is included in lib/: the test is wrong'
while read -r file included; do
    folder=${file#lib/}
    folder=${folder%%/*}
    target=${included%%/*}
    rank "$folder" && own_rank=$rank && rank "$target"
    library "$folder" && own_library=$library && library "$target"
    subfolder "${file#lib/*/}" && own_subfolder=$subfolder && subfolder "${included#*/}"
    if [ ! -e "lib/$included" ]; then
        complain "$file includes \"$included\", which is not in lib/"
    elif [ "$own_rank" -eq 9 ] || [ "$rank" -eq 9 ]; then
        complain "$file includes \"$included\": a folder without a layer"
    elif [ "$folder" != "$target" ] && [ "$rank" -ge "$own_rank" ]; then
        complain "$file includes \"$included\" of a layer that is not below its own"
    elif [ "$target" != base ] && [ "$own_library" != "$library" ]; then
        complain "$file includes \"$included\" of another library"
    elif [ -n "$subfolder" ] && [ "$subfolder" != "$own_subfolder" ]; then
        complain "$file includes \"$included\" of a subfolder that is not its own"
    fi
done <"$includes"

find examples tests -path tests/unit -prune -o \( -name '*.[ch]' -o -name '*.cpp' \) -print \
    >"$includes.files"
# shellcheck disable=SC2046
quoted $(cat "$includes.files") >"$includes"
rm -f "$includes.files"
while read -r file included; do
    case $included in
    *lib/*) complain "$file includes \"$included\"" ;;
    store/* | web/* | base/mem.h | base/thread.h)
        is_test_of_web "$file" || complain "$file includes the private \"$included\""
        ;;
    recorder/atomic.h | recorder/cfi.h | recorder/elf.h | recorder/system*.h | recorder/unwind.h)
        is_test_of_recorder "$file" || complain "$file includes the private \"$included\""
        ;;
    parquet/*)
        is_test_of_parquet "$file" || complain "$file includes the private \"$included\""
        ;;
    */*) [ ! -e "lib/$included" ] || complain "$file includes the private \"$included\"" ;;
    esac
done <"$includes"

if grep -n '^#include "' include/gotrace/*.h; then
    complain 'public headers include each other as <gotrace/...>'
fi

[ $failed -eq 0 ]
