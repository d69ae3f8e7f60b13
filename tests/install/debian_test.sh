#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# debian_test.sh: docs/debian has the version and all symbols; and where dpkg-buildpackage and
# debhelper are, makes packages of this tree, with which lintian, where it is, finds no fault,
# and whose command reads a trace. Optimises nothing and tests nothing, to be quick.
set -u

source=$(cd "$(dirname "$0")/../.." && pwd)
trace=$source/testdata/v2/go1.26-tasks
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
unset CC CXX CFLAGS CXXFLAGS LDFLAGS DESTDIR

fail() {
    echo "FAILED: $*" >&2
    failed=1
}

number() {
    sed -n "s/^#define GT_VERSION_$1 //p" "$source/include/gotrace/version.h"
}

# All that the version scripts list, as LIBRARY SYMBOL@NODE.
listed_symbols() {
    for map in "$source"/lib/*.map; do
        awk -v library="lib$(basename "$map" .map)" '
            /^[A-Z]/ { node = $1; print library, node "@" node }
            /global:/ { on = 1; next }
            /local:|^}/ { on = 0 }
            on { gsub(/[ \t;]/, ""); if ($0) print library, $0 "@" node }' "$map"
    done
}

packaged_symbols() {
    awk '/^lib/ { library = $1; sub(/\.so.*/, "", library) } /^ / { print library, $1 }' \
        "$source/docs/debian/libgotrace0.symbols"
}

version=$(number MAJOR).$(number MINOR).$(number PATCH)
grep -q "^gotrace ($version-" "$source/docs/debian/changelog" ||
    fail "docs/debian/changelog does not have version $version"
listed_symbols | sort >"$work/listed"
packaged_symbols | sort >"$work/packaged"
diff -u "$work/listed" "$work/packaged" >&2 ||
    fail "docs/debian/libgotrace0.symbols does not have just what lib/*.map list"

if ! command -v dpkg-buildpackage >/dev/null || ! command -v dh >/dev/null; then
    echo "left out: dpkg-buildpackage or debhelper is not there"
    [ $failed = 0 ] || exit 1
    exit 77
fi

tree=$work/gotrace-$version
mkdir "$tree"
if git -C "$source" rev-parse >"$work/log" 2>&1; then
    git -C "$source" ls-files -z --cached --others --exclude-standard
else
    (cd "$source" && find . -path './build*' -prune -o -path ./.git -prune -o -type f -print0)
fi | tar -C "$source" --null -T - --ignore-failed-read -cf - 2>"$work/log" | tar -C "$tree" -xf -
cp -r "$source/docs/debian" "$tree/debian"

# dpkg-gensymbols fails where a symbol is new or gone.
if ! (cd "$tree" && DEB_BUILD_OPTIONS='nocheck noopt parallel=2' DEB_BUILD_PROFILES=nocheck \
    DPKG_GENSYMBOLS_CHECK_LEVEL=4 dpkg-buildpackage -us -uc -b) >"$work/log" 2>&1; then
    tail -n 40 "$work/log" >&2
    fail "dpkg-buildpackage"
    exit 1
fi

if command -v lintian >/dev/null; then
    # There is no bug in which somebody asked for this package.
    lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs \
        "$work"/*.changes >"$work/log" 2>&1 || fail "lintian: $(cat "$work/log")"
else
    echo "left out: lintian is not there"
fi

mkdir "$work/root"
for package in libgotrace0 libgotrace-dev gotrace; do
    dpkg-deb -x "$work/$package"_*.deb "$work/root" || fail "there is no package $package"
done
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
events=$(gzip -dc "$trace.dump.gz" | grep -c '^M=')
LD_LIBRARY_PATH="$work/root/usr/lib/$multiarch" "$work/root/usr/bin/gotrace" stat --json \
    "$trace.trace" | grep -q "\"events\": $events," || fail "gotrace stat does not say $events"
for file in bin/gotrace share/bash-completion/completions/gotrace \
    share/zsh/vendor-completions/_gotrace share/fish/vendor_completions.d/gotrace.fish \
    "lib/$multiarch/libgotrace-timeline.so.0" "lib/$multiarch/libgotrace-viewer.so" \
    "lib/$multiarch/libgotrace-columns.so.0" "lib/$multiarch/libgotrace-web.so.0" \
    "lib/$multiarch/libgotrace.a" "lib/$multiarch/pkgconfig/gotrace.pc" \
    "lib/$multiarch/cmake/gotrace/gotrace-config.cmake" share/man/man3/libgotrace.3.gz \
    share/man/man1/gotrace.1.gz share/gotrace/gotrace.html include/gotrace/gotrace.h; do
    [ -e "$work/root/usr/$file" ] || fail "there is no /usr/$file"
done
echo "packages: $(cd "$work" && echo *.deb)"
exit $failed
