/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The unit test of an analyzer, which needs no trace: it makes the events that the analyzer is to
 * see. The analyzer is `struct waits`, which sums up how long goroutines wait for a mutex.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <gotrace/gotrace.h>

struct waits {
    int64_t since[16]; /* by goroutine: when its wait began; 0: it does not wait */
    int64_t total;
};

static void waits_take(struct waits *waits, const gt_event *event)
{
    static const char mutex[] = "sync.(*Mutex).Lock";
    gt_transition change = GT_TRANSITION_INIT;
    if (gt_event_goroutine_transition(event, &change) != GT_OK || change.resource.id < 0 ||
        change.resource.id >= 16)
        return;
    int64_t *since = &waits->since[change.resource.id];
    if (change.from == GT_GO_WAITING && *since != 0)
        waits->total += event->time - *since;
    bool is_wait = change.to == GT_GO_WAITING && change.reason.size == sizeof(mutex) - 1 &&
                   memcmp(change.reason.data, mutex, sizeof(mutex) - 1) == 0;
    *since = is_wait ? event->time : 0;
}

/* Makes a change of goroutine 7 at a time, gives it to the analyzer, and frees it. */
static void give(struct waits *waits, int64_t time, uint32_t from, uint32_t to, const char *reason)
{
    gt_event_make_options options = GT_EVENT_MAKE_OPTIONS_INIT;
    gt_transition change = GT_TRANSITION_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_event *event;
    gt_goroutine_transition_make(7, from, to, &change);
    change.reason.data = reason;
    change.reason.size = strlen(reason);
    options.kind = GT_EVENT_STATE_TRANSITION;
    options.time = time;
    options.transition = &change;
    if (gt_event_make(&event, &options, &error) != GT_OK) {
        fprintf(stderr, "%s\n", error.message);
        return;
    }
    waits_take(waits, event);
    gt_event_free(&event);
}

int main(void)
{
    struct waits waits = {{0}, 0};
    give(&waits, 100, GT_GO_RUNNING, GT_GO_WAITING, "sync.(*Mutex).Lock");
    give(&waits, 130, GT_GO_WAITING, GT_GO_RUNNABLE, "");
    give(&waits, 200, GT_GO_RUNNING, GT_GO_WAITING, "chan receive");
    give(&waits, 900, GT_GO_WAITING, GT_GO_RUNNABLE, "");
    printf("waited for mutexes: %" PRId64 " ns\n", waits.total);
    return waits.total == 30 ? 0 : 1;
}
