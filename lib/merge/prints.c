/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge/prints.h"

#include <string.h>

#include "base/error.h"
#include "base/excerpt.h"

void gt_prints_run_begin(struct gt_prints_run *run, uint64_t offset)
{
    memset(run, 0, sizeof(*run));
    run->offset = offset;
    run->is_text = true;
}

bool gt_prints_may_have(uint8_t byte)
{
    enum {
        ESCAPE = 0x1b, /* begins colours of a terminal */
        DELETE = 0x7f
    };

    return byte >= ' ' ? byte != DELETE : (byte >= '\a' && byte <= '\r') || byte == ESCAPE;
}

/* The number of bytes that follow the first one of a character in UTF-8; false: it is not one. */
static bool prints_more(uint8_t first, uint8_t *more)
{
    if (first < 0xc2 || first > 0xf4)
        return false;
    *more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    return true;
}

static void prints_line_add(struct gt_prints_run *run, uint8_t byte)
{
    bool is_end = byte == '\n' || byte == '\r';
    run->lines += !run->is_in_line && byte != '\r';
    run->is_in_line = byte != '\n';
    if (run->has_line)
        return;
    if (is_end)
        run->has_line = run->line_size != 0;
    else if (run->line_size < sizeof(run->line))
        run->line[run->line_size++] = (char) byte;
}

void gt_prints_run_add(struct gt_prints_run *run, uint8_t byte)
{
    run->size++;
    if (!run->is_text)
        return;
    if (run->more != 0) {
        run->is_text = (byte & 0xc0) == 0x80;
        run->more--;
    } else {
        run->is_text = byte < 0x80 ? gt_prints_may_have(byte) : prints_more(byte, &run->more);
    }
    prints_line_add(run, byte);
}

bool gt_prints_run_is_text(const struct gt_prints_run *run)
{
    return run->is_text && run->size != 0 && run->more == 0;
}

static bool prints_run_is_long(const struct gt_prints_run *run)
{
    return run->size >= (uint64_t) GT_PRINTS_SURE;
}

bool gt_prints_run_is_likely(const struct gt_prints_run *run)
{
    return gt_prints_run_is_text(run) && (!run->is_in_line || prints_run_is_long(run));
}

bool gt_prints_run_is_lines(const struct gt_prints_run *run)
{
    return !run->is_in_line && prints_run_is_long(run);
}

void gt_prints_add(struct gt_prints *prints, const struct gt_prints_run *run)
{
    if (prints->lines == 0)
        prints->first = *run;
    prints->lines += run->lines;
}

void gt_prints_report(struct gt_prints *prints, struct gt_repair *repair, gt_error *error)
{
    const struct gt_prints_run *first = &prints->first;
    char line[GT_PRINTS_LINE + GT_EXCERPT_MORE];
    if (prints->lines == 0)
        return;
    gt_excerpt_put(line, GT_PRINTS_LINE, (gt_string){first->line, first->line_size});
    gt_error_set(error, GT_ERR_BATCH, first->offset, 0,
                 prints->lines == 1 ? "%u line of text lies in the trace: \"%s\""
                                    : "%u lines of text lie in the trace, the first: \"%s\"",
                 prints->lines, line);
    gt_repair_report(repair, error, "; left out; the program prints to the trace's file, too");
    gt_repair_count(repair, error);
    prints->lines = 0;
}
