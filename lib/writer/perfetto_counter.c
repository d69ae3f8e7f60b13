/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "writer/perfetto.h"
#include "writer/perfetto_fields.h"

/* Counters: a track for each series, and a packet for all values of an event that have changed. */

enum {
    /* The longest name of a track is "NAME: KEY" of texts up to this size. */
    SERIES_NAME_MAX = 256
};

static gt_string series_text(const struct gt_perfetto_writer *writer, uint32_t number)
{
    gt_string text = writer->texts.list.items[number];
    if (text.size > SERIES_NAME_MAX)
        text.size = SERIES_NAME_MAX;
    return text;
}

/* Composes the name of the track at `to`. */
static gt_string series_name(const struct gt_perfetto_writer *writer,
                             const struct gt_pf_series *series, char *to)
{
    gt_string name = series_text(writer, series->name), key = series_text(writer, series->key);
    char *end = to;
    if (name.size > 0)
        end = gt_text_put_bytes(end, name.data, name.size);
    if (name.size > 0 && key.size > 0)
        end = gt_text_put(end, ": ");
    if (key.size > 0)
        end = gt_text_put_bytes(end, key.data, key.size);
    return (gt_string){to, (size_t) (end - to)};
}

static uint64_t series_uuid(const struct gt_perfetto_writer *writer,
                            const struct gt_pf_series *series)
{
    return series->uuid != 0
               ? gt_pf_uuid_at(writer, series->uuid)
               : gt_pf_uuid(writer, GT_PF_TRACK_SERIES, (uint64_t) (series - writer->series.items));
}

/* Whether the emitter counts bytes in this counter. */
static bool series_is_heap(const struct gt_perfetto_writer *writer,
                           const struct gt_pf_series *series)
{
    return !writer->sources[GT_PERFETTO_PLAIN].is_first &&
           gt_text_is(writer->texts.list.items[series->name], "Heap");
}

static gt_status series_add_counter(struct gt_perfetto_writer *writer,
                                    const struct gt_pf_series *series)
{
    struct gt_pf_bytes *inner = &writer->inner;
    gt_status status = gt_pf_reserve(writer, inner, GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    bool is_heap = series_is_heap(writer, series);
    inner->count = 0;
    gt_pf_number(inner, GT_PF_COUNTER_UNIT, is_heap ? GT_PF_UNIT_BYTES : GT_PF_UNIT_COUNT);
    status = gt_pf_text_field(writer, inner, GT_PF_COUNTER_SHARE_KEY,
                              writer->texts.list.items[series->name]);
    return status == GT_OK ? gt_pf_nested(writer, &writer->event, GT_PF_TRACK_COUNTER, inner)
                           : status;
}

/* Writes the descriptor of a series, which must precede its first value. */
static gt_status series_put_track(struct gt_perfetto_writer *writer,
                                  const struct gt_pf_series *series)
{
    char name[2 * SERIES_NAME_MAX + 2];
    gt_status status = gt_pf_reserve(writer, &writer->event, 3 * GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    writer->event.count = 0;
    gt_pf_number(&writer->event, GT_PF_TRACK_UUID, series_uuid(writer, series));
    gt_pf_number(&writer->event, GT_PF_TRACK_PARENT, gt_pf_uuid_at(writer, GT_PF_UUID_COUNTERS));
    gt_pf_number(&writer->event, GT_PF_TRACK_RANK, (uint64_t) (series - writer->series.items) + 1);
    status = series_add_counter(writer, series);
    if (status == GT_OK)
        status = gt_pf_text_field(writer, &writer->event, GT_PF_TRACK_NAME,
                                  series_name(writer, series, name));
    if (status == GT_OK)
        gt_pf_put_other(writer, GT_PF_PACKET_TRACK_DESCRIPTOR);
    return status;
}

static uint64_t series_hash(const struct gt_perfetto_writer *writer, uint32_t name, uint32_t key)
{
    return gt_hash_pair(name, key, writer->secret);
}

/* Returns a series, or NULL if it is not known. */
static struct gt_pf_series *series_find(struct gt_perfetto_writer *writer, uint32_t name,
                                        uint32_t key)
{
    struct gt_pf_series *series;
    /* The values of a counter mostly come in the same order. */
    if (writer->next_series < writer->series.count) {
        series = &writer->series.items[writer->next_series];
        if (series->name == name && series->key == key)
            return series;
    }
    GT_INDEX_FIND(series, &writer->series, &writer->series_index, series_hash(writer, name, key),
                  series->name == name && series->key == key);
    return series;
}

/* Returns the identifier of a series that has one with a meaning, or 0. */
static uint8_t series_known_uuid(const struct gt_perfetto_writer *writer, uint32_t name,
                                 uint32_t key)
{
    gt_string value = writer->texts.list.items[key];
    if (writer->sources[GT_PERFETTO_PLAIN].is_first ||
        !gt_text_is(writer->texts.list.items[name], "Goroutines"))
        return 0;
    return gt_text_is(value, "Running")    ? GT_PF_UUID_RUNNING
           : gt_text_is(value, "Runnable") ? GT_PF_UUID_RUNNABLE
                                           : 0;
}

/* Makes a series, which must not be known. */
static gt_status series_make(struct gt_perfetto_writer *writer, uint32_t name, uint32_t key)
{
    const struct gt_pf_series made = {
        .name = name,
        .key = key,
        .uuid = series_known_uuid(writer, name, key),
    };
    gt_status status = gt_index_append(&writer->series_index, &writer->series, &writer->mem,
                                       series_hash(writer, name, key), made);
    return status == GT_OK
               ? series_put_track(writer, &writer->series.items[writer->series.count - 1])
               : status;
}

/* Sets the value of a series. Returns whether that changed it. */
static bool series_set(struct gt_pf_series *series, const gt_viewer_argument *value)
{
    bool is_double = value->kind == GT_VIEWER_DOUBLE;
    uint64_t bits = value->number;
    if (is_double)
        memcpy(&bits, &value->real, sizeof(bits));
    else if (value->kind == GT_VIEWER_UNSIGNED && bits > INT64_MAX)
        bits = INT64_MAX;
    if (series->has_value && series->bits == bits && series->is_double == is_double)
        return false;
    series->has_value = true;
    series->is_double = is_double;
    series->bits = bits;
    return true;
}

/*
 * Appends the value of a series to the event: as the first one of a packet, or as a further one,
 * which may be that of the default track.
 */
static void series_add_value(struct gt_perfetto_writer *writer, const struct gt_pf_series *series,
                             bool is_first, bool has_default)
{
    struct gt_pf_bytes *event = &writer->event;
    uint64_t uuid = series_uuid(writer, series);
    bool is_double = series->is_double;
    if (is_first && series->uuid != GT_PF_UUID_RUNNING)
        gt_pf_number(event, GT_PF_EVENT_TRACK, uuid);
    if (!is_first && !has_default)
        gt_pf_number(event, is_double ? GT_PF_EVENT_EXTRA_DOUBLE_TRACKS : GT_PF_EVENT_EXTRA_TRACKS,
                     uuid);
    if (is_double)
        gt_pf_fixed64(event, is_first ? GT_PF_EVENT_DOUBLE_VALUE : GT_PF_EVENT_EXTRA_DOUBLE_VALUES,
                      series->bits);
    else
        gt_pf_number(event, is_first ? GT_PF_EVENT_COUNTER_VALUE : GT_PF_EVENT_EXTRA_VALUES,
                     series->bits);
    writer->info.values++;
}

/* Whether only one series has changed besides the first one, and that of the default track. */
static bool changed_is_default(const struct gt_perfetto_writer *writer)
{
    if (writer->changed.count != 2)
        return false;
    const struct gt_pf_series *series = &writer->series.items[writer->changed.items[1]];
    return series->uuid == GT_PF_UUID_RUNNABLE && !series->is_double;
}

/* Takes one value of a counter. Its series is made if it is new. */
static gt_status counter_take_value(struct gt_perfetto_writer *writer, uint32_t name,
                                    const gt_viewer_argument *value)
{
    uint32_t key;
    gt_status status = gt_pf_text(writer, value->key, &key);
    if (status != GT_OK || value->kind == GT_VIEWER_STRING)
        return status;
    struct gt_pf_series *series = series_find(writer, name, key);
    if (!series) {
        status = series_make(writer, name, key);
        if (status != GT_OK)
            return status;
        series = &writer->series.items[writer->series.count - 1];
    }
    writer->next_series = (size_t) (series - writer->series.items) + 1;
    if (!series_set(series, value))
        return GT_OK;
    const uint32_t changed = (uint32_t) (series - writer->series.items);
    return gt_array_add(&writer->mem, &writer->changed, changed);
}

gt_status gt_pf_counter(struct gt_pf_source *source, const gt_viewer_event *event)
{
    struct gt_perfetto_writer *writer = source->writer;
    uint32_t name;
    if (!source->is_first)
        return GT_OK;
    gt_status status = gt_pf_text(writer, event->name, &name);
    writer->changed.count = 0;
    for (size_t i = 0; i < event->argument_count && status == GT_OK; i++)
        status = counter_take_value(writer, name, &event->arguments[i]);
    if (event->argument_count > 0)
        writer->next_series -= writer->next_series < event->argument_count ? writer->next_series
                                                                           : event->argument_count;
    if (status != GT_OK || writer->changed.count == 0)
        return status;
    status =
        gt_pf_reserve(writer, &writer->event, (2 * writer->changed.count + 1) * GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    writer->event.count = 0;
    gt_pf_number(&writer->event, GT_PF_EVENT_TYPE, GT_PF_COUNTER);
    bool has_default = changed_is_default(writer);
    for (size_t i = 0; i < writer->changed.count; i++)
        series_add_value(writer, &writer->series.items[writer->changed.items[i]], i == 0,
                         has_default);
    gt_pf_put_event(writer, event->time);
    return GT_OK;
}
