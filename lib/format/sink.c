/* SPDX-License-Identifier: BSD-3-Clause */
#include "format/sink.h"

enum {
    /* The room that lets every gt_sink_escape_fn make progress. */
    ESCAPE_ROOM = 64,
    /* Strings up to this size are first tried without escapes, as most have none. */
    PLAIN_MAX = GT_SINK_PIECE - 2
};

void gt_sink_to_small_buffer(struct gt_sink *sink, char *text, size_t room)
{
    sink->ends = room > 0;
    sink->start = sink->to = sink->scratch;
    sink->end = sink->scratch + sizeof(sink->scratch);
    sink->rest = sink->rest_end = text;
}

void gt_sink_to_function(struct gt_sink *sink, char *buffer, size_t room, gt_write_fn write,
                         void *write_data)
{
    sink->gone = 0;
    sink->write = write;
    sink->write_data = write_data;
    sink->failed = false;
    sink->ends = false;
    sink->start = sink->to = buffer;
    sink->end = buffer + room;
}

static void sink_flush(struct gt_sink *sink)
{
    size_t size = (size_t) (sink->to - sink->start);
    if (size > 0 && !sink->failed)
        sink->failed = sink->write(sink->write_data, sink->start, size) != 0;
    sink->to = sink->start;
}

/* Moves what fits from the scratch memory to the caller's buffer. */
static void sink_drain(struct gt_sink *sink)
{
    size_t size = (size_t) (sink->to - sink->start);
    size_t room = (size_t) (sink->rest_end - sink->rest);
    size_t part = size < room ? size : room;
    if (part > 0) {
        memcpy(sink->rest, sink->scratch, part);
        sink->rest += part;
    }
    sink->to = sink->start;
}

void gt_sink_make_room(struct gt_sink *sink)
{
    sink->gone += (size_t) (sink->to - sink->start);
    if (sink->write) {
        sink_flush(sink);
    } else if (sink->start == sink->scratch) {
        sink_drain(sink);
    } else {
        sink->rest = sink->to;
        sink->rest_end = sink->end;
        sink->start = sink->to = sink->scratch;
        sink->end = sink->scratch + sizeof(sink->scratch);
    }
}

size_t gt_sink_finish_parts(struct gt_sink *sink)
{
    sink->gone += (size_t) (sink->to - sink->start);
    if (sink->write) {
        sink_flush(sink);
        return sink->gone;
    }
    sink_drain(sink);
    if (sink->ends)
        *sink->rest = '\0';
    return sink->gone;
}

void gt_sink_bytes_in_parts(struct gt_sink *sink, const char *data, size_t size)
{
    size_t room;
    while (size > (room = (size_t) (sink->end - sink->to))) {
        memcpy(sink->to, data, room);
        sink->to = sink->end;
        data += room;
        size -= room;
        gt_sink_make_room(sink);
    }
    gt_sink_bytes(sink, data, size);
}

void gt_sink_escaped(struct gt_sink *sink, gt_string string, gt_sink_escape_fn *escape)
{
    while (string.size > 0) {
        char *to = gt_sink_reserve(sink, ESCAPE_ROOM);
        gt_sink_commit(sink, to + escape(&string, to, (size_t) (sink->end - to)));
    }
}

#define EACH_BYTE(byte) (UINT64_MAX / 255 * (byte))

/*
 * Whether eight bytes are printable ASCII without quotes and backslashes. In each sum, the highest
 * bit of a byte is set if the byte is not allowed.
 */
static bool sink_is_plain(uint64_t word)
{
    const uint64_t most = EACH_BYTE(0x7f), ascii = word & most;
    uint64_t controls = ascii + EACH_BYTE(0x80 - ' ');
    uint64_t deletes = (ascii ^ EACH_BYTE(0x7f)) + most;
    uint64_t quotes = (ascii ^ EACH_BYTE('"')) + most;
    uint64_t slashes = (ascii ^ EACH_BYTE('\\')) + most;
    return (~word & controls & deletes & quotes & slashes & ~most) == ~most;
}

/* Copies the string. Returns false if it needs escapes. */
static bool sink_copy_plain(char *to, gt_string string)
{
    uint64_t word = EACH_BYTE(' ');
    if (string.size < sizeof(word)) {
        for (size_t i = 0; i < string.size; i++) {
            to[i] = string.data[i];
            word ^= (uint64_t) (uint8_t) (string.data[i] ^ ' ') << 8 * i;
        }
        return sink_is_plain(word);
    }
    /* Copying the last eight bytes, though some are copied twice, is faster than a loop. */
    const size_t last = string.size - sizeof(word);
    for (size_t i = 0; i < last; i += sizeof(word)) {
        memcpy(&word, string.data + i, sizeof(word));
        if (!sink_is_plain(word))
            return false;
        memcpy(to + i, &word, sizeof(word));
    }
    memcpy(&word, string.data + last, sizeof(word));
    memcpy(to + last, &word, sizeof(word));
    return sink_is_plain(word);
}

void gt_sink_quoted(struct gt_sink *sink, gt_string string)
{
    char *to = gt_sink_reserve(sink, GT_SINK_PIECE);
    if (string.size <= PLAIN_MAX && sink_copy_plain(to + 1, string)) {
        *to = '"';
        to += 1 + string.size;
        *to = '"';
        gt_sink_commit(sink, to + 1);
        return;
    }
    gt_sink_bytes(sink, "\"", 1);
    gt_sink_escaped(sink, string, gt_string_quote);
    gt_sink_bytes(sink, "\"", 1);
}
