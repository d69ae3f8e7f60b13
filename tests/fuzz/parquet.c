/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/parquet.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/parquet_values.h"
#include "fuzz/thrift.h"
#include "support/test.h"

enum {
    MAGIC_SIZE = 4,
    /* The magic bytes and the size of the footer. */
    TAIL_SIZE = 8,
    GROUP_ROWS_MAX = 262144,
    BOUND_MAX = 64,
    /* A page may not claim to be larger than Snappy can make it. */
    SNAPPY_FACTOR = 32,
    SNAPPY_MORE = 64,
    PAGE_DATA = 0,
    PAGE_DICTIONARY = 2
};

struct parquet {
    struct parquet_file *file;
    const uint8_t *data;
    size_t size;
    const char *why; /* the first fault */
    struct thrift footer;
    struct thrift header; /* of a page */
};

/* A column chunk. */
struct chunk {
    const struct parquet_column *column;
    const struct thrift_node *meta;
    const struct thrift_node *statistics;
    struct parquet_encoded pages[2]; /* what the dictionary and the data are, before decoding */
    uint8_t *bodies[2];
    struct parquet_value *entries; /* NULL without a dictionary */
    size_t entry_count;
    struct parquet_value *values; /* those that are not NULL */
    uint32_t *numbers;            /* the levels, then indexes */
    size_t rows;
    size_t count;
    unsigned encodings; /* a bit for each that was met */
    int64_t unpacked;
};

/* Notes what is wrong unless the condition holds, which it returns. */
static bool parquet_need(struct parquet *parquet, bool condition, const char *why)
{
    if (!condition && !parquet->why)
        parquet->why = why;
    return condition;
}

static void *parquet_allocate(size_t count, size_t size)
{
    void *block = calloc(count + 1, size);

    assert_non_null(block);
    return block;
}

static bool number_is(const struct thrift *thrift, const struct thrift_node *node, uint32_t field,
                      int64_t number)
{
    return thrift_number(thrift, node, field, INT64_MIN) == number;
}

/* Whether the logical type of a column is that of its kind. */
static bool logical_is_good(const struct thrift *footer, const struct thrift_node *element,
                            enum parquet_kind kind)
{
    const struct thrift_node *logical = thrift_field(footer, element, 10, THRIFT_STRUCT), *unit;

    if (kind == PARQUET_STRING)
        return logical && number_is(footer, element, 6, 0) && thrift_has_only(footer, logical, 2) &&
               thrift_field(footer, logical, 1, THRIFT_STRUCT);
    if (kind != PARQUET_TIMESTAMP)
        return !logical && thrift_has_only(footer, element, 1 << 1 | 1 << 3 | 1 << 4);
    logical = thrift_field(footer, logical, 8, THRIFT_STRUCT);
    unit = logical ? thrift_field(footer, logical, 2, THRIFT_STRUCT) : NULL;
    return number_is(footer, element, 6, 10) && unit && thrift_has_only(footer, logical, 6) &&
           thrift_field(footer, logical, 1, THRIFT_TRUE) && thrift_has_only(footer, unit, 4) &&
           thrift_field(footer, unit, 2, THRIFT_STRUCT);
}

static bool read_column(struct parquet *parquet, const struct thrift_node *element)
{
    static const enum parquet_kind kinds[] = {
        PARQUET_BOOLEAN, PARQUET_INT32, PARQUET_INT64, 0, 0, 0, PARQUET_STRING};
    const struct thrift *footer = &parquet->footer;
    struct parquet_column *column = &parquet->file->columns[parquet->file->column_count];
    int64_t type = thrift_number(footer, element, 1, -1);
    const struct thrift_node *name = thrift_field(footer, element, 4, THRIFT_BINARY);

    if (!parquet_need(parquet,
                      parquet->file->column_count < PARQUET_COLUMNS_MAX && name &&
                          (type == 0 || type == 1 || type == 2 || type == 6),
                      "a column has another type"))
        return false;
    parquet->file->column_count++;
    *column = (struct parquet_column){name->data, name->size, kinds[type],
                                      number_is(footer, element, 3, 1)};
    if (type == 2 && thrift_field(footer, element, 10, THRIFT_STRUCT))
        column->kind = PARQUET_TIMESTAMP;
    return parquet_need(parquet,
                        logical_is_good(footer, element, column->kind) &&
                            thrift_number(footer, element, 3, -1) >= 0,
                        "a column has another logical type");
}

static bool read_schema(struct parquet *parquet, const struct thrift_node *list)
{
    const struct thrift *footer = &parquet->footer;
    const struct thrift_node *element = list ? thrift_first(footer, list) : NULL;

    if (!parquet_need(parquet, element && number_is(footer, element, 5, (int64_t) list->size - 1),
                      "another root of the schema"))
        return false;
    while ((element = thrift_next(footer, list, element)) != NULL) {
        if (!read_column(parquet, element))
            return false;
    }
    return true;
}

static unsigned chunk_bits(const struct chunk *chunk)
{
    return chunk->column->kind == PARQUET_INT32 ? 32 : 64;
}

/* Checks the header of a page, and decompresses its body. */
static bool read_page(struct parquet *parquet, struct chunk *chunk, struct bytes *from, int kind)
{
    const uint8_t *start = from->at;
    const struct thrift *header = &parquet->header;
    bool is_data = kind == PAGE_DATA;
    bool is_good = thrift_read(&parquet->header, from);
    const struct thrift_node *page = header->nodes, *about = NULL;
    int64_t size = is_good ? thrift_number(header, page, 3, -1) : -1;
    int64_t unpacked = is_good ? thrift_number(header, page, 2, -1) : -1;
    const uint8_t *body = size >= 0 ? bytes_take(from, (uint64_t) size) : NULL;

    if (is_good)
        about = thrift_field(header, page, is_data ? 5 : 7, THRIFT_STRUCT);
    if (!parquet_need(parquet,
                      about && body && number_is(header, page, 1, kind) &&
                          thrift_has_only(header, page, 1u << (is_data ? 5 : 7) | 0x1e) &&
                          unpacked >= 0 && unpacked <= SNAPPY_FACTOR * size + SNAPPY_MORE,
                      "a page has another header"))
        return false;
    uint32_t crc = (uint32_t) (uint64_t) thrift_number(header, page, 4, 0);
    bool is_packed = number_is(&parquet->footer, chunk->meta, 4, 1);
    chunk->bodies[is_data] = parquet_allocate((size_t) unpacked, 1);
    chunk->pages[is_data] = (struct parquet_encoded){
        .bytes = {chunk->bodies[is_data], chunk->bodies[is_data] + unpacked, false},
        .encoding = (int) thrift_number(header, about, 2, -1),
        .count = (size_t) thrift_number(header, about, 1, -1),
        .kind = chunk->column->kind};
    chunk->unpacked += from->at - start - size + unpacked;
    return parquet_need(parquet, crc == parquet_crc(body, (size_t) size), "the CRC is wrong") &&
           parquet_need(parquet,
                        parquet_unpack(chunk->bodies[is_data], (size_t) unpacked, body,
                                       (size_t) size, is_packed),
                        "a page has another size") &&
           parquet_need(parquet,
                        !is_data || (number_is(header, about, 3, PARQUET_RLE) &&
                                     number_is(header, about, 4, PARQUET_RLE)),
                        "other levels");
}

/* Entries of a dictionary differ, as each value has one. */
static bool entries_differ(const struct chunk *chunk)
{
    struct parquet_value *sorted = parquet_allocate(chunk->entry_count, sizeof(*sorted));
    bool differ = true;

    memcpy(sorted, chunk->entries, chunk->entry_count * sizeof(*sorted));
    qsort(sorted, chunk->entry_count, sizeof(*sorted), parquet_compare);
    for (size_t i = 1; i < chunk->entry_count; i++)
        differ = differ && parquet_compare(&sorted[i - 1], &sorted[i]) != 0;
    free(sorted);
    return differ;
}

static bool decode_dictionary(struct parquet *parquet, struct chunk *chunk)
{
    struct parquet_encoded *page = &chunk->pages[0];

    chunk->encodings |= 1u << PARQUET_PLAIN;
    if (!parquet_need(parquet, page->encoding == PARQUET_PLAIN && page->count <= chunk->rows,
                      "another dictionary"))
        return false;
    chunk->entry_count = page->count;
    chunk->entries = parquet_allocate(page->count, sizeof(*chunk->entries));
    return parquet_need(parquet,
                        parquet_plain(page, chunk->entries) && page->bytes.at == page->bytes.end,
                        "entries of a dictionary are damaged") &&
           parquet_need(parquet, entries_differ(chunk), "a dictionary repeats a value");
}

/* Reads which rows have a value. */
static bool decode_levels(struct parquet *parquet, struct chunk *chunk)
{
    struct bytes *body = &chunk->pages[1].bytes, levels = {NULL, NULL, false};

    chunk->count = chunk->rows;
    for (size_t i = 0; i < chunk->rows; i++)
        chunk->numbers[i] = 1;
    if (!chunk->column->optional)
        return true;
    uint64_t size = bytes_little(body, 4);
    levels.at = bytes_take(body, size);
    levels.end = levels.at ? levels.at + size : NULL;
    if (!parquet_need(parquet, levels.at && parquet_hybrid(&levels, chunk->numbers, chunk->rows, 1),
                      "levels are damaged"))
        return false;
    chunk->count = 0;
    for (size_t i = 0; i < chunk->rows; i++)
        chunk->count += chunk->numbers[i];
    return true;
}

static bool decode_indexes(struct parquet *parquet, struct chunk *chunk)
{
    struct bytes *body = &chunk->pages[1].bytes;
    uint32_t *indexes = parquet_allocate(chunk->count, sizeof(*indexes));
    uint8_t *used = parquet_allocate(chunk->entry_count, 1);
    size_t different = 0;
    uint64_t width = bytes_little(body, 1);
    bool is_good = chunk->entries && width > 0 && width <= 32 &&
                   parquet_hybrid(body, indexes, chunk->count, (unsigned) width);

    for (size_t i = 0; i < chunk->count && is_good; i++) {
        is_good = indexes[i] < chunk->entry_count;
        if (is_good) {
            different += !used[indexes[i]];
            used[indexes[i]] = 1;
            chunk->values[i] = chunk->entries[indexes[i]];
        }
    }
    free(used);
    free(indexes);
    return parquet_need(parquet, is_good && different == chunk->entry_count,
                        "indexes do not fit their dictionary");
}

static bool decode_data(struct parquet *parquet, struct chunk *chunk)
{
    struct parquet_encoded *page = &chunk->pages[1];
    bool is_good = page->encoding == PARQUET_PLAIN || page->encoding == PARQUET_DELTA ||
                   page->encoding == PARQUET_DICTIONARY;

    if (!parquet_need(parquet, is_good && page->count == chunk->rows, "another data page") ||
        !decode_levels(parquet, chunk))
        return false;
    chunk->encodings |= 1u << page->encoding;
    page->count = chunk->count;
    if (page->encoding == PARQUET_DICTIONARY)
        is_good = decode_indexes(parquet, chunk);
    else if (page->encoding == PARQUET_DELTA)
        is_good = !chunk->entries && parquet_delta(page, chunk_bits(chunk), chunk->values);
    else
        is_good = !chunk->entries && parquet_plain(page, chunk->values);
    return parquet_need(parquet, is_good && page->bytes.at == page->bytes.end,
                        "values are damaged");
}

static bool bound_is(const struct thrift *footer, const struct chunk *chunk, uint32_t field,
                     const struct parquet_value *value)
{
    static const unsigned sizes[] = {1, 4, 8, 8};
    const struct thrift_node *bound = thrift_field(footer, chunk->statistics, field, THRIFT_BINARY);
    unsigned size = sizes[chunk->column->kind];

    if (!bound || bound->size != size)
        return false;
    for (unsigned i = 0; i < size; i++) {
        if (bound->data[i] != (uint8_t) ((uint64_t) value->number >> 8 * i))
            return false;
    }
    return thrift_field(footer, chunk->statistics, field == 5 ? 7 : 8, THRIFT_TRUE);
}

/* Whether a bound of strings holds, and tells truly whether it is exact. */
static bool text_bound_is(const struct thrift *footer, const struct chunk *chunk, uint32_t field,
                          const struct parquet_value *value)
{
    const struct thrift_node *node = thrift_field(footer, chunk->statistics, field, THRIFT_BINARY);
    bool is_max = field == 5;
    uint32_t exact = is_max ? 7 : 8;

    /* No text of 64 bytes need be above a long one. */
    if (!node)
        return is_max && value->size > BOUND_MAX;
    const struct parquet_value bound = {.text = node->data, .size = node->size};
    int order = parquet_compare(&bound, value);
    return node->size <= BOUND_MAX && parquet_text_is_good(node->data, node->size) &&
           (is_max ? order >= 0 : order <= 0) &&
           thrift_field(footer, chunk->statistics, exact, order == 0 ? THRIFT_TRUE : THRIFT_FALSE);
}

static bool check_statistics(struct parquet *parquet, const struct chunk *chunk)
{
    const struct thrift *footer = &parquet->footer;
    const struct parquet_value *least = &chunk->values[0], *most = least;
    bool is_good = chunk->statistics &&
                   number_is(footer, chunk->statistics, 3, (int64_t) (chunk->rows - chunk->count));

    for (size_t i = 1; i < chunk->count; i++) {
        least = parquet_compare(&chunk->values[i], least) < 0 ? &chunk->values[i] : least;
        most = parquet_compare(&chunk->values[i], most) > 0 ? &chunk->values[i] : most;
    }
    if (is_good && chunk->count == 0)
        is_good = thrift_has_only(footer, chunk->statistics, 1 << 3);
    else if (is_good && chunk->column->kind == PARQUET_STRING)
        is_good = text_bound_is(footer, chunk, 6, least) && text_bound_is(footer, chunk, 5, most);
    else if (is_good)
        is_good = bound_is(footer, chunk, 6, least) && bound_is(footer, chunk, 5, most);
    return parquet_need(parquet, is_good, "statistics are wrong");
}

/* The encodings that the metadata name are those that were met. */
static bool check_encodings(struct parquet *parquet, const struct chunk *chunk)
{
    const struct thrift *footer = &parquet->footer;
    const struct thrift_node *list = thrift_field(footer, chunk->meta, 2, THRIFT_LIST);
    unsigned named = 0;

    for (const struct thrift_node *at = list ? thrift_first(footer, list) : NULL; at;
         at = thrift_next(footer, list, at))
        named |= at->number >= 0 && at->number < 32 ? 1u << at->number : 0;
    return parquet_need(parquet, named == (chunk->encodings | 1u << PARQUET_RLE),
                        "other encodings");
}

static void chunk_give(const struct parquet *parquet, const struct chunk *chunk, size_t column)
{
    static const struct parquet_value null = {.is_null = true};
    const struct parquet_value *next = chunk->values;

    for (size_t i = 0; i < chunk->rows && parquet->file->take; i++)
        parquet->file->take(parquet->file->user_data, parquet->file, column,
                            chunk->numbers[i] ? next++ : &null);
}

static bool read_pages(struct parquet *parquet, struct chunk *chunk, struct bytes from)
{
    const struct thrift *footer = &parquet->footer;
    const struct thrift_node *dictionary = thrift_field(footer, chunk->meta, 11, THRIFT_I64);

    if (dictionary &&
        !(read_page(parquet, chunk, &from, PAGE_DICTIONARY) && decode_dictionary(parquet, chunk)))
        return false;
    return parquet_need(parquet, number_is(footer, chunk->meta, 9, from.at - parquet->data),
                        "the data page begins elsewhere") &&
           read_page(parquet, chunk, &from, PAGE_DATA) && decode_data(parquet, chunk) &&
           parquet_need(parquet, from.at == from.end, "bytes behind a chunk") &&
           parquet_need(parquet, number_is(footer, chunk->meta, 6, chunk->unpacked),
                        "another size before compression") &&
           check_encodings(parquet, chunk) && check_statistics(parquet, chunk);
}

static bool name_is(const struct thrift *footer, const struct chunk *chunk)
{
    const struct thrift_node *path = thrift_field(footer, chunk->meta, 3, THRIFT_LIST);
    const struct thrift_node *name = path ? thrift_first(footer, path) : NULL;

    return name && path->size == 1 && name->size == chunk->column->name_size &&
           memcmp(name->data, chunk->column->name, name->size) == 0;
}

/* Reads the chunk that begins at `*at`, which becomes its end. */
static bool read_chunk(struct parquet *parquet, const struct thrift_node *about, size_t column,
                       size_t rows, size_t *at)
{
    static const int64_t types[] = {0, 1, 2, 2, 6};
    const struct thrift *footer = &parquet->footer;
    struct chunk chunk = {.column = &parquet->file->columns[column], .rows = rows};
    chunk.meta = thrift_field(footer, about, 3, THRIFT_STRUCT);
    int64_t size = chunk.meta ? thrift_number(footer, chunk.meta, 7, -1) : -1;

    if (!parquet_need(parquet,
                      size >= 0 && (uint64_t) size <= parquet->size - *at &&
                          name_is(footer, &chunk) && number_is(footer, about, 2, 0) &&
                          number_is(footer, chunk.meta, 1, types[chunk.column->kind]) &&
                          number_is(footer, chunk.meta, 5, (int64_t) rows) &&
                          thrift_number(footer, chunk.meta, 11, (int64_t) *at) == (int64_t) *at,
                      "a chunk of another column"))
        return false;
    chunk.statistics = thrift_field(footer, chunk.meta, 12, THRIFT_STRUCT);
    chunk.values = parquet_allocate(rows, sizeof(*chunk.values));
    chunk.numbers = parquet_allocate(rows, sizeof(*chunk.numbers));
    const uint8_t *start = parquet->data + *at;
    bool is_good = read_pages(parquet, &chunk, (struct bytes){start, start + size, false});
    if (is_good)
        chunk_give(parquet, &chunk, column);
    *at += (size_t) size;
    free(chunk.numbers);
    free(chunk.values);
    free(chunk.entries);
    free(chunk.bodies[0]);
    free(chunk.bodies[1]);
    return is_good;
}

static bool read_group(struct parquet *parquet, const struct thrift_node *group, size_t *at)
{
    const struct thrift *footer = &parquet->footer;
    const struct thrift_node *list = thrift_field(footer, group, 1, THRIFT_LIST), *about;
    int64_t rows = thrift_number(footer, group, 3, -1), unpacked = 0;
    size_t start = *at, column = 0;

    if (!parquet_need(parquet,
                      list && list->size == parquet->file->column_count && rows > 0 &&
                          rows <= GROUP_ROWS_MAX && number_is(footer, group, 5, (int64_t) start),
                      "a row group has another form"))
        return false;
    for (about = thrift_first(footer, list); about; about = thrift_next(footer, list, about)) {
        if (!read_chunk(parquet, about, column++, (size_t) rows, at))
            return false;
        unpacked += thrift_number(footer, thrift_field(footer, about, 3, THRIFT_STRUCT), 6, 0);
    }
    parquet->file->rows += (uint64_t) rows;
    return parquet_need(parquet,
                        number_is(footer, group, 6, (int64_t) (*at - start)) &&
                            number_is(footer, group, 2, unpacked),
                        "a row group has another size");
}

static bool read_groups(struct parquet *parquet, size_t end)
{
    const struct thrift *footer = &parquet->footer;
    const struct thrift_node *file = footer->nodes, *group;
    const struct thrift_node *list = thrift_field(footer, file, 4, THRIFT_LIST);
    const struct thrift_node *orders = thrift_field(footer, file, 7, THRIFT_LIST);
    size_t at = MAGIC_SIZE;

    if (!parquet_need(parquet, list && orders && orders->size == parquet->file->column_count,
                      "metadata without row groups or orders"))
        return false;
    for (group = thrift_first(footer, list); group; group = thrift_next(footer, list, group)) {
        if (!read_group(parquet, group, &at))
            return false;
    }
    return parquet_need(parquet, at == end, "bytes before the footer") &&
           parquet_need(parquet, number_is(footer, file, 3, (int64_t) parquet->file->rows),
                        "another number of rows");
}

static void read_file(struct parquet *parquet)
{
    const uint8_t *tail = parquet->data + parquet->size - TAIL_SIZE;
    struct bytes at = {tail, tail + TAIL_SIZE, false};
    uint64_t size = bytes_little(&at, 4);

    if (!parquet_need(parquet,
                      memcmp(at.at, "PAR1", MAGIC_SIZE) == 0 &&
                          memcmp(parquet->data, "PAR1", MAGIC_SIZE) == 0,
                      "no magic bytes") ||
        !parquet_need(parquet, size <= parquet->size - TAIL_SIZE - MAGIC_SIZE,
                      "the footer is too large"))
        return;
    struct bytes footer = {tail - size, tail, false};
    if (!parquet_need(parquet, thrift_read(&parquet->footer, &footer) && footer.at == footer.end,
                      "the footer is damaged"))
        return;
    if (read_schema(parquet, thrift_field(&parquet->footer, parquet->footer.nodes, 2, THRIFT_LIST)))
        read_groups(parquet, parquet->size - TAIL_SIZE - (size_t) size);
}

const char *parquet_read(struct parquet_file *file, const uint8_t *data, size_t size)
{
    struct parquet parquet = {.file = file, .data = data, .size = size};

    file->column_count = 0;
    file->rows = 0;
    if (parquet_need(&parquet, size >= MAGIC_SIZE + TAIL_SIZE, "too short"))
        read_file(&parquet);
    thrift_free(&parquet.footer);
    thrift_free(&parquet.header);
    return parquet.why;
}
