/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parquet_make SEED plain|packed FILE EXPECTED: writes a file of random columns, and what it has to
 * have as lines of JSON: the columns, then each row, in which all values are strings.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parquet/parquet.h"

enum {
    MAKE_COLUMNS = 24,
    MAKE_TEXTS = 400,
    MAKE_TEXT_MAX = 160,
    /* Values of the same kind follow each other in this many ways. */
    MAKE_WAYS = 10
};

struct make {
    uint64_t seed;
    FILE *file;
    FILE *expected;
    struct gt_pq_column columns[MAKE_COLUMNS];
    char names[MAKE_COLUMNS][8];
    struct gt_pq_values values[MAKE_COLUMNS];
    size_t count;
    size_t rows;
    gt_string texts[MAKE_TEXTS];
    char bytes[MAKE_TEXTS][MAKE_TEXT_MAX];
    uint32_t *order;
};

static const char *const make_kinds[] = {
    [GT_PQ_BOOLEAN] = "boolean",     [GT_PQ_INT32] = "int32",   [GT_PQ_INT64] = "int64",
    [GT_PQ_TIMESTAMP] = "timestamp", [GT_PQ_STRING] = "string",
};

static uint64_t make_random(struct make *make)
{
    make->seed ^= make->seed << 13;
    make->seed ^= make->seed >> 7;
    make->seed ^= make->seed << 17;
    return make->seed;
}

static uint64_t make_below(struct make *make, uint64_t limit)
{
    return make_random(make) % limit;
}

static int make_write(void *user_data, const void *data, size_t size)
{
    struct make *make = user_data;
    return fwrite(data, 1, size, make->file) == size ? 0 : 1;
}

/* Characters of one to four bytes, among them those that JSON and SQL escape. */
static const char *const make_characters[] = {
    "a", "b", "z", " ", "\"", "\\", "'", "\n", "\x01", "\x7f", "~", "é", "\xef\xbf\xbf", "😀", "世",
};

/* Whether a text before this one is the same. */
static bool make_repeats(const struct make *make, size_t index)
{
    const gt_string *text = &make->texts[index];
    for (size_t i = 0; i < index; i++) {
        if (make->texts[i].size == text->size &&
            memcmp(make->texts[i].data, text->data, text->size) == 0)
            return true;
    }
    return false;
}

static void make_text(struct make *make, size_t index)
{
    size_t size = 0, count = sizeof(make_characters) / sizeof(*make_characters);
    size_t most = make_below(make, 5) == 0 ? MAKE_TEXT_MAX - 4 : 12;
    const char *same = make_below(make, 3) == 0 ? make_characters[make_below(make, count)] : NULL;
    size_t length = make_below(make, most);
    while (size < length) {
        const char *next = same ? same : make_characters[make_below(make, count)];
        memcpy(make->bytes[index] + size, next, strlen(next));
        size += strlen(next);
    }
    make->texts[index] = (gt_string){make->bytes[index], size};
}

static void make_schema(struct make *make)
{
    make->count = 1 + make_below(make, MAKE_COLUMNS);
    for (size_t i = 0; i < make->count; i++) {
        snprintf(make->names[i], sizeof(make->names[i]), "c%zu", i);
        make->columns[i] =
            (struct gt_pq_column){.name = make->names[i],
                                  .kind = (enum gt_pq_kind) make_below(make, GT_PQ_STRING + 1),
                                  .optional = make_below(make, 2),
                                  .rises = make_below(make, 4) == 0};
        fprintf(make->expected, "%s\"%s\"", i > 0 ? ", " : "[", make_kinds[make->columns[i].kind]);
    }
    fputs("]\n", make->expected);
}

/* Fits any number into the values of a column. */
static int64_t make_fit(const struct gt_pq_column *column, uint64_t number)
{
    switch (column->kind) {
    case GT_PQ_BOOLEAN:
        return number & 1;
    case GT_PQ_INT32:
        return (int32_t) (uint32_t) number;
    case GT_PQ_STRING:
        return (int64_t) (number % MAKE_TEXTS);
    case GT_PQ_TIMESTAMP:
        return (int64_t) (number % (UINT64_C(1) << 51));
    default:
        return (int64_t) number;
    }
}

/* The next value of a column, in which numbers of `width` bits follow `last` in one of the ways. */
static uint64_t make_next(struct make *make, uint64_t way, unsigned width, uint64_t last)
{
    uint64_t number = make_random(make) >> (64 - width);
    switch (way) {
    case 0:
        return last;
    case 1:
        return last + number;
    case 2:
        return last - number;
    case 3:
        return make_below(make, 100) < 99 ? last : number;
    case 4:
        return make_below(make, 2) ? (uint64_t) INT64_MAX : (uint64_t) INT64_MIN;
    case 5:
        return make_below(make, 3);
    case 6:
        return make_below(make, 2) ? UINT64_C(0x7fffffff) : UINT64_C(0x80000000);
    default:
        return number;
    }
}

static void make_values(struct make *make, size_t index)
{
    const struct gt_pq_column *column = &make->columns[index];
    int64_t *values = malloc(make->rows * sizeof(*values));
    uint8_t *valid = column->optional ? calloc(make->rows, 1) : NULL;
    uint64_t way = make_below(make, MAKE_WAYS), last = make_random(make);
    unsigned width = 1 + (unsigned) make_below(make, 64);
    uint64_t chance = make_below(make, 4);
    if (!values || (column->optional && !valid))
        abort();
    for (size_t i = 0; i < make->rows; i++) {
        last = make_next(make, way, width, last);
        values[i] = make_fit(column, last);
        if (valid)
            valid[i] = chance == 0 || (chance < 3 && make_below(make, 4) < chance);
    }
    make->values[index] = (struct gt_pq_values){values, valid};
    /* Columns that are all valid, or have no values, may say so. */
    if (valid && chance == 0 && make_below(make, 2)) {
        free(valid);
        make->values[index].valid = NULL;
    } else if (valid && chance == 3 && make_below(make, 2)) {
        free(valid);
        free(values);
        make->values[index] = (struct gt_pq_values){NULL, NULL};
    }
}

/* A random order of the rows, or NULL. */
static void make_order(struct make *make)
{
    make->order = NULL;
    if (make_below(make, 2))
        return;
    make->order = malloc(make->rows * sizeof(*make->order));
    if (!make->order)
        abort();
    for (size_t i = 0; i < make->rows; i++) {
        size_t other = make_below(make, i + 1);
        make->order[i] = make->order[other];
        make->order[other] = (uint32_t) i;
    }
}

static void make_expect_text(struct make *make, gt_string text)
{
    putc('"', make->expected);
    for (size_t i = 0; i < text.size; i++) {
        unsigned char byte = (unsigned char) text.data[i];
        if (byte < ' ' || byte == '"' || byte == '\\')
            fprintf(make->expected, "\\u%04x", byte);
        else
            putc(byte, make->expected);
    }
    putc('"', make->expected);
}

static void make_expect(struct make *make, size_t index, size_t row)
{
    const struct gt_pq_values *from = &make->values[index];
    if (!from->values || (from->valid && !from->valid[row]))
        fputs("null", make->expected);
    else if (make->columns[index].kind == GT_PQ_STRING)
        make_expect_text(make, make->texts[from->values[row]]);
    else if (make->columns[index].kind == GT_PQ_BOOLEAN)
        fprintf(make->expected, "\"%s\"", from->values[row] ? "true" : "false");
    else
        fprintf(make->expected, "\"%" PRId64 "\"", from->values[row]);
}

static void make_group(struct make *make, struct gt_pq_writer *writer)
{
    for (size_t i = 0; i < make->count; i++)
        make_values(make, i);
    make_order(make);
    for (size_t i = 0; i < make->rows; i++) {
        for (size_t column = 0; column < make->count; column++) {
            fputs(column > 0 ? ", " : "[", make->expected);
            make_expect(make, column, make->order ? make->order[i] : i);
        }
        fputs("]\n", make->expected);
    }
    const struct gt_pq_group group = {.rows = make->rows,
                                      .columns = make->values,
                                      .order = make->order,
                                      .texts = make->texts,
                                      .text_count = MAKE_TEXTS};
    if (gt_pq_write(writer, &group) != GT_OK)
        abort();
    for (size_t i = 0; i < make->count; i++) {
        free((void *) (uintptr_t) make->values[i].values);
        free((void *) (uintptr_t) make->values[i].valid);
    }
    free(make->order);
}

int main(int argc, char **argv)
{
    static struct make make;
    if (argc != 5)
        return 2;
    make.seed = strtoull(argv[1], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    make.file = fopen(argv[3], "wb");
    make.expected = fopen(argv[4], "wb");
    if (!make.file || !make.expected)
        return 1;
    for (size_t i = 0; i < MAKE_TEXTS; i++) {
        do
            make_text(&make, i);
        while (make_repeats(&make, i));
    }
    make_schema(&make);
    const struct gt_pq_schema schema = {make.columns, make.count, "made", argv[1]};
    struct gt_pq_writer *writer =
        gt_pq_open(&schema, strcmp(argv[2], "plain") == 0, NULL, make_write, &make);
    if (!writer)
        return 1;
    for (uint64_t groups = make_below(&make, 4); groups > 0; groups--) {
        /* Many sizes are small, and one is so large that a dictionary has too many values. */
        make.rows =
            make_below(&make, 30) == 0 ? 90000 : make_below(&make, 1 + make_below(&make, 3000));
        if (make.rows > 0)
            make_group(&make, writer);
    }
    gt_status status = gt_pq_finish(writer);
    gt_pq_close(writer);
    bool is_written = fclose(make.file) == 0;
    is_written = fclose(make.expected) == 0 && is_written;
    return status == GT_OK && is_written ? 0 : 1;
}
