/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROFILETEXT_H
#define PROFILETEXT_H

#include <gotrace/profile.h>

#include "output.h"

/*
 * Writes a line for each sample of a kind, sorted by their bytes:
 *
 *     COUNT NANOSECONDS FUNCTION:LINE;FUNCTION:LINE;...
 *
 * with the leaf first, and a state in brackets before it. Control characters become '?'.
 */
gt_status profiletext_write(struct output *out, gt_profile *profile, uint32_t kind);

#endif
