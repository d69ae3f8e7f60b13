/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_READER_LIVING_H
#define TESTS_READER_LIVING_H

#include <stdio.h>

#include <gotrace/gotrace.h>

/*
 * Prints everything that a reader tells of the program at its position: a line for each goroutine,
 * proc and thread. A status but GT_END ends the list of a kind.
 */
gt_status living_print(FILE *out, gt_reader *reader);

#endif
