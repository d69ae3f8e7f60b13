#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# embed_test.sh CC ROOT LIBRARY [KEEP]: the programs of examples/ that show how hosts embed the
# library have at most 80 lines each, compile with the public headers alone and many warnings as
# errors, and do what they are for. LIBRARY is libgotrace.so, in the folder of libgotrace-viewer.so.
# KEEP is examples/cpp/keep.cpp, built.
set -u

cc=$1
root=$2
libraries=$(dirname "$3")
keep=${4-}
traces=$root/testdata/v2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
export LD_LIBRARY_PATH="$libraries"

warnings='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror'

complain() {
    echo "$*" >&2
    failed=$((failed + 1))
}

# compile OUTPUT FILE ARGUMENT...
compile() {
    output=$1
    file=$2
    shift 2
    # shellcheck disable=SC2086
    $cc -std=c11 -D_POSIX_C_SOURCE=200809L $warnings -I "$work/include" -o "$work/$output" "$file" \
        "$@" 2>"$work/errors"
}

# build NAME LIBRARY...: builds an example.
build() {
    name=$1
    shift
    [ "$(wc -l <"$root/examples/$name.c")" -le 80 ] || complain "$name.c has more than 80 lines"
    compile "$name" "$root/examples/$name.c" -L "$libraries" "$@" ||
        complain "$name.c does not compile: $(cat "$work/errors")"
}

# expect NAME EXPECTED [COMMAND...]: the standard output of a command.
expect() {
    name=$1
    expected=$2
    shift 2
    "$@" >"$work/out" 2>"$work/err" || complain "$name failed: $(cat "$work/err")"
    grep -qE "$expected" "$work/out" || complain "$name printed: $(head -c 500 "$work/out")"
}

# Only what is installed is visible.
cp -r "$root/include" "$work/include"

# What compilers are told is heard: an ignored status, a NULL.
cat >"$work/planted.c" <<'END'
#include <gotrace/gotrace.h>
int main(void)
{
    gt_reader *reader;
    PLANTED;
    return 0;
}
END
for planted in 'gt_reader_open_file(&reader, "trace", NULL, NULL)' \
    'return gt_reader_open_file(&reader, NULL, NULL, NULL)'; do
    compile planted "$work/planted.c" "-DPLANTED=$planted" -O1 -L "$libraries" -lgotrace &&
        complain "no warning of $planted"
done

build stacks -lgotrace
expect stacks '^[0-9]+ runtime\.chanrecv1$' "$work/stacks" "$traces/go1.27-tasks.trace"
# Each wait with a stack is counted once, whatever the generation.
for trace in go1.27-gcgens go1.22-gens; do
    "$work/stacks" "$traces/$trace.trace" | awk '{ sum += $1 } END { print sum }' >"$work/counted"
    gzip -dc "$traces/$trace.dump.gz" | awk '/StateTransition .*->Waiting/ { on = 1; next }
        on && /^TransitionStack=/ { inside = 1; next }
        inside && /@/ { count++; on = inside = 0 }
        /^M=/ { on = inside = 0 }
        END { print count + 0 }' >"$work/dumped"
    cmp -s "$work/counted" "$work/dumped" ||
        complain "$trace: stacks counted $(cat "$work/counted") of $(cat "$work/dumped") waits"
done

build percentiles -lgotrace
expect percentiles '^so far: [0-9]+ waits, p50 [0-9]+ ns' \
    "$work/percentiles" <"$traces/go1.27-gcgens.trace"

# Of the group's regions and logs none is missing, and those of others are left out.
build cut -lgotrace
build events -lgotrace
"$work/cut" main.tasks.func1 "$traces/go1.27-tasks.trace" >"$work/second" ||
    complain "cut failed"
expect events '^RegionBegin +10$' "$work/events" "$work/second"
expect events '^Log +3$' "$work/events" "$work/second"
"$work/cut" main.none "$traces/go1.27-tasks.trace" 2>"$work/err" >"$work/second" &&
    complain "cut wrote a group that there is not"
grep -q 'there are no events to write$' "$work/err" || complain "cut: $(cat "$work/err")"

build follow -lgotrace
# On a machine that is busy the rest may come later than it is waited for.
for idle in 2 8 30; do
    head -c 2000 "$traces/go1.27-tasks.trace" >"$work/growing"
    (sleep 0.5 && tail -c +2001 "$traces/go1.27-tasks.trace" >>"$work/growing") &
    "$work/follow" "$work/growing" $idle >"$work/followed" 2>"$work/err" || echo failed >>"$work/err"
    wait
    grep -q failed "$work/err" || break
done
grep -q failed "$work/err" && complain "follow: $(cat "$work/err")"
expect follow '^[0-9]+ phase: begin$' cat "$work/followed"

build poll -lgotrace
mkfifo "$work/pipe"
# A machine that is busy may need longer until the program waits.
for pause in 0.3 2 8; do
    {
        head -c 3000 "$traces/go1.27-gcgens.trace"
        sleep $pause
        tail -c +3001 "$traces/go1.27-gcgens.trace"
    } >"$work/pipe" &
    expect poll '^508 events in ' "$work/poll" <"$work/pipe"
    wait
    grep -q 'more than one turn' "$work/out" && break
done
grep -q 'more than one turn' "$work/out" || complain 'poll did not wait for the rest of the trace'

build threads -lgotrace -lpthread
expect threads '^end of the trace after 508 events$' \
    "$work/threads" "$traces/go1.27-gcgens.trace" 0 0
[ "$(grep -c '^end of the trace after 508 events$' "$work/out")" = 4 ] ||
    complain "threads printed $(cat "$work/out")"
expect threads '^cancelled after 1 events$' "$work/threads" "$traces/go1.27-gcgens.trace" 0 1
[ "$(grep -c '^cancelled after [01] events$' "$work/out")" = 4 ] ||
    complain "threads were not cancelled: $(cat "$work/out")"
expect threads '^memory limit' "$work/threads" "$traces/go1.27-gcgens.trace" 25000 0

# The waits that it keeps are those of Go's own text, whatever the generation, and the longest.
build keep -lgotrace
cat >"$work/waits.awk" <<'END'
/StateTransition .* GoID=/ {
    for (i = 1; i <= NF; i++) {
        if ($i ~ /^Time=/) time = substr($i, 6)
        if ($i ~ /^GoID=/) { id = substr($i, 6); split($(i + 1), state, "->") }
    }
    if (state[1] == state[2]) next
    if (state[1] == "Waiting" && id in since) print time - since[id]
    delete since[id]
    if (state[2] == "Waiting" && state[1] != "Undetermined") since[id] = time
}
END
[ "$(wc -l <"$root/examples/cpp/keep.cpp")" -le 80 ] || complain 'keep.cpp has more than 80 lines'
for program in "$work/keep" $keep; do
    for trace in go1.22-gens go1.27-chan; do
        gzip -dc "$traces/$trace.dump.gz" | awk -f "$work/waits.awk" | sort -rn >"$work/waits"
        expect keep '^[0-9]+ ns M=.* Waiting->Runnable ' "$program" "$traces/$trace.trace"
        sed -n 's/^\([0-9]*\) ns M=.*/\1/p' "$work/out" | cmp -s - "$work/waits" ||
            complain "$program $trace: not the waits of the golden text: $(cat "$work/out")"
        grep -q '^Stack=$' "$work/out" || complain "$program $trace: no stacks"
    done
    expect keep ' ns M=' "$program" "$traces/go1.27-mix.trace"
    sed -n 's/^\([0-9]*\) ns M=.*/\1/p' "$work/out" >"$work/waits"
    [ "$(wc -l <"$work/waits")" = 1000 ] || complain "$program keeps $(wc -l <"$work/waits") waits"
    sort -rn "$work/waits" | cmp -s - "$work/waits" || complain "$program does not sort"
    [ ! -f "$work/longest" ] || cmp -s "$work/waits" "$work/longest" || complain 'the programs differ'
    mv "$work/waits" "$work/longest"
    # A damaged trace is read as far as it is good.
    "$program" "$traces/go1.27-cut.trace" >"$work/out" 2>"$work/err" && complain "$program: no error"
    grep -q ' ns M=' "$work/out" || complain "$program gives up with the trace"
    grep -q ': batch is cut off: 791 of 1459 bytes (offset 11182, generation 5)$' "$work/err" ||
        complain "$program: $(cat "$work/err")"
done

build allocator -lgotrace
expect allocator ' 0 bytes not given back$' "$work/allocator" "$traces/go1.27-tasks.trace"
"$work/allocator" "$traces/go1.27-tasks.trace" 10000 >"$work/out" 2>"$work/err" &&
    complain 'allocator was given what exceeds its limit'
grep -q ' 0 bytes not given back$' "$work/out" || complain "allocator: $(cat "$work/out")"
grep -q 'go1.27-tasks.trace: memory limit reached' "$work/err" || complain "allocator: $(cat "$work/err")"

build analyzer_test -lgotrace
expect analyzer_test '^waited for mutexes: 30 ns$' "$work/analyzer_test"

build ninja_log -lgotrace-viewer

# Programs that take the name of a trace say its name, the place, and what is wrong with it.
gzip -c "$traces/go1.27-mix.trace" >"$work/packed"
cut=$traces/go1.27-cut.trace
# says PROGRAM FILE EXPECTED [ARGUMENT...]
says() {
    reading=$1
    file=$2
    expected=$3
    shift 3
    "$reading" "$file" "$@" >"$work/out" 2>"$work/err" && complain "$reading: no error of $file"
    grep -qE "^$file: $expected" "$work/err" "$work/out" -h ||
        complain "$reading says of $file: $(cat "$work/err")"
}
# all_faults PROGRAM [ARGUMENT...]
all_faults() {
    faulty=$1
    shift
    says "$faulty" "$work/missing" '.*No such file or directory$' "$@"
    says "$faulty" "$work/packed" 'not a Go execution trace: looks like gzip; decompress it' "$@"
    says "$faulty" "$root/README.md" 'not a Go execution trace' "$@"
}
compile events "$root/examples/events.c" -L "$libraries" -lgotrace || complain 'events.c'
compile latency "$root/examples/latency.c" -L "$libraries" -lgotrace || complain 'latency.c'
for program in events stacks keep latency allocator; do
    all_faults "$work/$program"
    says "$work/$program" "$cut" 'batch is cut off: .*offset 11182, generation 5'
done
[ -z "$keep" ] || all_faults "$keep"
all_faults "$work/threads" 0 0
all_faults "$work/follow" 1
says "$work/follow" "$cut" 'batch is cut off: .*offset 11182, generation 5' 1
# These read standard input, which has no name.
for program in percentiles poll; do
    "$work/$program" <"$work/packed" >"$work/out" 2>"$work/err" && complain "$program: no error"
    grep -q ': looks like gzip; decompress it first' "$work/err" || complain "$program: $(cat "$work/err")"
    "$work/$program" <"$cut" >"$work/out" 2>"$work/err" && complain "$program: no error"
    grep -q 'is cut off: .*offset 11182, generation 5' "$work/err" || complain "$program: $(cat "$work/err")"
done

# The other tests of it, with all static libraries, are those of tests/abi/archives_test.sh.
[ "$(wc -l <"$root/examples/plugin.c")" -le 80 ] || complain 'plugin.c has more than 80 lines'
compile plugin.so "$root/examples/plugin.c" -shared -fPIC -L "$libraries" -lgotrace ||
    complain "plugin.c does not compile: $(cat "$work/errors")"

[ $failed -eq 0 ]
