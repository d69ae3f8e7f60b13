#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh BUILD RELEASE [--all]: checks that the library gives the same results on all machines.
# Builds it in BUILD, a new directory or that of an earlier run, for i386 and for s390x, which
# is big-endian. Runs the program of this folder with these builds and with RELEASE, a build
# for this machine, on the traces of testdata, and for WebAssembly in Node, where the compiler has
# a C library for it. With --all on s390x, too, on all of them, and also with other compilers, C
# libraries and options, and with these machines on the traces of $GT_CORPUS, if that is set. The
# viewer's module for WebAssembly, if RELEASE has it, must answer as `gotrace view` there does.
# Fails if two builds print different hashes, or if the planted difference is not found.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -ge 2 ] || { echo "usage: run.sh BUILD RELEASE [--all]" >&2; exit 2; }
mkdir -p "$1"
build=$(cd "$1" && pwd) release=$2 all=${3:-}

traces=("$root"/testdata/v?/*.trace)
# An emulated processor takes ten times as long: without --all it reads a third of the traces, of
# all versions and programs.
emulated=("${traces[@]}")
if [ -z "$all" ]; then
  emulated=()
  for ((i = 0; i < ${#traces[@]}; i += 3)); do emulated+=("${traces[i]}"); done
fi

includes=("-I$root/include" "-I$root/tests/portable" "-I$root/tests")
program=("$root"/tests/portable/*.c "$root"/tests/support/{digest,getters,test}.c)
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64)

# link_with NAME BUILD COMPILER FLAG...: links the program with the libraries that Meson built.
link_with() {
  "${@:3}" "${flags[@]}" -O2 "${includes[@]}" "${program[@]}" \
    "$2"/lib/libgotrace{-timeline,-viewer,}.a -static -o "$build/hash-$1"
}

# build_for NAME OPTION COMPILER FLAG...: builds for another machine, with an option of Meson.
build_for() {
  local file=$root/tests/portable/$1.ini
  [ -f "$build/$1/build.ninja" ] || meson setup "$build/$1" "$root" --cross-file "$file" "$2" \
    -Dtests=disabled -Dexamples=disabled -Dwerror=true -Ddefault_library=static >"$build/$1.log" ||
    { cat "$build/$1.log"; return 1; }
  ninja -C "$build/$1" >"$build/$1.log" || { cat "$build/$1.log"; return 1; }
  link_with "$1" "$build/$1" "${@:3}"
}

# build_alone NAME COMPILER FLAG...: the same without Meson. The viewer's pages and the recorder,
# which the program does not use, are left out.
build_alone() {
  local sources
  mapfile -t sources < <(find "$root/lib" -name '*.c' | grep -vE '/lib/(web|store|recorder|agent)/')
  "$2" "${flags[@]}" -DNDEBUG "${@:3}" "${includes[@]}" "-I$root/lib" "${sources[@]}" \
    "${program[@]}" -o "$build/hash-$1"
}

# print NAME TRACE...: runs the program on the traces, half of them on each of two processors.
print() {
  local name=$1 half=$((($# - 1) / 2))
  shift
  ${wrapper:-} "$build/hash-$name" "${@:1:half}" >"$build/$name-1.txt" &
  local first=$!
  ${wrapper:-} "$build/hash-$name" "${@:half + 1}" >"$build/$name-2.txt"
  wait "$first"
  cat "$build/$name-1.txt" "$build/$name-2.txt"
}

# compare NAME EXPECTED TRACE...: fails if NAME does not print what is expected for the traces.
compare() {
  print "$1" "${@:3}" >"$build/$1.txt"
  diff "$2" "$build/$1.txt" | head -n 20 || true
  cmp -s "$2" "$build/$1.txt" || { echo "$1 differs" >&2; return 1; }
  echo "$1: $(wc -l <"$2") hashes of $(($# - 2)) traces are the same"
}

link_with native "$release" gcc
build_for i386 -Dthreads=enabled i686-linux-gnu-gcc
build_for s390x -Dthreads=enabled s390x-linux-gnu-gcc
wasm32=
if [ -e /usr/include/wasm32-wasi/stdio.h ] && command -v node >/dev/null; then
  wasm32=yes
  build_for wasm32 -Dthreads=disabled clang --target=wasm32-wasi "-I$root/tests/portable/wasi"
else
  echo "wasm32: skipped, because there is no wasi-libc or no Node"
fi
print native "${traces[@]}" >"$build/expected.txt"

# compare_emulated TRACE...: compares the results of the processor that is emulated.
compare_emulated() {
  print native "$@" >"$build/emulated.txt"
  wrapper=qemu-s390x compare s390x "$build/emulated.txt" "$@"
}

# Not every kernel of x86-64 runs programs of 32 bits.
i386=
"$build/hash-i386" "${traces[0]}" >/dev/null 2>&1 || i386=qemu-i386

# compare_machines TRACE...: compares the results of the other machines.
compare_machines() {
  wrapper=$i386 compare i386 "$build/expected.txt" "$@"
  [ -z "$wasm32" ] || wrapper="node --no-warnings $root/tests/portable/wasi/run.mjs" \
    compare wasm32 "$build/expected.txt" "$@"
}

# A number in the byte order of the processor must be found.
"$build/hash-native" --wrong "${traces[0]}" >"$build/wrong.txt"
wrong=$(qemu-s390x "$build/hash-s390x" --wrong "${traces[0]}")
[ "$wrong" != "$(cat "$build/wrong.txt")" ] || { echo "a difference is not found" >&2; exit 1; }

compare_machines "${traces[@]}"
compare_emulated "${emulated[@]}"

# The viewer's answers, to requests for all routes.
module=$release/examples/page/gotrace-web.wasm
[ -z "$wasm32" ] || [ ! -e "$module" ] || node "$root/tests/portable/wasi/answers.mjs" "$module" \
  "$release/examples/gotrace/gotrace" \
  "$root"/testdata/{v2/go1.27-mix,v2/go1.26-tasks,v2/go1.23-gcgens,v1/go1.21-stacks,v1/go1.19-cut}.trace

[ -n "$all" ] || exit 0

build_alone O0 gcc -O0
build_alone O3 gcc -O3
build_alone lto gcc -O2 -flto=2
build_alone unsigned gcc -O1 -funsigned-char
build_alone signed s390x-linux-gnu-gcc -O1 -fsigned-char -static
build_alone musl musl-gcc -O1 -static
build_alone clang clang -O2
for name in O0 O3 lto unsigned musl clang; do
  compare "$name" "$build/expected.txt" "${traces[@]}"
done
wrapper=qemu-s390x compare signed "$build/expected.txt" "${traces[@]}"

[ -d "${GT_CORPUS:-}" ] || exit 0
mapfile -t traces < <(find "$GT_CORPUS" -maxdepth 1 \( -name '*.trace' -o -name '*.v1' \) | sort)
print native "${traces[@]}" >"$build/expected.txt"
compare_machines "${traces[@]}"
compare_emulated "${traces[@]}"
