/* SPDX-License-Identifier: BSD-3-Clause */
#include "quote.h"

enum {
    /* Strings are quoted in pieces of up to this size. */
    PIECE = 4096
};

typedef size_t quote_fn(gt_string *rest, char *to, size_t room);

static void quote_write_pieces(struct output *out, gt_string string, quote_fn *quote)
{
    while (string.size > 0) {
        char *to = output_reserve(out, PIECE);
        output_commit(out, to + quote(&string, to, PIECE));
    }
}

void quote_write_inner(struct output *out, gt_string string)
{
    quote_write_pieces(out, string, gt_string_quote);
}

void quote_write_json(struct output *out, gt_string string)
{
    output_bytes(out, "\"", 1);
    quote_write_pieces(out, string, gt_string_escape_json);
    output_bytes(out, "\"", 1);
}
