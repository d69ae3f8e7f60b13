#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# configurations_test.sh MESON: the libraries alone, static and shared, and as a subproject of
# someone else's build. Each is built without optimisation, and without the command, to be
# quick. CC and CXX as for install_test.sh.
set -u

meson=$1
tests=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$tests/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
export CC="${CC:-cc}" CXX="${CXX-c++}"
unset CFLAGS CXXFLAGS LDFLAGS

fail() {
    echo "FAILED: $*" >&2
    [ ! -e "$work/log" ] || cat "$work/log" >&2
    failed=1
}

# quietly COMMAND...: what it says goes to the log.
quietly() {
    "$@" >"$work/log" 2>&1
}

# setup NAME OPTION...
setup() {
    name=$1
    shift
    quietly "$meson" setup "$work/$name" "$source" --buildtype=plain -Dpage=disabled -Dwerror=true "$@"
}

alone() {
    if ! setup "$1" -Ddefault_library="$1" -Dexamples=disabled -Dtests=disabled "--libdir=$2"; then
        fail "$1: it cannot be set up"
    elif ! quietly "$meson" compile -C "$work/$1"; then
        fail "$1: it cannot be built"
    else
        echo "$1:"
        "$tests/install_test.sh" "$meson" "$work/$1" || fail "$1: see above"
    fi
}

subproject() {
    mkdir -p "$work/project/subprojects" &&
        cp "$tests/subproject/meson.build" "$tests/consumer.c" "$source/examples/events.c" \
            "$work/project" &&
        cp "$source/docs/gotrace.wrap" "$work/project/subprojects" &&
        ln -s "$source" "$work/project/subprojects/gotrace" || exit 1
    if ! quietly "$meson" setup "$work/super" "$work/project" --buildtype=plain; then
        fail "subproject: it cannot be set up"
        return
    fi
    grep -i 'warning' "$work/log" && fail "subproject: Meson warns"
    # Everything, which is no more than what these programs need.
    if ! quietly "$meson" compile -C "$work/super"; then
        fail "subproject: it cannot be built"
        return
    fi
    find "$work/super" -name '*.so*' -o -name 'libgotrace-web.*' -o -name 'libgotrace-recorder.*' \
        -o -name 'libgotrace-columns.*' | grep -v '\.p$' | grep . &&
        fail "subproject: it builds what is not used"
    trace=$source/testdata/v2/go1.26-tasks
    events=$(gzip -dc "$trace.dump.gz" | grep -c '^M=')
    case $("$work/super/consumer" "$trace.trace") in
    *" $events "[1-9]*) ;;
    *) fail "subproject: the consumer does not say $events events" ;;
    esac
    quietly "$work/super/events" "$trace.trace" || fail "subproject: events does not run"
    "$meson" introspect "$work/super" --targets | grep -q examples/gotrace &&
        fail "subproject: the command is built although nobody asked"
    DESTDIR="$work/nothing" quietly "$meson" install -C "$work/super" ||
        fail "subproject: the project cannot be installed"
    [ ! -e "$work/nothing" ] || fail "subproject: it installs static libraries"

    quietly "$meson" configure "$work/super" -Dgotrace:default_library=shared
    if ! quietly "$meson" compile -C "$work/super" ||
        ! DESTDIR="$work/shared" quietly "$meson" install -C "$work/super"; then
        fail "subproject: it cannot be built with shared libraries"
    fi
    for file in libgotrace.so reader.h gotrace.pc; do
        find "$work/shared" -name "$file" | grep -q . || fail "subproject: $file is not installed"
    done
    readelf -dW "$work/super/consumer" | grep -q 'NEEDED.*libgotrace-timeline' ||
        fail "subproject: the program does not use the shared library"
    echo "subproject: good"
}

# What does not go together is said before anything is built.
refusals() {
    setup refused -Dexamples=disabled -Dtests=enabled &&
        fail "tests without the examples are not refused"
    grep -q 'the tests need the examples' "$work/log" || fail "that is refused without a reason"
    echo "tests without examples: refused"
}

alone static lib
alone shared "lib/$($CC -print-multiarch 2>/dev/null || echo .)"
subproject
refusals
exit $failed
