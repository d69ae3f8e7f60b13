/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SUPPORT_DUMPS_H
#define TESTS_SUPPORT_DUMPS_H

#include <stddef.h>
#include <stdio.h>

/*
 * Compares two dumps of one trace's events, texts in which an event begins
 * with a line that starts with "M=" and has " Time=N" in it.
 *
 * Events of different threads with equal timestamps have no order of their
 * own: readers give them in some order, and push each later one 1 ns on. So
 * events whose times step by at most 1 are a run, and runs are compared as sets
 * of events without their times.
 *
 * With `prefix` only as many events are compared as `theirs` has. Reads both to
 * their end. Returns the number of events compared, or -1 where they differ,
 * with the first difference printed.
 */
long dumps_compare(FILE *ours, FILE *theirs, int prefix);

#endif
