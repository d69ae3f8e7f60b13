#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pins_test.sh ROOT: layouts, types and values in the public headers equal those in pins.h, for
# 64 and 32 bits, and none is missing there; and programs that were built with the headers of
# the first release still work. First the test shows that it finds planted changes.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
    echo "$*" >&2
    failed=$((failed + 1))
}

# A compiler for each of the three layouts; neither libraries nor their headers are needed.
: >"$work/compilers"
for compiler in 'gcc' 'gcc -m32 -malign-double' 'gcc -m32' 'clang' \
    'clang --target=arm-linux-gnueabihf' 'clang --target=i686-linux-gnu' \
    'clang --target=s390x-linux-gnu'; do
    echo 'int x;' >"$work/empty.c"
    if $compiler -ffreestanding -fsyntax-only "$work/empty.c" 2>/dev/null; then
        echo "$compiler" >>"$work/compilers"
    fi
done
if [ ! -s "$work/compilers" ]; then
    echo 'skipped: there is neither gcc nor clang' >&2
    exit 77
fi

# check INCLUDE COMPILER: whether the headers agree with the pins.
check() {
    limit=
    case $2 in clang*) limit=-ferror-limit=0 ;; esac
    $2 -std=c11 $limit -ffreestanding -fsyntax-only -I "$1" "$here/pins.c"
}

# look INCLUDE: whether no pin is missing, and none is broken.
look() {
    python3 "$here/api.py" pins "$1" >"$work/pins.h" &&
        diff -U 0 "$here/pins.h" "$work/pins.h" &&
        python3 "$here/api.py" compare "$here/gotrace-0.1.h" "$1"
}

# plant FILE SCRIPT PINNED COMPILED: makes a breaking change in a copy. The report about the
# pins must contain PINNED, and that of a compiler COMPILED, unless that is empty.
plant() {
    cp "$work/planted/gotrace/$1" "$work/before"
    sed -i "$2" "$work/planted/gotrace/$1"
    ! cmp -s "$work/planted/gotrace/$1" "$work/before" || complain "nothing was planted by $2"
    echo "$3" >>"$work/pinned"
    [ -z "$4" ] || echo "$4" >>"$work/compiled"
}

# expect EXPECTED REPORT WHO
expect() {
    while read -r expected; do
        grep -qFe "$expected" "$2" || complain "$3 did not see what was planted: $expected"
    done <"$1"
}

cp -r "$root/include" "$work/planted"
plant status.h 's/^    uint64_t generation;/    uint64_t planted;\n&/' \
    '+FIELD(gt_error, planted' 'offset of gt_error.generation'
plant event.h '/^typedef struct gt_event {/,/^}/s/ int64_t proc;/ uint64_t proc;/' \
    '+FIELD(gt_event, proc, uint64_t' 'type of gt_event.proc'
plant stack.h 's/^    gt_string file;/    uint32_t file;/' \
    '+FIELD(gt_frame, file, uint32_t' 'sizeof gt_frame.file'
plant event.h 's/GT_EVENT_LOG = 12/GT_EVENT_LOG = 15/' \
    '-VALUE(GT_EVENT_LOG' 'value of GT_EVENT_LOG'
plant types.h 's/^#define GT_NO_PROC .*/#define GT_NO_PROC UINT64_MAX/' \
    '-VALUE(GT_NO_PROC' 'value of GT_NO_PROC'
plant summary.h 's/GT_SUMMARY_OTHER "(other)"/GT_SUMMARY_OTHER "(rest)"/' \
    '-TEXT(GT_SUMMARY_OTHER' 'text of GT_SUMMARY_OTHER'
plant reader.h 's/^typedef int64_t (\*gt_read_fn)/typedef int (*gt_read_fn)/' \
    '-TYPE(gt_read_fn' 'type of gt_read_fn'
plant mmu.h 's/gt_mmu_event(gt_mmu \*mmu, const/gt_mmu_event(gt_mmu *mmu,/' \
    '-FUNCTION(gt_mmu_event' 'type of gt_mmu_event'
# Additions, which the compilers do not notice.
plant types.h 's/^#define GT_NO_THREAD/#define GT_PLANTED 1\n&/' '+VALUE(GT_PLANTED, ' ''
plant event.h 's/GT_EVENT_TASK_END = 9,/GT_PLANTED_KIND = 99,\n&/' '+VALUE(GT_PLANTED_KIND' ''
plant types.h 's/^typedef struct gt_string/typedef struct gt_planted {\nint x;\n} gt_planted;\n&/' \
    '+SIZE(gt_planted' ''
plant types.h 's/^GT_API const char \*gt_go_state_name/GT_API int gt_planted_call(void);\n&/' \
    '+FUNCTION(gt_planted_call' ''

look "$work/planted" >"$work/report" 2>&1 && complain 'nothing was seen of what was planted'
expect "$work/pinned" "$work/report" pins.h
while read -r compiler; do
    check "$work/planted" "$compiler" >"$work/report" 2>&1 &&
        complain "$compiler: nothing was seen of what was planted"
    expect "$work/compiled" "$work/report" "$compiler"
done <"$work/compilers"

# compare, of api.py: growth is fine at the end of what may grow, not into padding (gt_mmu_options
# of 32 bits has 4 bytes), not elsewhere.
rm -rf "$work/planted"
cp -r "$root/include" "$work/planted"
plant reader.h 's/^    uint64_t repairs;/&\n    uint64_t planted;/' '' ''
plant types.h 's/^    gt_string string;/&\n    uint64_t planted;/' '' ''
plant mmu.h '/^typedef struct gt_mmu_options {/,/^}/s/^    const gt_alloc.*/&\nint x;\nint y;/' \
    '' ''
plant mmu.h 's/gt_mmu_event(gt_mmu \*mmu, const/gt_mmu_event(gt_mmu *mmu,/' '' ''
plant event.h 's/GT_EVENT_LOG = 12/GT_EVENT_LOG = 15/' '' ''
python3 "$here/api.py" compare "$here/gotrace-0.1.h" "$work/planted" 2>&1 | sort >"$work/report"
diff -u - "$work/report" <<'END' || complain 'compare did not say what was planted'
api.py: GT_EVENT_LOG is not 12
api.py: gt_metric has other members where it had 3
api.py: gt_mmu_event is not declared as it was
api.py: gt_mmu_options has grown into its padding, which 32-bit programs did not set
api.py: gt_value may not grow
END

while read -r compiler; do
    check "$root/include" "$compiler" || complain "$compiler: the headers are not as pinned"
done <"$work/compilers"
if ! look "$root/include"; then
    complain 'the headers declare what is not in tests/abi/pins.h. If something was added and' \
        'nothing else happened, call tests/abi/baseline.sh and commit what it changes.'
fi
if grep -q '^## 0\.1\.0, unreleased' "$root/docs/changelog.md" &&
    ! python3 "$here/api.py" snapshot "$root/include" | diff -u "$here/gotrace-0.1.h" -; then
    complain 'gotrace-0.1.h is not what will be released: call tests/abi/baseline.sh'
fi

[ $failed -eq 0 ]
