/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/preface.h"

#include "source/header.h"

enum {
    PREFACE_MAX = 64 << 10
};

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
            status = gt_header_is_at(source, at, &is_header);
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
