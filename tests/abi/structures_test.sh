#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# structures_test.sh ROOT: each structure of the public headers either begins with its size, so that
# it can grow, or is one of those of which the headers promise that they will never change. First
# the test shows that it finds planted structures that are neither.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# plant FILE SCRIPT PROBLEM: makes a change in a copy of the headers, which must be reported.
plant() {
    rm -rf "$work/planted"
    cp -r "$root/include" "$work/planted"
    sed -i "$2" "$work/planted/gotrace/$1"
    if cmp -s "$work/planted/gotrace/$1" "$root/include/gotrace/$1"; then
        echo "nothing was planted by $2" >&2
        exit 1
    fi
    if python3 "$here/api.py" structures "$work/planted" >"$work/report" 2>&1 ||
        ! grep -qF "$3" "$work/report"; then
        echo "not reported: $3" >&2
        cat "$work/report" >&2
        exit 1
    fi
}

plant types.h 's/^typedef struct gt_value/typedef struct gt_planted {\nint x;\n} gt_planted;\n&/' \
    'gt_planted does not begin with its size'
plant status.h '/^typedef struct gt_error {/,/^}/s/ size_t size;/ uint64_t size;/' \
    'gt_error does not begin with its size'
plant stack.h 's/ Its layout will never change\.//' 'gt_frame is in FROZEN, but its comment'
plant stack.h 's/^typedef struct gt_frame {/&\n    size_t size;/' 'gt_frame has a size, and is said'
plant summary.h 's/ const gt_summary_times \*times;/ gt_summary_times times;/' \
    'gt_region_summary.times would push away'
plant wire.h 's/gt_wire_argument/gt_wire_planted/' 'gt_wire_argument is in FROZEN, and does not exist'

python3 "$here/api.py" structures "$root/include"
