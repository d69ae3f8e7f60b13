#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# imports_test.sh IMPORTS CC MAPS LIBRARY...: in a release build, the shared libraries import
# only the symbols in the files IMPORTS and those that the version scripts MAPS (a list in one
# argument) export, so neither abort nor assert nor printf, and they have no writable data, but for
# variables that IMPORTS name.
# The table of docs/compatibility.md says the same of them. IMPORTS without imports_threads.txt
# are those of a build without threads. First the test shows that it finds such things.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
imports=$1
cc=$2
maps=$3
shift 3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

complain() {
    echo "$*" >&2
    failed=$((failed + 1))
}

# shellcheck disable=SC2086
{
    grep -hv '^#' $imports
    sed -n 's/^ *\(gt_[a-z0-9_]*\);/\1/p' $maps
} | sort >"$work/allowed"

# shellcheck disable=SC2086
sed -n 's/^# variable: //p' $imports >"$work/variables"

# Prints which other symbols a library imports.
foreign() {
    nm -D --undefined-only "$1" | awk '{ sub(/@.*/, "", $2); print $2 }' | sort -u >"$work/needed"
    comm -23 "$work/needed" "$work/allowed"
}

# Prints its variables: the symbols in writable sections, except for those of the start files.
# Constants that are only relocated at startup are in .data.rel.ro.
variables() {
    objdump -t "$1" | awk -F '\t' 'NF == 2 {
        count = split($1, flags, " ")
        section = flags[count]
        count = split($2, words, " ")
        name = words[count]
        if (section ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*|\.data\.rel|\.data\.rel\.local)$/ &&
            name != section &&
            name !~ /^(completed(\.[0-9]+)?|__dso_handle|__TMC_END__|_edata|__bss_start|_end)$/)
            print name
    }'
}

# saw WHAT EXPECTED...: fails if one of these is not in WHAT.
saw() {
    seen=$1
    shift
    for expected in "$@"; do
        echo "$seen" | grep -qx "$expected" || complain "not seen, though it was planted: $expected"
    done
}

# Prints the row of a library in a copy of the table: "yes" or "no", and its lists.
row() {
    sed -n "s/^| \`$2\` | \([a-z]*\) |.*| \(.*\) |\$/\1 \2/p" "$1" | tr -d '\`,'
}

# Prints the same of what was built. The table is that of builds with threads. needs LIBRARY
needs() {
    threads=no
    nm -D --undefined-only "$1" | grep -q ' pthread_' && threads=yes
    # shellcheck disable=SC2086
    echo "$threads" $(for list in $imports; do basename "$list"; done)
}

cat >"$work/planted.c" <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int planted_counter;
static int *planted_pointer = &planted_counter;
static _Thread_local int planted_thread;
int gt_planted(int x);
int gt_planted(int x)
{
    assert(x != 1);
    if (x == 2)
        abort();
    printf("%d %d", ++*planted_pointer, x);
    pthread_join(pthread_self(), 0);
    planted_pointer++;
    return planted_thread++;
}
END
# shellcheck disable=SC2086
$cc -shared -fPIC -O0 -o "$work/planted.so" "$work/planted.c" || complain 'nothing was planted'
saw "$(foreign "$work/planted.so")" __assert_fail abort printf
case $(needs "$work/planted.so") in
'yes imports.txt'*) ;;
*) complain 'needs did not see what was planted' ;;
esac
saw "$(variables "$work/planted.so")" planted_counter planted_pointer planted_thread

for library in "$@"; do
    objdump -t "$library" | grep -q '\.text' || complain "$library has no symbols to look at"
    for symbol in $(foreign "$library"); do
        complain "$library needs $symbol"
    done
    name=$(basename "$library" | sed 's/\.so.*//')
    told=$(row "$root/docs/compatibility.md" "$name")
    case $imports in
    *imports_threads.txt*) ;;
    *imports_reader.txt*) told=$(echo "$told" | sed 's/^yes/no/; s/ imports_threads.txt//') ;;
    esac
    [ "$told" = "$(needs "$library")" ] ||
        complain "docs/compatibility.md says of $name '$told', but it is '$(needs "$library")'"
    for symbol in $(variables "$library" | grep -vxF -f "$work/variables"); do
        complain "$library has a variable: $symbol"
    done
done

[ $failed -eq 0 ]
