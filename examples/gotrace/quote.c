/* SPDX-License-Identifier: BSD-3-Clause */
#include "quote.h"

enum {
    /* A string is quoted in pieces of up to this many bytes. */
    PIECE = 4096
};

void quote_write_inner(struct output *out, gt_string string)
{
    while (string.size > 0) {
        char *to = output_reserve(out, PIECE);
        output_commit(out, to + gt_string_quote(&string, to, PIECE));
    }
}

void quote_write(struct output *out, gt_string string)
{
    output_bytes(out, "\"", 1);
    quote_write_inner(out, string);
    output_bytes(out, "\"", 1);
}
