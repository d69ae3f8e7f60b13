/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_WIDTHS_H
#define GT_RAW_WIDTHS_H

#include "raw/raw.h"

/*
 * Whether event->widths are as many as the record's numbers, and each is wide
 * enough for its number. All else about the event must have been checked.
 */
int gt_raw_widths_fit(uint32_t version, const gt_wire_spec *spec, const gt_raw_event *event);

#endif
