#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# headers_test.sh INCLUDE_DIR: every public header compiles by itself, in the oldest and the
# newest standard of C and C++ that programs may use, with warnings as errors. A program that
# includes all headers and uses every initialiser compiles in all standards. First the test
# shows that it finds planted faults.
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

# each COMPILER LANGUAGE OLDEST NEWEST STANDARD...: does nothing if there is no such compiler.
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
    # Including a header twice tests its guard.
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

# In C the undeclared name is a fault, in C++98 the trailing comma.
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
