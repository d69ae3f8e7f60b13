/* SPDX-License-Identifier: BSD-3-Clause */
#include "pprof_read.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "support/test.h"

/* A message, or a list of numbers, that is read from its start. */
struct cursor {
    const uint8_t *at;
    const uint8_t *end;
};

/* One field: a number, or bytes. */
struct field {
    uint32_t number;
    bool is_bytes;
    uint64_t value;
    struct cursor bytes;
};

static uint64_t read_varint(struct cursor *cursor)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint8_t byte;
        assert_true(cursor->at < cursor->end);
        byte = *cursor->at++;
        value |= (uint64_t) (byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    fail_msg("a number that does not end");
    return 0;
}

static bool next_field(struct cursor *cursor, struct field *field)
{
    uint64_t tag;
    if (cursor->at == cursor->end)
        return false;
    tag = read_varint(cursor);
    field->number = (uint32_t) (tag >> 3);
    field->is_bytes = (tag & 7) == 2;
    assert_true(field->is_bytes || (tag & 7) == 0);
    field->value = read_varint(cursor);
    if (field->is_bytes) {
        assert_true(field->value <= (uint64_t) (cursor->end - cursor->at));
        field->bytes.at = cursor->at;
        field->bytes.end = cursor->at + field->value;
        cursor->at = field->bytes.end;
    }
    return true;
}

static struct cursor all_of(const struct pprof_read *read)
{
    struct cursor cursor = {read->data, read->data + read->size};
    return cursor;
}

/* Returns the last number of this field in a message, 0 if there is none. */
static uint64_t number_of(struct cursor message, uint32_t number)
{
    struct field field;
    uint64_t value = 0;
    while (next_field(&message, &field)) {
        if (field.number == number)
            value = field.value;
    }
    return value;
}

/* Returns the bytes of this field in a message, which must have it at most once. */
static struct cursor bytes_of(struct cursor message, uint32_t number)
{
    struct cursor found = {NULL, NULL};
    struct field field;
    while (next_field(&message, &field)) {
        if (field.number != number)
            continue;
        assert_true(field.is_bytes && !found.at);
        found = field.bytes;
    }
    return found;
}

/* Returns the only message of this field whose member 1 is `id`. */
static struct cursor find(const struct pprof_read *read, uint32_t number, uint64_t id)
{
    struct cursor all = all_of(read), found = {NULL, NULL};
    struct field field;
    while (next_field(&all, &field)) {
        if (field.number != number || number_of(field.bytes, 1) != id)
            continue;
        assert_null(found.at);
        found = field.bytes;
    }
    assert_non_null(found.at);
    return found;
}

static struct cursor string_of(const struct pprof_read *read, uint64_t id)
{
    struct cursor all = all_of(read), none = {NULL, NULL};
    struct field field;
    while (next_field(&all, &field)) {
        if (field.number == 6 && id-- == 0)
            return field.bytes;
    }
    fail_msg("a string that is not there");
    return none;
}

/* Asserts that the bytes are UTF-8, by its table of well-formed sequences. */
static void check_utf8(struct cursor text)
{
    while (text.at < text.end) {
        uint8_t byte = *text.at++, low = 0x80, high = 0xbf;
        unsigned more = byte < 0x80 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
        assert_true(byte < 0x80 || (byte >= 0xc2 && byte <= 0xf4));
        if (byte == 0xe0 || byte == 0xf0)
            low = byte == 0xe0 ? 0xa0 : 0x90;
        if (byte == 0xed || byte == 0xf4)
            high = byte == 0xed ? 0x9f : 0x8f;
        for (; more > 0; more--, low = 0x80, high = 0xbf) {
            assert_true(text.at < text.end && *text.at >= low && *text.at <= high);
            text.at++;
        }
    }
}

size_t pprof_read_count(const struct pprof_read *read, const void *bytes, size_t size)
{
    struct cursor all = all_of(read);
    struct field field;
    size_t count = 0;
    while (next_field(&all, &field)) {
        if (field.number != 6)
            continue;
        bool found = false;
        for (const uint8_t *p = field.bytes.at; p + size <= field.bytes.end && !found; p++)
            found = memcmp(p, bytes, size) == 0;
        count += found;
    }
    return count;
}

static void read_type(const struct pprof_read *read, struct cursor message, char *to, size_t size)
{
    struct cursor type = string_of(read, number_of(message, 1));
    struct cursor unit = string_of(read, number_of(message, 2));
    snprintf(to, size, "%.*s/%.*s", (int) (type.end - type.at), (const char *) type.at,
             (int) (unit.end - unit.at), (const char *) unit.at);
}

void pprof_read_open(struct pprof_read *read, const void *data, size_t size)
{
    struct cursor all, empty;
    struct field field;
    size_t types = 0;
    memset(read, 0, sizeof(*read));
    read->data = data;
    read->size = size;
    all = all_of(read);
    while (next_field(&all, &field)) {
        if (field.number == 1) {
            assert_true(types < 2);
            read_type(read, field.bytes, read->types[types++], sizeof(read->types[0]));
        } else if (field.number == 2) {
            read->samples++;
        } else if (field.number == 4) {
            read->locations++;
        } else if (field.number == 5) {
            read->functions++;
        } else if (field.number == 6) {
            check_utf8(field.bytes);
        } else if (field.number == 11) {
            read_type(read, field.bytes, read->types[2], sizeof(read->types[0]));
        }
    }
    assert_int_equal(types, 2);
    empty = string_of(read, 0);
    assert_true(empty.at == empty.end);
    read->time_nanos = number_of(all_of(read), 9);
    read->duration_nanos = number_of(all_of(read), 10);
    read->period = number_of(all_of(read), 12);
}

static void write_location(const struct pprof_read *read, uint64_t id, FILE *to)
{
    struct cursor location = find(read, 4, id);
    struct cursor line = bytes_of(location, 4);
    struct cursor function = find(read, 5, number_of(line, 1));
    struct cursor name = string_of(read, number_of(function, 2));
    assert_int_equal(number_of(function, 2), number_of(function, 3));
    string_of(read, number_of(function, 4));
    fprintf(to, "%.*s:%" PRIu64, (int) (name.end - name.at), (const char *) name.at,
            number_of(line, 2));
}

static void write_label(const struct pprof_read *read, struct cursor label, FILE *to)
{
    struct cursor key = string_of(read, number_of(label, 1));
    struct cursor value = string_of(read, number_of(label, 2));
    assert_true(key.end - key.at == 5 && memcmp(key.at, "state", 5) == 0);
    fprintf(to, "[%.*s]", (int) (value.end - value.at), (const char *) value.at);
}

static void write_sample(const struct pprof_read *read, struct cursor sample, FILE *to)
{
    struct cursor values = bytes_of(sample, 2), locations = bytes_of(sample, 1);
    struct cursor label = bytes_of(sample, 3);
    const char *separator = "";
    uint64_t count = read_varint(&values);
    fprintf(to, "%" PRIu64 " %" PRIu64 " ", count, read_varint(&values));
    assert_true(values.at == values.end);
    if (label.at) {
        write_label(read, label, to);
        separator = ";";
    }
    while (locations.at != locations.end) {
        fputs(separator, to);
        write_location(read, read_varint(&locations), to);
        separator = ";";
    }
    fputc('\n', to);
}

void pprof_read_lines(const struct pprof_read *read, FILE *to)
{
    struct cursor all = all_of(read);
    struct field field;
    while (next_field(&all, &field)) {
        if (field.number == 2)
            write_sample(read, field.bytes, to);
    }
}
