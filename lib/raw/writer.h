/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_WRITER_H
#define GT_RAW_WRITER_H

#include "raw/out.h"
#include "raw/raw.h"

struct gt_raw_writer {
    struct gt_mem mem;
    struct gt_out out;

    /*
     * With GT_RAW_SET_SIZES the records of a batch are held back until the size that its header
     * must have is known.
     */
    struct gt_out held;
    uint64_t held_bytes;      /* the size of the held records in the binary form */
    bool is_holding;          /* a batch is open */
    uint64_t header[4];       /* the arguments of the batch */
    uint8_t header_widths[4]; /* the widths of the arguments, if header_has_widths is set */
    bool header_has_widths;

    const gt_wire_spec *specs[256];
    gt_write_fn write;
    void *user_data;
    gt_error error;
    uint64_t flags;
    uint32_t version;
    uint32_t form;
    bool busy;
};

/*
 * These functions append a record, which must fit its `spec`, to `out`, in the binary form or in
 * the text form, for which see GT_RAW_AS_GO. If there is no memory, a part of the record may have
 * been appended.
 */
gt_status gt_raw_put_bytes(struct gt_out *out, uint32_t version, const gt_wire_spec *spec,
                           const gt_raw_event *event);
gt_status gt_raw_put_text(struct gt_out *out, bool as_go, const gt_wire_spec *spec,
                          const gt_raw_event *event);

/* Appends the first line of the text form, "Trace Go1.N". */
gt_status gt_raw_put_text_header(struct gt_out *out, uint32_t version);

#endif
