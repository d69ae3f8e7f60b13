/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a trace as Arrow lays them out, which table.js views in the module's memory. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <gotrace/arrow.h>
#include <gotrace/columns.h>

#include "module.h"

/* What table_next returns. */
enum {
    TABLE_FAILED = -2,
    TABLE_END = 0,
    TABLE_ROWS = 1
};

/* table.js reads these members. */
_Static_assert(offsetof(struct ArrowSchema, name) == 4, "table.js has another place");
_Static_assert(offsetof(struct ArrowSchema, children) == 32, "table.js has another place");
_Static_assert(offsetof(struct ArrowArray, n_children) == 32, "table.js has another place");
_Static_assert(offsetof(struct ArrowArray, buffers) == 40, "table.js has another place");
_Static_assert(offsetof(struct ArrowArray, children) == 44, "table.js has another place");
_Static_assert(offsetof(struct ArrowArray, dictionary) == 48, "table.js has another place");

/* The table that the instance makes. */
static struct {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray rows;
} table;

/* Finds a table by its name. Returns false if there is none. */
static bool table_find(const char *name, uint32_t *found)
{
    gt_table_description about = GT_TABLE_DESCRIPTION_INIT;
    for (*found = 0; gt_table_describe(*found, &about) == GT_OK; ++*found) {
        if (strcmp(about.name, name) == 0)
            return true;
    }
    return false;
}

/*
 * Begins a table of the trace that trace_open has opened, of which no event may have been read.
 * Returns 0, or another number; see trace_error.
 */
EXPORTED("table_open") int table_open(const char *name)
{
    uint32_t found;
    gt_error *error = module_error();
    *error = (gt_error) GT_ERROR_INIT;
    if (!table_find(name, &found)) {
        error->status = GT_ERR_NOT_AVAILABLE;
        snprintf(error->message, sizeof(error->message), "there is no table '%s'", name);
        return error->status;
    }
    gt_status status = gt_arrow_stream(&table.stream, module_reader(), found, NULL, NULL, error);
    if (status == GT_OK && table.stream.get_schema(&table.stream, &table.schema) != 0)
        status = error->status = GT_ERR_NO_MEMORY;
    return status;
}

/* The names and types of the columns. */
EXPORTED("table_schema") const struct ArrowSchema *table_schema(void)
{
    return &table.schema;
}

/* Makes the next rows, and releases those before. Returns a constant from above. */
EXPORTED("table_next") int table_next(void)
{
    if (table.rows.release)
        table.rows.release(&table.rows);
    if (table.stream.get_next(&table.stream, &table.rows) != 0)
        return TABLE_FAILED;
    return table.rows.release ? TABLE_ROWS : TABLE_END;
}

/* The rows of the last table_next. */
EXPORTED("table_rows") const struct ArrowArray *table_rows(void)
{
    return &table.rows;
}

/* Why the last table_next has failed. */
EXPORTED("table_error") const char *table_error(void)
{
    const char *text = table.stream.get_last_error(&table.stream);
    return text ? text : "";
}
