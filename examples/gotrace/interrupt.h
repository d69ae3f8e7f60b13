/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/*
 * What Ctrl-C does while a trace is read: it cancels the reader, so that the command can print what
 * it knows by then. Ctrl-C for the second time, and at any other time, ends the program at once.
 */

#include <stdbool.h>

#include <gotrace/raw.h>
#include <gotrace/reader.h>

/* From here on SIGINT cancels one of these, unless the program was started with SIGINT ignored. */
void interrupt_arm(gt_reader *reader, gt_raw_reader *raw);

/* Before the reader is closed, and after it was read. Does nothing if it was called before. */
void interrupt_disarm(void);

/* Whether SIGINT came since the first call of interrupt_arm: waiting for input is over. */
bool interrupt_has_come(void);

/* If SIGINT came meanwhile: ends the program by it, as whoever started the program expects. */
void interrupt_raise(void);

#endif
