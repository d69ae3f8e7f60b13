/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/stacktitle.h"

#include <stdbool.h>

#include "base/text.h"
#include "web/answer.h"

/* The prefixes of the names of functions that belong to the runtime. page/stack.js has the same
 * list. */
static const char *const runtime_names[] = {"runtime.", "internal/runtime/", "runtime/internal/"};
/* The prefixes of the names of functions in which Go's library waits, such as
 * sync.(*Mutex).Lock. */
static const char *const waiting_names[] = {"sync.", "internal/sync.", "internal/poll.", "time.",
                                            "runtime/"};

static bool stacktitle_begins_with(gt_string name, const char *const *starts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (gt_text_starts_with(name, starts[i]))
            return true;
    }
    return false;
}

static bool stacktitle_is_runtime(gt_string name)
{
    return stacktitle_begins_with(name, runtime_names,
                                  sizeof(runtime_names) / sizeof(*runtime_names));
}

static bool stacktitle_is_waiting(gt_string name)
{
    return stacktitle_begins_with(name, waiting_names,
                                  sizeof(waiting_names) / sizeof(*waiting_names));
}

void gt_stacktitle_find(struct gt_stacktitle *title, const struct gt_store *store, uint32_t stack)
{
    struct gt_store_frame frame;
    bool has_outside = false;
    *title = (struct gt_stacktitle){.count = 0};
    for (size_t i = 0; i < GT_ANSWER_FRAMES_MAX && gt_store_frame(store, stack, &frame); i++) {
        gt_string name = gt_store_text(store, frame.function);
        bool is_outside = !stacktitle_is_runtime(name);
        bool is_caller = has_outside && is_outside && !stacktitle_is_waiting(name);
        if (is_outside && !has_outside)
            title->outside = title->count;
        if (i == 0 || (is_outside && !has_outside) || is_caller)
            title->frames[title->count++] = stack;
        if (is_caller)
            break;
        has_outside |= is_outside;
        stack = frame.parent;
    }
}
