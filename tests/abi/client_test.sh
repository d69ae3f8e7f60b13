#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# client_test.sh ROOT CC LIBRARY...: a program that was built with the headers of the first
# release gets the same results from the shared libraries as one that was built with today's.
# The same holds between today's programs and libraries and those of an invented next release,
# in which every structure that may grow has another member.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$1
cc=$2
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

flags='-std=c11 -O0 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64'
traces='v2/go1.27-tasks v2/go1.27-gcgens v2/go1.23-alloc v1/go1.21-cpu'

complain() {
    echo "$*" >&2
    failed=$((failed + 1))
}

give_up() {
    echo "$*" >&2
    exit 1
}

# build NAME FLAG...: builds a client, linked with the libraries that follow --.
build() {
    name=$1
    shift
    # shellcheck disable=SC2086
    $cc $flags -o "$work/$name" "$here"/client*.c "$@" || give_up "the $name client does not build"
}

# run CLIENT TRACE: runs it with its output in a file of that name.
run() {
    LD_LIBRARY_PATH=$libraries "$work/$1" "$root/testdata/$2.trace" \
        >"$work/$1.out" 2>"$work/$1.err" ||
        complain "$2: the $1 client failed: $(cat "$work/$1.err")"
}

# same CLIENT CLIENT TRACE
same() {
    cmp -s "$work/$1.out" "$work/$2.out" && return
    diff -a "$work/$1.out" "$work/$2.out" | head -n 20 >&2
    complain "$3: the $2 client does not print what the $1 client does"
}

libraries=$(dirname "$1")
build oldest -DGT_OLDEST "$@"
build today -I "$root/include" "$@"

# The client must use the whole interface, or the test proves little.
nm -u "$work/oldest" | awk '$2 ~ /^gt_/ { sub(/@.*/, "", $2); print $2 }' >"$work/used"
cat "$here"/client*.[ch] >"$work/source"
for name in $(python3 "$here/api.py" names "$here/gotrace-0.1.h"); do
    grep -qx "$name" "$work/used" || grep -qw "$name" "$work/source" ||
        complain "the client does not use $name"
done

# The next release: the old program with the new library, ...
cp -r "$root/include" "$root/lib" "$work"
grown=$(python3 "$here/api.py" grow "$work/include") || give_up 'the headers cannot be made to grow'
for structure in gt_reader_options gt_error gt_goroutine_summary gt_summary_times; do
    case " $grown " in *" $structure "*) ;; *) complain "$structure did not grow" ;; esac
done
# The static assertions that remind authors of these places would stop this build. shellcheck
# disable=SC2086
$cc $flags -o "$work/embed" "$root/lib/web/embed.c" || give_up 'embed.c does not build'
"$work/embed" "$work/lib/web/asset_table.c" "$root"/lib/web/page/*.html \
    "$root"/lib/web/page/*.css "$root"/lib/web/page/*.js "$root"/lib/web/page/*.svg ||
    give_up 'the page cannot be embedded'
rm "$work/lib/web/embed.c"
# shellcheck disable=SC2086
(cd "$work" && $cc $flags -w '-D_Static_assert(what, why)=' -DNDEBUG -fPIC -shared -I include \
    -I lib -o libnext.so lib/*/*.c lib/*/*/*.c -lm) || give_up 'the next release does not build'
build veteran -DGT_OLDEST "$work/libnext.so"
# ... the new program with the old library, which must not do what it does not know, ...
build next -DGT_LATER -I "$work/include" "$@"

for trace in $traces; do
    libraries=$(dirname "$1")
    run oldest "$trace"
    run today "$trace"
    run next "$trace"
    sed -n '/^asking for more$/,$p' "$work/next.out" >"$work/asked"
    sed -i '/^asking for more$/,$d' "$work/next.out"
    libraries=$work
    run veteran "$trace"
    same oldest today "$trace"
    same oldest veteran "$trace"
    same oldest next "$trace"
    # ... and refuse it; gt_error is only filled.
    [ "$(grep -vc -e '^error: success$' -e ': invalid argument$' "$work/asked")" = 1 ] ||
        complain "$trace: unknown members were taken: $(cat "$work/asked")"
    [ "$(wc -l <"$work/oldest.out")" -gt 5000 ] || complain "$trace: the client printed little"
done

# The test must notice a program that was built with other layouts than the library.
cp -r "$root/include" "$work/other"
sed -i 's/^    uint64_t generation;/    uint64_t planted;\n&/' "$work/other/gotrace/status.h"
! cmp -s "$work/other/gotrace/status.h" "$root/include/gotrace/status.h" ||
    complain 'nothing was planted'
build wrong -w -I "$work/other" "$@"
libraries=$(dirname "$1")
LD_LIBRARY_PATH=$libraries "$work/wrong" "$root/testdata/$trace.trace" >"$work/wrong.out" 2>&1 &&
    cmp -s "$work/wrong.out" "$work/oldest.out" && complain 'a wrong layout was not noticed'

[ $failed -eq 0 ]
