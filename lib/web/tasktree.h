/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_TASKTREE_H
#define GT_WEB_TASKTREE_H

/*
 * A task as a tree of rows: the task, the goroutines that worked for it, and its subtasks, each
 * again with its goroutines and subtasks. Which goroutine worked for which task, and when, is known
 * from the analysis of the whole trace; the rows are those of the store.
 *
 * A goroutine worked for a task in the task's regions, from the task's begin to its end if it did
 * both, and all its life if it was created during one of these times; if none of these is known,
 * from its first event of the task to the last one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "store/store.h"

struct gt_tasktree_time {
    int64_t start, end;
};

/* A row of the tree: a task or a goroutine. */
struct gt_tasktree_line {
    /* An enum gt_store_view, and the ordinal of the row. */
    uint32_t view, ordinal;
    uint32_t depth;
    /* The index of the line of the task that it belongs to, or GT_STORE_NONE. */
    uint32_t parent;
    /* The number of lines below it in the tree, all of which follow it. */
    uint32_t inside;
    /* For a goroutine: when it worked for the task, in tree->times; disjoint and in order. */
    uint32_t first_time, time_count;
    /* For a goroutine: how many regions and logs of the task it has. */
    uint32_t regions, logs;
    /* The goroutine was created while its creator worked for the task. */
    bool is_created;
};

/* An object of zeros is an empty tree, but `mem` must be set. */
struct gt_tasktree {
    struct gt_mem *mem;
    GT_ARRAY(struct gt_tasktree_line) lines;
    GT_ARRAY(struct gt_tasktree_time) times;
};

/* Adds the lines of a task to an empty tree. Returns false if memory runs out. */
typedef bool gt_tasktree_make_fn(struct gt_tasktree *tree, struct gt_store *store,
                                 const void *context, uint64_t task);

/* How the tree of a task is made, so that a list of rows need not know of analyses. */
struct gt_tasktree_maker {
    gt_tasktree_make_fn *make;
    const void *context;
};

/* Returns whether a line is wanted. The store is locked. */
typedef bool gt_tasktree_fn(void *user_data, const struct gt_tasktree_line *line);

/* Sets the depth of each line, and how many are below it. */
void gt_tasktree_measure(struct gt_tasktree *tree);
void gt_tasktree_free(struct gt_tasktree *tree);

/*
 * Removes the lines that are not wanted, except those of tasks that contain a wanted line. Returns
 * false if memory runs out.
 */
bool gt_tasktree_filter(struct gt_tasktree *tree, struct gt_store *store, gt_tasktree_fn *is_wanted,
                        void *user_data);

#endif
