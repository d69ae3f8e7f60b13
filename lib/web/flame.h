/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_FLAME_H
#define GT_WEB_FLAME_H

/*
 * The weights of the stacks that a request selects, with the frames and texts. Used by both forms
 * of the answer: JSON and pprof.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/calltree.h"
#include "web/dictionary.h"
#include "web/json.h"
#include "web/query.h"
#include "web/scope.h"
#include "web/stackweights.h"
#include "web/web.h"

struct gt_flame {
    struct gt_scope scope;
    struct gt_stackweights weights;
    struct gt_store_frame *frames;
    size_t frame_count;
    /*
     * Copies of the texts that the answer uses, because it is written after the store's lock has
     * been released. The index of `texts` and `is_used` is the id of a text in the store.
     */
    struct gt_dictionary copies;
    uint32_t *texts;
    bool *is_used;
    size_t text_count;
};

/*
 * Fills `*flame` for a request. Returns false if it has answered with an error instead. In either
 * case gt_flame_free must be called. Locks the store for reading.
 */
bool gt_flame_take(struct gt_flame *flame, struct gt_web *web, struct gt_query *query);
void gt_flame_free(struct gt_flame *flame);

/* Marks a text as used by the answer. A value that is not the id of a text is ignored. */
void gt_flame_use_text(struct gt_flame *flame, uint32_t text);
/*
 * Copies all texts that are marked as used. Locks the store for reading, repeatedly. Returns false
 * if there is not enough memory.
 */
bool gt_flame_copy_texts(struct gt_flame *flame, struct gt_store *store);
/* Returns a copied text, or "" if `text` is not the id of one. It is valid until gt_flame_free. */
gt_string gt_flame_text(const struct gt_flame *flame, uint32_t text);

/* Returns the name of a node's function, or "" if it is unknown or the node is no function. */
typedef gt_string gt_flame_text_fn(const void *context, uint32_t function);

/*
 * Writes the members "nodes": [parent, name, own weight, total] of each node of a call tree;
 * "places": [file, line] of each; and "files", to which the former are indexes. Returns false if
 * memory runs out.
 */
bool gt_flame_write_nodes(struct gt_json *json, const struct gt_calltree *tree,
                          gt_flame_text_fn *text_of, const void *context);

#endif
