/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_ENCODE_H
#define GT_WRITER_ENCODE_H

#include <gotrace/emitter.h>

#include "writer/out.h"

/*
 * Writes an event as one line. The keys, their order and when they are omitted are those of
 * format.go in internal/trace/traceviewer/format.
 */
void gt_json_put_event(struct gt_json_out *out, const gt_viewer_event *event);

#endif
