/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/preface.h"

#include "source/header.h"

enum {
    PREFACE_MAX = 64 << 10
};

/* Sets `*is` to whether the header begins behind what was looked at. */
static gt_status preface_is_header(const struct gt_preface *preface, struct gt_source *source,
                                   bool *is)
{
    size_t at = (size_t) preface->run.size;
    *is = false;
    if (source->cur[at] != 'g')
        return GT_OK;
    gt_status status = gt_source_need(source, at + GT_HEADER_SIZE);
    if (status == GT_OK && gt_source_left(source) - at >= GT_HEADER_SIZE)
        *is = gt_header_parse(source->cur + at) != 0;
    return status;
}

gt_status gt_preface_skip(struct gt_preface *preface, struct gt_source *source)
{
    struct gt_prints_run *run = &preface->run;
    if (run->size == 0)
        gt_prints_run_begin(run, gt_source_offset(source));
    while (!preface->is_over) {
        size_t at = (size_t) run->size;
        bool is_header = false;
        gt_status status = gt_source_need(source, at + 1);
        bool has_more = gt_source_left(source) > at;
        if (status == GT_OK && has_more)
            status = preface_is_header(preface, source, &is_header);
        if (status != GT_OK)
            return status;
        preface->is_over = is_header || !has_more || !run->is_text || at == PREFACE_MAX;
        if (is_header && gt_prints_run_is_text(run))
            source->cur += at;
        else if (!preface->is_over)
            gt_prints_run_add(run, source->cur[at]);
    }
    return GT_OK;
}
