/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/out.h"

#include "base/json_string.h"

void gt_json_out_init(struct gt_json_out *out, char *buffer, size_t size, gt_write_fn write,
                      void *user_data)
{
    out->write = write;
    out->user_data = user_data;
    out->flushed = 0;
    out->failed = false;
    memset(&out->time, 0, sizeof(out->time));
    out->end = out->buffer = buffer;
    out->limit = buffer + size;
}

void gt_json_out_flush(struct gt_json_out *out)
{
    size_t size = (size_t) (out->end - out->buffer);
    if (out->write && !out->failed && size != 0)
        out->failed = out->write(out->user_data, out->buffer, size) != 0;
    out->flushed += size;
    out->end = out->buffer;
}

void gt_json_put_string(struct gt_json_out *out, gt_string text)
{
    gt_json_out_reserve(out);
    *out->end++ = '"';
    while (text.size != 0) {
        gt_json_out_reserve(out);
        out->end += gt_json_string_put(&text, out->end, gt_json_out_room(out));
    }
    gt_json_out_reserve(out);
    *out->end++ = '"';
    gt_json_out_reserve(out);
}
