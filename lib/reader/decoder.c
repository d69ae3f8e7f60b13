/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/decoder.h"

#include "base/error.h"
#include "source/header.h"

void gt_decoder_init(struct gt_decoder *decoder, struct gt_mem *mem, struct gt_source *source,
                     gt_error *fault)
{
    decoder->v1 = NULL;
    gt_v2_init(&decoder->v2, mem, source, fault);
}

void gt_decoder_destroy(struct gt_decoder *decoder)
{
    struct gt_v1 *v1 = decoder->v1;
    if (v1) {
        gt_v1_destroy(v1);
        gt_mem_free(gt_decoder_mem(decoder), v1, sizeof(*v1));
    }
    gt_v2_destroy(&decoder->v2);
}

static gt_status decoder_start_v1(struct gt_decoder *decoder, uint32_t version,
                                  const gt_reader_options *options,
                                  const struct gt_prints_run *preface)
{
    struct gt_v2 *v2 = &decoder->v2;
    struct gt_v1 *v1 = gt_mem_alloc(v2->mem, sizeof(*v1));
    if (!v1)
        return gt_error_plain(v2->error, gt_mem_failure(v2->mem));
    gt_v1_init(v1, v2->mem, v2->source, v2->error);
    v1->version = version;
    gt_prints_add(&v1->prints, preface);
    v1->repair.lenient = (options->flags & GT_READER_LENIENT) != 0;
    v1->options.as_recorded = (options->flags & GT_READER_AS_RECORDED) != 0;
    v1->repair.on_repair = options->on_repair;
    v1->repair.user_data = options->repair_data;
    v1->options.symbolize = options->symbolize;
    v1->options.symbolize_data = options->symbolize_data;
    decoder->v1 = v1;
    return GT_OK;
}

gt_status gt_decoder_start(struct gt_decoder *decoder, uint32_t version,
                           const gt_reader_options *options, const struct gt_prints_run *preface)
{
    if (version <= GT_V1_NEWEST)
        return decoder_start_v1(decoder, version, options, preface);
    struct gt_v2 *v2 = &decoder->v2;
    v2->version = version > GT_NEWEST ? GT_NEWEST : version;
    gt_prints_add(&v2->prints, preface);
    v2->keep = (options->flags & GT_READER_KEEP) != 0;
    v2->repair.lenient = (options->flags & GT_READER_LENIENT) != 0;
    v2->unforced = (options->flags & GT_READER_UNFORCED) != 0;
    v2->repair.on_repair = options->on_repair;
    v2->repair.user_data = options->repair_data;
    return GT_OK;
}

gt_status gt_decoder_fill(struct gt_decoder *decoder, struct gt_events *events)
{
    return decoder->v1 ? gt_v1_fill(decoder->v1, events) : gt_v2_fill(&decoder->v2, events);
}

bool gt_decoder_more(struct gt_decoder *decoder, struct gt_events *events)
{
    return decoder->v1 ? gt_v1_more(decoder->v1, events) : gt_v2_more(&decoder->v2, events);
}
