/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STACKTEXT_H
#define STACKTEXT_H

/* Stacks in the cells of tables. */

#include <stddef.h>

#include <gotrace/stack.h>
#include <gotrace/types.h>

/*
 * Returns the innermost function outside of package runtime or, if there is none, the innermost
 * one. There must be a frame.
 */
gt_string stacktext_outside_runtime(const gt_frame *frames, size_t count);

/*
 * Returns the functions of all frames with semicolons in between, of which there must be one, as a
 * text from malloc, and sets `*text`. Returns NULL if there is not enough memory.
 */
char *stacktext_join(gt_string *text, const gt_frame *frames, size_t count);

#endif
