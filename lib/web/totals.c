/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/totals.h"
#include "base/time.h"

const unsigned int gt_totals_percents[GT_TOTALS_PERCENTILES] = {50, 95, 99};

/* The user data of a summary's callbacks. */
struct summing {
    struct gt_totals *totals;
    gt_summary *summary;
    bool out_of_memory;
};

static void totals_on_goroutine(void *user_data, const gt_goroutine_summary *goroutine)
{
    struct summing *summing = user_data;
    if (!summing->out_of_memory)
        summing->out_of_memory = !gt_totals_add_goroutine(summing->totals, goroutine);
}

static void totals_on_region(void *user_data, const gt_region_summary *region)
{
    struct summing *summing = user_data;
    if (!summing->out_of_memory)
        summing->out_of_memory = !gt_totals_add_region(summing->totals, region);
}

static void totals_on_task(void *user_data, const gt_task_summary *task)
{
    struct summing *summing = user_data;
    if (!summing->out_of_memory)
        summing->out_of_memory = !gt_totals_add_task(summing->totals, task);
}

static gt_status totals_on_event(void *user_data, gt_reader *reader, const gt_event *event)
{
    struct summing *summing = user_data;
    struct gt_totals *totals = summing->totals;
    if (!totals->begun)
        totals->start = event->time;
    totals->begun = true;
    totals->end = gt_time_minus(event->time, totals->start);
    gt_status status = gt_summary_event(summing->summary, reader, event);
    if (status != GT_OK)
        return status;
    if (event->kind == GT_EVENT_TASK_BEGIN || event->kind == GT_EVENT_TASK_END ||
        event->kind == GT_EVENT_LOG)
        summing->out_of_memory |= !gt_totals_add_event(totals, event);
    return summing->out_of_memory ? GT_ERR_NO_MEMORY : GT_OK;
}

static bool totals_sum_up(struct gt_analysis_pass *pass, struct summing *summing)
{
    gt_summary_options options = GT_SUMMARY_OPTIONS_INIT;
    options.flags = GT_SUMMARY_DROP;
    options.on_goroutine = totals_on_goroutine;
    options.on_region = totals_on_region;
    options.on_task = totals_on_task;
    options.user_data = summing;
    options.allocator = &summing->totals->mem->allocator;
    gt_status status = gt_summary_open(&summing->summary, &options, NULL);
    if (status != GT_OK)
        return gt_analysis_fail(pass, status);
    bool good = gt_analysis_read(pass, totals_on_event, summing);
    if (good) {
        status = gt_summary_finish(summing->summary);
        if (summing->out_of_memory)
            status = GT_ERR_NO_MEMORY;
        if (status != GT_OK)
            good = gt_analysis_fail(pass, status);
    }
    gt_summary_close(&summing->summary);
    return good;
}

static void totals_free(struct gt_mem *mem, void *result)
{
    struct gt_totals *totals = result;
    gt_totals_free_groups(totals);
    gt_totals_free_regions(totals);
    gt_totals_free_tasks(totals);
    gt_dictionary_free(&totals->names);
    gt_mem_free(mem, totals, sizeof(*totals));
}

static void *totals_run(struct gt_analysis_pass *pass, const void *key)
{
    (void) key;
    struct gt_mem *mem = &pass->web->mem;
    struct gt_totals *totals = gt_mem_alloc(mem, sizeof(*totals));
    if (!totals)
        return gt_analysis_fail(pass, GT_ERR_NO_MEMORY);
    *totals =
        (struct gt_totals){.mem = mem, .names.mem = mem, .region_keys.mem = mem, .events.mem = mem};
    gt_idmap_init(&totals->task_ids, mem);
    struct summing summing = {totals, NULL, false};
    if (totals_sum_up(pass, &summing)) {
        if (gt_totals_finish_groups(totals) && gt_totals_finish_regions(totals) &&
            gt_totals_finish_tasks(totals))
            return totals;
        gt_analysis_fail(pass, GT_ERR_NO_MEMORY);
    }
    totals_free(mem, totals);
    return NULL;
}

const struct gt_analysis_kind gt_totals_kind = {totals_run, totals_free};

void gt_totals_measure(struct gt_totals_lengths *lengths, struct gt_mem *mem,
                       struct gt_distribution *distribution)
{
    lengths->count = distribution->count;
    lengths->most = distribution->most;
    for (size_t i = 0; i < GT_TOTALS_PERCENTILES; i++)
        lengths->percentiles[i] = gt_distribution_percentile(distribution, gt_totals_percents[i]);
    gt_distribution_free(distribution, mem);
}
