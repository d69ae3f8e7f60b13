/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JSONSTRING_H
#define JSONSTRING_H

#include <gotrace/types.h>

#include "output.h"

/*
 * Writes a string of the trace as Go's encoding/json does: between double quotes, with
 * what is special to HTML escaped, and U+FFFD for what is not UTF-8.
 */
void jsonstring_write(struct output *out, gt_string string);

#endif
