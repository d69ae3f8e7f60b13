/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/window.h"

#include <string.h>

#include "recorder/memory.h"

void gt_recorder_window_init(struct gt_recorder_window *window)
{
    window->is_on = false;
    window->open = window->first = window->last = NULL;
    gt_atomic_set(&window->size, 0);
    gt_atomic_set(&window->answerer, 0);
}

static void kept_free(gt_recorder *recorder, struct gt_recorder_kept *kept)
{
    struct gt_recorder_piece *piece = kept->first;
    while (piece) {
        struct gt_recorder_piece *next = piece->next;
        gt_mem_free(&recorder->mem, piece, sizeof(*piece) + piece->size);
        piece = next;
    }
    gt_mem_free(&recorder->mem, kept, sizeof(*kept));
}

/* Removes the oldest generation. With the lock of the list, as the next functions. */
static void window_remove(gt_recorder *recorder)
{
    struct gt_recorder_window *window = &recorder->window;
    struct gt_recorder_kept *oldest = window->first;
    window->first = oldest->next;
    if (!window->first)
        window->last = NULL;
    gt_atomic_set(&window->size, gt_atomic_get(&window->size) - oldest->size);
    if (oldest->is_taken)
        oldest->is_removed = true;
    else
        kept_free(recorder, oldest);
}

/* Removes the generations before one; NULL: all. */
static void window_remove_before(gt_recorder *recorder, const struct gt_recorder_kept *first)
{
    while (recorder->window.first != first)
        window_remove(recorder);
}

/* Removes the oldest generations until a trace can begin. */
static void window_remove_parts(gt_recorder *recorder)
{
    const struct gt_recorder_window *window = &recorder->window;
    while (window->first && !window->first->can_be_first)
        window_remove(recorder);
}

bool gt_recorder_window_evict(gt_recorder *recorder)
{
    struct gt_recorder_window *window = &recorder->window;
    gt_system_lock(&window->lock);
    /* They are given back from the first one on. So where both ends are taken all are. */
    bool has_any = window->first && !(window->first->is_taken && window->last->is_taken);
    if (has_any) {
        window_remove(recorder);
        window_remove_parts(recorder);
    }
    gt_system_unlock(&window->lock);
    return has_any;
}

void gt_recorder_window_clear(gt_recorder *recorder)
{
    struct gt_recorder_window *window = &recorder->window;
    if (window->open)
        kept_free(recorder, window->open);
    window->open = NULL;
    gt_system_lock(&window->lock);
    window_remove_before(recorder, NULL);
    gt_system_unlock(&window->lock);
}

void gt_recorder_window_open(gt_recorder *recorder, uint64_t generation)
{
    struct gt_recorder_kept *kept = gt_recorder_memory_alloc_events(recorder, sizeof(*kept));
    recorder->window.open = kept;
    if (!kept)
        return;
    memset(kept, 0, sizeof(*kept));
    kept->number = generation;
    kept->begin = recorder->moment.system.monotonic;
    kept->time = recorder->moment.time;
    kept->can_be_first = true;
}

void gt_recorder_window_add(gt_recorder *recorder, const void *data, size_t size, bool is_lead)
{
    struct gt_recorder_kept *kept = recorder->window.open;
    if (!kept)
        return;
    struct gt_recorder_piece *piece =
        gt_recorder_memory_alloc_events(recorder, sizeof(*piece) + size);
    if (!piece) {
        gt_recorder_window_clear(recorder);
        return;
    }
    piece->next = NULL;
    piece->size = size;
    piece->is_lead = is_lead;
    memcpy(piece->bytes, data, size);
    if (kept->last)
        kept->last->next = piece;
    else
        kept->first = piece;
    kept->last = piece;
    kept->size += size;
}

/*
 * The newest generation stays, and older ones until the size or the age of what stays is more than
 * is asked for: so the generation that crosses a limit stays.
 */
void gt_recorder_window_trim(gt_recorder *recorder, uint64_t now)
{
    struct gt_recorder_window *window = &recorder->window;
    gt_system_lock(&window->lock);
    const struct gt_recorder_kept *first = window->first;
    uint64_t size = gt_atomic_get(&window->size);
    for (const struct gt_recorder_kept *kept = first; kept; kept = kept->next) {
        bool is_enough =
            size > window->max_bytes || (now > kept->begin && now - kept->begin > window->min_age);
        if (is_enough && kept->can_be_first)
            first = kept;
        size -= kept->size;
    }
    window_remove_before(recorder, first);
    gt_system_unlock(&window->lock);
}

void gt_recorder_window_close(gt_recorder *recorder, const struct gt_recorder_gc_part *gc)
{
    struct gt_recorder_window *window = &recorder->window;
    struct gt_recorder_kept *kept = window->open;
    window->open = NULL;
    gt_system_lock(&window->lock);
    if (!kept) {
        /* There is a gap before the next one. */
        window_remove_before(recorder, NULL);
    } else {
        kept->gc = *gc;
        if (window->last)
            window->last->next = kept;
        else
            window->first = kept;
        window->last = kept;
        gt_atomic_set(&window->size, gt_atomic_get(&window->size) + kept->size);
    }
    gt_system_unlock(&window->lock);
}

void gt_recorder_window_note_stop(gt_recorder *recorder, uint64_t first, uint64_t last)
{
    struct gt_recorder_window *window = &recorder->window;
    gt_system_lock(&window->lock);
    for (struct gt_recorder_kept *kept = window->first; kept; kept = kept->next)
        kept->can_be_first = kept->can_be_first && (kept->number <= first || kept->number > last);
    window_remove_parts(recorder);
    gt_system_unlock(&window->lock);
}

void gt_recorder_window_cut(gt_recorder *recorder, uint64_t last)
{
    struct gt_recorder_window *window = &recorder->window;
    gt_system_lock(&window->lock);
    while (window->first && window->first->number <= last)
        window_remove(recorder);
    window_remove_parts(recorder);
    gt_system_unlock(&window->lock);
}

void gt_recorder_window_give_back(gt_recorder *recorder, struct gt_recorder_kept *kept)
{
    gt_system_lock(&recorder->window.lock);
    kept->is_taken = false;
    if (kept->is_removed)
        kept_free(recorder, kept);
    gt_system_unlock(&recorder->window.lock);
}
