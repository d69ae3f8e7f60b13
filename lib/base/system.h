/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_SYSTEM_H
#define GT_BASE_SYSTEM_H

#include "base/text.h"

/*
 * Whether a goroutine that starts in the function `name` is one of the runtime's own. The rule is
 * that of IsSystemGoroutine in Go's internal/trace/summary.go.
 */
static inline bool gt_is_system_goroutine(gt_string name)
{
    return name.size == 0 ||
           (gt_text_starts_with(name, "runtime.") && !gt_text_is(name, "runtime.main"));
}

#endif
