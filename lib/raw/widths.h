/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_WIDTHS_H
#define GT_RAW_WIDTHS_H

#include "raw/raw.h"

/*
 * Returns whether event->widths has a width for each number of the record that is large enough. All
 * other members of the event must have been checked before.
 */
bool gt_raw_widths_fit(uint32_t version, const gt_wire_spec *spec, const gt_raw_event *event);

#endif
