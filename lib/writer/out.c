/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/out.h"

#include "base/json_string.h"

void gt_json_out_init(struct gt_json_out *out, gt_write_fn write, void *user_data)
{
    out->write = write;
    out->user_data = user_data;
    out->handed_on = 0;
    out->failed = 0;
    memset(&out->time, 0, sizeof(out->time));
    out->at = out->data;
}

void gt_json_out_flush(struct gt_json_out *out)
{
    size_t size = (size_t) (out->at - out->data);
    if (out->write && !out->failed && size != 0 && out->write(out->user_data, out->data, size) != 0)
        out->failed = 1;
    out->handed_on += size;
    out->at = out->data;
}

void gt_json_put(struct gt_json_out *out, const char *data, size_t size)
{
    while (size > gt_json_out_room(out)) {
        size_t part = gt_json_out_room(out);
        memcpy(out->at, data, part);
        out->at += part;
        data += part;
        size -= part;
        gt_json_out_flush(out);
    }
    if (size != 0) {
        memcpy(out->at, data, size);
        out->at += size;
    }
}

void gt_json_put_string(struct gt_json_out *out, gt_string text)
{
    gt_json_out_reserve(out);
    *out->at++ = '"';
    while (text.size != 0) {
        gt_json_out_reserve(out);
        out->at += gt_json_string_put(&text, out->at, gt_json_out_room(out));
    }
    gt_json_out_reserve(out);
    *out->at++ = '"';
    gt_json_out_reserve(out);
}
