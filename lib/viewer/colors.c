/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/colors.h"

#include "viewer/check.h"

/*
 * Viewers know colours by what Chrome uses them for. Which ones tasks get, and in
 * which order, is that of emitter.go in internal/trace/traceviewer.
 */
static const gt_string colors[] = {
    GT_LITERAL("thread_state_uninterruptible"),       /* mauve */
    GT_LITERAL("thread_state_iowait"),                /* orange */
    GT_LITERAL("thread_state_running"),               /* sea green */
    GT_LITERAL("thread_state_runnable"),              /* light blue */
    GT_LITERAL("thread_state_unknown"),               /* tan */
    GT_LITERAL("light_memory_dump"),                  /* midnight blue */
    GT_LITERAL("background_memory_dump"),             /* turquoise */
    GT_LITERAL("detailed_memory_dump"),               /* magenta */
    GT_LITERAL("good"),                               /* green */
    GT_LITERAL("bad"),                                /* dark gold */
    GT_LITERAL("terrible"),                           /* dark red */
    GT_LITERAL("olive"), GT_LITERAL("rail_response"), /* cornflower blue */
    GT_LITERAL("rail_animation"),                     /* tomato */
    GT_LITERAL("rail_idle"),                          /* tangerine */
    GT_LITERAL("rail_load"),                          /* shamrock green */
    GT_LITERAL("heap_dump_child_node_arrow"),         /* brown */
    GT_LITERAL("cq_build_running"),                   /* lemon */
    GT_LITERAL("cq_build_passed"),                    /* lime */
    GT_LITERAL("cq_build_failed"),                    /* pink */
    GT_LITERAL("cq_build_abandoned"),                 /* silver */
    /* Viewers know it only with the letter missing. */
    GT_LITERAL("cq_build_attempt_runnig"), /* pale yellow */
    GT_LITERAL("cq_build_attempt_passed"), /* grass green */
};

gt_string gt_color_of_task(uint64_t task)
{
    return colors[task % (sizeof(colors) / sizeof(*colors))];
}
