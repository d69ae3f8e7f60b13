#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# headers_test.sh INCLUDE_DIR: every public header compiles alone, in every
# standard of C and C++ that programs may use, with warnings as errors; so does
# a program that uses every initialiser.
set -u

include=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Werror'
checked=0
failed=0

# compile COMPILER LANGUAGE STANDARD FILE
compile() {
    checked=$((checked + 1))
    # shellcheck disable=SC2086
    if ! "$1" -x "$2" -std="$3" $warnings -fsyntax-only -I "$include" "$4"; then
        echo "$1 -std=$3: $4 ($(head -n 1 "$4"))" >&2
        failed=$((failed + 1))
    fi
}

for header in "$include"/gotrace/*.h; do
    name=$(basename "$header" .h)
    printf '#include <gotrace/%s.h>\n' "$name" >"$work/$name.c"
    # Twice: the guard works.
    printf '#include <gotrace/%s.h>\n' "$name" >>"$work/$name.c"
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

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for file in "$work"/*.c; do
        for standard in c99 c11 c17; do
            compile $compiler c $standard "$file"
        done
    done
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for file in "$work"/*.c; do
        for standard in c++98 c++11 c++14 c++17 c++20; do
            compile $compiler c++ $standard "$file"
        done
    done
done

if [ $checked -eq 0 ]; then
    echo 'no compiler found' >&2
    exit 77
fi
echo "$checked compilations, $failed failed"
[ $failed -eq 0 ]
