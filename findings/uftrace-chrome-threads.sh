#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# `uftrace dump --chrome` of uftrace 0.13, Debian's, writes the calls of C and C++ programs for
# Chrome's trace viewer and Perfetto. The calls of a second thread have the pid of the process and
# the tid of the thread, but the metadata with the names have the tid of the thread as their pid,
# and no tid. So the thread that has calls has no name, and viewers show a process more for each
# thread, which has a name and nothing else. Events of the first thread have no tid at all. Whoever
# reads such a file for its threads has to take the metadata by their pid alone.
#
# Seen on Debian 12 with gcc 12.2.0:
#   calls: process=P, process=P thread=T
#   process_name: process=P, process=T
#   thread_name: process=P, process=T
#
# Fails if this changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 .
apt-get -qq download uftrace=0.13-1 2>/dev/null
dpkg -x uftrace_0.13-1_*.deb root

cat >program.c <<'END'
#include <pthread.h>
#include <stddef.h>

__attribute__((noinline)) void *second(void *data)
{
    return data;
}

int main(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, second, NULL) || pthread_join(thread, NULL);
}
END
gcc -pg -o program program.c -pthread

library=$(dirname "$(find root -name 'libmcount.so*' | head -n 1)")
export LD_LIBRARY_PATH=$library
root/usr/bin/uftrace record --libmcount-path "$library" -d data ./program >/dev/null 2>&1
root/usr/bin/uftrace dump -d data --chrome >trace.json 2>/dev/null

cat >threads.py <<'END'
import json

with open("trace.json") as file:
    events = json.load(file)["traceEvents"]
process = next(event["pid"] for event in events if event.get("name") == "main")
found = {"calls": set(), "process_name": set(), "thread_name": set()}
for event in events:
    words = [f"{word}={'P' if event[key] == process else 'T'}"
             for word, key in (("process", "pid"), ("thread", "tid")) if key in event]
    kind = event["name"] if event["ph"] == "M" else "calls"
    found[kind].add(" ".join(words))
for kind, places in found.items():
    print(f"{kind}: {', '.join(sorted(places))}")
END
python3 threads.py | tee seen
diff - seen <<'END'
calls: process=P, process=P thread=T
process_name: process=P, process=T
thread_name: process=P, process=T
END
