/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Two threads start one goroutine at once while nothing is recorded, which is a mistake of the
 * program. A recording that begins then is read, and one of the threads has lost the goroutine.
 */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "recorder/recorded.h"
#include "support/test.h"

enum {
    RIVALS = 2,
    GOS = 4000,
    /* Conflicts that are recorded, and the most tries on a machine where threads seldom meet. */
    CONFLICTS = 20,
    TRIES = 200
};

enum step {
    STEP_START,
    STEP_CALL, /* both may be in a system call when recording starts */
    STEP_TELL, /* while something is recorded */
    STEP_LEAVE,
    STEP_COUNT
};

struct game {
    gt_recorder *recorder;
    gt_rec_go *gos[GOS];
    bool has_call;
    /* How many calls the rivals have come to together, and what the last two returned. */
    atomic_uint arrived;
    atomic_uint successes;
    pthread_barrier_t barrier;
    bool is_over;
};

struct rival {
    struct game *game;
    uint64_t number;
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    gt_status started, told;
    bool is_in_call;
};

/* Waits until both rivals have come here so often. */
static void game_meet(struct game *game, unsigned *count)
{
    *count += RIVALS;
    atomic_fetch_add(&game->arrived, 1);
    for (unsigned i = 1; (int) (atomic_load(&game->arrived) - *count) < 0; i++) {
        if (i % 1000 == 0)
            sched_yield();
    }
}

/* Starts one goroutine after the other, at the same time as the other rival, until both have one.
 */
static void rival_race(struct rival *rival)
{
    struct game *game = rival->game;
    unsigned count = 0;
    for (unsigned i = 0; i < GOS; i++) {
        game_meet(game, &count);
        rival->started = gt_rec_go_start(rival->thread, game->gos[i]);
        if (rival->started == GT_OK)
            atomic_fetch_add(&game->successes, 1);
        game_meet(game, &count);
        bool is_last = atomic_load(&game->successes) == RIVALS || i == GOS - 1;
        game_meet(game, &count);
        if (is_last)
            break;
        atomic_store(&game->successes, 0);
        if (rival->started == GT_OK)
            assert_status(gt_rec_go_end(rival->thread), GT_OK);
    }
}

static void rival_step(struct rival *rival, enum step step)
{
    gt_rec_thread *t = rival->thread;
    switch (step) {
    case STEP_START:
        rival_race(rival);
        break;
    case STEP_CALL:
        rival->is_in_call = rival->started == GT_OK && rival->game->has_call;
        if (rival->is_in_call)
            (void) gt_rec_syscall_begin(t);
        break;
    case STEP_TELL:
        rival->told = GT_OK;
        if (rival->is_in_call)
            rival->told = gt_rec_syscall_end(t);
        if (rival->told == GT_OK)
            rival->told = gt_rec_region_begin(t, 0, GT_REC_SYNC);
        break;
    default:
        if (rival->told == GT_OK) {
            assert_status(gt_rec_region_end(t), GT_OK);
            assert_status(gt_rec_go_end(t), GT_OK);
        }
        (void) gt_rec_proc_stop(t);
        assert_status(gt_rec_proc_start(t, rival->proc), GT_OK);
        break;
    }
}

static void *rival_run(void *argument)
{
    struct rival *rival = argument;
    struct game *game = rival->game;
    assert_status(gt_rec_thread_attach(game->recorder, &rival->thread), GT_OK);
    assert_status(gt_rec_proc_create(game->recorder, rival->number, &rival->proc), GT_OK);
    assert_status(gt_rec_proc_start(rival->thread, rival->proc), GT_OK);
    for (;;) {
        for (enum step step = STEP_START; step < STEP_COUNT; step++) {
            pthread_barrier_wait(&game->barrier);
            if (game->is_over) {
                gt_rec_thread_detach(&rival->thread);
                return NULL;
            }
            rival_step(rival, step);
            pthread_barrier_wait(&game->barrier);
        }
    }
}

static void game_step(struct game *game)
{
    pthread_barrier_wait(&game->barrier);
    pthread_barrier_wait(&game->barrier);
}

static uint64_t game_conflicts(const struct game *game)
{
    gt_recorder_info info = GT_RECORDER_INFO_INIT;
    assert_status(gt_recorder_get_info(game->recorder, &info), GT_OK);
    return info.conflicts;
}

/* Returns whether both rivals were told that they have the goroutine. */
static bool game_play(struct game *game, const struct rival *rivals, bool asks_peer)
{
    struct recorded trace = {0};
    uint64_t before = game_conflicts(game);
    atomic_store(&game->arrived, 0);
    atomic_store(&game->successes, 0);
    for (unsigned i = 0; i < GOS; i++)
        assert_status(gt_rec_go_adopt(game->recorder, GT_REC_SYNC, 0, &game->gos[i]), GT_OK);
    game_step(game);
    game_step(game);
    assert_status(gt_recorder_start(game->recorder, recorded_write, &trace, NULL), GT_OK);
    game_step(game);
    assert_status(gt_recorder_advance(game->recorder), GT_OK);
    game_step(game);
    assert_status(gt_recorder_stop(game->recorder, NULL), GT_OK);
    for (unsigned i = 0; i < GOS; i++)
        (void) gt_rec_go_release(&game->gos[i]);
    bool is_conflict = rivals[0].started == GT_OK && rivals[1].started == GT_OK;
    assert_int_equal((rivals[0].told == GT_OK && rivals[0].started == GT_OK) +
                         (rivals[1].told == GT_OK && rivals[1].started == GT_OK),
                     1);
    assert_int_equal(game_conflicts(game) - before, is_conflict);
    if (asks_peer && is_conflict)
        recorded_check_by_peer(&trace);
    else
        recorded_check(&trace);
    recorded_free(&trace);
    return is_conflict;
}

static void one_of_two_threads_keeps_a_goroutine(void **state)
{
    (void) state;
    struct game game;
    struct rival rivals[RIVALS];
    pthread_t threads[RIVALS];
    unsigned conflicts = 0;
    time_t end = time(NULL) + 3;
    memset(&game, 0, sizeof(game));
    game.recorder = recorded_recorder();
    assert_int_equal(pthread_barrier_init(&game.barrier, NULL, RIVALS + 1), 0);
    for (uint64_t i = 0; i < RIVALS; i++) {
        rivals[i] = (struct rival){&game, i, NULL, NULL, GT_OK, GT_OK, false};
        assert_int_equal(pthread_create(&threads[i], NULL, rival_run, &rivals[i]), 0);
    }
    for (unsigned i = 0; i < TRIES && conflicts < CONFLICTS && time(NULL) < end; i++) {
        game.has_call = i % 2;
        conflicts += game_play(&game, rivals, conflicts < 2);
    }
    game.is_over = true;
    pthread_barrier_wait(&game.barrier);
    for (unsigned i = 0; i < RIVALS; i++)
        pthread_join(threads[i], NULL);
    print_message("%u conflicts\n", conflicts);
    pthread_barrier_destroy(&game.barrier);
    gt_recorder_close(&game.recorder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_two_threads_keeps_a_goroutine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
