#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# abi_test.sh ROOT LIBRARY...: compares the binary interface of the shared libraries, which
# need debug information, with the baselines beside this file. What was added is fine, and so is a
# break that the changelog explains. First it shows that it finds planted breaks of all sorts.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$1
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

complain() {
    echo "$*" >&2
    failed=$((failed + 1))
}

skip() {
    echo "skipped: $*" >&2
    exit 77
}

for tool in abidiff abidw gcc python3; do
    command -v $tool >/dev/null || skip "there is no $tool"
done
for library in "$@"; do
    [ -e "$library" ] || {
        echo "$library was not built" >&2
        exit 1
    }
    readelf -h "$library" | grep -q 'Machine: .*X86-64' || skip "$library is not for x86-64"
    readelf -S "$library" | grep -q '\.debug_info' || skip "$library has no debug information"
done

# Prints the library of this name among the arguments.
built() {
    wanted=$1
    shift
    for library in "$@"; do
        case ${library##*/} in "$wanted".so*) echo "$library" ;; esac
    done
}

# Changes that abidiff calls harmless, such as double for uint64_t, count as breaks here. For
# the libraries themselves only leaf changes can be compared, as opaque types are not opaque
# there. compare BASELINE INTERFACE REPORT [OPTION...]
compare() {
    baseline=$1 interface=$2 report=$3
    shift 3
    abidiff --harmless --redundant "$@" "$baseline" "$interface" >"$report" 2>&1
}

# compare_library BASELINE LIBRARY REPORT [OPTION...]
compare_library() {
    baseline=$1 interface=$2 report=$3
    shift 3
    abidiff --leaf-changes-only --headers-dir2 "$root/include" "$@" "$baseline" "$interface" \
        >"$report" 2>&1
}

# accepting ROOT CHANGELOG: writes down for abidiff what is accepted in the headers of ROOT.
accepting() {
    python3 "$here/api.py" accepted "$here/gotrace-0.1.h" "$1/include" "$2" >"$work/accepted"
}

# accepts BASELINE INTERFACE REPORT: whether nothing else than that has changed.
accepts() {
    compare "$1" "$2" "$3" --no-added-syms --suppressions "$work/accepted"
}

# plant FILE SCRIPT: makes a break in a copy.
plant() {
    cp "$work/planted/$1" "$work/before"
    sed -i "$2" "$work/planted/$1"
    ! cmp -s "$work/planted/$1" "$work/before" || complain "nothing was planted by $2"
}

# All breaks must be found, between the headers with the breaks and the real headers and
# libraries.
mkdir "$work/planted"
cp -r "$root/include" "$work/planted/include"
mkdir "$work/planted/lib"
cp "$root"/lib/*.map "$work/planted/lib"
plant include/gotrace/status.h 's/^    uint64_t generation;/    uint64_t planted_member;\n&/'
# The constants have no type of their own, so pins_test.sh holds their values.
plant include/gotrace/status.h 's/^typedef int32_t gt_status;/typedef int64_t gt_status;/'
plant include/gotrace/event.h '/^typedef struct gt_event {/,/^}/s/ int64_t proc;/ uint64_t proc;/'
plant include/gotrace/reader.h 's/^typedef int64_t (\*gt_read_fn)/typedef int (*gt_read_fn)/'
plant include/gotrace/reader.h 's/^    uint64_t repairs;/&\n    uint64_t planted_end;/'
plant include/gotrace/wire.h 's/^    uint32_t begin_type;/    uint64_t begin_type;/'
plant include/gotrace/mmu.h 's/\(gt_mmu_minimum(gt_mmu \*mmu, \)int64_t/\1int32_t/'
plant include/gotrace/mmu.h 's/^GT_API void gt_mmu_close.*/&\nGT_API void gt_mmu_planted(void);/'
plant lib/gotrace.map 's/^ *gt_mmu_close;/&\n    gt_mmu_planted;/'
plant include/gotrace/emitter.h '/^typedef struct gt_slice {/,/^}/s/^    uint64_t task;//'
plant lib/gotrace-timeline.map 's/0\.1/0.0/'
plant include/gotrace/recorder.h '/^typedef struct gt_recorder_options {/,/^}/s/^    uint64_t period;//'
plant include/gotrace/columns.h '/^typedef struct gt_columns_about {/,/^}/s/^    uint64_t bytes;//'
plant include/gotrace/web.h '/^typedef struct gt_web_request {/,/^}/s/^    const char \*query;//'

cat >"$work/libgotrace.expected" <<'END'
uint64_t planted_member
gt_status
\(uint64_t \|gt_event::\)proc' changed
gt_read_fn
uint64_t planted_end
\(uint64_t \|gt_wire_spec::\)begin_type' changed
gt_mmu_minimum
gt_mmu_planted
END
echo 'uint64_t task' >"$work/libgotrace-viewer.expected"
echo 'GOTRACE_TIMELINE_0.0' >"$work/libgotrace-timeline.expected"
echo 'bytes' >"$work/libgotrace-columns.expected"
echo 'query' >"$work/libgotrace-web.expected"
echo 'period' >"$work/libgotrace-recorder.expected"

# expect_planted NAME WHAT: fails if the report does not name all of them.
expect_planted() {
    while read -r expected; do
        grep -qe "$expected" "$work/$1.report" ||
            complain "$1: not seen in the $2, though it was planted: $expected"
    done <"$work/$1.expected"
}

# check NAME LIBRARY
check() {
    if ! "$here/abixml.sh" "$root" "$1" "$work/$1.now" ||
        ! "$here/abixml.sh" "$work/planted" "$1" "$work/$1.planted"; then
        complain "$1: its interface could not be described"
        return
    fi
    compare "$work/$1.planted" "$work/$1.now" "$work/$1.report" &&
        complain "$1: nothing was seen of what was planted"
    expect_planted "$1" headers
    compare_library "$work/$1.planted" "$2" "$work/$1.report" &&
        complain "$1: nothing was seen in the library of what was planted"
    expect_planted "$1" library
    accepting "$root" "$root/docs/changelog.md" || complain 'the changelog is not understood'
    if ! accepts "$here/$1.abi" "$work/$1.now" "$work/$1.report" ||
        ! compare_library "$here/$1.abi" "$2" "$work/$1.report" --no-added-syms \
            --suppressions "$work/accepted"; then
        cat "$work/$1.report" >&2
        complain "the interface of $1 breaks that of tests/abi/$1.abi. If that has to be," \
            'docs/changelog.md explains it, in an entry like' \
            '"- **API** `gt_name`: what has changed, because of what."'
    fi
}

# What is added is accepted: a function, a member at the end of a structure with a size. A break is
# not, unless the changelog explains it. check_additions
check_additions() {
    name=libgotrace-viewer
    rm -rf "$work/planted/include" "$work/planted/lib"
    cp -r "$root/include" "$work/planted/include"
    mkdir "$work/planted/lib"
    cp "$root"/lib/*.map "$work/planted/lib"
    plant include/gotrace/emitter.h \
        's/^GT_API void gt_emitter_close.*/&\nGT_API void gt_emitter_planted(void);/'
    plant lib/gotrace-viewer.map 's/^ *gt_emitter_close;/&\n    gt_emitter_planted;/'
    plant include/gotrace/emitter.h 's/^} gt_slice;/    uint64_t planted;\n&/'
    accepting "$work/planted" "$root/docs/changelog.md"
    "$here/abixml.sh" "$work/planted" $name "$work/added"
    compare "$here/$name.abi" "$work/added" "$work/report" && complain 'nothing was added'
    accepts "$here/$name.abi" "$work/added" "$work/report" ||
        complain "an addition is not accepted: $(cat "$work/report")"
    plant include/gotrace/emitter.h 's/ gt_emitter_flush(gt_emitter \*emitter/&, int planted/'
    "$here/abixml.sh" "$work/planted" $name "$work/added"
    accepts "$here/$name.abi" "$work/added" "$work/report" && complain 'a break is accepted'
    grep -q gt_emitter_flush "$work/report" || complain 'the break is not named'
    printf '# Changes\n\n## 0.2.0, unreleased\n\n- **API** `gt_emitter_flush`: %s\n' \
        'has another argument, because this is a test.' >"$work/changelog.md"
    accepting "$work/planted" "$work/changelog.md"
    accepts "$here/$name.abi" "$work/added" "$work/report" ||
        complain "an explained break is not accepted: $(cat "$work/report")"
}

for name in libgotrace libgotrace-viewer libgotrace-timeline libgotrace-web libgotrace-columns \
    libgotrace-recorder; do
    check $name "$(built $name "$@")"
done
check_additions

[ $failed -eq 0 ]
