/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/inside.h"

#include "base/error.h"
#include "base/sized.h"
#include "recorder/flight.h"
#include "recorder/frames.h"
#include "recorder/hold.h"
#include "recorder/list.h"
#include "recorder/modules.h"
#include "recorder/output.h"
#include "recorder/recent.h"
#include "recorder/relief.h"
#include "recorder/sample.h"
#include "recorder/sampler.h"
#include "recorder/stack.h"
#include "recorder/texts.h"
#include "recorder/thread.h"
#include "recorder/ticker.h"
#include "recorder/window.h"

static const uint64_t RECORDER_MEMORY = UINT64_C(64) << 20;
static const uint64_t RECORDER_PERIOD = 1000000000;
static const uint64_t RECORDER_PERIOD_LEAST = 1000000;
static const uint64_t RECORDER_PERIOD_MOST = UINT64_C(3600) * 1000000000;

static const struct gt_options_layout RECORDER_LAYOUT = GT_OPTIONS_LAYOUT(
    gt_recorder_options, user_data,
    GT_RECORDER_NO_THREAD | GT_RECORDER_IMPLICIT | GT_RECORDER_KEEP_PROCS | GT_RECORDER_TSC |
        GT_RECORDER_SAMPLES | GT_RECORDER_UNWIND | GT_RECORDER_WAIT);

static gt_status recorder_take_options(gt_recorder_options *options, gt_allocator *allocator,
                                       const gt_recorder_options *in, gt_error *failure)
{
    gt_recorder_options defaults = GT_RECORDER_OPTIONS_INIT;
    *options = defaults;
    gt_status status = gt_options_take(options, allocator, &RECORDER_LAYOUT, in, failure);
    if (status != GT_OK)
        return status;
    if (options->memory_limit == 0)
        options->memory_limit = RECORDER_MEMORY;
    if (options->period == 0)
        options->period = RECORDER_PERIOD;
    if (options->period < RECORDER_PERIOD_LEAST || options->period > RECORDER_PERIOD_MOST)
        return gt_error_refuse(failure, "options.period is out of range");
    if ((options->flags & (GT_RECORDER_IMPLICIT | GT_RECORDER_KEEP_PROCS)) ==
        GT_RECORDER_KEEP_PROCS)
        return gt_error_refuse(failure, "options.flags has GT_RECORDER_KEEP_PROCS without "
                                        "GT_RECORDER_IMPLICIT");
    if (options->stack_depth > GT_REC_STACK_DEPTH_MAX)
        return gt_error_refuse(failure, "options.stack_depth is out of range");
    if (options->clock
            ? options->clock_hz < GT_REC_CLOCK_HZ_MIN || options->clock_hz > GT_REC_CLOCK_HZ_MAX
            : options->clock_hz != 0)
        return gt_error_refuse(failure, "options.clock_hz is out of range");
    if (options->sample_hz > GT_REC_SAMPLE_HZ_MAX)
        return gt_error_refuse(failure, "options.sample_hz is out of range");
    if (options->version == 0)
        options->version = GT_RECORDER_NEWEST;
    if (options->version != GT_RECORDER_NEWEST && options->version != GT_RECORDER_OLDEST)
        return gt_error_refuse(failure, "options.version is none that a recorder writes");
    return GT_OK;
}

static void recorder_free_regions(gt_recorder *recorder)
{
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->gos);
    for (; link; link = link->next)
        gt_array_free(&recorder->mem, &((gt_rec_go *) link)->regions);
}

static void recorder_free_list(gt_recorder *recorder, struct gt_recorder_list *list, size_t size)
{
    struct gt_recorder_link *link = gt_recorder_list_first(list);
    while (link) {
        struct gt_recorder_link *next = link->next;
        gt_mem_free(&recorder->mem, link, size);
        link = next;
    }
}

static void recorder_free_buffers(gt_recorder *recorder)
{
    struct gt_recorder_link *link = gt_recorder_list_first(&recorder->threads);
    for (; link; link = link->next) {
        for (unsigned i = 0; i < 2; i++) {
            gt_recorder_buffer_hand_over((gt_rec_thread *) link, i);
            gt_recorder_stacks_free((gt_rec_thread *) link, i);
        }
    }
    for (unsigned i = 0; i < 2; i++)
        gt_recorder_queue_free(recorder, &recorder->queues[i]);
}

/* Frees everything but what the system has. */
static void recorder_free(gt_recorder *recorder)
{
    recorder_free_buffers(recorder);
    recorder_free_list(recorder, &recorder->threads, recorder->thread_size);
    recorder_free_regions(recorder);
    recorder_free_list(recorder, &recorder->gos, sizeof(gt_rec_go));
    recorder_free_list(recorder, &recorder->procs, sizeof(gt_rec_proc));
    gt_recorder_frames_free(recorder);
    gt_recorder_modules_free(recorder);
    gt_texts_destroy(&recorder->texts);
    gt_mem_free(&recorder->mem, recorder->output, sizeof(*recorder->output));
    gt_mem_delete(&recorder->mem, recorder, sizeof(*recorder));
}

static gt_status recorder_fill(gt_recorder *recorder, const gt_recorder_options *options)
{
    gt_error none = GT_ERROR_INIT;
    recorder->flags = options->flags;
    recorder->period = options->period;
    recorder->stack_depth = options->stack_depth;
    recorder->sample_hz = options->sample_hz;
    if (options->sample_hz > 0)
        recorder->flags |= GT_RECORDER_SAMPLES;
    recorder->sample_words = gt_recorder_sample_words(recorder);
    recorder->thread_size = sizeof(gt_rec_thread) + gt_recorder_recent_size(recorder) +
                            gt_recorder_samples_size(recorder);
    recorder->relieve = gt_recorder_relieve;
    recorder->version = options->version;
    recorder->unwind = options->unwind;
    recorder->name = options->name;
    recorder->user_data = options->user_data;
    recorder->error = none;
    gt_atomic_set(&recorder->ticker_period, options->period);
    gt_atomic_set(&recorder->next_go, 1);
    gt_atomic_set(&recorder->next_task, 1);
    /* Others have the numbers up to there. */
    gt_atomic_set(&recorder->next_string, GT_RECORDER_TEXTS + 1);
    gt_atomic_set(&recorder->next_stack, GT_STACK_FIRST);
    gt_atomic_set(&recorder->first_streamed, GT_NO_GENERATION);
    gt_atomic_set(&recorder->first_kept, GT_NO_GENERATION);
    gt_recorder_window_init(&recorder->window);
    gt_recorder_clock_init(&recorder->clock, options);
    if (recorder->flags & GT_RECORDER_IMPLICIT)
        gt_atomic_set(&recorder->proc_count, gt_system_processor_count());
    recorder->has_barrier = gt_system_barrier_register();
    gt_atomic_set(&recorder->enters_slowly, !recorder->has_barrier);
    recorder->process = gt_system_process_id();
    recorder->output = gt_mem_alloc(&recorder->mem, sizeof(*recorder->output));
    if (!recorder->output)
        return gt_mem_failure(&recorder->mem);
    recorder->output->size = 0;
    recorder->output->to_stream = recorder->output->to_window = false;
    recorder->output->to = NULL;
    return gt_recorder_texts_init(recorder);
}

/* Makes what the system has of a recorder. On failure nothing remains. */
static bool recorder_init_system(gt_recorder *recorder)
{
    struct gt_system_mutex *mutexes[] = {&recorder->control,          &recorder->advancing,
                                         &recorder->registry,         &recorder->queueing,
                                         &recorder->gc.lock,          &recorder->window.lock,
                                         &recorder->window.answering, &recorder->sampler.lock};
    size_t made = 0;
    while (made < sizeof(mutexes) / sizeof(mutexes[0]) && gt_system_mutex_init(mutexes[made]))
        made++;
    if (made == sizeof(mutexes) / sizeof(mutexes[0]) &&
        gt_system_self_init(&recorder->self, gt_recorder_thread_leave)) {
        if (gt_system_bell_init(&recorder->bell))
            return true;
        gt_system_self_destroy(&recorder->self);
    }
    while (made > 0)
        gt_system_mutex_destroy(mutexes[--made]);
    return false;
}

static void recorder_destroy_system(gt_recorder *recorder)
{
    gt_system_bell_destroy(&recorder->bell);
    gt_system_self_destroy(&recorder->self);
    gt_system_mutex_destroy(&recorder->control);
    gt_system_mutex_destroy(&recorder->advancing);
    gt_system_mutex_destroy(&recorder->registry);
    gt_system_mutex_destroy(&recorder->queueing);
    gt_system_mutex_destroy(&recorder->gc.lock);
    gt_system_mutex_destroy(&recorder->window.lock);
    gt_system_mutex_destroy(&recorder->window.answering);
    gt_system_mutex_destroy(&recorder->sampler.lock);
}

static void recorder_destroy(gt_recorder *recorder)
{
    gt_recorder_sampler_close(recorder);
    recorder_destroy_system(recorder);
    recorder->mem.lock = NULL;
    gt_thread_mutex_destroy(&recorder->mem_lock);
    recorder_free(recorder);
}

/* What a failure is that its status does not tell is in `*failure`. */
static gt_status recorder_make(gt_recorder **out, const gt_recorder_options *options,
                               const gt_allocator *allocator, gt_error *failure)
{
    gt_status status;
    gt_recorder *recorder = gt_mem_create(sizeof(*recorder), offsetof(gt_recorder, mem), allocator,
                                          options->memory_limit, &status);
    if (!recorder)
        return status;
    status = recorder_fill(recorder, options);
    if (status == GT_OK && !recorder_init_system(recorder))
        status = GT_ERR_NO_MEMORY;
    if (status != GT_OK) {
        recorder_free(recorder);
        return status;
    }
    if (!gt_thread_mutex_init(&recorder->mem_lock)) {
        recorder_destroy_system(recorder);
        recorder_free(recorder);
        return GT_ERR_NO_MEMORY;
    }
    recorder->mem.lock = &recorder->mem_lock.lock;
    if (!gt_recorder_sampler_open(recorder)) {
        recorder_destroy(recorder);
        gt_error_set(failure, GT_ERR_LIMIT, GT_NO_OFFSET, 0,
                     "options.sample_hz: 16 recorders take samples already");
        return GT_ERR_LIMIT;
    }
    *out = recorder;
    return GT_OK;
}

gt_status gt_recorder_open(gt_recorder **recorder, const gt_recorder_options *options,
                           gt_error *error)
{
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    if (!recorder)
        return gt_error_report_refusal(error, "recorder is NULL");
    *recorder = NULL;
    gt_error failure = GT_ERROR_INIT;
    gt_recorder_options taken;
    gt_allocator allocator;
    gt_status status = recorder_take_options(&taken, &allocator, options, &failure);
    if (status != GT_OK)
        return gt_error_report(error, &failure);
    status = recorder_make(recorder, &taken, &allocator, &failure);
    if (failure.status != GT_OK)
        return gt_error_report(error, &failure);
    return status == GT_OK ? GT_OK : gt_error_report_plain(error, status);
}

void gt_recorder_forget(gt_recorder *recorder)
{
    gt_system_self_set(&recorder->self, NULL);
    gt_system_bell_destroy(&recorder->bell);
    gt_recorder_sampler_forget(recorder);
}

void gt_recorder_close(gt_recorder **recorder)
{
    if (!recorder || !*recorder)
        return;
    if (gt_recorder_is_in_child(*recorder)) {
        gt_recorder_forget(*recorder);
        *recorder = NULL;
        return;
    }
    /* The thread of the callback still uses the recorder. */
    if (gt_recorder_may_control(*recorder) != GT_OK || gt_recorder_is_answering(*recorder))
        return;
    /* An error cannot be told any more. */
    gt_recorder_stop(*recorder, NULL);
    gt_recorder_window_stop(*recorder);
    recorder_destroy(*recorder);
    *recorder = NULL;
}

gt_status gt_recorder_get_info(const gt_recorder *recorder, gt_recorder_info *info)
{
    if (!recorder || !gt_struct_fits(info, GT_UP_TO(gt_recorder_info, window_bytes)))
        return GT_ERR_INVALID_ARGUMENT;
    gt_recorder_info now = GT_RECORDER_INFO_INIT;
    now.generations = gt_atomic_get(&recorder->generations);
    now.bytes = gt_atomic_get(&recorder->bytes);
    now.window_bytes = gt_atomic_get(&recorder->window.size);
    now.lost_samples = gt_atomic_get(&recorder->lost_samples);
    now.conflicts = gt_atomic_get(&recorder->conflicts);
    gt_mem_count(&recorder->mem, &now.memory, &now.memory_peak);
    gt_struct_give(info, &now, sizeof(now));
    return GT_OK;
}
