/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_WIDTHS_H
#define GT_RAW_WIDTHS_H

#include "raw/raw.h"

/*
 * Whether there is a width in event->widths for each number of the record, and each is large enough
 * for its number. Everything else about the event must have been checked.
 */
bool gt_raw_widths_fit(uint32_t version, const gt_wire_spec *spec, const gt_raw_event *event);

#endif
