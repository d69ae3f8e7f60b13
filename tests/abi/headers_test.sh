#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# headers_test.sh INCLUDE_DIR: every public header compiles alone, in the oldest and the newest
# standard of C and C++ that programs may use, with warnings as errors; so does, in all standards,
# a program that includes all and uses every initialiser. First it is shown that faults are seen.
set -u

include=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Werror'
checked=0
failed=0

# compiles COMPILER LANGUAGE STANDARD FILE
compiles() {
    # shellcheck disable=SC2086
    "$1" -x "$2" -std="$3" $warnings -fsyntax-only -I "$include" "$4"
}

# compile COMPILER LANGUAGE STANDARD FILE
compile() {
    checked=$((checked + 1))
    if ! compiles "$@"; then
        echo "$1 -std=$3: $4 ($(head -n 1 "$4"))" >&2
        failed=$((failed + 1))
    fi
}

# each COMPILER LANGUAGE OLDEST NEWEST STANDARD...: nothing where there is no such compiler.
each() {
    compiler=$1
    language=$2
    ends="$3 $4"
    shift 4
    command -v "$compiler" >/dev/null || return 0
    for standard in $ends; do
        for file in "$work"/alone/*.c; do
            compile "$compiler" "$language" "$standard" "$file"
        done
    done
    for standard in $ends "$@"; do
        compile "$compiler" "$language" "$standard" "$work/initialisers.c"
    done
    if compiles "$compiler" "$language" "${ends%% *}" "$work/planted.c" 2>/dev/null; then
        echo "$compiler -std=${ends%% *} did not see the faults that were planted" >&2
        failed=$((failed + 1))
    fi
}

mkdir "$work/alone"
for header in "$include"/gotrace/*.h; do
    name=$(basename "$header" .h)
    printf '#include <gotrace/%s.h>\n' "$name" >"$work/alone/$name.c"
    # Twice: the guard works.
    printf '#include <gotrace/%s.h>\n' "$name" >>"$work/alone/$name.c"
done

# GT_SOME_THING_INIT initialises a gt_some_thing.
{
    for header in "$include"/gotrace/*.h; do
        echo "#include <gotrace/$(basename "$header")>"
    done
    echo 'int main(void)'
    echo '{'
    cat "$include"/gotrace/*.h | sed -n 's/^#define \(GT_[A-Z_]*\)_INIT.*/\1/p' | while read -r macro; do
        type=$(echo "$macro" | tr '[:upper:]' '[:lower:]')
        echo "    { $type value = ${macro}_INIT; if (value.size != sizeof(value)) return 1; }"
    done
    echo '    return 0;'
    echo '}'
} >"$work/initialisers.c"

# In C a fault is what is not declared, in C++98 the comma.
cat >"$work/planted.c" <<'END'
#include <gotrace/gotrace.h>
enum gt_planted { GT_PLANTED = 1, };
#ifndef __cplusplus
gt_missing planted(void);
#endif
END

for compiler in gcc clang; do
    each $compiler c c99 c2x c11 c17
done
for compiler in g++ clang++; do
    each $compiler c++ c++98 c++2b c++03 c++11 c++14 c++17 c++20
done

if [ $checked -eq 0 ]; then
    echo 'no compiler found' >&2
    exit 77
fi
echo "$checked compilations, $failed failed"
[ $failed -eq 0 ]
