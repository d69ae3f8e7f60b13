/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_WRITER_H
#define GT_RAW_WRITER_H

#include "raw/out.h"
#include "raw/raw.h"

struct gt_raw_writer {
    struct gt_mem mem;
    struct gt_out out;
    /* With GT_RAW_SET_SIZES: the open batch's records, of which `held_bytes` are to be stated. */
    struct gt_out held;
    uint64_t held_bytes;
    int holding;
    uint64_t header[4];       /* the batch's arguments, ... */
    uint8_t header_widths[4]; /* ... and their widths, ... */
    int header_has_widths;    /* ... where it has any */
    const gt_wire_spec *specs[256];
    gt_write_fn write;
    void *user_data;
    gt_error error;
    uint64_t flags;
    uint32_t version;
    uint32_t form;
    int busy;
};

/*
 * Appends a record that was found to fit its `spec` to `out`. Where there is no
 * memory, what was appended of it is of no use. See GT_RAW_AS_GO for `as_go`.
 */
gt_status gt_raw_put_bytes(struct gt_out *out, uint32_t version, const gt_wire_spec *spec,
                           const gt_raw_event *event);
gt_status gt_raw_put_text(struct gt_out *out, int as_go, const gt_wire_spec *spec,
                          const gt_raw_event *event);

/* Appends the line "Trace Go1.N". */
gt_status gt_raw_put_text_header(struct gt_out *out, uint32_t version);

#endif
