#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""gotrace record: programs that wait in every way do under it what they do without, and their
traces tell who waits and who wakes. $GT_WAITS is the program with the waits, and $GT_C11 the one
with those of <threads.h>.
"""

import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys

from recording import AGENT, COMMAND, Folder, check, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import beside  # noqa: E402

WAITS = os.environ["GT_WAITS"]
WORKS = os.environ["GT_WORKS"]
C11 = os.environ["GT_C11"]

# What the main thread waits for, and whether the other one is known to have woken it.
EXPECTED = {
    "mutex": ("sync", True),
    "timedlock": ("sync", True),
    "clocklock": ("sync", True),
    "clockrdlock": ("sync", True),
    "clockwrlock": ("sync", True),
    "semclock": ("sync", True),
    "once": ("sync", True),
    "recvmsg": ("network", False),
    "recvmmsg": ("network", False),
    "epoll_pwait2": ("select", False),
    "fortified": ("network", False),
    "rdlock": ("sync", True),
    "wrlock": ("sync", True),
    "sem": ("sync", True),
    "cond": ("sync.(*Cond).Wait", True),
    "broadcast": ("sync.(*Cond).Wait", True),
    "timedwait": ("sync.(*Cond).Wait", True),
    "barrier": ("sync", True),
    "futex": ("sync", True),
    "join": ("sync", True),
    "cancel": ("sync", False),
    "sleep": ("sleep", False),
    "poll": ("network", False),
    "select": ("select", False),
    "epoll": ("select", False),
    "recv": ("network", False),
    "read": (None, False),
    "fork": (None, False),
}
# The same of C11.
EXPECTED_C11 = {
    "lock": ("sync", True),
    "timedlock": ("sync", True),
    "cond": ("sync.(*Cond).Wait", True),
    "broadcast": ("sync.(*Cond).Wait", True),
    "timedwait": ("sync.(*Cond).Wait", True),
    "once": ("sync", True),
    "join": ("sync", True),
    "sleep": ("sleep", False),
}
JOINS = ("join", "cancel")
KINDS = {"mutex": "sync", "sleep": "sleep", "poll": "net", "read": "syscall"}


WAIT = re.compile(r' GoID=1 Running->Waiting Reason="(.*)"\nTransitionStack=\n\t(\w+) @ ')
WOKEN = re.compile(r" G=(-?\d+) \w+ Time=\d+ GoID=1 Waiting->Runnable")


def waits_of_main(text):
    """The waits of the main thread: the reason, the function, and the goroutine that ended it."""
    for wait in WAIT.finditer(text):
        woken = WOKEN.search(text, wait.end())
        yield wait[1], wait[2], woken and int(woken[1])


class WaitsTest(Folder):
    def check_waits(self, program, expected, join):
        for name, (reason, is_woken) in expected.items():
            with self.subTest(name):
                self.same(program, name)
                check(self.trace)
                text = self.events()
                if not reason:
                    self.assertIn(" GoID=1 Running->Syscall", text)
                    continue
                # All of them end with a thread that is joined.
                wakers = [waker for why, function, waker in waits_of_main(text)
                          if why == reason and (function != join or name in JOINS)]
                self.assertTrue(wakers, text)
                self.assertEqual(2 in wakers, is_woken, wakers)

    def test_waits(self):
        self.check_waits(WAITS, EXPECTED, "pthread_join")

    def test_waits_of_c11(self):
        self.check_waits(C11, EXPECTED_C11, "thrd_join")
        # Its threads are goroutines with the names of what they run.
        names = run(COMMAND, "goroutines", self.trace).stdout.decode()
        self.assertRegex(names, r"\b1 .* waker\n")
        self.assertRegex(names, r"\b2 .* quick\n")

    def test_stacks_begin_with_the_call(self):
        self.same(WAITS, "mutex")
        text = self.events()
        stack = text[text.index('GoID=1 Running->Waiting Reason="sync"'):].splitlines()[2:8]
        self.assertIn("pthread_mutex_lock", stack[0])
        self.assertIn("mutex_wait", stack[2])
        self.assertIn("waker", run(COMMAND, "goroutines", self.trace).stdout.decode())

    def test_calls_of_files(self):
        self.same(WAITS, "files")
        check(self.trace)
        # Stacks begin with the function that was called, also with its name for large files.
        text = self.events()
        for name in ("open", "open64", "openat64", "__open64_2", "pread64", "__pread64_chk",
                     "pwrite64", "preadv64", "pwritev64", "creat64", "flock", "sendfile64"):
            self.assertIn(f"\t{name} @ ", text)

    def test_calls_of_other_kinds(self):
        for program, names in (
                ("stats", ("stat64", "lstat64", "fstat64", "fstatat64", "statx")),
                ("addresses", ("getaddrinfo", "getnameinfo", "gethostbyname")),
                ("locks", ("fcntl", "fcntl64", "lockf", "lockf64")),
                ("ipc", ("semop", "semtimedop", "msgsnd", "msgrcv", "mq_send", "mq_receive",
                         "mq_timedsend", "mq_timedreceive")),
                ("recvmmsg", ("sendmmsg", "recvmmsg"))):
            self.same(WAITS, program)
            check(self.trace)
            text = self.events()
            for name in names:
                self.assertIn(f"\t{name} @ ", text)

    def test_waits_for_signals(self):
        self.same(WAITS, "signals")
        check(self.trace)
        for name in ("sigwait", "sigwaitinfo", "sigtimedwait"):
            self.assertIn(f"\t{name} @ ", self.events())

    def test_names_of_threads(self):
        self.same(WAITS, "names")
        check(self.trace)
        for name in ("named by itself", "named by prctl"):
            self.assertIn(f'"{name}"', self.events())

    def test_only_some_kinds(self):
        for name, kind in KINDS.items():
            for only in KINDS.values():
                self.record(WAITS, name, options=("--only", only))
                is_there = re.search(" GoID=1 Running->(Waiting|Syscall)", self.events())
                # All of them end with a thread that is joined, which waits or not.
                if only in (kind, "sync"):
                    self.assertTrue(is_there or only != kind, (name, only))
                else:
                    self.assertFalse(is_there, (name, only))

    def test_without_stacks(self):
        self.record(WAITS, "cond", options=("--stack", "0"))
        check(self.trace)
        self.assertNotIn("cond_wait_wait", self.events())


class ProcessesTest(Folder):
    def test_a_trace_for_each_process(self):
        self.same(WAITS, "fork")
        self.assertEqual(len(self.traces()), 2)
        for trace in self.traces():
            check(trace)
            self.assertEqual(stat.S_IMODE(trace.stat().st_mode), 0o600)

    def test_without_children(self):
        self.record(WAITS, "fork", options=("--no-children",))
        self.assertEqual(self.traces(), [self.trace])
        self.record("/bin/sh", "-c", f"{WAITS} join; exit 3", options=("--no-children",))
        self.assertEqual(self.traces(), [self.trace])

    def test_programs_of_a_shell(self):
        done = self.same("/bin/sh", "-c", f"{WAITS} join; {WAITS} sem; exit 3")
        self.assertEqual(done.returncode, 3)
        self.assertGreaterEqual(len(self.traces()), 3)
        for trace in self.traces():
            check(trace)

    def test_a_name_with_the_process(self):
        self.trace = self.path / "a%pb.trace"
        self.record(WAITS, "join")
        self.assertRegex(self.traces()[0].name, r"^a\d+b\.trace$")

    def test_a_name_with_the_number(self):
        self.trace = self.path / "a%n.b"
        self.record(WAITS, "fork")
        self.assertEqual({path.name for path in self.path.iterdir()}, {"a1.b", "a2.b"})

    def test_only_the_option_has_a_number_in_the_name(self):
        folder = self.path / "a%pb%n"
        folder.mkdir()
        shutil.copy(WAITS, folder / "c%nd")
        run(COMMAND, "record", "--agent", AGENT, folder / "c%nd", "fork", cwd=folder)
        run(COMMAND, "record", "--agent", AGENT, "-o", "e%n", WAITS, "fork", cwd=folder)
        self.assertEqual({path.name for path in folder.iterdir()},
                         {"c%nd", "c%nd.trace", "c%nd-2.trace", "e1", "e2"})

    def test_a_trace_that_was_there_becomes_private(self):
        self.trace.write_text("old")
        self.trace.chmod(0o644)
        other = self.path / "other"
        other.symlink_to(self.trace)
        for path in self.trace, other:
            self.trace.chmod(0o644)
            run(COMMAND, "record", "--agent", AGENT, "-o", path, WAITS, "join")
            self.assertEqual(stat.S_IMODE(self.trace.stat().st_mode), 0o600)
            check(self.trace)

    def test_devices_keep_their_modes(self):
        pipe = self.path / "pipe"
        os.mkfifo(pipe)
        pipe.chmod(0o644)
        fd = os.open(pipe, os.O_RDWR)
        self.addCleanup(os.close, fd)
        done = run(COMMAND, "record", "--agent", AGENT, "-o", pipe, WAITS, "join")
        self.assertEqual(done.returncode, 7)
        self.assertEqual(stat.S_IMODE(pipe.stat().st_mode), 0o644)

    def test_another_program_takes_the_place(self):
        for name, output in (("exec", b"executed\n"), ("execl", b"executed by execl\n"),
                             ("execlp", b"\n"), ("execle", b"ONLY=this\n")):
            done = self.same(WAITS, name)
            self.assertEqual(done.stdout, output)
            check(self.trace)
        # The program that takes the place has its trace beside that of the first one.
        self.record("/bin/sh", "-c", f"{WAITS} exec")
        self.assertGreaterEqual(len(self.traces()), 2)
        for trace in self.traces():
            check(trace)

    def test_signals_end_the_command_as_the_program(self):
        done = self.record(WAITS, "kill")
        self.assertEqual(done.returncode, -signal.SIGTERM)
        self.assertIn(b"up to the last second", done.stderr)

    def test_signals_are_passed_on(self):
        script = "import signal,sys,time\n" \
                 "signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))\n" \
                 "print('ready', flush=True)\n" \
                 "for _ in range(500):\n    time.sleep(0.1)\n"
        child = subprocess.Popen(
            [COMMAND, "record", "--agent", AGENT, "-o", str(self.trace), sys.executable, "-c",
             script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(child.stdout.readline(), b"ready\n")
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=30)
        self.assertEqual(child.returncode, 9)
        check(self.trace)


class RefusedTest(Folder):
    def refused(self, code, words, *arguments):
        done = run(COMMAND, "record", *arguments, cwd=self.path)
        self.assertEqual(done.returncode, code, done)
        self.assertIn(words, done.stderr)
        self.assertEqual(list(self.path.glob("*.trace")), [])

    def test_what_cannot_be_recorded(self):
        other = self.path / "other"
        shutil.copy(WAITS, other)
        other.chmod(0o4755)
        agent = ("--agent", AGENT)
        self.refused(1, b"rights of another user", *agent, other)
        self.refused(127, b"cannot be run", *agent, "./none")
        self.refused(127, b"cannot be run", *agent, "no-such-program")
        self.refused(1, b"no agent", "--agent", "none", WAITS)
        self.refused(2, b"too few", *agent)
        self.refused(2, b"without --flight", *agent, "--dump-on", "USR2", WAITS)
        for wrong in (("--flight", "1s", "--stop-on", "USR2"),
                      ("--start-on", "HUP", "--stop-on", "HUP")):
            self.refused(2, b"two meanings", *agent, *wrong, WAITS)
        for wrong in (("--stack", "128"), ("--flight", "0s"), ("--delay", "x"),
                      ("--start-on", "KILL"), ("--only", "sync,x"), ("--unwind", "x"),
                      ("--memory", "-1")):
            self.refused(2, b"not a", *agent, *wrong, WAITS)

    def test_the_program_waits_for_the_file_where_it_shall(self):
        few = ("--memory=1", "--stack=0", "--unwind=pointers")
        done = self.same(WORKS, "reads", options=few)
        self.assertIn(b"recording ended early", done.stderr)
        done = self.same(WORKS, "reads", options=(*few, "--wait"))
        self.assertNotIn(b"recording ended early", done.stderr)
        check(self.trace)
        calls = self.events().count("Running->Syscall")
        self.assertGreaterEqual(calls, 200000)

    def test_a_trace_that_cannot_be_written(self):
        self.trace = self.path / "none" / "t.trace"
        done = self.record(WAITS, "join")
        self.assertEqual(done.returncode, 7)
        self.assertIn(b"No such file", done.stderr)

    def test_the_agent_of_the_build(self):
        done = run(COMMAND, "record", "-o", self.trace, WAITS, "join")
        self.assertEqual(done.returncode, 7, done)
        check(self.trace)

    def test_its_options_come_before_the_program(self):
        done = run(COMMAND, "record", "--agent", AGENT, "-o", self.trace, "/bin/echo", "-o", "--x")
        self.assertEqual((done.returncode, done.stdout), (0, b"-o --x\n"))


if __name__ == "__main__":
    beside.main()
