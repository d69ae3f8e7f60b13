/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "writer/perfetto.h"
#include "writer/perfetto_fields.h"

enum {
    /*
     * Texts other than those of rows and frames are kept only up to these limits when they first
     * come, because a trace may have a new one in every event.
     */
    INTERN_TEXT_MAX = 256,
    INTERN_BYTES_MAX = 256 * 1024,
    /* A shorter text takes hardly more as it is than by its id. */
    INTERN_TEXT_MIN = 32,
    /* The most frames of a stack that are written: those next to the leaf. */
    STACK_FRAMES_MAX = 1024,
    /* The most frames of an emitter, so that twice the index of a place or stack fits. */
    FRAME_IDS_MAX = INT32_MAX / GT_PF_SOURCES,
    /* The most bytes of an entry without its text. */
    ENTRY_MAX = 5 * GT_PROTO_FIELD_MAX
};

/* Where the cache has a text. Its address does not matter, as in gt_recent_text_place. */
static struct gt_pf_recent *recent_text(struct gt_perfetto_writer *writer, gt_string text)
{
    size_t first = (unsigned char) text.data[0];
    size_t last = (unsigned char) text.data[text.size - 1];
    return &writer->recent[(text.size + 5 * first + 11 * last) % GT_PF_RECENT];
}

gt_status gt_pf_text(struct gt_perfetto_writer *writer, gt_string text, uint32_t *number)
{
    *number = 0;
    if (text.size == 0)
        return GT_OK;
    struct gt_pf_recent *recent = recent_text(writer, text);
    if (gt_text_equal(recent->text, text)) {
        *number = recent->number;
        return GT_OK;
    }
    gt_status status = gt_texts_add(&writer->texts, text, number);
    if (status == GT_OK)
        status = gt_array_extend(&writer->mem, &writer->defined, writer->texts.list.count);
    if (status == GT_OK)
        *recent = (struct gt_pf_recent){writer->texts.list.items[*number], *number};
    return status;
}

/* Whether a text that comes for the first time is written as it is. */
static bool text_is_too_much(const struct gt_perfetto_writer *writer, gt_string text)
{
    return text.size > INTERN_TEXT_MAX || writer->text_bytes > INTERN_BYTES_MAX;
}

/*
 * Sets `*comes_again` to whether a text that is not kept has been asked for before: a text may be
 * long, and be the name of every event. Only the hashes of such texts are remembered.
 */
static gt_status text_comes_again(struct gt_perfetto_writer *writer, gt_string text,
                                  bool *comes_again)
{
    *comes_again = false;
    if (text.size < INTERN_TEXT_MIN)
        return GT_OK;
    uint64_t hash = gt_text_hash(text, writer->secret);
    *comes_again = gt_idmap_get_number(&writer->once, hash) != 0;
    return *comes_again ? GT_OK : gt_idmap_put_number(&writer->once, hash, 1);
}

/* Sets `*keeps` to whether a text that is not kept yet is to be. */
static gt_status text_decide(struct gt_perfetto_writer *writer, gt_string text, bool *keeps)
{
    if (text_is_too_much(writer, text))
        return text_comes_again(writer, text, keeps);
    writer->text_bytes += text.size + 32;
    *keeps = true;
    return GT_OK;
}

/* Appends an entry with a text to the interned data. */
static gt_status intern_define(struct gt_perfetto_writer *writer, uint32_t field, uint32_t number)
{
    struct gt_pf_bytes *inner = &writer->inner;
    gt_status status = gt_pf_reserve(writer, inner, ENTRY_MAX);
    if (status != GT_OK)
        return status;
    inner->count = 0;
    gt_pf_number(inner, GT_PF_ENTRY_IID, number);
    status = gt_pf_text_field(writer, inner, GT_PF_ENTRY_TEXT, writer->texts.list.items[number]);
    return status == GT_OK ? gt_pf_nested(writer, &writer->interned, field, inner) : status;
}

/* Defines a text in a list, unless it is there. */
static gt_status intern_use(struct gt_perfetto_writer *writer, enum gt_pf_list list,
                            uint32_t number)
{
    uint32_t field;
    if (writer->defined.items[number] & list)
        return GT_OK;
    switch (list) {
    case GT_PF_LIST_NAMES:
        field = GT_PF_INTERNED_NAMES;
        break;
    case GT_PF_LIST_CATEGORIES:
        field = GT_PF_INTERNED_CATEGORIES;
        break;
    case GT_PF_LIST_KEYS:
        field = GT_PF_INTERNED_KEYS;
        break;
    case GT_PF_LIST_VALUES:
        field = GT_PF_INTERNED_VALUES;
        break;
    case GT_PF_LIST_FUNCTIONS:
        field = GT_PF_INTERNED_FUNCTIONS;
        break;
    default:
        field = GT_PF_INTERNED_SOURCE_PATHS;
        break;
    }
    gt_status status = intern_define(writer, field, number);
    if (status == GT_OK)
        writer->defined.items[number] |= (uint8_t) list;
    return status;
}

gt_status gt_pf_intern(struct gt_perfetto_writer *writer, enum gt_pf_list list, gt_string text,
                       uint32_t *iid)
{
    *iid = 0;
    if (text.size == 0)
        return GT_OK;
    struct gt_pf_recent *recent = recent_text(writer, text);
    if (gt_text_equal(recent->text, text))
        *iid = recent->number;
    else {
        bool keeps = gt_texts_find(&writer->texts, text, iid);
        gt_status status = keeps ? GT_OK : text_decide(writer, text, &keeps);
        if (status == GT_OK && keeps)
            status = gt_pf_text(writer, text, iid);
        if (status != GT_OK || !keeps)
            return status;
    }
    return intern_use(writer, list, *iid);
}

static uint64_t place_hash(const struct gt_perfetto_writer *writer, const struct gt_pf_place *place)
{
    return gt_hash_pair((uint64_t) place->function << 32 | place->file, place->line,
                        writer->secret);
}

/* Sets `*number` to the index of a place. */
static gt_status place_find(struct gt_perfetto_writer *writer, const struct gt_pf_place *place,
                            uint32_t *number)
{
    uint64_t hash = place_hash(writer, place);
    const struct gt_pf_place *known;
    GT_INDEX_FIND(known, &writer->places, &writer->place_index, hash,
                  known->function == place->function && known->file == place->file &&
                      known->line == place->line);
    *number = (uint32_t) gt_array_index(&writer->places, known);
    return known
               ? GT_OK
               : gt_index_append(&writer->place_index, &writer->places, &writer->mem, hash, *place);
}

static bool frame_has_stack(const struct gt_pf_frame *frame)
{
    return frame->place_or_stack & 1;
}

/* The index of the place of a frame. */
static uint32_t frame_place(const struct gt_perfetto_writer *writer,
                            const struct gt_pf_frame *frame)
{
    uint32_t number = frame->place_or_stack >> 1;
    return frame_has_stack(frame) ? writer->stacks.items[number] : number;
}

gt_status gt_pf_frame_add(struct gt_pf_source *source, const gt_viewer_frame *frame)
{
    static const gt_string unknown = {"(unknown)", 9};
    struct gt_perfetto_writer *writer = source->writer;
    uint32_t number = 0;
    struct gt_pf_place place = {.line = frame->line < UINT32_MAX ? (uint32_t) frame->line : 0};
    if (frame->id > FRAME_IDS_MAX || frame->id == 0 || frame->id - 1 != source->frames.count ||
        frame->parent >= frame->id)
        return GT_ERR_INVALID_ARGUMENT;
    /* A frame without a name is an error for Perfetto. */
    gt_string function = frame->function.size > 0 ? frame->function : unknown;
    gt_status status = gt_pf_text(writer, function, &place.function);
    if (status == GT_OK)
        status = gt_pf_text(writer, frame->file, &place.file);
    if (status == GT_OK)
        status = place_find(writer, &place, &number);
    if (status != GT_OK)
        return status;
    struct gt_pf_frame added = {.parent = frame->parent, .place_or_stack = 2 * number};
    return gt_array_add(&writer->mem, &source->frames, added);
}

/* Appends a place to the interned data as a frame, unless it was written before. */
static gt_status place_define(struct gt_perfetto_writer *writer, uint32_t number)
{
    struct gt_pf_place *place = &writer->places.items[number];
    if (place->is_defined)
        return GT_OK;
    gt_status status = intern_use(writer, GT_PF_LIST_FUNCTIONS, place->function);
    if (status == GT_OK && place->file != 0)
        status = intern_use(writer, GT_PF_LIST_SOURCE_PATHS, place->file);
    if (status == GT_OK)
        status = gt_pf_reserve(writer, &writer->inner, ENTRY_MAX);
    if (status != GT_OK)
        return status;
    writer->inner.count = 0;
    gt_pf_number(&writer->inner, GT_PF_ENTRY_IID, number + 1);
    gt_pf_number(&writer->inner, GT_PF_FRAME_FUNCTION, place->function);
    if (place->file != 0)
        gt_pf_number(&writer->inner, GT_PF_FRAME_SOURCE_PATH, place->file);
    if (place->line != 0)
        gt_pf_number(&writer->inner, GT_PF_FRAME_LINE, place->line);
    status = gt_pf_nested(writer, &writer->interned, GT_PF_INTERNED_FRAMES, &writer->inner);
    place->is_defined = status == GT_OK;
    writer->info.frames += status == GT_OK;
    return status;
}

/* Collects the places of a stack, and defines those that were not written before. */
static gt_status stack_collect(struct gt_pf_source *source, uint32_t leaf)
{
    struct gt_perfetto_writer *writer = source->writer;
    gt_status status = GT_OK;
    writer->path.count = 0;
    while (leaf != 0 && writer->path.count < STACK_FRAMES_MAX && status == GT_OK) {
        const struct gt_pf_frame *frame = &source->frames.items[leaf - 1];
        uint32_t place = frame_place(writer, frame);
        leaf = frame->parent;
        status = place_define(writer, place);
        if (status == GT_OK)
            status = gt_array_add(&writer->mem, &writer->path, place);
    }
    return status;
}

/* Appends a stack, of which `leaf` is the leaf, to the interned data. */
static gt_status stack_define(struct gt_pf_source *source, uint32_t leaf)
{
    struct gt_perfetto_writer *writer = source->writer;
    gt_status status = stack_collect(source, leaf);
    if (status == GT_OK)
        status =
            gt_pf_reserve(writer, &writer->inner, (writer->path.count + 1) * GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    writer->inner.count = 0;
    gt_pf_number(&writer->inner, GT_PF_ENTRY_IID, writer->stacks.count + 1);
    for (size_t i = writer->path.count; i > 0; i--)
        gt_pf_number(&writer->inner, GT_PF_CALLSTACK_FRAME, writer->path.items[i - 1] + 1);
    return gt_pf_nested(writer, &writer->interned, GT_PF_INTERNED_CALLSTACKS, &writer->inner);
}

/* Gives the stack of which a frame is the leaf the next number. */
static gt_status stack_number(struct gt_perfetto_writer *writer, struct gt_pf_frame *frame)
{
    gt_status status = gt_array_add(&writer->mem, &writer->stacks, frame_place(writer, frame));
    if (status == GT_OK)
        frame->place_or_stack = 2 * (uint32_t) (writer->stacks.count - 1) + 1;
    return status;
}

gt_status gt_pf_stack(struct gt_pf_source *source, uint32_t leaf, uint32_t *iid)
{
    *iid = 0;
    if (leaf == 0)
        return GT_OK;
    if (leaf > source->frames.count)
        return GT_ERR_INVALID_ARGUMENT;
    struct gt_pf_frame *frame = &source->frames.items[leaf - 1];
    if (!frame_has_stack(frame)) {
        gt_status status = stack_define(source, leaf);
        if (status == GT_OK)
            status = stack_number(source->writer, frame);
        if (status != GT_OK)
            return status;
    }
    *iid = (frame->place_or_stack >> 1) + 1;
    return GT_OK;
}
