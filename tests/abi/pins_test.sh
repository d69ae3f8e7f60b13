#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# pins_test.sh ROOT: layouts, types and values in the public headers equal those in pins.h, for
# 64 and 32 bits, and programs that were built with the headers of the first release still work,
# but for breaks that the changelog explains. What was added is fine. First the test shows that it
# finds planted changes.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
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

# check INCLUDE COMPILER PINS: whether the headers agree with the pins in a folder.
check() {
    limit=
    case $2 in clang*) limit=-ferror-limit=0 ;; esac
    cp "$here/pins.c" "$work/pins.c"
    cp "$3/pins.h" "$work/pins.h"
    $2 -std=c11 $limit -ffreestanding -fsyntax-only -I "$1" "$work/pins.c"
}

# look INCLUDE CHANGELOG: whether no pin is broken.
look() {
    python3 "$here/api.py" pinned "$here/pins.h" "$1" "$2" &&
        python3 "$here/api.py" compare "$here/gotrace-0.1.h" "$1" "$2"
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
    'FIELD(gt_error, generation' 'offset of gt_error.generation'
plant event.h '/^typedef struct gt_event {/,/^}/s/ int64_t proc;/ uint64_t proc;/' \
    'FIELD(gt_event, proc, int64_t' 'type of gt_event.proc'
plant stack.h 's/^    gt_string file;/    uint32_t file;/' \
    'FIELD(gt_frame, file, gt_string' 'sizeof gt_frame.file'
plant event.h 's/GT_EVENT_LOG = 12/GT_EVENT_LOG = 15/' \
    'VALUE(GT_EVENT_LOG' 'value of GT_EVENT_LOG'
plant types.h 's/^#define GT_NO_PROC .*/#define GT_NO_PROC UINT64_MAX/' \
    'VALUE(GT_NO_PROC' 'value of GT_NO_PROC'
plant summary.h 's/GT_SUMMARY_OTHER "(other)"/GT_SUMMARY_OTHER "(rest)"/' \
    'TEXT(GT_SUMMARY_OTHER' 'text of GT_SUMMARY_OTHER'
plant reader.h 's/^typedef int64_t (\*gt_read_fn)/typedef int (*gt_read_fn)/' \
    'TYPE(gt_read_fn' 'type of gt_read_fn'
plant mmu.h 's/gt_mmu_event(gt_mmu \*mmu, const/gt_mmu_event(gt_mmu *mmu,/' \
    'FUNCTION(gt_mmu_event' 'type of gt_mmu_event'
changelog=$root/docs/changelog.md
look "$work/planted" "$changelog" >"$work/report" 2>&1 &&
    complain 'nothing was seen of what was planted'
expect "$work/pinned" "$work/report" pins.h
while read -r compiler; do
    check "$work/planted" "$compiler" "$here" >"$work/report" 2>&1 &&
        complain "$compiler: nothing was seen of what was planted"
    expect "$work/compiled" "$work/report" "$compiler"
done <"$work/compilers"

# With an entry of the changelog that explains them, all of them are accepted; not without one of
# them, nor with one that has no reason or is of an earlier release.
names='`gt_event`, `gt_frame`, `gt_region_summary`, `GT_EVENT_LOG`, `GT_NO_PROC`, `GT_SUMMARY_OTHER`'
names="$names, \`gt_read_fn\`"
explain() {
    awk -v entry="$1" '{ print } /^## / && !done++ { print "\n- " entry "\n" }' "$changelog" \
        >"$work/changelog.md"
}
entry="$names, \`gt_mmu_event\`: planted, because it is a test."
explain "**API** \`gt_error\`, $entry"
look "$work/planted" "$work/changelog.md" >"$work/report" 2>&1 ||
    complain "explained breaks are not accepted: $(cat "$work/report")"
explain "**ABI** $entry"
look "$work/planted" "$work/changelog.md" >"$work/report" 2>&1 &&
    complain 'a break is accepted of which the changelog says nothing'
grep -qF 'FIELD(gt_error, generation' "$work/report" || complain 'it was not named'
explain "**API** \`gt_error\`, $names, \`gt_mmu_event\`: planted."
look "$work/planted" "$work/changelog.md" >"$work/report" 2>&1 &&
    complain 'breaks are accepted without a reason'
grep -qF 'an entry of a break needs' "$work/report" || complain 'no reason was asked for'
{
    printf '# Changes\n\n## 9.0.0, unreleased\n\n- Nothing.\n\n'
    explain "**API** \`gt_error\`, $entry"
    sed 1d "$work/changelog.md"
} >"$work/later.md"
look "$work/planted" "$work/later.md" >/dev/null 2>&1 &&
    complain 'breaks are accepted that an earlier release made'

# Additions are fine.
rm -rf "$work/planted"
cp -r "$root/include" "$work/planted"
plant types.h 's/^#define GT_NO_THREAD/#define GT_PLANTED 1\n&/' '' ''
plant event.h 's/GT_EVENT_TASK_END = 9,/GT_PLANTED_KIND = 99,\n&/' '' ''
plant types.h 's/^typedef struct gt_string/typedef struct gt_planted {\nint x;\n} gt_planted;\n&/' \
    '' ''
plant types.h 's/^GT_API const char \*gt_go_state_name/GT_API int gt_planted_call(void);\n&/' \
    '' ''
plant mmu.h 's/gt_mmu_event(gt_mmu \*mmu,/gt_mmu_event(gt_mmu *planted_name,/' '' ''
plant reader.h 's/^    uint64_t repairs;/&\n    uint64_t planted;/' '' ''
look "$work/planted" "$changelog" >"$work/report" 2>&1 ||
    complain "additions are not accepted: $(cat "$work/report")"
mkdir "$work/added"
python3 "$here/api.py" pins "$work/planted" >"$work/added/pins.h"
for name in GT_PLANTED, GT_PLANTED_KIND gt_planted, gt_planted_call; do
    grep -q "($name" "$work/added/pins.h" || complain "pins.h would not have $name"
done
while read -r compiler; do
    check "$work/planted" "$compiler" "$work/added" || complain "$compiler: what was added"
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
python3 "$here/api.py" compare "$here/gotrace-0.1.h" "$work/planted" "$changelog" 2>&1 |
    sort >"$work/report"
diff -u - "$work/report" <<'END' || complain 'compare did not say what was planted'
api.py: GT_EVENT_LOG is not 12
api.py: gt_metric has other members where it had 3
api.py: gt_mmu_event is not declared as it was
api.py: gt_mmu_options has grown into its padding, which 32-bit programs did not set
api.py: gt_value may not grow
END

mkdir "$work/now"
python3 "$here/api.py" pins "$root/include" >"$work/now/pins.h"
while read -r compiler; do
    check "$root/include" "$compiler" "$work/now" || complain "$compiler: not as api.py has it"
done <"$work/compilers"
if ! look "$root/include" "$changelog"; then
    complain 'the headers break programs. If that has to be, docs/changelog.md explains it in an' \
        'entry like "- **API** `gt_name`: what has changed, because of what."'
fi
# Additions may wait for the next call of baseline.sh, but a release does not.
if grep -q '^## 0\.1\.0, [^u]' "$changelog" &&
    [ "$(grep -c '^## ' "$changelog")" = 1 ] &&
    ! python3 "$here/api.py" snapshot "$root/include" | diff -u "$here/gotrace-0.1.h" -; then
    complain 'gotrace-0.1.h is not what is released: call tests/abi/baseline.sh'
fi

[ $failed -eq 0 ]
