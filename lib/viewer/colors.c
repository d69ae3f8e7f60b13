/* SPDX-License-Identifier: BSD-3-Clause */
#include "viewer/colors.h"

#include "viewer/check.h"

/*
 * Viewers name colours after what Chrome uses them for. These are the colours of tasks in
 * emitter.go of internal/trace/traceviewer, in the same order.
 */
static const gt_string task_colors[] = {
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
    /* The letter is missing in the name that viewers know. */
    GT_LITERAL("cq_build_attempt_runnig"), /* pale yellow */
    GT_LITERAL("cq_build_attempt_passed"), /* grass green */
};

gt_string gt_color_of_task(uint64_t task)
{
    return task_colors[task % (sizeof(task_colors) / sizeof(*task_colors))];
}
