/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of someone else's that uses three of the libraries:
 *
 *     consumer FILE
 *
 * prints the library's version, how many events the trace has, and how many of what was
 * drawn of it came out of the emitter.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/emitter.h>
#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>

static int take_event(void *user_data, const gt_viewer_event *event, int required)
{
    uint64_t *drawn = user_data;
    (void) event;
    (void) required;
    ++*drawn;
    return 0;
}

static void require(gt_status status, const char *what)
{
    if (status == GT_OK)
        return;
    fprintf(stderr, "consumer: %s: %s\n", what, gt_status_text(status));
    exit(1);
}

int main(int argc, char **argv)
{
    gt_reader *reader;
    gt_emitter *emitter;
    gt_timeline *timeline;
    gt_consumer consumer = GT_CONSUMER_INIT;
    const gt_event *event;
    uint64_t events = 0, drawn = 0;
    gt_status status;

    consumer.user_data = &drawn;
    consumer.event = take_event;
    require(gt_reader_open_file(&reader, argc > 1 ? argv[1] : "", NULL, NULL), "open");
    require(gt_emitter_open(&emitter, &consumer, NULL, NULL), "emitter");
    require(gt_timeline_open(&timeline, reader, emitter, NULL, NULL), "timeline");
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        require(gt_timeline_event(timeline, event), "draw");
        events++;
    }
    require(status == GT_END ? GT_OK : status, "read");
    require(gt_timeline_finish(timeline), "finish");
    require(gt_emitter_flush(emitter), "flush");
    gt_timeline_close(&timeline);
    gt_emitter_close(&emitter);
    gt_reader_close(&reader);
    if (strcmp(gt_library_version_text(), VERSION) != 0 || gt_library_version() != GT_VERSION) {
        fputs("consumer: runs with another library than it was built with\n", stderr);
        return 1;
    }
    printf("%s %" PRIu64 " %" PRIu64 "\n", gt_library_version_text(), events, drawn);
    return 0;
}
