/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/ticker.h"

#include "recorder/flight.h"

static uint64_t ticker_now(void)
{
    return gt_system_moment().monotonic;
}

static void *ticker_run(void *argument)
{
    gt_recorder *recorder = argument;
    uint64_t last = ticker_now();
    gt_atomic_set(&recorder->ticker_id, gt_system_thread_id());
    while (!gt_atomic_get(&recorder->ticker_stops)) {
        uint64_t passed = ticker_now() - last, period = gt_atomic_get(&recorder->ticker_period);
        if (passed < period) {
            gt_system_bell_wait(&recorder->bell, period - passed);
        } else {
            last += passed;
            /* gt_recorder_stop tells of errors. */
            gt_recorder_advance(recorder);
        }
        gt_recorder_answer_request(recorder);
    }
    return NULL;
}

bool gt_recorder_ticker_start(gt_recorder *recorder)
{
    if ((recorder->flags & GT_RECORDER_NO_THREAD) != 0 || recorder->has_ticker)
        return true;
    gt_atomic_set(&recorder->ticker_stops, false);
    recorder->has_ticker = gt_thread_start(&recorder->ticker, ticker_run, recorder);
    return recorder->has_ticker;
}

void gt_recorder_ticker_stop(gt_recorder *recorder)
{
    if (!recorder->has_ticker)
        return;
    gt_atomic_set(&recorder->ticker_stops, true);
    gt_system_bell_ring(&recorder->bell);
    pthread_join(recorder->ticker, NULL);
    recorder->has_ticker = false;
    gt_atomic_set(&recorder->ticker_id, 0);
}
