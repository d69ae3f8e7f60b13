/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef QUOTE_H
#define QUOTE_H

#include <gotrace/types.h>

#include "output.h"

/*
 * Writes a string of the trace as Go's %q does, without the quotes: printable UTF-8 stays as it is,
 * everything else is escaped.
 */
void quote_write_inner(struct output *out, gt_string string);

/* Writes a string of the trace in double quotes as Go's encoding/json does. */
void quote_write_json(struct output *out, gt_string string);

#endif
