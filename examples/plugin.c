/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plugin for a host that knows nothing of traces: it exports one function, which counts the
 * events of a trace in memory, and contains the library without exporting it.
 *
 * To build it:
 *
 *     cc -shared -fPIC -fvisibility=hidden -o plugin.so plugin.c libgotrace.a -lpthread
 */
#include <stddef.h>
#include <stdint.h>

#include <gotrace/gotrace.h>

/* Returns the number of events, or -1 if the trace cannot be read to its end. */
__attribute__((visibility("default"))) int64_t plugin_count_events(const void *data, size_t size);

int64_t plugin_count_events(const void *data, size_t size)
{
    gt_reader *reader;
    const gt_event *event;
    int64_t count = 0;
    gt_status status = gt_reader_open_memory(&reader, data, size, NULL, NULL);
    if (status != GT_OK)
        return -1;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        count++;
    gt_reader_close(&reader);
    return status == GT_END ? count : -1;
}
