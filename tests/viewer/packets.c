/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/packets.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

enum {
    /* The lists of interned data are found by the numbers of their fields. */
    LISTS = 52,
    FRAMES = 6,
    STACKS = 7,
    CONTEXTS = 51,
    /* What the writer adds to the times of emitters. */
    SLACK = 4096
};

/* A part of the file: a message, or a text. */
struct part {
    const uint8_t *at;
    const uint8_t *end;
};

/* A field of a message. */
struct field {
    uint64_t number;
    uint64_t value;
    double real;
    struct part part;
};

struct list {
    struct part *entries; /* by id */
    size_t size;
};

struct packets {
    struct list lists[LISTS];
    char *text;
    size_t size;
    size_t capacity;
    /* The tracks of events of counters that name none; 0: there are none. */
    uint64_t track;
    uint64_t extra_track;
};

static void put(struct packets *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct packets *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    assert_true(size >= 0);
    if (p->size + (size_t) size >= p->capacity) {
        p->capacity = 2 * (p->size + (size_t) size) + 1;
        p->text = realloc(p->text, p->capacity);
        assert_non_null(p->text);
    }
    va_start(arguments, format);
    vsnprintf(p->text + p->size, p->capacity - p->size, format, arguments);
    va_end(arguments);
    p->size += (size_t) size;
}

static void put_text(struct packets *p, const char *before, struct part text)
{
    put(p, "%s\"%.*s\"", before, (int) (text.end - text.at), (const char *) text.at);
}

/* Puts a text, which must not be missing, without quotes. */
static void put_bytes(struct packets *p, struct part text)
{
    assert_non_null(text.at);
    if (text.at < text.end)
        put(p, "%.*s", (int) (text.end - text.at), (const char *) text.at);
}

static uint64_t take_varint(struct part *part)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert_true(part->at < part->end && shift < 64);
        value |= (uint64_t) (*part->at & 0x7f) << shift;
        if (*part->at++ < 0x80)
            return value;
    }
}

/* Takes the next field of a message. Returns false at its end. */
static bool take_field(struct part *message, struct field *field)
{
    if (message->at == message->end)
        return false;
    uint64_t tag = take_varint(message);
    *field = (struct field){.number = tag >> 3};
    switch (tag & 7) {
    case 0:
        field->value = take_varint(message);
        break;
    case 1:
        assert_true(message->end - message->at >= 8);
        for (unsigned i = 0; i < 8; i++)
            field->value |= (uint64_t) *message->at++ << 8 * i;
        memcpy(&field->real, &field->value, sizeof(field->real));
        break;
    default:
        assert_int_equal(tag & 7, 2);
        field->value = take_varint(message);
        assert_true((uint64_t) (message->end - message->at) >= field->value);
        field->part = (struct part){message->at, message->at + field->value};
        message->at += field->value;
        break;
    }
    return true;
}

/* Takes the next field of a message, which must have this number. */
static struct field take_expected(struct part *message, uint64_t number)
{
    struct field field = {.number = 0};
    assert_true(take_field(message, &field));
    assert_int_equal(field.number, number);
    return field;
}

static struct part find(struct packets *p, size_t list, uint64_t id)
{
    assert_true(id > 0 && id < p->lists[list].size && p->lists[list].entries[id].at);
    return p->lists[list].entries[id];
}

/* Defines an entry of interned data. */
static void take_entry(struct packets *p, const struct field *entry)
{
    struct part message = entry->part;
    struct list *list = &p->lists[entry->number];
    struct field field = take_expected(&message, 1);
    assert_true(entry->number < LISTS);
    if (field.value >= list->size) {
        size_t size = 2 * (size_t) field.value + 1;
        list->entries = realloc(list->entries, size * sizeof(*list->entries));
        assert_non_null(list->entries);
        memset(list->entries + list->size, 0, (size - list->size) * sizeof(*list->entries));
        list->size = size;
    }
    assert_null(list->entries[field.value].at);
    if (entry->number != FRAMES && entry->number != STACKS && entry->number != CONTEXTS) {
        list->entries[field.value] = take_expected(&message, 2).part;
        assert_ptr_equal(message.at, message.end);
    } else
        list->entries[field.value] = message;
}

static void put_frame(struct packets *p, const char *before, uint64_t id)
{
    static const size_t functions = 5, files = 18;
    struct part message = find(p, FRAMES, id), name = {NULL, NULL}, file = {NULL, NULL};
    uint64_t line = 0;
    struct field field;
    while (take_field(&message, &field)) {
        if (field.number == 2)
            name = find(p, functions, field.value);
        else if (field.number == 5)
            file = find(p, files, field.value);
        else {
            assert_int_equal(field.number, 6);
            line = field.value;
        }
    }
    put(p, "%s", before);
    put_bytes(p, name);
    if (file.at)
        put_text(p, "", file);
    if (line != 0)
        put(p, ":%" PRIu64, line);
}

static void put_stack(struct packets *p, uint64_t id)
{
    struct part message = find(p, STACKS, id);
    const char *before = " stack=";
    struct field field;
    while (take_field(&message, &field)) {
        assert_int_equal(field.number, 2);
        put_frame(p, before, field.value);
        before = "/";
    }
}

static void put_annotation(struct packets *p, const char *before, struct part message)
{
    static const size_t keys = 3, values = 29;
    struct field field;
    put(p, "%s", before);
    while (take_field(&message, &field)) {
        struct part text = field.part;
        switch (field.number) {
        case 1:
            text = find(p, keys, field.value); /* fall through */
        case 10:
            put_bytes(p, text);
            put(p, "=");
            break;
        case 3:
            put(p, "%" PRIu64, field.value);
            break;
        case 4:
            put(p, "%+" PRId64, (int64_t) field.value);
            break;
        case 5:
            put(p, "%g", field.real);
            break;
        case 17:
            text = find(p, values, field.value); /* fall through */
        default:
            assert_true(field.number == 6 || field.number == 17);
            put_text(p, "", text);
            break;
        }
    }
}

/* The texts of an event and what follows them. Annotations are put together. */
static void put_event_field(struct packets *p, const struct field *field)
{
    static const size_t categories = 1, names = 2;
    switch (field->number) {
    case 3:
    case 22:
        put(p, " [");
        put_bytes(p, field->number == 3 ? find(p, categories, field->value) : field->part);
        put(p, "]");
        break;
    case 4:
        put_annotation(p, " ", field->part);
        break;
    case 10:
        put_text(p, " ", find(p, names, field->value));
        break;
    case 23:
        put_text(p, " ", field->part);
        break;
    case 52:
        put(p, " correlation=%" PRIu64, field->value);
        break;
    case 47:
        put(p, " flow=%" PRIu64, field->value);
        break;
    case 48:
        put(p, " ends=%" PRIu64, field->value);
        break;
    case 56:
        put_stack(p, field->value);
        break;
    default:
        assert_int_equal(field->number, 57);
        put(p, " weight=%g", field->real);
        break;
    }
}

/* The tracks of an event of counters, and then their values, have the same order. */
static void put_values(struct packets *p, struct part message)
{
    uint64_t tracks[2][16];
    size_t track_counts[2] = {0, 0}, counts[2] = {0, 0};
    struct part again = message;
    struct field field;
    bool is_real = false, has_track = false, has_extra = false;
    while (take_field(&again, &field)) {
        is_real |= field.number == 44;
        has_track |= field.number == 11;
        has_extra |= field.number == 31;
    }
    if (!has_track) {
        assert_int_not_equal(p->track, 0);
        tracks[is_real][track_counts[is_real]++] = p->track;
    }
    while (take_field(&message, &field)) {
        bool real = field.number == 44 || field.number == 45 || field.number == 46 ||
                    (field.number == 11 && is_real);
        assert_true(track_counts[real] < 16);
        if (field.number == 12 && !has_extra) {
            assert_int_not_equal(p->extra_track, 0);
            tracks[0][track_counts[0]++] = p->extra_track;
        }
        if (field.number == 11 || field.number == 31 || field.number == 45)
            tracks[real][track_counts[real]++] = field.value;
        else if (real)
            put(p, " %" PRIu64 "=%g", tracks[1][counts[1]++], field.real);
        else {
            assert_true(field.number == 30 || field.number == 12);
            put(p, " %" PRIu64 "=%" PRId64, tracks[0][counts[0]++], (int64_t) field.value);
        }
    }
    assert_int_equal(track_counts[0], counts[0]);
    assert_int_equal(track_counts[1], counts[1]);
}

static void put_event(struct packets *p, int64_t time, struct part message)
{
    static const char *const types[] = {"", "begin", "end", "instant", "values"};
    struct field field = take_expected(&message, 9);
    assert_in_range(field.value, 1, 4);
    put(p, "%s", types[field.value]);
    if (field.value == 4) {
        put(p, " @%" PRId64, time);
        put_values(p, message);
        return;
    }
    field = take_expected(&message, 11);
    put(p, " %" PRIu64 " @%" PRId64, field.value, time);
    while (take_field(&message, &field))
        put_event_field(p, &field);
}

/* A message all fields of which are numbers and texts. */
static void put_plain(struct packets *p, const char *before, struct part message)
{
    struct field field;
    put(p, "%s", before);
    while (take_field(&message, &field)) {
        if (field.part.at)
            put_text(p, " ", field.part);
        else
            put(p, " %" PRIu64 ":%" PRIu64, field.number, field.value);
    }
}

/* Keeps the tracks, and writes the others. */
static void put_defaults(struct packets *p, struct part message)
{
    struct part rest = message;
    struct field field;
    if (take_field(&rest, &field) && field.number == 11) {
        p->track = take_expected(&field.part, 11).value;
        p->extra_track = take_expected(&field.part, 31).value;
        assert_ptr_equal(field.part.at, field.part.end);
        message = rest;
    }
    put_plain(p, "defaults", message);
}

static void put_track(struct packets *p, struct part message)
{
    struct field field;
    put(p, "track");
    while (take_field(&message, &field)) {
        switch (field.number) {
        case 1:
            put(p, " %" PRIu64, field.value);
            break;
        case 2:
            put_text(p, " ", field.part);
            break;
        case 3:
            put_plain(p, " process", field.part);
            break;
        case 4:
            put_plain(p, " thread", field.part);
            break;
        case 5:
            put(p, " <%" PRIu64, field.value);
            break;
        case 8:
            put_plain(p, " counter", field.part);
            break;
        case 11:
            put(p, " order=%" PRIu64, field.value);
            break;
        case 12:
            put(p, " rank=%" PRId64, (int64_t) field.value);
            break;
        case 15:
            put(p, " merge=%" PRIu64, field.value);
            break;
        default:
            assert_int_equal(field.number, 16);
            put_text(p, " key=", field.part);
            break;
        }
    }
}

static void put_clocks(struct packets *p, struct part message)
{
    struct field clock;
    put(p, "clocks");
    while (take_field(&message, &clock)) {
        assert_int_equal(clock.number, 1);
        uint64_t id = take_expected(&clock.part, 1).value;
        put(p, " %" PRIu64 "=%" PRIu64, id, take_expected(&clock.part, 2).value);
    }
}

static void put_sample(struct packets *p, int64_t time, struct part message)
{
    static const size_t contexts = 51;
    struct part task = take_expected(&message, 1).part;
    struct field field;
    put(p, "sample @%" PRId64, time);
    while (take_field(&task, &field)) {
        put(p, " %s", field.number == 2 ? "pid" : field.number == 3 ? "thread" : "of");
        if (field.number == 4)
            put_plain(p, "", find(p, contexts, field.value));
        else
            put(p, "=%" PRIu64, field.value);
    }
    put_stack(p, take_expected(&message, 6).value);
    put(p, " weight=%" PRIu64, take_expected(&message, 11).value);
    assert_ptr_equal(message.at, message.end);
}

static void take_packet(struct packets *p, struct part message)
{
    struct field field, entry;
    int64_t time = 0;
    take_expected(&message, 10);
    while (take_field(&message, &field)) {
        switch (field.number) {
        case 6:
            put_clocks(p, field.part);
            break;
        case 8:
            time = (int64_t) field.value - SLACK;
            break;
        case 135:
            put_sample(p, time, field.part);
            break;
        case 11:
            put_event(p, time, field.part);
            break;
        case 12:
            while (take_field(&field.part, &entry))
                take_entry(p, &entry);
            break;
        case 13:
            put(p, "flags=%" PRIu64 " ", field.value);
            break;
        case 59:
            put_defaults(p, field.part);
            break;
        default:
            assert_int_equal(field.number, 60);
            put_track(p, field.part);
            break;
        }
    }
    put(p, "\n");
}

char *packets_text(const void *data, size_t size)
{
    struct packets p = {.text = NULL};
    struct part file = {data, (const uint8_t *) data + size};
    struct field packet;
    put(&p, "%s", "");
    while (take_field(&file, &packet)) {
        assert_int_equal(packet.number, 1);
        take_packet(&p, packet.part);
    }
    for (size_t i = 0; i < LISTS; i++)
        free(p.lists[i].entries);
    return p.text;
}

size_t packets_count(const char *text, const char *prefix)
{
    size_t count = 0;
    for (; text; text = text ? text + 1 : NULL) {
        count += strncmp(text, prefix, strlen(prefix)) == 0;
        text = strchr(text, '\n');
    }
    return count;
}
