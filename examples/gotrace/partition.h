/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PARTITION_H
#define PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/columns.h>
#include <gotrace/parquet.h>

#include "replacement.h"
#include "traceid.h"

enum {
    PARTITION_TABLES = GT_TABLE_EVENTS + 1
};

/* A place for the files of a call, which all have the same columns in their path. */
struct partition_place {
    const char *folder;
    const char *service;
    const char *version;
    uint64_t tables; /* bit N for each gt_table N that is written */
    bool plain;
    bool csv; /* else Parquet */
};

/*
 * The tables of traces of one date: a file for each table, DIR/TABLE/service=S/version=V/date=D/ID
 * with the suffix .parquet or .csv. ID is made of the ids of all its traces, so that the same
 * traces give the same name, in whatever order they come. The files get their names when all is
 * written.
 */
struct partition {
    const struct partition_place *place;
    char *date;
    gt_columns *columns;
    size_t traces;     /* how many it has */
    struct traceid id; /* that of all of them, combined */

    struct partition_file {
        struct replacement file;
        bool is_open;
        char *path;         /* without a name, and then that which it gets */
        gt_parquet *writer; /* one of these two */
        struct csvfile *csv;
    } files[PARTITION_TABLES];
};

/* Makes the folders and opens the files. Returns NULL after it has reported a failure. */
struct partition *partition_open(const struct partition_place *place, const char *date);

/* Notes that a trace with this id is among those of the partition. */
void partition_add(struct partition *partition, const struct traceid *id);

/* Reports why the rows of a trace could not be written. */
void partition_explain(const struct partition *partition);

/*
 * Writes what is left, and keeps only what partition_close needs. Returns whether everything was
 * written; otherwise reports why not.
 */
bool partition_finish(struct partition *partition);

/*
 * Closes the files and frees the partition. If `keeps` is true, they get their names; otherwise,
 * and without a trace, they are removed. Returns false after it has reported a failure.
 */
bool partition_close(struct partition *partition, bool keeps);

#endif
