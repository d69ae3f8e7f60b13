#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# compare.sh BENCH_RECORDER [RUNS]: what an event costs here and elsewhere, in turns so that a busy
# machine is as busy for all. With GT_GO, a `go`, the same events with Go's own tracer; with the
# Debian packages liblttng-ust-dev and lttng-tools, an event of LTTng-UST, in a session daemon that
# is started and ended for it.
set -euo pipefail

[ $# -ge 1 ] || { sed -n '4,7s/^# \?//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
bench=$1 runs=${2:-3}
work=$(mktemp -d)
daemon=
finish() {
  if [ -n "$daemon" ]; then kill "$daemon" && wait "$daemon" || true; fi
  rm -rf "$work"
}
trap finish EXIT

if [ -n "${GT_GO:-}" ]; then
  (cd "$here" && "$GT_GO" build -trimpath -o "$work/go" main.go)
else
  echo "left out: Go's tracer, as GT_GO names no go"
fi
if command -v lttng-sessiond >/dev/null &&
  cc -O3 -I "$here" "$here/lttng.c" -o "$work/lttng" -llttng-ust -ldl 2>/dev/null; then
  "$work/lttng" off
  lttng-sessiond --no-kernel >"$work/daemon.log" 2>&1 &
  daemon=$!
  until lttng create bench --output="$work/trace" >/dev/null 2>&1; do sleep 0.2; done
  {
    lttng enable-channel -u events --subbuf-size 8M --num-subbuf 16
    lttng enable-event -u bench:event -c events
    lttng start
  } >/dev/null
else
  echo "left out: LTTng-UST, which is not installed"
fi
for _ in $(seq "$runs"); do
  "$bench"
  if [ -x "$work/go" ]; then "$work/go"; fi
  if [ -x "$work/lttng" ]; then "$work/lttng" on; fi
done
if [ -n "$daemon" ]; then lttng destroy bench >/dev/null; fi
