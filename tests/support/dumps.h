/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_DUMPS_H
#define TESTS_SUPPORT_DUMPS_H

#include <stddef.h>
#include <stdio.h>

/*
 * Compares two dumps of the events of a trace. In these texts an event begins with a line that
 * starts with "M=" and contains " Time=N". Events of different threads with equal timestamps have
 * no order: readers choose one, and move each later event by 1 ns. So events whose times differ by
 * at most 1 form a run, and runs are compared as sets of events without their times. With `prefix`
 * only as many events are compared as `theirs` has. Reads both to the end. Returns the number of
 * compared events, or -1 after it has printed the first difference.
 */
long dumps_compare(FILE *ours, FILE *theirs, int prefix);

#endif
