/* SPDX-License-Identifier: BSD-3-Clause */
#include "sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 2 to the power of 40, so that what is a fraction of such a power is not rounded. */
#define SHARE_UNITS 1099511627776.0

static void mix(struct sum *sum, unsigned byte)
{
    sum->hash = (sum->hash ^ byte) * UINT64_C(0x100000001b3);
}

void sum_number(struct sum *sum, uint64_t number)
{
    unsigned i;

    for (i = 0; i < 8; i++)
        mix(sum, (unsigned) (number >> 8 * i & 0xff));
    sum->hash ^= sum->hash >> 29;
    sum->count++;
}

void sum_signed(struct sum *sum, int64_t number)
{
    sum_number(sum, (uint64_t) number);
}

void sum_bytes(struct sum *sum, const void *data, size_t size)
{
    const uint8_t *bytes = data;

    for (size_t i = 0; i < size; i++)
        mix(sum, bytes[i]);
    sum->count += size;
}

void sum_string(struct sum *sum, gt_string string)
{
    sum_number(sum, string.size);
    sum_bytes(sum, string.data, string.size);
}

void sum_frame(struct sum *sum, const gt_frame *frame)
{
    sum_number(sum, frame->pc);
    sum_number(sum, frame->line);
    sum_string(sum, frame->function);
    sum_string(sum, frame->file);
}

void sum_share(struct sum *sum, double share)
{
    sum_number(sum, (uint64_t) (share * SHARE_UNITS + 0.5));
}

int sum_write(void *user_data, const void *data, size_t size)
{
    sum_bytes(user_data, data, size);
    return 0;
}

gt_reader *sum_open(const struct trace *trace, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader;

    options.flags = flags;
    if (gt_reader_open_memory(&reader, trace->data, trace->size, &options, &error) == GT_OK)
        return reader;
    fprintf(stderr, "no trace: %s\n", error.message);
    exit(2);
}
