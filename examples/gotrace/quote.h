/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef QUOTE_H
#define QUOTE_H

#include <gotrace/types.h>

#include "output.h"

/*
 * Writes a string of the trace between double quotes as Go's %q does: valid
 * UTF-8 that is printable stays as it is, all else is escaped.
 */
void quote_write(struct output *out, gt_string string);
/* The same without the quotes around it. */
void quote_write_inner(struct output *out, gt_string string);

#endif
