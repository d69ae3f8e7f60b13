#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# headers_test.sh INCLUDE_DIR: every public header compiles by itself, in the oldest standard of C
# and C++ that programs may use, with warnings as errors. A program that includes all headers and
# uses every initialiser compiles in all standards, and so does one that uses every flag, every
# constant of an enumeration and every number as what it is. First the test shows that it finds
# planted faults.
set -u

include=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Werror'
# What C++ warns of besides.
plus_warnings='-Wold-style-cast -Woverloaded-virtual'
checked=0
failed=0

# compiles COMPILER LANGUAGE STANDARD FILE
compiles() {
    more=
    [ "$2" = c ] || more=$plus_warnings
    # shellcheck disable=SC2086
    "$1" -x "$2" -std="$3" $warnings $more -S -o /dev/null -I "$include" "$4"
}

# compile COMPILER LANGUAGE STANDARD FILE
compile() {
    checked=$((checked + 1))
    if ! compiles "$@"; then
        echo "$1 -std=$3: $4 ($(head -n 1 "$4"))" >&2
        failed=$((failed + 1))
    fi
}

# each COMPILER LANGUAGE OLDEST STANDARD...: does nothing if there is no such compiler.
each() {
    compiler=$1
    language=$2
    oldest=$3
    shift 3
    command -v "$compiler" >/dev/null || return 0
    for file in "$work"/alone/*.c; do
        compile "$compiler" "$language" "$oldest" "$file"
    done
    for standard in "$oldest" "$@"; do
        compile "$compiler" "$language" "$standard" "$work/initialisers.c"
        compile "$compiler" "$language" "$standard" "$work/constants.c"
    done
    for file in "$work"/planted*.c; do
        case $language-$file in c-*/planted_cast.c) continue ;; esac
        if compiles "$compiler" "$language" "$oldest" "$file" 2>/dev/null; then
            echo "$compiler -std=$oldest did not see the fault of $(tail -n 1 "$file")" >&2
            failed=$((failed + 1))
        fi
    done
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

# A flag is set and taken away in a member of its width; a constant of an enumeration is compared,
# and assigned to a variable of its type; a number is one of 64 bits.
{
    for header in "$include"/gotrace/*.h; do
        echo "#include <gotrace/$(basename "$header")>"
    done
    echo 'int main(int argc, char **argv)'
    echo '{'
    echo '    (void) argv;'
    cat "$include"/gotrace/*.h | sed -nE \
        -e 's/^#define (GT_[A-Z0-9_]*) \(UINT(32|64)_C\(1\) <<.*/    { uint\2_t flags = \1; flags |= \1; flags \&= ~\1; if (flags) return 1; }/p' \
        -e 's/^#define (GT_[A-Z0-9_]*) \(?(-?)(U?)INT64_C\([0-9]*\)\)?$/    { \3int64_t n = \1; n = argc ? n : \1; if (n != \1) return 1; }/p' |
        sed 's/Uint64_t/uint64_t/'
    cat "$include"/gotrace/*.h | awk '
        /^typedef u?int32_t gt_/ { type = $3; sub(/;/, "", type) }
        /^enum \{/ { on = 1 }
        /^\};/ { on = 0 }
        on && $1 ~ /^GT_/ {
            # g++ warns of another constant of unsigned type in a choice.
            pick = type == "gt_status" ? "argc ? " $1 " : v" : $1
            print "    { " type " v = " $1 "; v = " pick "; if (v != " $1 ") return 1; }"
        }'
    echo '    return 0;'
    echo '}'
} >"$work/constants.c"
for constant in GT_READER_KEEP GT_WIRE_TIMED GT_ROW_GC GT_NO_PROC GT_OK GT_ERR_STUCK GT_V1_BATCH; do
    if ! grep -qw "$constant" "$work/constants.c"; then
        echo "$constant is not tried" >&2
        failed=$((failed + 1))
    fi
done

# In C the undeclared name is a fault, in C++98 the trailing comma.
cat >"$work/planted.c" <<'END'
#include <gotrace/gotrace.h>
enum gt_planted { GT_PLANTED = 1, };
#ifndef __cplusplus
gt_missing planted(void);
#endif
END
# A flag that is an int, and a cast of C.
cat >"$work/planted_flag.c" <<'END'
#include <gotrace/gotrace.h>
enum { PLANTED_FLAG = 1 << 0 };
uint64_t planted(uint64_t flags);
uint64_t planted(uint64_t flags) { return flags & ~PLANTED_FLAG; }
END
cat >"$work/planted_cast.c" <<'END'
#include <gotrace/gotrace.h>
static const int64_t planted = ((int64_t) -1);
int also_planted(void);
int also_planted(void) { return planted != 0; }
END
# A result that is ignored, and a NULL.
cat >"$work/planted_ignored.c" <<'END'
#include <gotrace/gotrace.h>
void planted(gt_reader *reader, const gt_event **event);
void planted(gt_reader *reader, const gt_event **event) { gt_reader_next_event(reader, event); }
END
cat >"$work/planted_null.c" <<'END'
#include <gotrace/gotrace.h>
gt_status planted(void);
gt_status planted(void) { return gt_reader_open_file(NULL, "trace", NULL, NULL); }
END

for compiler in gcc clang; do
    each $compiler c c99 c11 c17 c2x
done
for compiler in g++ clang++; do
    each $compiler c++ c++98 c++03 c++11 c++14 c++17 c++20 c++2b
done

if [ $checked -eq 0 ]; then
    echo 'no compiler found' >&2
    exit 77
fi
echo "$checked compilations, $failed failed"
[ $failed -eq 0 ]
