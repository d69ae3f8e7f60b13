#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# gate.sh GATE: runs one of the gates of plan.py. Gates run beside each other, so each has build
# directories of its own, and only reads build-tests, that of the README's command. Exit codes 75
# and 77 are for run.py, which starts this: tests that took too long are to run again, and the gate
# is skipped for what it printed last.
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
gates=tests/gates gate=$1
export DEBIAN_FRONTEND=noninteractive TZ=UTC
trap 'echo "failed with $?: $BASH_COMMAND"' ERR

# Meson uses ccache, which .ci/run installs: the README's tests need what its first command has
# compiled, and a second run whatever has not changed. What a file includes is taken from what the
# compiler says of it, which saves running the preprocessor first. Folders have other names in each
# clone.
export CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1

export GT_NODE_MODULES=$PWD/build-ci-node/node_modules
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
# Memory that was not used before is slow on a virtual machine.
export ASAN_OPTIONS=quarantine_size_mb=8:malloc_context_size=8

# The limits of time in tests are made for tests that have the machine for themselves, which those
# of the README's command have.
case $gate in readme_*) ;; *) export GT_TIME_SCALE=${GT_TIME_SCALE:-3} ;; esac

skip() {
  echo "$*"
  exit 77
}

# run_tests BUILD ARGUMENT...: runs tests of a build that is up to date.
run_tests() {
  "$gates/tests.py" "$1" --logbase "$gate" "${@:2}"
}

# Prints the only code line of the README that starts with $1.
readme_command() {
  local found
  found=$(sed -n "s/^    \($1.*\)/\1/p" README.md)
  [ "$(printf '%s\n' "$found" | grep -c .)" = 1 ] || {
    echo "README.md does not have exactly one line that starts with: $1" >&2
    exit 1
  }
  printf '%s\n' "$found"
}

# The two commands of the README, exactly as they are there.
gate_readme_job() {
  rm -rf build
  bash -euc "$(readme_command 'apt-get update \&\& apt-get install -y gcc ')"
}

gate_readme_tests() {
  local log status=0
  rm -rf build-tests
  mkdir -p build-ci-readme
  log=build-ci-readme/log
  bash -euc "$(readme_command 'apt-get update \&\& apt-get install -y g++ ')" 2>&1 |
    tee "$log" || status=$?
  grep -q 'Compiling C object' "$log"
  if grep -E ':[0-9]+:[0-9]+: warning: ' "$log"; then
    echo "gcc warns"
    exit 1
  fi
  [ "$status" = 0 ] || "$gates/tests.py" --judge build-tests
}

gate_tools() {
  apt-get update -q
  apt-get install -y --no-install-recommends git clang clang-format clang-tidy cppcheck \
    libclang-rt-14-dev valgrind abigail-tools doxygen mandoc libmicrohttpd-dev \
    libuv1-dev libpcl1-dev xz-utils pigz zstd lbzip2 sqlite3 redis-server redis-tools memcached \
    nginx-light cmake zsh fish chromium-headless-shell chromium-driver python3-selenium \
    fonts-dejavu-core python3-pip python3-setuptools python3-wheel flake8 \
    gcc-i686-linux-gnu libc6-dev-i386-cross libc6-i386 gcc-s390x-linux-gnu libc6-dev-s390x-cross \
    qemu-user protobuf-compiler lld wasi-libc libclang-rt-14-dev-wasm32
  command -v npm || apt-get install -y --no-install-recommends nodejs npm
  npm install --prefix "${GT_NODE_MODULES%/*}" --no-audit --no-fund --loglevel error \
    hyparquet@1.31.5 @duckdb/node-api@1.5.6-r.1 \
    @chdb/lib-linux-x64-gnu@26.7.3-stable.1
  # Its tests see which of these tools there are. Gates only read it from now on.
  [ ! -d build-tests ] || meson setup --reconfigure build-tests
  [ ! -d build-tests ] || ninja -C build-tests
}

# The planted file is below the settings of the tree.
gate_layout() {
  . "$gates/tools.sh"
  mkdir -p build-ci-layout
  local log=build-ci-layout/log planted=build-ci-layout/planted.c
  echo 'int  planted ( void ) ;' >"$planted"
  must_find clang-format-violations run_layout "$planted"
  git ls-files '*.[ch]' '*.[ch]pp' ':!include' | xargs bash -c 'run_layout "$@"' layout
}

gate_python() { "$gates/python.sh"; }

gate_javascript() { "$gates/javascript.sh"; }

gate_analyzers() { "$gates/analyzers.sh"; }

gate_times() { "$gates/times.py" build-tests; }

# Which tests run with sanitizers: those in C, and the fuzz targets with their seeds, one of which is
# about the options of the command.
with_sanitizers=(--no-suite long --no-suite plain
  --suite unit --suite reader --suite raw --suite rewrite --suite recorder --suite validate
  --suite analysis --suite viewer --suite timeline --suite view --suite fuzz
  --suite sweep --suite threads --suite columns --suite golden)

# One build for the sanitizers of addresses, undefined behaviour and integers, and for fuzzing.
gate_sanitizers_build() {
  rm -rf build-ci-sanitizers
  . "$gates/common.sh"
  set_up build-ci-sanitizers \
    "-fsanitize=integer,implicit-conversion -fsanitize-ignorelist=$gates/integers.ignore" \
    -Db_sanitize=address,undefined -Dfuzzing=enabled
  local programs
  mapfile -t programs < <("$gates/tests.py" --programs build-ci-sanitizers "${with_sanitizers[@]}")
  ninja -C build-ci-sanitizers fuzz "${programs[@]}"
}

# The command on recorded traces, and the tests. The traces of testdata are enough here.
gate_sanitizers() {
  "$gates/sanitizers.sh" build-ci-sanitizers
  GT_CORPUS=none run_tests build-ci-sanitizers "${with_sanitizers[@]}"
}

gate_fuzz() { .ci/fuzz build-ci-sanitizers; }

gate_fuzz_all() { GT_FUZZ_ALL=1 .ci/fuzz build-ci-sanitizers; }

gate_threads() { "$gates/threads.sh" build-ci-threads; }

gate_memory() { "$gates/memory_sanitizer.sh" build-ci-memory; }

gate_valgrind() { "$gates/valgrind.sh" build-tests; }

gate_portable() { tests/portable/run.sh build-ci-portable build-tests; }

gate_portable_all() { GT_CORPUS=$(corpus) tests/portable/run.sh build-ci-portable build-tests --all; }

gate_browser() { run_tests build-tests --suite browser; }

# The tests that the README's command leaves out for their length, but those of gates of their own.
gate_long() {
  run_tests build-tests --suite long --no-suite configurations --no-suite browser
}

# The documents, and the tests that the README's command left out for want of tools.
gate_left_out() {
  run_tests build-tests --suite docs
  mapfile -t again < <("$gates/tests.py" --left-out build-tests browser docs)
  [ "${#again[@]}" = 0 ] || run_tests build-tests "${again[@]}"

  # Perfetto's own trace processor reads what is written for it, if it is known or lies beside the
  # checkout.
  local processor
  processor=$(realpath -m "${GT_TRACE_PROCESSOR:-../shared/tools/trace-processor}")
  [ ! -x "$processor" ] || GT_TRACE_PROCESSOR=$processor \
    run_tests build-tests perfetto 'ninja log'
}

# The folder with more recorded traces, which GT_CORPUS names or which lies beside the checkout; or
# "none".
corpus() {
  local folder
  folder=$(realpath -m "${GT_CORPUS:-../shared/corpus}")
  [ -d "$folder" ] && echo "$folder" || echo none
}

# More recorded traces, but for the mode that takes minutes.
gate_corpus() {
  local folder
  folder=$(corpus)
  [ "$folder" != none ] || skip "GT_CORPUS names no folder with more traces"
  GT_CORPUS=$folder run_tests build-tests --suite golden
}

# The binary interface, and how much of the stack the libraries need.
gate_interface() {
  # It would leave out the files that the compiler writes about the stack.
  export CCACHE_DISABLE=1
  rm -rf build-ci-interface
  meson setup build-ci-interface -Ddefault_library=shared -Dbuildtype=release -Ddebug=true \
    -Dpage=disabled -Dc_args=-fcallgraph-info=su
  meson compile -C build-ci-interface \
    gotrace{,-viewer,-timeline,-web,-columns,-recorder}:shared_library
  run_tests build-ci-interface abi
  tests/limits/stack.py build-ci-interface
}

gate_without_threads() {
  local tests=(alone imports 'viewer imports' 'timeline imports' 'web imports' 'columns imports' ahead
    executor push events ending) programs
  rm -rf build-ci-alone
  meson setup build-ci-alone -Ddefault_library=shared -Dthreads=disabled -Dtests=enabled \
    -Dpage=disabled -Dwerror=true
  meson compile -C build-ci-alone gotrace{,-viewer,-timeline,-web,-columns}:shared_library
  mapfile -t programs < <("$gates/tests.py" --programs build-ci-alone "${tests[@]}")
  ninja -C build-ci-alone "${programs[@]}"
  run_tests build-ci-alone "${tests[@]}"
  # The header of a library that is not built is not installed.
  local installed
  installed=$(meson introspect --installed build-ci-alone)
  grep -q gotrace/reader.h <<<"$installed"
  if grep -q gotrace/recorder.h <<<"$installed"; then
    echo "the header of the recorder is installed"
    exit 1
  fi
}

# What follows is for the plan of tests/deep.

gate_deep_tools() {
  gate_tools
  apt-get install -y --no-install-recommends gcc g++ libc6-dev meson pkg-config libcmocka-dev \
    musl-tools debootstrap debhelper lintian
}

gate_release_build() {
  [ -d build-tests ] || meson setup build-tests -Dtests=enabled
  ninja -C build-tests
}

# The two commands of the README on a new, minimal Debian 12.
gate_debootstrap() { tests/install/fresh.sh; }

# All ways to build it, and Debian's packages.
gate_configurations() {
  run_tests build-tests --suite configurations
  run_tests build-tests --suite install debian
}

gate_cppcheck() { "$gates/analyzers.sh" --cppcheck; }

gate_analyzers_all() { "$gates/analyzers.sh" --all; }

# ccache would leave out the files that the compiler writes about the branches.
gate_coverage() { CCACHE_DISABLE=1 tests/coverage/run.sh build-ci-coverage build-tests; }

gate_explorer_three() {
  GT_EXPLORER_PREEMPTIONS=3 GT_TIME_SCALE=20 run_tests build-tests explorer
}

# All traces in every mode, those of the corpus, too.
gate_all_traces() {
  GT_CORPUS=$(corpus) GT_ALL_TRACES=1 GT_TIME_SCALE=10 run_tests build-tests \
    --suite golden --suite corpus --suite validate --suite analysis --suite rewrite \
    --suite view --suite viewer --suite columns --suite command
}

gate_monkey() {
  local trace
  for trace in v2/go1.26-tasks v2/go1.27-mix v1/go1.21-stacks; do
    GT_COMMAND=$PWD/build-tests/examples/gotrace/gotrace GT_TESTDATA=$PWD/testdata \
      /usr/bin/python3 tests/browser/monkey.py --actions 5000 "testdata/$trace.trace"
  done
}

gate_soak() { tests/soak/run.sh "${GT_SOAK_MINUTES:-30}" build-soak; }

"gate_$gate"
[ ! -s "${GT_AGAIN:-/dev/null}" ] || exit 75
