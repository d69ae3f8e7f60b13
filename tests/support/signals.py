# SPDX-License-Identifier: BSD-3-Clause
"""Signals, as tests need them that send them to what they start."""

import signal

# What ends a program from outside, and what tests send. Python gives SIGPIPE and SIGXFSZ, which it
# ignores itself, back to what it starts.
ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
SENT = (*ENDING, signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2)


def ignore(*_):
    """A handler: unlike SIG_IGN, it is not inherited by a program that is started."""


def start_with_defaults():
    """Lets every program that is started from now on have the default actions for signals.

    A program inherits what its parent ignores or blocks: SIGHUP under nohup, SIGINT in the
    background of a shell without job control. The commands leave it so, and a test that sends
    them such a signal would wait for ever. The test itself still ignores what it ignored. What
    else would end it does so as Ctrl-C does, so that its temporary folders are removed.
    """
    for number in SENT:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, ignore)
        elif number in ENDING:
            signal.signal(number, signal.default_int_handler)
    # While it is ignored, nobody learns how a child has ended.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
