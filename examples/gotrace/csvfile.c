/* SPDX-License-Identifier: BSD-3-Clause */
#include "csvfile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/time.h>

enum {
    CSVFILE_ROOM = 64 << 10,
    /* The most bytes of a value that is no string, with its comma. */
    CSVFILE_VALUE_MAX = GT_WALL_CLOCK_TEXT_SIZE + 1,
    CSVFILE_MICROSECONDS = 1000000
};

struct csvfile {
    gt_table_description table;
    gt_write_fn write;
    void *user_data;
    bool failed;
    size_t size;
    char text[CSVFILE_ROOM];
};

static void csvfile_flush(struct csvfile *file)
{
    if (!file->failed && file->size > 0)
        file->failed = file->write(file->user_data, file->text, file->size) != 0;
    file->size = 0;
}

static void csvfile_byte(struct csvfile *file, char byte)
{
    if (file->size == CSVFILE_ROOM)
        csvfile_flush(file);
    file->text[file->size++] = byte;
}

static void csvfile_text(struct csvfile *file, const char *text)
{
    for (; *text != '\0'; text++)
        csvfile_byte(file, *text);
}

static void csvfile_string(struct csvfile *file, gt_string string)
{
    csvfile_byte(file, '"');
    for (size_t i = 0; i < string.size; i++) {
        csvfile_byte(file, string.data[i]);
        if (string.data[i] == '"')
            csvfile_byte(file, '"');
    }
    csvfile_byte(file, '"');
}

/* A moment in microseconds since 1970, which may be before that. */
static void csvfile_moment(int64_t at, char text[CSVFILE_VALUE_MAX])
{
    int64_t seconds = at / CSVFILE_MICROSECONDS, rest = at % CSVFILE_MICROSECONDS;
    if (rest < 0) {
        seconds--;
        rest += CSVFILE_MICROSECONDS;
    }
    gt_wall_clock_format(seconds, (uint32_t) rest * 1000, 0, text, CSVFILE_VALUE_MAX);
}

static void csvfile_value(struct csvfile *file, uint32_t kind, int64_t value)
{
    char text[CSVFILE_VALUE_MAX];
    if (kind == GT_COLUMN_TIMESTAMP)
        csvfile_moment(value, text);
    else if (kind == GT_COLUMN_BOOLEAN)
        snprintf(text, sizeof(text), "%s", value ? "true" : "false");
    else
        snprintf(text, sizeof(text), "%" PRId64, value);
    csvfile_text(file, text);
}

static void csvfile_row(struct csvfile *file, const gt_batch *batch, size_t row)
{
    for (uint32_t i = 0; i < batch->column_count; i++) {
        const gt_batch_column *column = &batch->columns[i];
        uint32_t kind = file->table.columns[i].kind;
        if (i > 0)
            csvfile_byte(file, ',');
        if (!column->values || (column->valid && !column->valid[row]))
            continue;
        if (kind == GT_COLUMN_STRING)
            csvfile_string(file, batch->texts[column->values[row]]);
        else
            csvfile_value(file, kind, column->values[row]);
    }
    csvfile_byte(file, '\n');
}

struct csvfile *csvfile_open(uint32_t table, gt_write_fn write, void *user_data)
{
    struct csvfile *file = malloc(sizeof(*file));
    if (!file)
        return NULL;
    file->table = (gt_table_description) GT_TABLE_DESCRIPTION_INIT;
    gt_table_describe(table, &file->table);
    file->write = write;
    file->user_data = user_data;
    file->failed = false;
    file->size = 0;
    for (uint32_t i = 0; i < file->table.column_count; i++) {
        if (i > 0)
            csvfile_byte(file, ',');
        csvfile_text(file, file->table.columns[i].name);
    }
    csvfile_byte(file, '\n');
    return file;
}

bool csvfile_batch(struct csvfile *file, const gt_batch *batch)
{
    for (size_t i = 0; i < batch->rows && !file->failed; i++)
        csvfile_row(file, batch, batch->order ? batch->order[i] : i);
    return !file->failed;
}

bool csvfile_finish(struct csvfile *file)
{
    csvfile_flush(file);
    return !file->failed;
}

void csvfile_close(struct csvfile *file)
{
    free(file);
}
