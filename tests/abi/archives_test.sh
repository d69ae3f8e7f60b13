#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# archives_test.sh ROOT CC ARCHIVE...: what the static libraries define is public, and hidden, or
# has the name of its library before its own; a program that links all of them, whole, is linked
# and runs, as does one that links a single one; and a plugin that contains them all exports only
# its own function. First the test shows that it finds planted faults.
set -u

root=$1
cc=$2
shift 2
traces=$root/testdata/v2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

complain() {
    echo "$*" >&2
    failed=$((failed + 1))
}

sed -n 's/^ *\(gt_[a-z0-9_]*\);/\1/p' "$root"/lib/*.map | sort -u >"$work/public"

# The symbols of ARCHIVE with other names than they should have. foreign ARCHIVE
foreign() {
    prefix=$(basename "$1" .a | sed 's/^lib//; s/-/_/g')_
    nm -g --defined-only "$1" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u |
        comm -23 - "$work/public" | awk -v prefix="$prefix" '
            index($0, prefix) != 1 || (prefix == "gotrace_" && /^gotrace_(viewer|timeline|web|columns|recorder)_/)'
}

# The symbols of ARCHIVE that a file with it would export.
loud() {
    readelf -sW "$1" 2>/dev/null |
        awk '$5 ~ /GLOBAL|WEAK/ && $6 == "DEFAULT" && $7 != "UND" { print $8 }' | sort -u
}

# plugin OUTPUT ARGUMENT...: builds examples/plugin.c, and prints what it exports.
plugin() {
    output=$1
    shift
    # shellcheck disable=SC2086
    $cc -std=c11 -shared -fPIC -I "$root/include" -o "$work/$output" "$root/examples/plugin.c" \
        "$@" -pthread -lm 2>"$work/log" || complain "$output: $(cat "$work/log")"
    nm -D --defined-only "$work/$output" | awk '{ print $3 }'
}

# link OUTPUT SOURCE ARGUMENT...
link() {
    output=$1
    # shellcheck disable=SC2086
    $cc -std=c11 -Wall -Wextra -Werror -D_POSIX_C_SOURCE=200809L -DVERSION="\"$version\"" \
        -I "$root/include" -o "$work/$output" "$2" $3 -pthread -lm >"$work/log" 2>&1
}

version=$(awk '/^#define GT_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' \
    "$root/include/gotrace/version.h")

# A library like ours with a name that it should not have, one of another library's, and one that
# it exports.
mkdir "$work/planted"
cat >"$work/planted.c" <<'END'
int gt_planted(void);
int gt_planted(void) { return 0; }
void *gotrace_mem_new(void);
void *gotrace_mem_new(void) { return 0; }
END
$cc -c -fPIC -o "$work/planted.o" "$work/planted.c" &&
    ar rc "$work/planted/libgotrace-web.a" "$work/planted.o" || complain 'nothing was planted'
[ "$(foreign "$work/planted/libgotrace-web.a" | tr '\n' ' ')" = 'gotrace_mem_new gt_planted ' ] ||
    complain 'foreign did not see what was planted'
[ "$(loud "$work/planted/libgotrace-web.a" | tr '\n' ' ')" = 'gotrace_mem_new gt_planted ' ] ||
    complain 'loud did not see what was planted'

for archive in "$@"; do
    nm -g --defined-only "$archive" 2>/dev/null | grep -q ' [TW] gt_' ||
        complain "$archive has no functions"
    for name in $(foreign "$archive"); do
        complain "$archive defines $name, which neither is public nor has the library's name"
    done
    for name in $(loud "$archive"); do
        complain "$archive would export $name"
    done
done

# All whole, and what clashes.
whole="-Wl,--whole-archive $* -Wl,--no-whole-archive"
events=$(gzip -dc "$traces/go1.26-tasks.dump.gz" | grep -c '^M=')
if link all "$root/tests/install/consumer.c" "$whole"; then
    output=$("$work/all" "$traces/go1.26-tasks.trace")
    case $output in
    "$version $events "[1-9]*) ;;
    *) complain "the program with all libraries says '$output'" ;;
    esac
else
    complain "not all libraries can be linked whole: $(grep -o 'multiple definition.*' "$work/log")"
fi
link clash "$root/tests/install/consumer.c" "$whole $work/planted.o $work/planted.o" &&
    complain 'what was defined twice could be linked'

# Those that need no other one, each alone.
cat >"$work/alone.c" <<'END'
#include <string.h>
#include <gotrace/status.h>
int main(void)
{
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE];
    return strcmp(gt_library_version_text(), VERSION) != 0 || gt_library_version() != GT_VERSION ||
           strcmp(gt_status_text(GT_OK), "success") != 0 ||
           gt_error_format(&error, text, sizeof(text)) != 0;
}
END
for archive in "$@"; do
    case $archive in
    */libgotrace.a | */libgotrace-viewer.a | */libgotrace-recorder.a)
        link alone "$work/alone.c" "-Wl,--whole-archive $archive -Wl,--no-whole-archive" &&
            "$work/alone" || complain "$archive alone: $(cat "$work/log")"
        ;;
    esac
done

# A plugin with all libraries, whether it is told that they are static or not.
for define in -DGT_STATIC -UGT_STATIC; do
    # shellcheck disable=SC2086
    exported=$(plugin plugin.so -fvisibility=hidden $define $whole)
    [ "$exported" = plugin_count_events ] ||
        complain "a plugin exports, with $define: $(echo "$exported" | head -n 5)"
done
plugin loud.so "$@" "$work/planted.o" | grep -qx gt_planted ||
    complain 'nothing would have been exported anyway'
cat >"$work/host.c" <<'END'
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    static char data[1 << 20];
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    void *plugin = file ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!plugin)
        return 1;
    int64_t (*count)(const void *data, size_t size);
    *(void **) &count = dlsym(plugin, "plugin_count_events");
    printf("%" PRId64 "\n", count(data, fread(data, 1, sizeof(data), file)));
    return fclose(file);
}
END
if $cc -o "$work/host" "$work/host.c" -ldl; then
    [ "$("$work/host" "$work/plugin.so" "$traces/go1.26-tasks.trace")" = "$events" ] ||
        complain 'the plugin does not count events'
else
    complain 'the host does not compile'
fi

[ $failed -eq 0 ]
