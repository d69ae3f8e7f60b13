/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <gotrace/version.h>

#include "parquet/thrift.h"
#include "parquet/writer.h"

#define META_TEXT_OF(number) #number
#define META_TEXT(number)    META_TEXT_OF(number)
/* As readers expect it: the name of a program, and its version. */
#define META_CREATED_BY                                                                            \
    "libgotrace version " META_TEXT(GT_VERSION_MAJOR) "." META_TEXT(                               \
        GT_VERSION_MINOR) "." META_TEXT(GT_VERSION_PATCH)

/* The numbers of fields, types and codecs are those of parquet.thrift of Apache Parquet. */
enum {
    FILE_VERSION = 1,
    FILE_SCHEMA = 2,
    FILE_ROWS = 3,
    FILE_ROW_GROUPS = 4,
    FILE_METADATA = 5,
    FILE_CREATED_BY = 6,
    FILE_COLUMN_ORDERS = 7,
    PAIR_KEY = 1,
    PAIR_VALUE = 2,
    ORDER_BY_TYPE = 1,
    ELEMENT_TYPE = 1,
    ELEMENT_REPETITION = 3,
    ELEMENT_NAME = 4,
    ELEMENT_CHILDREN = 5,
    ELEMENT_CONVERTED = 6,
    ELEMENT_LOGICAL = 10,
    LOGICAL_STRING = 1,
    LOGICAL_TIMESTAMP = 8,
    TIMESTAMP_IS_UTC = 1,
    TIMESTAMP_UNIT = 2,
    UNIT_MICROSECONDS = 2,
    CONVERTED_UTF8 = 0,
    CONVERTED_TIMESTAMP_MICROSECONDS = 10,
    GROUP_COLUMNS = 1,
    GROUP_UNPACKED = 2,
    GROUP_ROWS = 3,
    GROUP_OFFSET = 5,
    GROUP_SIZE = 6,
    CHUNK_OFFSET = 2,
    CHUNK_METADATA = 3,
    COLUMN_TYPE = 1,
    COLUMN_ENCODINGS = 2,
    COLUMN_PATH = 3,
    COLUMN_CODEC = 4,
    COLUMN_VALUES = 5,
    COLUMN_UNPACKED = 6,
    COLUMN_SIZE = 7,
    COLUMN_DATA_AT = 9,
    COLUMN_DICTIONARY_AT = 11,
    COLUMN_STATISTICS = 12,
    STATISTICS_NULLS = 3,
    STATISTICS_MAX = 5,
    STATISTICS_MIN = 6,
    STATISTICS_MAX_IS_EXACT = 7,
    STATISTICS_MIN_IS_EXACT = 8,
    CODEC_NONE = 0,
    CODEC_SNAPPY = 1,
    /* The version of the format, which readers do not use. */
    META_VERSION = 2,
    /* The longest bound of a string. */
    META_BOUND_MAX = 64
};

static const int32_t meta_types[] = {
    [GT_PQ_BOOLEAN] = 0,   [GT_PQ_INT32] = 1,  [GT_PQ_INT64] = 2,
    [GT_PQ_TIMESTAMP] = 2, [GT_PQ_STRING] = 6,
};

static void meta_empty_struct(struct gt_thrift *to, unsigned field)
{
    struct gt_thrift empty = gt_thrift_struct(to, field);
    gt_thrift_stop(&empty);
}

/* A number as the bytes of its type. */
static void meta_number_put(struct gt_thrift *to, unsigned field, enum gt_pq_kind kind,
                            int64_t number)
{
    uint8_t bytes[sizeof(number)];
    unsigned size = kind == GT_PQ_BOOLEAN ? 1 : kind == GT_PQ_INT32 ? 4 : 8;
    gt_pq_little_put(bytes, (uint64_t) number, size);
    gt_thrift_binary(to, field, bytes, size);
}

/*
 * A bound for strings above `text`, which is longer: its first characters, of which the last one,
 * which must be of ASCII, becomes the next one. Returns its size, or 0 if there is none.
 */
static size_t meta_upper_bound(gt_string text, char bound[META_BOUND_MAX])
{
    size_t size = META_BOUND_MAX;
    memcpy(bound, text.data, size);
    while (size > 0 && (unsigned char) bound[size - 1] >= 0x7f)
        size--;
    if (size > 0)
        bound[size - 1]++;
    return size;
}

static void meta_texts_put(struct gt_thrift *to, const struct gt_pq_chunk *chunk,
                           const gt_string *texts)
{
    gt_string min = texts[chunk->min], max = texts[chunk->max];
    char bound[META_BOUND_MAX];
    size_t min_size = min.size;
    if (min_size > META_BOUND_MAX) {
        min_size = META_BOUND_MAX;
        /* Not in the middle of a character. */
        while (min_size > 0 && ((unsigned char) min.data[min_size] & 0xc0) == 0x80)
            min_size--;
    }
    bool max_is_exact = max.size <= META_BOUND_MAX;
    size_t max_size = max_is_exact ? max.size : meta_upper_bound(max, bound);
    bool has_max = max_is_exact || max_size > 0;
    if (has_max)
        gt_thrift_binary(to, STATISTICS_MAX, max_is_exact ? max.data : bound, max_size);
    gt_thrift_binary(to, STATISTICS_MIN, min.data, min_size);
    if (has_max)
        gt_thrift_bool(to, STATISTICS_MAX_IS_EXACT, max_is_exact);
    gt_thrift_bool(to, STATISTICS_MIN_IS_EXACT, min_size == min.size);
}

static void meta_statistics_put(struct gt_thrift *to, const struct gt_pq_chunk *chunk,
                                const gt_string *texts)
{
    struct gt_thrift statistics = gt_thrift_struct(to, COLUMN_STATISTICS);
    enum gt_pq_kind kind = chunk->column->kind;
    gt_thrift_i64(&statistics, STATISTICS_NULLS, (int64_t) (chunk->rows - chunk->count));
    if (chunk->count > 0 && kind == GT_PQ_STRING) {
        meta_texts_put(&statistics, chunk, texts);
    } else if (chunk->count > 0) {
        meta_number_put(&statistics, STATISTICS_MAX, kind, chunk->max);
        meta_number_put(&statistics, STATISTICS_MIN, kind, chunk->min);
        gt_thrift_bool(&statistics, STATISTICS_MAX_IS_EXACT, true);
        gt_thrift_bool(&statistics, STATISTICS_MIN_IS_EXACT, true);
    }
    gt_thrift_stop(&statistics);
}

static void meta_encodings_put(struct gt_thrift *to, const struct gt_pq_chunk *chunk)
{
    bool has_dictionary = chunk->dictionary_at != 0;
    gt_thrift_list(to, COLUMN_ENCODINGS, GT_THRIFT_I32, has_dictionary ? 3 : 2);
    gt_pq_put_zigzag(to->out, GT_PQ_RLE);
    gt_pq_put_zigzag(to->out, chunk->encoding);
    if (has_dictionary)
        gt_pq_put_zigzag(to->out, GT_PQ_PLAIN);
}

static void meta_chunk_put(struct gt_pq_writer *writer, const struct gt_pq_chunk *chunk,
                           const gt_string *texts)
{
    struct gt_thrift about = gt_thrift_begin(&writer->row_groups);
    gt_thrift_i64(&about, CHUNK_OFFSET, 0);
    struct gt_thrift column = gt_thrift_struct(&about, CHUNK_METADATA);
    gt_thrift_i32(&column, COLUMN_TYPE, meta_types[chunk->column->kind]);
    meta_encodings_put(&column, chunk);
    gt_thrift_list(&column, COLUMN_PATH, GT_THRIFT_BINARY, 1);
    size_t size = strlen(chunk->column->name);
    gt_pq_put_varint(column.out, size);
    gt_pq_put(column.out, chunk->column->name, size);
    gt_thrift_i32(&column, COLUMN_CODEC, writer->plain ? CODEC_NONE : CODEC_SNAPPY);
    gt_thrift_i64(&column, COLUMN_VALUES, (int64_t) chunk->rows);
    gt_thrift_i64(&column, COLUMN_UNPACKED, (int64_t) chunk->unpacked);
    gt_thrift_i64(&column, COLUMN_SIZE, (int64_t) chunk->size);
    gt_thrift_i64(&column, COLUMN_DATA_AT, (int64_t) chunk->data_at);
    if (chunk->dictionary_at != 0)
        gt_thrift_i64(&column, COLUMN_DICTIONARY_AT, (int64_t) chunk->dictionary_at);
    meta_statistics_put(&column, chunk, texts);
    gt_thrift_stop(&column);
    gt_thrift_stop(&about);
}

static uint64_t meta_chunk_start(const struct gt_pq_chunk *chunk)
{
    return chunk->dictionary_at != 0 ? chunk->dictionary_at : chunk->data_at;
}

void gt_pq_row_group_put(struct gt_pq_writer *writer, const struct gt_pq_chunk *chunks,
                         const struct gt_pq_group *group)
{
    struct gt_thrift about = gt_thrift_begin(&writer->row_groups);
    uint64_t size = 0, unpacked = 0;
    gt_thrift_list(&about, GROUP_COLUMNS, GT_THRIFT_STRUCT, writer->schema->count);
    for (size_t i = 0; i < writer->schema->count; i++) {
        meta_chunk_put(writer, &chunks[i], group->texts);
        size += chunks[i].size;
        unpacked += chunks[i].unpacked;
    }
    gt_thrift_i64(&about, GROUP_UNPACKED, (int64_t) unpacked);
    gt_thrift_i64(&about, GROUP_ROWS, (int64_t) group->rows);
    gt_thrift_i64(&about, GROUP_OFFSET, (int64_t) meta_chunk_start(&chunks[0]));
    gt_thrift_i64(&about, GROUP_SIZE, (int64_t) size);
    gt_thrift_stop(&about);
    gt_pq_note(writer, writer->row_groups.status);
}

static void meta_logical_put(struct gt_thrift *element, const struct gt_pq_column *column)
{
    bool is_string = column->kind == GT_PQ_STRING;
    if (!is_string && column->kind != GT_PQ_TIMESTAMP)
        return;
    gt_thrift_i32(element, ELEMENT_CONVERTED,
                  is_string ? CONVERTED_UTF8 : CONVERTED_TIMESTAMP_MICROSECONDS);
    struct gt_thrift logical = gt_thrift_struct(element, ELEMENT_LOGICAL);
    if (is_string) {
        meta_empty_struct(&logical, LOGICAL_STRING);
    } else {
        struct gt_thrift timestamp = gt_thrift_struct(&logical, LOGICAL_TIMESTAMP);
        gt_thrift_bool(&timestamp, TIMESTAMP_IS_UTC, true);
        struct gt_thrift unit = gt_thrift_struct(&timestamp, TIMESTAMP_UNIT);
        meta_empty_struct(&unit, UNIT_MICROSECONDS);
        gt_thrift_stop(&unit);
        gt_thrift_stop(&timestamp);
    }
    gt_thrift_stop(&logical);
}

static void meta_schema_put(struct gt_thrift *file, const struct gt_pq_schema *schema)
{
    gt_thrift_list(file, FILE_SCHEMA, GT_THRIFT_STRUCT, schema->count + 1);
    struct gt_thrift root = gt_thrift_begin(file->out);
    gt_thrift_string(&root, ELEMENT_NAME, "schema");
    gt_thrift_i32(&root, ELEMENT_CHILDREN, (int32_t) schema->count);
    gt_thrift_stop(&root);
    for (size_t i = 0; i < schema->count; i++) {
        const struct gt_pq_column *column = &schema->columns[i];
        struct gt_thrift element = gt_thrift_begin(file->out);
        gt_thrift_i32(&element, ELEMENT_TYPE, meta_types[column->kind]);
        gt_thrift_i32(&element, ELEMENT_REPETITION, column->optional);
        gt_thrift_string(&element, ELEMENT_NAME, column->name);
        meta_logical_put(&element, column);
        gt_thrift_stop(&element);
    }
}

void gt_pq_footer_put(struct gt_pq_writer *writer)
{
    const struct gt_pq_schema *schema = writer->schema;
    gt_pq_bytes_clear(&writer->page);
    struct gt_thrift file = gt_thrift_begin(&writer->page);
    gt_thrift_i32(&file, FILE_VERSION, META_VERSION);
    meta_schema_put(&file, schema);
    gt_thrift_i64(&file, FILE_ROWS, (int64_t) writer->rows);
    gt_thrift_list(&file, FILE_ROW_GROUPS, GT_THRIFT_STRUCT, writer->groups);
    gt_pq_put(file.out, writer->row_groups.items, writer->row_groups.count);
    gt_thrift_list(&file, FILE_METADATA, GT_THRIFT_STRUCT, 1);
    struct gt_thrift pair = gt_thrift_begin(file.out);
    gt_thrift_string(&pair, PAIR_KEY, schema->key);
    gt_thrift_string(&pair, PAIR_VALUE, schema->value);
    gt_thrift_stop(&pair);
    gt_thrift_string(&file, FILE_CREATED_BY, META_CREATED_BY);
    gt_thrift_list(&file, FILE_COLUMN_ORDERS, GT_THRIFT_STRUCT, schema->count);
    for (size_t i = 0; i < schema->count; i++) {
        struct gt_thrift order = gt_thrift_begin(file.out);
        meta_empty_struct(&order, ORDER_BY_TYPE);
        gt_thrift_stop(&order);
    }
    gt_thrift_stop(&file);
}
