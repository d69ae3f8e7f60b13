/* SPDX-License-Identifier: BSD-3-Clause */
/* The event of lttng.c, which LTTng's headers read several times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng.h"

#if !defined(BENCH_LTTNG_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_LTTNG_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(bench, event, LTTNG_UST_TP_ARGS(unsigned, number),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(unsigned, number, number)))

#endif

#include <lttng/tracepoint-event.h>
