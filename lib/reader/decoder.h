/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_READER_DECODER_H
#define GT_READER_DECODER_H

#include <stdbool.h>

#include <gotrace/reader.h>

#include "model/event.h"
#include "v1/v1.h"
#include "v2/v2.h"

/* A decoder for both formats, of which the header of the trace selects one. */
struct gt_decoder {
    struct gt_v1 *v1; /* decodes traces up to Go 1.21; NULL for later ones */
    struct gt_v2 v2;  /* decodes later traces */
};

void gt_decoder_init(struct gt_decoder *decoder, struct gt_mem *mem, struct gt_source *source,
                     gt_error *fault);
void gt_decoder_destroy(struct gt_decoder *decoder);

/*
 * Prepares to decode a trace of `version`, whose header has been read. `preface` is the text before
 * the header, which is empty if there is none.
 */
gt_status gt_decoder_start(struct gt_decoder *decoder, uint32_t version,
                           const gt_reader_options *options, const struct gt_prints_run *preface);

/*
 * Decodes the next events to `*events`. Returns GT_OK with at least one event, GT_END, or an error
 * that is set with its place. Must be called with the same `*events` each time. The events of the
 * previous call become invalid, since the next generation may begin.
 */
gt_status gt_decoder_fill(struct gt_decoder *decoder, struct gt_events *events);

/*
 * Decodes more events of the same generation to `*events` without invalidating earlier ones.
 * Returns false, with no event, if only gt_decoder_fill can continue: at the end of the generation
 * and at an error. An `*events` must be all zeros on first use.
 */
bool gt_decoder_more(struct gt_decoder *decoder, struct gt_events *events);

/* The memory that the decoder uses. */
static inline struct gt_mem *gt_decoder_mem(const struct gt_decoder *decoder)
{
    return decoder->v2.mem;
}

/* Returns the number of generations that have begun. A trace of the older format counts as one. */
static inline uint64_t gt_decoder_generations(const struct gt_decoder *decoder)
{
    return decoder->v1 ? decoder->v1->output.syncs != 0 : decoder->v2.generations;
}

/* Returns the ordinal of the newest table. A trace of the older format has a single table. */
static inline uint32_t gt_decoder_last_ordinal(const struct gt_decoder *decoder)
{
    return decoder->v1 ? 1 : decoder->v2.generations;
}

/*
 * Returns the table with this ordinal, which counts generations from 1 and is at most
 * gt_decoder_last_ordinal. Returns NULL if the table was freed.
 */
static inline struct gt_table *gt_decoder_table(const struct gt_decoder *decoder, uint32_t ordinal)
{
    return decoder->v1 ? &decoder->v1->table : gt_v2_table(&decoder->v2, ordinal);
}

/* Whether the tables of all generations stay until the reader is closed. */
static inline bool gt_decoder_keeps_tables(const struct gt_decoder *decoder)
{
    return decoder->v1 || decoder->v2.keep;
}

#endif
