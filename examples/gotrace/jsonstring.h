/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JSONSTRING_H
#define JSONSTRING_H

#include <gotrace/types.h>

#include "output.h"

/*
 * Writes a string of the trace as Go's encoding/json does: in double quotes, with characters that
 * are special in HTML escaped, and with U+FFFD in place of invalid UTF-8.
 */
void jsonstring_write(struct output *out, gt_string string);

#endif
