/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_WAITING_H
#define TESTS_SUPPORT_WAITING_H

/* Waiting for what another process or thread does, but not for ever. Begins as {0}. */
struct waiting {
    double end; /* the time by which it must have been done */
};

/*
 * Returns how many seconds a test waits for what usually takes a fraction of one, also where a
 * machine is slow or busy: a minute, and $GT_TIME_SCALE times as much under emulation.
 */
double waiting_patience(void);

/* Pauses a little. Asserts that there still is time for `what`. */
void waiting_pause(struct waiting *waiting, const char *what);

/* The time of a clock that only goes on, in seconds. */
double waiting_now(void);

#endif
