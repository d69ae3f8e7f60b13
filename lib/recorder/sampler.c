/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/sampler.h"

#include "base/hash.h"
#include "recorder/list.h"
#include "recorder/sample.h"

/* Called by the signal handler. A thread that is being detached is not found any more. */
static void sampler_take(void *owner, const void *context)
{
    gt_recorder *recorder = owner;
    gt_rec_sample(gt_rec_thread_self(recorder), context);
}

bool gt_recorder_sampler_open(gt_recorder *recorder)
{
    if (recorder->sample_hz == 0)
        return true;
    recorder->sampler.timers = gt_system_timers_open(recorder, sampler_take);
    return recorder->sampler.timers;
}

void gt_recorder_sampler_close(gt_recorder *recorder)
{
    if (!recorder->sampler.timers)
        return;
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next)
        gt_system_timer_destroy(&((gt_rec_thread *) link)->samples->timer);
    gt_system_timers_close(recorder->sampler.timers, false);
}

void gt_recorder_sampler_forget(gt_recorder *recorder)
{
    if (recorder->sampler.timers)
        gt_system_timers_close(recorder->sampler.timers, true);
}

/*
 * The first sample comes at any time within a period, so that threads which live shorter than that
 * have their share of samples.
 */
static void sampler_start_timer(const gt_rec_thread *t)
{
    uint64_t period = 1000000000 / t->recorder->sample_hz;
    uint64_t first = gt_hash_pair(t->id, gt_system_clock(), t->recorder->texts.secret) % period;
    gt_system_timer_set(&t->samples->timer, first + 1, period);
}

void gt_recorder_sampler_add(gt_rec_thread *t)
{
    gt_recorder *recorder = t->recorder;
    if (!recorder->sampler.timers)
        return;
    gt_system_lock(&recorder->sampler.lock);
    gt_system_timer_init(&t->samples->timer, recorder->sampler.timers);
    if (recorder->sampler.is_on)
        sampler_start_timer(t);
    gt_system_unlock(&recorder->sampler.lock);
}

void gt_recorder_sampler_remove(gt_rec_thread *t)
{
    gt_recorder *recorder = t->recorder;
    if (!recorder->sampler.timers)
        return;
    gt_system_lock(&recorder->sampler.lock);
    gt_system_timer_destroy(&t->samples->timer);
    gt_system_unlock(&recorder->sampler.lock);
}

void gt_recorder_sampler_set(gt_recorder *recorder, bool is_on)
{
    if (!recorder->sampler.timers || recorder->sampler.is_on == is_on)
        return;
    gt_system_lock(&recorder->sampler.lock);
    recorder->sampler.is_on = is_on;
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next) {
        const gt_rec_thread *t = (const gt_rec_thread *) link;
        if (is_on)
            sampler_start_timer(t);
        else
            gt_system_timer_set(&t->samples->timer, 0, 0);
    }
    gt_system_unlock(&recorder->sampler.lock);
}
