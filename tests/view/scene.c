/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

void scene_state(struct filling *f, int64_t goroutine, int64_t start, int64_t end,
                 const char *state, const char *reason, int64_t proc, uint32_t stack,
                 uint32_t end_stack)
{
    const struct filling_state said = {
        .name = state,
        .start = start,
        .end = end,
        .proc = proc,
        .thread = -1,
        .by = -1,
        .reason = reason,
        .stack = stack,
        .end_stack = end_stack,
    };

    filling_state(f, goroutine, &said);
}

uint32_t scene_stack(struct filling *f, const char *frames)
{
    gt_emitter_frame list[16];
    size_t count = 0;
    uint32_t stack;

    memset(list, 0, sizeof(list));
    while (*frames != '\0') {
        size_t size = strcspn(frames, ":");
        char *end;

        assert_true(count < 16);
        list[count].function = (gt_string){frames, size};
        list[count].line = strtoul(frames + size + 1, &end, 10);
        list[count].pc = list[count].line * 65536;
        for (; size-- > 0; frames++)
            list[count].pc = list[count].pc * 31 + (unsigned char) *frames;
        frames = end + (*end == ' ');
        count++;
    }
    assert_status(gt_emitter_stack(f->emitter, list, count, &stack), GT_OK);
    return stack;
}

void scene_sample(struct filling *f, int64_t goroutine, uint32_t stack, int64_t time)
{
    assert_status(filling_add_mark(f, goroutine, "CPU profile sample", "", time, stack), GT_OK);
}

/* The possible states, with the names that the store knows them by. */
static const struct {
    const char *state;
    const char *reason;
    int has_proc;
} kinds[] = {
    {"Running", NULL, 1},         {"Running", NULL, 1},        {"Runnable", NULL, 0},
    {"Runnable", "preempted", 0}, {"Waiting", "chan send", 0}, {"Waiting", "sleep", 0},
    {"Waiting", "network", 0},    {"Waiting", "sync", 0},      {"Waiting", "who knows", 0},
    {"Waiting", NULL, 0},         {"Syscall", NULL, 1},        {"Syscall, blocked", NULL, 0},
};

static uint32_t random_stack(struct filling *f, uint64_t *seed)
{
    char text[128] = "";
    size_t used = 0, depth = (size_t) (test_random(seed) % 6);

    for (; depth > 0; depth--)
        used += (size_t) snprintf(text + used, sizeof(text) - used, "pkg.f%d:%d ",
                                  (int) (test_random(seed) % 5), (int) (test_random(seed) % 3));
    return scene_stack(f, text);
}

void scene_random(struct filling *f, uint64_t seed, int goroutines, int64_t end)
{
    static const char *const functions[] = {"main.main", "main.worker", "runtime.gcBgMarkWorker",
                                            "net/http.(*conn).serve"};

    for (int i = 1; i <= goroutines; i++) {
        int64_t time = (int64_t) (test_random(&seed) % 1000);
        uint64_t most = 1 + (uint64_t) (test_random(&seed) % 30 == 0 ? end : end / 100);

        filling_goroutine(f, i, functions[test_random(&seed) % 4], -1);
        while (time < end) {
            size_t kind = (size_t) (test_random(&seed) % (sizeof(kinds) / sizeof(kinds[0])));
            int64_t until = time + 1 + (int64_t) (test_random(&seed) % most);
            uint32_t stack = random_stack(f, &seed), end_stack = random_stack(f, &seed);

            scene_state(f, i, time, until, kinds[kind].state, kinds[kind].reason,
                        kinds[kind].has_proc ? i : -1, stack, end_stack);
            time = until;
        }
    }
}
