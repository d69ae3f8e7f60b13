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

rank() {
    case $1 in
    base) echo 0 ;;
    viewer) echo 1 ;;
    recorder) echo 1 ;;
    timeline) echo 1 ;;
    store) echo 1 ;;
    parquet) echo 1 ;;
    columns) echo 2 ;;
    web) echo 2 ;;
    writer) echo 2 ;;
    source | model | merge) echo 1 ;;
    v1 | v2 | format) echo 2 ;;
    analysis | raw | reader | rewrite | validate) echo 3 ;;
    *) echo 9 ;;
    esac
}

# The library that a folder is of: each links without the others' folders.
library() {
    case $1 in
    viewer | writer) echo viewer ;;
    timeline) echo timeline ;;
    recorder) echo recorder ;;
    store | web) echo web ;;
    columns | parquet) echo columns ;;
    *) echo gotrace ;;
    esac
}

# The folder within a layer's folder, of which there are some in analysis: they share what
# is in the layer's folder itself, and do not know each other.
subfolder() {
    case $1 in
    */*) echo "${1%%/*}" ;;
    esac
}

# Whether a test is one of the internals of libgotrace-web, which it gives memory.
is_test_of_web() {
    case $1 in
    tests/view/* | tests/bench/bench_store.c | tests/fuzz/fuzz_http.c | tests/fuzz/fuzz_web.c) ;;
    *) return 1 ;;
    esac
}

# Whether a test takes the place of the system and of the atomic operations of the recorder.
is_test_of_recorder() {
    case $1 in
    tests/recorder/explorer/*) ;;
    *) return 1 ;;
    esac
}

# Whether a file uses the library of tables, which has no public header: its tests do, and the
# command that writes the tables.
is_user_of_columns() {
    case $1 in
    tests/columns/* | examples/gotrace/columns.c | examples/gotrace/partition.[ch]) ;;
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
    if [ ! -e "lib/$included" ]; then
        complain "$file includes \"$included\", which is not in lib/"
    elif [ "$(rank "$folder")" -eq 9 ] || [ "$(rank "$target")" -eq 9 ]; then
        complain "$file includes \"$included\": a folder without a layer"
    elif [ "$folder" != "$target" ] && [ "$(rank "$target")" -ge "$(rank "$folder")" ]; then
        complain "$file includes \"$included\" of a layer that is not below its own"
    elif [ "$target" != base ] && [ "$(library "$folder")" != "$(library "$target")" ]; then
        complain "$file includes \"$included\" of another library"
    elif [ "$(subfolder "${included#*/}")" != "$(subfolder "${file#lib/*/}")" ] &&
        [ -n "$(subfolder "${included#*/}")" ]; then
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
    recorder/atomic.h | recorder/system.h)
        is_test_of_recorder "$file" || complain "$file includes the private \"$included\""
        ;;
    columns/* | parquet/*)
        is_user_of_columns "$file" || complain "$file includes the private \"$included\""
        ;;
    */*) [ ! -e "lib/$included" ] || complain "$file includes the private \"$included\"" ;;
    esac
done <"$includes"

if grep -n '^#include "' include/gotrace/*.h; then
    complain 'public headers include each other as <gotrace/...>'
fi

[ $failed -eq 0 ]
