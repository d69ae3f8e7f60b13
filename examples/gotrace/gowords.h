/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOWORDS_H
#define GOWORDS_H

#include <stdbool.h>

#include <gotrace/types.h>

/* The names that Go itself puts into traces, which tell nothing about a program. */

/* Returns whether `path` is that of one of Go's own packages, whole. */
bool gowords_has_package(gt_string path);

/* Returns whether a reason, a cause of a stop of the world or a label is one of Go's runtime. */
bool gowords_has_text(gt_string text);

#endif
