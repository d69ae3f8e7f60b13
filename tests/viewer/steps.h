/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEWER_STEPS_H
#define TESTS_VIEWER_STEPS_H

#include <stddef.h>

#include <gotrace/emitter.h>

/*
 * One call of each function that emits, with arguments that make it emit something. The
 * last is gt_emitter_flush.
 */
struct step {
    const char *name;
    gt_status (*call)(gt_emitter *emitter);
};

extern const struct step steps[];
extern const size_t step_count;

#endif
