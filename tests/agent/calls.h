/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_AGENT_CALLS_H
#define TESTS_AGENT_CALLS_H

/* Prints what a call has returned, and errno if that is negative. */
void calls_print(const char *what, long result);

/*
 * Call what opens, reads and writes files, what asks about files, what finds addresses, what locks
 * files, and what processes wait for each other by.
 */
void calls_files(void);
void calls_stats(void);
void calls_addresses(void);
void calls_locks(void);
void calls_ipc(void);

#endif
