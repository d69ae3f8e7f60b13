/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/state.h"

#include "v1/v1.h"

static void v1_recent_clear(struct gt_v1_state *state)
{
    for (size_t i = 0; i < GT_V1_RECENT; i++)
        state->recent[i] = &state->no_goroutine;
}

void gt_v1_state_init(struct gt_v1_state *state, struct gt_mem *mem)
{
    gt_idmap_init_objects(&state->goroutines, mem, sizeof(struct gt_v1_goroutine));
    gt_idmap_init_objects(&state->tasks, mem, sizeof(struct gt_v1_task));
    gt_pool_init(&state->region_pool, mem, sizeof(struct gt_v1_region));
    v1_recent_clear(state);
}

void gt_v1_state_destroy(struct gt_v1_state *state)
{
    gt_idmap_destroy(&state->goroutines);
    gt_idmap_destroy(&state->tasks);
    gt_pool_destroy(&state->region_pool);
}

void gt_v1_state_clear(struct gt_v1_state *state)
{
    gt_v1_state_destroy(state);
    v1_recent_clear(state);
    state->gc_seq = 0;
    state->collecting = state->stopped = 0;
    state->starting = true;
    state->listed = state->last_listed = state->owed = NULL;
}

struct gt_v1_goroutine *gt_v1_goroutine_get(struct gt_v1 *v1, uint64_t id)
{
    struct gt_v1_state *state = &v1->state;
    struct gt_v1_goroutine *goroutine = gt_idmap_get(&state->goroutines, id);
    if (goroutine)
        return goroutine;
    goroutine = gt_idmap_add(&state->goroutines, id);
    if (goroutine)
        goroutine->id = id;
    return goroutine;
}

void gt_v1_goroutine_end(struct gt_v1 *v1, struct gt_v1_goroutine *goroutine, gt_go_state reported)
{
    struct gt_v1_state *state = &v1->state;
    gt_v1_goroutine_leave(goroutine);
    while (goroutine->regions) {
        struct gt_v1_region *region = goroutine->regions;
        goroutine->regions = region->next;
        gt_pool_give(&state->region_pool, region);
    }
    goroutine->state = GT_V1_DEAD;
    goroutine->reported = (uint8_t) reported;
    if (state->starting || goroutine->is_unreported)
        return;
    if (v1->repair.lenient) {
        *goroutine = (struct gt_v1_goroutine){
            .id = goroutine->id, .reported = (uint8_t) reported, .is_over = true};
        return;
    }
    gt_idmap_drop(&state->goroutines, goroutine->id, goroutine);
}
