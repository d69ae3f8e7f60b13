/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "raw/text.h"
#include "raw/widths.h"
#include "source/header.h"

/* The text form: Go's internal/trace/raw/textreader.go, with extensions; see gotrace/raw.h. */

/* Reports that the argument `name` is missing or another one was found. */
static gt_status text_fail_argument(struct gt_raw_reader *reader, const gt_wire_spec *spec,
                                    const char *name, const uint8_t *p)
{
    char word[GT_RAW_WORD_MAX];
    if (gt_raw_text_is_end(p))
        return gt_raw_text_fail(reader, GT_ERR_EVENT, "%s: argument '%s' is missing", spec->name,
                                name);
    return gt_raw_text_fail(reader, GT_ERR_EVENT, "%s: argument '%s' expected, found '%s'",
                            spec->name, name, gt_raw_text_word(p, word));
}

/* Reads "name=number". */
static gt_status text_take_argument(struct gt_raw_reader *reader, const gt_wire_spec *spec,
                                    const char *name, uint64_t *value)
{
    struct gt_raw_text *text = reader->text;
    const uint8_t *p = gt_raw_text_skip(text->p);
    const uint8_t *start = p;
    if (!gt_raw_text_take(&p, name) || *p != '=')
        return text_fail_argument(reader, spec, name, start);
    p++;
    if (!gt_raw_text_number(&p, value) || !gt_raw_text_is_gap(p)) {
        char word[GT_RAW_WORD_MAX];
        return gt_raw_text_fail(reader, GT_ERR_EVENT, "%s: '%s' has no number of 64 bits",
                                spec->name, gt_raw_text_word(start, word));
    }
    text->p = p;
    return GT_OK;
}

/* Checks that the rest of the line is empty or a comment. */
static gt_status text_end_line(struct gt_raw_reader *reader, const gt_wire_spec *spec)
{
    char word[GT_RAW_WORD_MAX];
    const uint8_t *p = gt_raw_text_skip(reader->text->p);
    if (gt_raw_text_is_end(p))
        return GT_OK;
    return gt_raw_text_fail(reader, GT_ERR_EVENT, "%s: '%s' is too much", spec->name,
                            gt_raw_text_word(p, word));
}

static gt_status text_take_arguments(struct gt_raw_reader *reader, const gt_wire_spec *spec)
{
    for (uint32_t i = 0; i < spec->argument_count; i++) {
        gt_status status =
            text_take_argument(reader, spec, spec->arguments[i].name, &reader->record.arguments[i]);
        if (status != GT_OK)
            return status;
    }
    return text_end_line(reader, spec);
}

/* Reports a fault at the start of the record instead of the last line that was read. */
static gt_status text_fail_record(struct gt_raw_reader *reader, gt_status status,
                                  const gt_wire_spec *spec, const char *why)
{
    return gt_error_set(&reader->input.fault, status, reader->record.event.offset,
                        reader->generation, "line %u: %s: %s", reader->text->record_line,
                        spec->name, why);
}

/* Reads the next line of the record. */
static gt_status text_next_within(struct gt_raw_reader *reader, const gt_wire_spec *spec)
{
    gt_status status = gt_raw_text_next(reader, GT_RAW_WITHIN_RECORD);
    if (status != GT_END)
        return status;
    return text_fail_record(reader, GT_ERR_TRUNCATED, spec, "the input ends within it");
}

static gt_status text_take_frame(struct gt_raw_reader *reader, const gt_wire_spec *spec)
{
    static const char *const names[] = {"pc", "func", "file", "line"};
    uint64_t values[4] = {0, 0, 0, 0};
    unsigned count = spec->flags & GT_WIRE_BARE_FRAMES ? 1 : 4;
    gt_status status = text_next_within(reader, spec);
    for (unsigned i = 0; i < count && status == GT_OK; i++)
        status = text_take_argument(reader, spec, names[i], &values[i]);
    if (status == GT_OK)
        status = text_end_line(reader, spec);
    if (status != GT_OK)
        return status;
    gt_raw_frame *frame = gt_raw_add_frame(&reader->input.mem, &reader->record);
    if (!frame)
        return gt_error_plain(&reader->input.fault, gt_mem_failure(&reader->input.mem));
    *frame = (gt_raw_frame){values[0], values[1], values[2], values[3]};
    return GT_OK;
}

/* Reads "data=" and a string literal. As in Go, white space around the equals sign is accepted. */
static gt_status text_take_data(struct gt_raw_reader *reader, const gt_wire_spec *spec)
{
    struct gt_raw_text *text = reader->text;
    struct gt_raw_record *record = &reader->record;
    gt_status status = text_next_within(reader, spec);
    if (status != GT_OK)
        return status;
    const uint8_t *p = text->p;
    bool is_named = gt_raw_text_take(&p, "data");
    p = gt_raw_text_skip(p);
    if (!is_named || *p != '=')
        return gt_raw_text_fail(reader, GT_ERR_EVENT, "%s: data expected", spec->name);
    p = gt_raw_text_skip(p + 1);
    size_t size = gt_raw_unquote_room(p, text->end);
    if (gt_mem_reserve(&reader->input.mem, &text->data, &text->data_capacity, size, 1) != GT_OK)
        return gt_error_plain(&reader->input.fault, gt_mem_failure(&reader->input.mem));
    p = gt_raw_unquote(p, text->end, text->data, &size);
    if (!p)
        return gt_raw_text_fail(reader, GT_ERR_EVENT, "%s: malformed string", spec->name);
    record->event.data = (gt_string){size != 0 ? text->data : "", size};
    text->p = p;
    return text_end_line(reader, spec);
}

/* Reads the frames and the data of a record, which are on lines of their own. */
static gt_status text_take_lines(struct gt_raw_reader *reader, const gt_wire_spec *spec)
{
    struct gt_raw_text *text = reader->text;
    gt_status status = GT_OK;
    while (text->frames_left > 0 && status == GT_OK) {
        status = text_take_frame(reader, spec);
        if (status == GT_OK)
            text->frames_left--;
    }
    if (status == GT_OK && (spec->flags & GT_WIRE_HAS_DATA))
        status = text_take_data(reader, spec);
    return status;
}

/* The experiment is a byte in the binary form: Go's internal/trace/batch.go, readBatch. */
static gt_status text_check_experiment(struct gt_raw_reader *reader, const gt_wire_spec *spec)
{
    if (reader->input.version <= GT_V1_NEWEST || spec->type != GT_WIRE_EXPERIMENTAL_BATCH ||
        reader->record.arguments[0] <= UINT8_MAX)
        return GT_OK;
    return text_fail_record(reader, GT_ERR_EVENT, spec, "'exp' is over 255");
}

static gt_status text_check_widths(struct gt_raw_reader *reader, const gt_wire_spec *spec)
{
    if (gt_raw_widths_fit(reader->input.version, spec, &reader->record.event))
        return GT_OK;
    return text_fail_record(reader, GT_ERR_EVENT, spec, "the widths do not fit its numbers");
}

/* Stores the generation in a batch's header, to which the following records belong. */
static void text_note_generation(struct gt_raw_reader *reader)
{
    const struct gt_raw_record *record = &reader->record;
    if (reader->input.version <= GT_V1_NEWEST)
        return;
    if (record->event.type == GT_WIRE_EVENT_BATCH)
        reader->generation = record->arguments[0];
    else if (record->event.type == GT_WIRE_EXPERIMENTAL_BATCH)
        reader->generation = record->arguments[1];
}

/* Reads the first line of a record. */
static gt_status text_take_head(struct gt_raw_reader *reader)
{
    struct gt_raw_text *text = reader->text;
    gt_raw_event *event = &reader->record.event;
    const uint8_t *end = gt_raw_text_name_end(text->p);
    const gt_wire_spec *spec = NULL;
    if (gt_raw_text_is_gap(end))
        spec = gt_raw_names_find(&text->names, reader->specs, text->p, (size_t) (end - text->p));
    if (!spec) {
        char word[GT_RAW_WORD_MAX];
        return gt_raw_text_fail(reader, GT_ERR_EVENT, "there is no record '%s' in Go 1.%u",
                                gt_raw_text_word(text->p, word), (uint64_t) reader->input.version);
    }
    text->p = end;
    event->type = spec->type;
    event->argument_count = spec->argument_count;
    event->offset = text->offset;
    text->record_line = text->line;
    gt_status status = text_take_arguments(reader, spec);
    if (status == GT_OK)
        status = text_check_experiment(reader, spec);
    if (status != GT_OK)
        return status;
    text->spec = spec;
    if (spec->flags & GT_WIRE_HAS_FRAMES)
        text->frames_left = reader->record.arguments[spec->argument_count - 1];
    return GT_OK;
}

/* Clears the record, unless a part of it was already read before more lines were available. */
static void text_open_record(struct gt_raw_reader *reader)
{
    struct gt_raw_text *text = reader->text;
    if (text->is_open)
        return;
    gt_raw_clear(&reader->record);
    text->is_open = true;
    text->has_widths = false;
    text->spec = NULL;
    text->frames_left = 0;
}

/* Reads the widths that precede a record, if any, and the record's first line. */
static gt_status text_read_head(struct gt_raw_reader *reader)
{
    gt_status status = gt_raw_text_next(reader, GT_RAW_BEFORE_RECORD);
    if (status == GT_END && reader->text->has_widths)
        return gt_raw_text_fail(reader, GT_ERR_TRUNCATED, "no record follows the widths");
    return status == GT_OK ? text_take_head(reader) : status;
}

gt_status gt_raw_text_read(struct gt_raw_reader *reader)
{
    struct gt_raw_text *text = reader->text;
    gt_raw_event *event = &reader->record.event;
    text_open_record(reader);
    gt_status status = text->spec ? GT_OK : text_read_head(reader);
    assert(status != GT_OK || text->spec);
    if (status == GT_OK)
        status = text_take_lines(reader, text->spec);
    if (status == GT_AGAIN)
        return status;
    text->is_open = false;
    if (status == GT_OK && text->has_widths)
        status = text_check_widths(reader, text->spec);
    if (status != GT_OK)
        return status;
    event->length = gt_source_offset(&reader->input.source) - event->offset;
    text_note_generation(reader);
    return GT_OK;
}

/*
 * Returns whether the input may be text. This rejects most other files without reading a whole
 * line.
 */
static bool text_is_possible(struct gt_source *source)
{
    if (gt_source_left(source) == 0)
        return false;
    uint8_t first = *source->cur;
    return first == 'T' || first == '#' || first == ' ' || (first >= '\t' && first <= '\r') ||
           first >= 0xc2;
}

static gt_status text_refuse(struct gt_raw_reader *reader, const char *why)
{
    return gt_raw_text_fail(reader, GT_ERR_NOT_A_TRACE, "%s: %s",
                            gt_status_text(GT_ERR_NOT_A_TRACE), why);
}

static gt_status text_take_header(struct gt_raw_reader *reader)
{
    const uint8_t *p = reader->text->p;
    uint64_t version;
    if (!gt_raw_text_take(&p, "Trace") || !gt_raw_text_is_gap(p))
        return text_refuse(reader, "the first word is not Trace");
    p = gt_raw_text_skip(p);
    if (!gt_raw_text_take(&p, "Go1.") || !gt_raw_text_number(&p, &version) ||
        !gt_raw_text_is_gap(p))
        return text_refuse(reader, "no version follows Trace");
    if (!gt_raw_text_is_end(gt_raw_text_skip(p)))
        return text_refuse(reader, "more follows the version");
    if (version > UINT32_MAX || !gt_version_is_good((uint32_t) version))
        return gt_raw_text_fail(reader, GT_ERR_VERSION, "traces of Go 1.%u are not supported",
                                version);
    reader->input.version = (uint32_t) version;
    return GT_OK;
}

static bool text_create(struct gt_raw_reader *reader)
{
    reader->text = gt_mem_alloc(&reader->input.mem, sizeof(*reader->text));
    if (reader->text)
        memset(reader->text, 0, sizeof(*reader->text));
    return reader->text;
}

gt_status gt_raw_text_open(struct gt_raw_reader *reader)
{
    bool is_possible = reader->text || text_is_possible(&reader->input.source);
    if (!reader->text && !text_create(reader))
        return gt_error_plain(&reader->input.fault, gt_mem_failure(&reader->input.mem));
    if (!is_possible)
        return gt_header_refuse_start(&reader->input.fault, reader->input.source.cur,
                                      gt_source_left(&reader->input.source));
    gt_status status = gt_raw_text_next(reader, GT_RAW_BEFORE_HEADER);
    if (status == GT_END)
        return gt_raw_fail(reader, GT_ERR_NOT_A_TRACE, 0, "%s", gt_status_text(GT_ERR_NOT_A_TRACE),
                           0, 0);
    return status == GT_OK ? text_take_header(reader) : status;
}

void gt_raw_text_close(struct gt_raw_reader *reader)
{
    struct gt_raw_text *text = reader->text;
    gt_mem_free(&reader->input.mem, text->last, text->last_capacity);
    gt_mem_free(&reader->input.mem, text->data, text->data_capacity);
    gt_mem_free(&reader->input.mem, text, sizeof(*text));
    reader->text = NULL;
}
