/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/rename.h"

#include "v2/spec.h"

/* A pc of the input. */
struct rename_pc {
    uint64_t number;
};

/* Initialises the texts of a kind, and those that replace texts, when they are first needed. */
static gt_status rename_begin(struct gt_writer *writer, struct gt_rewrite_names *names)
{
    if (names->has_texts)
        return GT_OK;
    if (gt_texts_init(&names->texts, &writer->mem) != GT_OK)
        return gt_rewrite_no_memory(writer);
    if (gt_texts_init(&names->renamed, &writer->mem) != GT_OK) {
        gt_texts_destroy(&names->texts);
        return gt_rewrite_no_memory(writer);
    }
    names->has_texts = true;
    return GT_OK;
}

/* Asks the program for the text to write instead of `text`, and keeps a copy of that. */
static gt_status rename_ask(struct gt_writer *writer, uint32_t kind, gt_string text,
                            gt_string *renamed)
{
    struct gt_rewrite_names *names = &writer->names[kind];
    uint32_t number;
    if (writer->options.text(writer->options.text_data, kind, &text) != 0)
        return gt_rewrite_fail(writer, GT_ERR_CALLBACK, "the function for texts failed");
    if (text.size > GT_V2_MAX_STRING)
        text.size = GT_V2_MAX_STRING;
    if (gt_texts_add(&names->renamed, text, &number) != GT_OK)
        return gt_rewrite_no_memory(writer);
    *renamed = names->renamed.list.items[number];
    return GT_OK;
}

gt_status gt_rewrite_rename_text(struct gt_writer *writer, uint32_t kind, gt_string *text)
{
    struct gt_rewrite_names *names = &writer->names[kind];
    uint32_t number;
    if (!writer->is_writing || text->size == 0)
        return GT_OK;
    gt_status status = rename_begin(writer, names);
    if (status != GT_OK)
        return status;
    if (gt_texts_add(&names->texts, *text, &number) != GT_OK ||
        gt_array_extend(&writer->mem, &names->numbers, (size_t) number + 1) != GT_OK)
        return gt_rewrite_no_memory(writer);
    gt_string *renamed = &names->numbers.items[number];
    if (!renamed->data)
        status = rename_ask(writer, kind, *text, renamed);
    *text = *renamed;
    return status;
}

gt_status gt_rewrite_rename_number(struct gt_writer *writer, uint64_t *pc)
{
    if (*pc == 0)
        return GT_OK;
    struct rename_pc *known = gt_idmap_get(&writer->pcs, *pc);
    if (!known) {
        known = gt_idmap_add(&writer->pcs, *pc);
        if (!known)
            return gt_rewrite_no_memory(writer);
        known->number = ++writer->pc_count;
    }
    *pc = known->number;
    return GT_OK;
}

void gt_rewrite_names_init(struct gt_writer *writer)
{
    gt_idmap_init_objects(&writer->pcs, &writer->mem, sizeof(struct rename_pc));
}

void gt_rewrite_names_clear(struct gt_writer *writer)
{
    for (size_t kind = 0; kind < GT_REWRITE_TEXT_KINDS; kind++) {
        struct gt_rewrite_names *names = &writer->names[kind];
        if (names->has_texts) {
            gt_texts_destroy(&names->texts);
            gt_texts_destroy(&names->renamed);
        }
        names->has_texts = false;
        gt_array_free(&writer->mem, &names->numbers);
    }
}

void gt_rewrite_names_destroy(struct gt_writer *writer)
{
    gt_rewrite_names_clear(writer);
    gt_idmap_destroy(&writer->pcs);
}
