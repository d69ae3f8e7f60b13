#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# record.sh OUT GOROOT...
#
# Records each shape with each of the Go toolchains, as OUT/v1/goVERSION-SHAPE.trace
# or OUT/v2/..., and makes the goldens beside them with Go's own reader, that of the
# newest toolchain given, and those in OUT/json with its trace viewer. Traces and
# drawings that are there are kept: remove those to be made anew.
set -euo pipefail

[ $# -ge 2 ] || { sed -n '4,9s/^# \?//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/v1" "$1/v2" "$1/json"
top=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOTOOLCHAIN=local GOFLAGS= GOENV=off CGO_ENABLED=0 TZ=UTC LC_ALL=C

# go_version GOROOT: such as 1.26
go_version() { "$1/bin/go" env GOVERSION | sed -E 's/^go([0-9]+\.[0-9]+).*/\1/'; }

# use GOROOT: from here on `record` is about this toolchain
use() {
    version=$(go_version "$1")
    format=v2
    [ "${version#*.}" -ge 22 ] || format=v1
    out=$top/$format
}

# Go's packages on traces are internal: the overlay puts the peer's files into
# the tree as far as the build can see, and leaves the tree itself alone.
build_peer() { # GOROOT
    local root=$1 file list=
    for file in "$here"/peer/*.go; do
        list+="${list:+,}\"$root/src/cmd/gotracepeer/${file##*/}\":\"$file\""
    done
    echo "{\"Replace\":{$list}}" >"$work/overlay.json"
    (cd "$root/src/cmd" && GOROOT=$root "$root/bin/go" build -trimpath \
        -overlay "$work/overlay.json" -o "$work/peer" cmd/gotracepeer)
}

# golden NAME: what Go's reader makes of $out/NAME.trace
golden() {
    "$work/peer" dump "$out/$1.trace" >"$work/dump" 2>"$work/error" || true
    gzip -9n <"$work/dump" >"$out/$1.dump.gz"
    rm -f "$out/$1.error"
    [ ! -s "$work/error" ] || cp "$work/error" "$out/$1.error"
    # One version of each format will do.
    case $1 in go1.21-* | go"${newest%% *}"-*)
        "$work/peer" summary "$out/$1.trace" 2>"$work/error" | gzip -9n >"$out/$1.summary.gz" ||
            [ -s "$work/error" ] ;;
    esac
    case $1 in go1.21-gc | go1.22-gc | go"${newest%% *}"-gc | go"${newest%% *}"-gcgens)
        "$work/peer" mmu "$out/$1.trace" | gzip -9n >"$out/$1.mmu.gz" ;;
    esac
}

# drawings NAME QUERY...: what go tool trace answers when its viewer asks for
# proc, thread, goid-N, taskid-N or focustask-N of the trace NAME
drawings() {
    local name=$1 query url=http://127.0.0.1:8099 trace
    shift
    trace=$(ls "$top"/v[12]/"$name.trace")
    rm -f "$work/drawn"
    for query; do
        [ -e "$top/json/$name.$query.json.gz" ] || echo "$query" >>"$work/drawn"
    done
    [ -e "$work/drawn" ] || return 0
    BROWSER=true "$work/trace" -http="${url#http://}" "$trace" 2>/dev/null &
    for _ in $(seq 100); do
        curl -s -o /dev/null "$url" && break
        sleep 0.1
    done
    while read -r query; do
        case $query in
        *-*) curl -sf "$url/jsontrace?${query/-/=}" ;;
        *) curl -sf "$url/jsontrace?view=$query" ;;
        esac | gzip -9n >"$top/json/$name.$query.json.gz"
    done <"$work/drawn"
    kill %%
    wait %% 2>/dev/null || true
}

# record SHAPE [GODEBUG [PATTERN...]]: records the shape until the trace has every
# PATTERN in its dump and is no larger than $most bytes, since much of what a
# runtime does depends on luck.
most=40000
record() {
    local shape=$1 debug=${2:-} name=go$version-$1 pattern try
    shift; [ $# -eq 0 ] || shift
    [ ! -e "$out/$name.trace" ] || return 0
    "$work/record-$version" | grep -x "$shape" >/dev/null || return 0
    for try in $(seq 30); do
        GODEBUG=$debug timeout 30 "$work/record-$version" -o "$out/$name.trace" "$shape" \
            2>/dev/null || { echo "record.sh: $name: exit $?" >&2; failed=1; return 0; }
        [ "$(stat -c %s "$out/$name.trace")" -le "$most" ] || continue
        golden "$name"
        for pattern; do
            grep -qE -- "$pattern" "$work/dump" "$work/error" || continue 2
        done
        return 0
    done
    echo "record.sh: $name: never had all of: $*" >&2
    rm -f "$out/$name".*
    failed=1
}

# to25 SHAPE: the trace of Go 1.26 in the format of Go 1.25, which differs in
# framing alone. It must give the same events.
to25() {
    [ -e "$out/go1.26-$1.trace" ] && [ ! -e "$out/go1.25-$1.trace" ] || return 0
    "$work/peer" to25 "$out/go1.26-$1.trace" "$out/go1.25-$1.trace"
    golden "go1.25-$1"
    zcmp "$out/go1.25-$1.dump.gz" "$out/go1.26-$1.dump.gz" || failed=1
}

newest=
for root; do
    version=$(go_version "$root")
    newest=$(printf '%s\n' "$newest" "$version $root" | sort -V | tail -1)
    (cd "$here" && GOROOT=$root "$root/bin/go" build -trimpath -o "$work/record-$version" .)
done
build_peer "${newest#* }"

failed=0
period() { echo "traceadvanceperiod=$1"; }

record_v1() {
    record many
    record restart '' 'earlier' 'RegionEnd' 'Undetermined->Waiting' 'Undetermined->Syscall' \
        'Undetermined->Runnable'
    # Before 1.21 the runtime records the stops of a collection alone.
    [ "$version" = 1.19 ] ||
        record stw '' '\(read mem stats\)' '\(GOMAXPROCS\)' '\(goroutine profile\)' \
            '\(all goroutine stack trace\)'
    record cut
}

record_v2() {
    record coro '' 'Running->Waiting' 'Running->NotExist'
    record gcgens "$(period 8000000)" 'RangeActive.*concurrent mark' 'RangeActive.*mark assist'
    record gens "$(period 4000000)" 'Sync.*N=5'
    record stw '' 'stop-the-world \(read mem stats\)'
    record restart '' 'earlier' 'RegionEnd'
    record flight "$(period 3000000)" 'RegionEnd' 'Sync.*N=3'
    record alloc traceallocfree=1 Experimental
    record exit "$(period 2000000)"
    record cut "$(period 2000000)"
}

for root; do
    use "$root"
    record idle
    record chan '' 'NotExist->Runnable' 'chan receive \(nil|forever' 'chan send'
    record sync '' 'Reason="sync"|sync\.' 'Reason="select"' 'Reason="sleep"' 'sync.*Cond'
    record thread '' 'Running->NotExist'
    record syscall '' 'Syscall->Runnable' 'Syscall->Running'
    record net '' 'Reason="network"'
    record procs '' 'Reason="preempted"' 'gomaxprocs.*\(5\)' 'Running->Idle'
    record tasks '' 'TaskEnd' 'never ended'
    record strings '' 'Log'
    record stacks '' 'recurse'
    record cpu '' 'StackSample' 'RangeBegin'
    record gc '' 'mark assist' 'RangeEnd.*incremental sweep' 'GC \(dedicated\)|GC \(fractional\)'
    "record_$format"
done
use "${newest#* }"
most=400000
record mix '' 'TaskEnd' 'RangeEnd'
for shape in idle chan syscall tasks coro gc gens flight cut; do
    to25 "$shape"
done
(cd "${newest#* }/src" && GOROOT=${newest#* } "${newest#* }/bin/go" build -trimpath \
    -o "$work/trace" cmd/trace)
drawings go1.19-tasks proc thread taskid-2 focustask-2 goid-20
drawings go1.21-restart proc thread goid-5 taskid-1
drawings go1.21-stw proc
drawings go1.22-gcgens proc
drawings go1.22-cut thread
drawings go1.23-coro thread goid-1
drawings go1.24-net proc thread goid-22
drawings go1.25-flight proc focustask-1 taskid-1
drawings go1.26-restart thread
drawings go1.26-syscall proc thread goid-19
drawings go1.26-tasks proc taskid-1 focustask-1 goid-3
drawings go1.27-stw proc
drawings go1.27-mix taskid-813 focustask-900
drawings go1.27-cut proc
exit "$failed"
