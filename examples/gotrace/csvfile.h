/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CSVFILE_H
#define CSVFILE_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/columns.h>
#include <gotrace/write.h>

/*
 * A file of comma-separated values, as RFC 4180 has them, with the names of the columns in the
 * first line. Strings are quoted; nothing at all between two commas is NULL. Timestamps are as in
 * RFC 3339, and booleans are true and false.
 */
struct csvfile;

/* Opens a file for a gt_table. Returns NULL if there is no memory. */
struct csvfile *csvfile_open(uint32_t table, gt_write_fn write, void *user_data);

/* Writes rows. Returns false after a write that has failed. */
bool csvfile_batch(struct csvfile *file, const gt_batch *batch);

/* Writes what is left. Returns false after a write that has failed. */
bool csvfile_finish(struct csvfile *file);

/* Closes a file, which may be NULL. */
void csvfile_close(struct csvfile *file);

#endif
