/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_BUILD_H
#define VIEW_BUILD_H

#include <stdbool.h>

struct view;

/*
 * Makes view->store, and starts the thread that fills it with the trace and tells how far
 * it is in view->progress. Damaged traces are repaired where they can be from then on, so
 * that the viewer shows what is good. False: out of memory, or of threads; nothing is left.
 */
bool view_build_start(struct view *view);

/* Ends the thread, early where it is not done, and frees view->store. Goes without a start. */
void view_build_stop(struct view *view);

#endif
