/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_PACK_H
#define GT_V2_PACK_H

#include <string.h>

#include "base/likely.h"
#include "model/event.h"
#include "v2/record.h"

/* From decoded events to records. */

/*
 * Packs an event of a frequent type, of the thread with this rank. Only what such an event has is
 * taken from `*data`. Returns the end of the record.
 */
static GT_ALWAYS_INLINE struct gt_v2_record *gt_v2_pack_quick(struct gt_v2_record *record,
                                                              const struct gt_event_data *data,
                                                              uint8_t type, uint32_t rank,
                                                              int64_t time)
{
    record->time = time;
    record->argument = data->arguments[0];
    record->stack = data->stack;
    record->string = data->strings[0];
    record->extra = data->strings[1];
    record->head = rank << 8 | type;
    if (type == GT_WIRE_GO_CREATE || type == GT_WIRE_GO_CREATE_BLOCKED)
        record->extra = data->own_stack;
    if (GT_UNLIKELY(type == GT_WIRE_GC_SWEEP_END))
        memcpy(&record->stack, &data->arguments[1], sizeof(data->arguments[1]));
    return record + 1;
}

/* Packs an event of any type, all of whose members are set. Returns the end of its records. */
static inline struct gt_v2_record *gt_v2_pack(struct gt_v2_record *record,
                                              const struct gt_event_data *data, uint32_t rank)
{
    if (gt_v2_forms[data->type] != GT_V2_FORM_WHOLE)
        return gt_v2_pack_quick(record, data, data->type, rank, data->event.time);
    record->time = data->event.time;
    record->head = rank << 8 | data->type;
    memcpy(record + 1, data, sizeof(*data));
    return record + GT_V2_RECORDS_WHOLE;
}

#endif
