#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# install_test.sh MESON BUILD: what a build installs is what it should be, and programs of
# someone else's find it, build with it and run, in each of the ways that builds find
# libraries, also after all of it was moved. Ways whose tools are not there are left out, and
# named. CC and CXX are the compilers, perhaps with options; no C++ where CXX is empty.
#
# shellcheck disable=SC2154  # What the facts set.
set -u

meson=$1
build=$(cd "$2" && pwd) || exit 1
tests=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$tests/../.." && pwd)
trace=$source/testdata/v2/go1.26-tasks
CC=${CC:-cc}
CXX=${CXX-c++}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
left_out=

unset DESTDIR PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH CMAKE_PREFIX_PATH
unset CFLAGS CXXFLAGS LDFLAGS

# What the build is: prefix, libdir, kinds (of libraries), asserts, command, page, pages,
# version.
facts=$("$meson" introspect --buildoptions --targets --projectinfo "$build" | python3 -c '
import json, shlex, sys
told = json.load(sys.stdin)
option = {each["name"]: each["value"] for each in told["buildoptions"]}
quick = option["buildtype"] in ("release", "plain")
facts = {
    "prefix": option["prefix"],
    "libdir": option["libdir"],
    "kinds": option["default_library"],
    "asserts": int(option["b_ndebug"] not in ("true", "if-release" if quick else "true")),
    "command": int(any(each["name"] == "gotrace" and each["type"] == "executable"
                       for each in told["targets"])),
    "page": int(any(each["name"] == "page_html" for each in told["targets"])),
    "pages": int(option["docs"] != "disabled"),
    "version": told["projectinfo"]["version"],
}
for name, value in facts.items():
    print(f"{name}={shlex.quote(str(value))}")
') || exit 1
eval "$facts"
case $libdir in
/*)
    echo "left out: the libraries are not below the prefix"
    exit 77
    ;;
esac
abi=$(sed -n 's/^#define GT_ABI_VERSION //p' "$source/include/gotrace/version.h")
library_version=$abi.${version#*.}

fail() {
    echo "FAILED: $*" >&2
    failed=1
}

leave_out() {
    left_out="$left_out; $*"
}

has() {
    case $kinds in
    "$1" | both) true ;;
    *) false ;;
    esac
}

# expect WHAT IS SHOULD
expect() {
    [ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"
}

# What is there of the kinds that were built, as files.txt has it.
check_files() {
    rows=always
    has shared && rows="$rows|shared"
    has static && rows="$rows|static"
    [ "$command" = 1 ] && rows="$rows|command"
    [ "$page" = 1 ] && rows="$rows|page"
    grep -E "^($rows) " "$tests/files.txt" | sed -e 's/^[a-z]* *//' -e 's/  */ /' \
        -e "s|{lib}|$libdir|" -e "s|{abi}|$abi|g" \
        -e "s|{version}|$library_version|" | sort >"$work/should"
    (cd "$here" && find . -type f -printf '%m %P\n' -o -type l -printf 'link %P -> %l\n') |
        sort >"$work/all"
    grep -v ' share/man/' "$work/all" >"$work/is"
    diff -u "$work/should" "$work/is" >&2 || fail "files or modes differ from $tests/files.txt"
    [ "$(find "$work/root" -type f | grep -cv "^$here/")" = 0 ] || fail "files outside the prefix"
}

# Each page that there is a source of, where man looks for it.
check_pages() {
    for manual in "$source"/docs/man/*.[1-9]; do
        [ -e "$manual" ] || continue
        case $manual in
        *.1) [ "$command" = 1 ] || continue ;;
        esac
        name=share/man/man${manual##*.}/${manual##*/}
        [ -e "$here/$name" ] || [ -e "$here/$name.gz" ] || fail "no $name"
    done
    grep ' share/man/' "$work/all" |
        grep -Ev '^(644|link) share/man/man([1-9])/[a-z_A-Z0-9.-]+\.\2( -> .*)?$' >"$work/odd"
    [ ! -s "$work/odd" ] || fail "odd manual pages: $(cat "$work/odd")"
}

# Debug information has the directory of the build for a good reason.
check_paths() {
    cp -a "$here" "$work/stripped"
    find "$work/stripped" -type f \( -name '*.so*' -o -name '*.a' -o -name gotrace -perm 755 \) \
        -exec strip -g {} +
    for path in "$build" "$source"; do
        if grep -arlF -e "$path" "$work/stripped" >"$work/with"; then
            fail "the path $path is in $(cat "$work/with")"
        fi
    done
    rm -rf "$work/stripped"
}

check_dynamic() {
    for file in "$here/$libdir"/*.so.*.*.* "$here/bin/gotrace"; do
        [ -e "$file" ] || continue
        readelf -dW "$file" >"$work/dynamic"
        # Only the command has one, below the prefix, and not where the system's libraries are.
        path=
        case $kinds:$prefix:$file in
        static:* | *:/usr:* | *.so.*) ;;
        *) path="\$ORIGIN/../$libdir" ;;
        esac
        expect "where $file looks for libraries" \
            "$(sed -n 's/.*R\(UN\)*PATH.*\[\(.*\)\].*/\2/p' "$work/dynamic")" "$path"
        case $file in
        *.so.*) expect "the soname of $file" "$(sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p' \
            "$work/dynamic")" "$(basename "$file" ".$library_version").$abi" ;;
        esac
        others=$(sed -n 's/.*NEEDED.*\[\(.*\)\].*/\1/p' "$work/dynamic" |
            grep -Ev '^(libc\.|ld-|libgotrace)')
        # The C library's own part for mathematics, which glibc has apart.
        case $file in
        */libgotrace-web.so.*) others=$(echo "$others" | grep -v '^libm\.') ;;
        esac
        case $file in
        *.so.*) [ -z "$others" ] || fail "$file needs $others" ;;
        esac
    done
}

check_versions() {
    if [ "$command" = 1 ]; then
        # It finds its libraries by itself.
        expect "gotrace --version" "$("$here/bin/gotrace" --version)" "gotrace $version"
        expect "gotrace dump" "$(TZ=UTC in_place "$here/bin/gotrace" dump "$trace.trace" |
            grep -c '^M=')" "$events"
    fi
    [ "$page" = 0 ] || in_place "$here/bin/gotrace" page "$trace.trace" 2>"$work/log" |
        grep -q 'id="trace"' || fail "gotrace page: $(cat "$work/log")"
    command -v pkg-config >/dev/null || return
    for part in gotrace gotrace-viewer gotrace-timeline gotrace-web gotrace-columns gotrace-recorder; do
        expect "the version of $part.pc" "$(pc --modversion $part)" "$version"
    done
}

# With the libraries that were installed.
in_place() {
    LD_LIBRARY_PATH=$here/$libdir "$@"
}

# Whether the .pc files find what they are of by where they are themselves.
are_relocatable() {
    grep -q pcfiledir "$here/$libdir/pkgconfig/gotrace.pc"
}

pc() {
    are_relocatable || set -- --define-variable=prefix="$here" "$@"
    PKG_CONFIG_LIBDIR=$here/$libdir/pkgconfig pkg-config "$@"
}

# check_program WAY PROGRAM shared|static: it runs, and needs shared libraries of ours or not.
check_program() {
    output=$(in_place "$2" "$trace.trace") || fail "$1: $2 does not run"
    case $output in
    "$version $events "[1-9]*) ;;
    *) fail "$1: $2 says '$output', not '$version $events' and how much was drawn" ;;
    esac
    needed=$(readelf -dW "$2" | grep -c 'NEEDED.*\[libgotrace-timeline\.so\.')
    case $3:$needed in
    shared:1 | static:0) ;;
    *) fail "$1: $2 is not $3" ;;
    esac
}

# check_plugin WAY PLUGIN: with a static library inside, it exports one function.
check_plugin() {
    exported=$(nm -D --defined-only "$2" | awk '{ print $3 }')
    [ "$exported" = plugin_count_events ] || fail "$1: the plugin exports '$exported'"
}

# build_with WAY shared|static ARGUMENT...: both programs; $CC and $CXX may be of many words.
build_with() {
    way=$1 kind=$2
    shift 2
    # shellcheck disable=SC2086
    if $CC -std=c11 -Wall -Wextra -Werror -DVERSION="\"$version\"" -o "$work/c" \
        "$tests/consumer.c" "$@"; then
        check_program "$way" "$work/c" "$kind"
    else
        fail "$way: consumer.c cannot be built"
    fi
    [ -n "$CXX" ] || return
    # shellcheck disable=SC2086
    if $CXX -std=c++17 -Wall -Wextra -Werror -o "$work/cxx" "$tests/consumer.cpp" "$@"; then
        check_program "$way" "$work/cxx" "$kind"
    else
        fail "$way: consumer.cpp cannot be built"
    fi
}

way_plain() {
    kind=static
    has shared && kind=shared
    build_with "plain compiler$1" $kind -I"$here/include" -L"$here/$libdir" \
        -lgotrace-timeline -lgotrace-viewer -lgotrace
    ways="$ways, plain compiler"
}

# shellcheck disable=SC2046
way_pkg_config() {
    if ! command -v pkg-config >/dev/null; then
        leave_out "pkg-config is not there"
        return
    fi
    if has shared; then
        build_with "pkg-config$1" shared $(pc --cflags --libs gotrace-timeline)
        ways="$ways, pkg-config"
    fi
    has static || return
    # Where there is nothing else, programs are told that the libraries are static.
    static_defines=
    has shared || static_defines=-DGT_STATIC
    expect "the definition of static libraries" \
        "$(pc --static --cflags gotrace | tr ' ' '\n' | grep -x -e -DGT_STATIC)" "$static_defines"
    # shellcheck disable=SC2086
    if $CC -std=c11 -shared -fPIC -o "$work/plugin.so" "$source/examples/plugin.c" \
        $(pc --static --cflags gotrace) "$here/$libdir/libgotrace.a" -pthread; then
        check_plugin "pkg-config --static$1" "$work/plugin.so"
    else
        fail "pkg-config --static$1: plugin.c cannot be built"
    fi
    if echo 'int main(void) { return 0; }' | $CC -static -x c -o "$work/c" - 2>/dev/null; then
        build_with "pkg-config --static$1" static -static \
            $(pc --static --cflags --libs gotrace-timeline)
        ways="$ways, pkg-config --static"
    else
        leave_out "the C library is not there as a static one"
    fi
}

way_cmake() {
    if ! command -v cmake >/dev/null; then
        leave_out "cmake is not there"
        return
    fi
    rm -rf "$work/cmake"
    shared=0 static=0
    has shared && shared=1
    has static && static=1
    if ! { CC=$CC CXX=${CXX:-none} cmake -S "$tests/cmake" -B "$work/cmake" \
        -DCMAKE_PREFIX_PATH="$here" -DGT_VERSION="$version" -DGT_SHARED=$shared \
        -DGT_STATIC=$static && cmake --build "$work/cmake"; } >"$work/log" 2>&1; then
        cat "$work/log" >&2
        fail "CMake$1"
        return
    fi
    ! has static || check_plugin "CMake$1" "$work/cmake/libplugin.so"
    for kind in shared static; do
        has $kind || continue
        check_program "CMake$1" "$work/cmake/consumer_c_$kind" $kind
        [ -z "$CXX" ] || check_program "CMake$1" "$work/cmake/consumer_cpp_$kind" $kind
        ways="$ways, CMake $kind"
    done
}

# Where only the prefix is told to pkg-config, which then takes what is above the directory
# of libraries for it.
# shellcheck disable=SC2046
way_define_prefix() {
    case $libdir in
    */*) leave_out "--define-prefix: the libraries are in $libdir" ;;
    *)
        kind=static
        has shared && kind=shared
        build_with "pkg-config --define-prefix" $kind \
            $(pc --define-prefix --cflags --libs gotrace-timeline)
        ways="$ways, pkg-config --define-prefix"
        ;;
    esac
}

ways=
here=$work/root$prefix
events=$(gzip -dc "$trace.dump.gz" | grep -c '^M=')
"$meson" install -C "$build" --no-rebuild --destdir "$work/root" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
check_files
[ "$pages" = 0 ] || check_pages
if [ "$asserts" = 0 ]; then
    check_paths
else
    leave_out "paths of the build: assertions name them"
fi
check_dynamic
check_versions
way_plain ""
way_pkg_config ""
way_cmake ""

mkdir "$work/elsewhere" && mv "$here" "$work/elsewhere/moved"
here=$work/elsewhere/moved
ways="$ways; moved"
if are_relocatable; then
    way_pkg_config ", moved"
    command -v pkg-config >/dev/null && way_define_prefix
else
    leave_out "moved, with pkg-config: -Dpkgconfig.relocatable=false"
fi
way_cmake ", moved"

echo "good ways: ${ways#, }"
[ -z "$left_out" ] || echo "left out: ${left_out#; }"
exit $failed
