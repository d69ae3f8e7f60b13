/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/time.h"
#include "base/utf8.h"
#include "writer/perfetto.h"
#include "writer/perfetto_fields.h"

enum {
    /* The most bytes of the head of a packet: its tag and length, a time, and two more headers. */
    PACKET_HEAD_MAX = 4 * GT_PROTO_FIELD_MAX + 2 * GT_PROTO_FIELD_MAX
};

gt_status gt_pf_text_field(struct gt_perfetto_writer *writer, struct gt_pf_bytes *bytes,
                           uint32_t field, gt_string text)
{
    size_t size = gt_utf8_mended_size(text);
    gt_status status = gt_pf_reserve(writer, bytes, GT_PROTO_FIELD_MAX + size);
    if (status != GT_OK)
        return status;
    uint8_t *to = gt_proto_put_header(bytes->items + bytes->count, field, size);
    while (text.size > 0) {
        gt_string piece = gt_utf8_take(&text);
        memcpy(to, piece.data, piece.size);
        to += piece.size;
    }
    bytes->count = (size_t) (to - bytes->items);
    return GT_OK;
}

gt_status gt_pf_nested(struct gt_perfetto_writer *writer, struct gt_pf_bytes *bytes, uint32_t field,
                       const struct gt_pf_bytes *inner)
{
    gt_status status = gt_pf_reserve(writer, bytes, GT_PROTO_FIELD_MAX + inner->count);
    if (status != GT_OK)
        return status;
    uint8_t *to = gt_proto_put_header(bytes->items + bytes->count, field, inner->count);
    if (inner->count > 0)
        memcpy(to, inner->items, inner->count);
    bytes->count = (size_t) (to - bytes->items) + inner->count;
    return GT_OK;
}

/* Returns the number of bytes of a varint. */
static size_t varint_size(uint64_t value)
{
    size_t size = 1;
    for (; value >= 0x80; value >>= 7)
        size++;
    return size;
}

static void packet_put_bytes(struct gt_json_out *out, const uint8_t *data, size_t size)
{
    while (size > 0) {
        size_t room = gt_json_out_room(out), part = size < room ? size : room;
        memcpy(out->end, data, part);
        out->end += part;
        data += part;
        size -= part;
        if (size > 0)
            gt_json_out_flush(out);
    }
}

/*
 * Writes a packet: `head`, whose size is `head_size`, the interned data that precedes the message,
 * and the message as `field`.
 */
static void packet_put(struct gt_perfetto_writer *writer, const uint8_t *head, size_t head_size,
                       uint32_t field)
{
    struct gt_json_out *out = &writer->out;
    size_t size = writer->event.count, interned = writer->interned.count;
    size_t total =
        head_size + varint_size((uint64_t) field << GT_PROTO_WIRE_BITS) + varint_size(size) + size;
    if (interned > 0)
        total += 1 + varint_size(interned) + interned;
    gt_json_out_reserve(out);
    uint8_t *to = gt_proto_put_header((uint8_t *) out->end, GT_PF_TRACE_PACKET, total);
    memcpy(to, head, head_size);
    to += head_size;
    if (interned > 0) {
        to = gt_proto_put_header(to, GT_PF_PACKET_INTERNED_DATA, interned);
        out->end = (char *) to;
        packet_put_bytes(out, writer->interned.items, interned);
        gt_json_out_reserve(out);
        to = (uint8_t *) out->end;
        writer->interned.count = 0;
    }
    out->end = (char *) gt_proto_put_header(to, field, size);
    packet_put_bytes(out, writer->event.items, size);
    writer->info.packets++;
}

/* Whether times are those of the monotonic clock, not of one of the sequence. */
static bool packet_is_monotonic(const struct gt_perfetto_writer *writer)
{
    return (writer->options.flags & GT_PERFETTO_NO_CLOCKS) != 0;
}

/* Returns a time of the emitters on the clock of packets. */
static uint64_t packet_time(const struct gt_perfetto_writer *writer, int64_t time)
{
    int64_t start = writer->options.start_time, zero = start, latest = INT64_MAX;
    if (!packet_is_monotonic(writer)) {
        zero = GT_PF_SLACK;
        /* Any later time would not fit the monotonic clock. */
        latest = gt_time_minus(INT64_MAX, start);
    }
    int64_t shifted = gt_time_plus(time, zero);
    return shifted < 0 ? 0 : (uint64_t) (shifted < latest ? shifted : latest);
}

void gt_pf_put_timed(struct gt_perfetto_writer *writer, uint32_t field, int64_t time)
{
    uint8_t head[PACKET_HEAD_MAX];
    memcpy(head, writer->head, writer->head_size);
    uint8_t *end = gt_proto_put_number(head + writer->head_size, GT_PF_PACKET_TIMESTAMP,
                                       packet_time(writer, time));
    packet_put(writer, head, (size_t) (end - head), field);
}

void gt_pf_put_event(struct gt_perfetto_writer *writer, int64_t time)
{
    gt_pf_put_timed(writer, GT_PF_PACKET_TRACK_EVENT, time);
}

void gt_pf_put_other(struct gt_perfetto_writer *writer, uint32_t field)
{
    packet_put(writer, writer->head, writer->head_size, field);
}

/* Adds one clock to a snapshot. */
static gt_status clock_add(struct gt_perfetto_writer *writer, uint32_t id, int64_t time)
{
    gt_status status = gt_pf_reserve(writer, &writer->inner, 2 * GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    writer->inner.count = 0;
    gt_pf_number(&writer->inner, GT_PF_CLOCK_ID, id);
    gt_pf_number(&writer->inner, GT_PF_CLOCK_TIMESTAMP, (uint64_t) time);
    return gt_pf_nested(writer, &writer->event, GT_PF_SNAPSHOT_CLOCK, &writer->inner);
}

/* Adds the monotonic clock, and the one that Perfetto shows, which is the same here. */
static gt_status clock_add_monotonic(struct gt_perfetto_writer *writer, int64_t time)
{
    writer->event.count = 0;
    gt_status status = clock_add(writer, GT_PF_CLOCK_MONOTONIC, time);
    return status == GT_OK ? clock_add(writer, GT_PF_CLOCK_BOOTTIME, time) : status;
}

gt_status gt_pf_put_clock(struct gt_perfetto_writer *writer, const gt_perfetto_clock *clock)
{
    int64_t time = gt_time_plus(writer->options.start_time, clock->time);
    if (time < 0 || clock->wall < 0)
        return GT_OK;
    gt_status status = clock_add_monotonic(writer, time);
    if (status == GT_OK)
        status = clock_add(writer, GT_PF_CLOCK_REALTIME, clock->wall);
    if (status == GT_OK)
        gt_pf_put_other(writer, GT_PF_PACKET_CLOCK_SNAPSHOT);
    return status;
}

/*
 * Sets the tracks of events that name none: they are the counters of running and runnable
 * goroutines, which change most.
 */
static gt_status defaults_add_event(struct gt_perfetto_writer *writer)
{
    gt_status status = gt_pf_reserve(writer, &writer->inner, 2 * GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    writer->inner.count = 0;
    gt_pf_number(&writer->inner, GT_PF_EVENT_TRACK, gt_pf_uuid_at(writer, GT_PF_UUID_RUNNING));
    gt_pf_number(&writer->inner, GT_PF_EVENT_EXTRA_TRACKS,
                 gt_pf_uuid_at(writer, GT_PF_UUID_RUNNABLE));
    return gt_pf_nested(writer, &writer->event, GT_PF_DEFAULTS_EVENT, &writer->inner);
}

/*
 * Writes the packet that makes the sequence's clock that of all packets without another one. Only
 * this one has flags. That of the others would make readers skip them where packets before them
 * were lost, which cannot be in a file, and it takes 2 bytes of 28.
 */
static gt_status packet_put_defaults(struct gt_perfetto_writer *writer)
{
    uint8_t head[PACKET_HEAD_MAX];
    gt_status status = GT_OK;
    writer->event.count = 0;
    if (!writer->sources[GT_PERFETTO_PLAIN].is_first)
        status = defaults_add_event(writer);
    if (status == GT_OK)
        status = gt_pf_reserve(writer, &writer->event, GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    gt_pf_number(&writer->event, GT_PF_DEFAULTS_CLOCK_ID,
                 packet_is_monotonic(writer) ? GT_PF_CLOCK_MONOTONIC : GT_PF_CLOCK_OF_SEQUENCE);
    if ((writer->options.flags & GT_PERFETTO_STACK_SAMPLES) != 0)
        status = gt_pf_sample_add_defaults(writer);
    if (status != GT_OK)
        return status;
    uint8_t *end = gt_proto_put_number(head, GT_PF_PACKET_SEQUENCE_ID, writer->options.sequence);
    end = gt_proto_put_number(end, GT_PF_PACKET_SEQUENCE_FLAGS,
                              GT_PF_STATE_CLEARED | GT_PF_NEEDS_STATE);
    packet_put(writer, head, (size_t) (end - head), GT_PF_PACKET_DEFAULTS);
    return GT_OK;
}

gt_status gt_pf_begin(struct gt_perfetto_writer *writer)
{
    if (writer->has_begun)
        return GT_OK;
    writer->has_begun = true;
    gt_status status = packet_put_defaults(writer);
    if (packet_is_monotonic(writer))
        return status;
    if (status == GT_OK)
        status =
            clock_add_monotonic(writer, gt_time_minus(writer->options.start_time, GT_PF_SLACK));
    if (status == GT_OK)
        status = clock_add(writer, GT_PF_CLOCK_OF_SEQUENCE, 0);
    if (status == GT_OK)
        gt_pf_put_other(writer, GT_PF_PACKET_CLOCK_SNAPSHOT);
    return status;
}
