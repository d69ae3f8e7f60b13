/* SPDX-License-Identifier: BSD-3-Clause */

/* /api/flame: which stacks a part of the trace was spent in, as a tree of functions. */

#include "web/flame.h"

#include <stdlib.h>

#include "web/answer.h"
#include "web/calltree.h"
#include "web/endpoints.h"
#include "web/put.h"
#include "web/query.h"

enum {
    /* Texts that are copied while the lock is held once. */
    TEXTS_STEP = 4096
};

bool flame_take(struct flame *flame, struct gt_web *web, const struct gt_request *request,
                struct gt_response *response)
{
    struct query query;
    uint32_t kind = WEIGHTS_RUNNING;
    *flame = (struct flame){0};
    query_init(&query, request, response);
    query_word(&query, "kind", stackweights_names, WEIGHTS_KINDS, &kind);
    scope_take(&flame->scope, &query, web->store);
    if (query.failed)
        return false;
    flame->weights.kind = kind;
    if (stackweights_make(&flame->weights, web->store, &flame->scope, response))
        flame->frames = stackweights_frames(web->store, &flame->frame_count);
    store_lock_read(web->store);
    flame->text_count = store_text_count(web->store);
    store_unlock(web->store);
    flame->texts = calloc(flame->text_count + 1, sizeof(*flame->texts));
    flame->is_used = calloc(flame->text_count + 1, sizeof(*flame->is_used));
    if (flame->frames != NULL && flame->texts != NULL && flame->is_used != NULL)
        return true;
    gt_response_error(response, 503, "out of memory");
    return false;
}

void flame_free(struct flame *flame)
{
    stackweights_free(&flame->weights);
    textpool_free(&flame->pool);
    free(flame->frames);
    free(flame->texts);
    free(flame->is_used);
    scope_free(&flame->scope);
}

void flame_use_text(struct flame *flame, uint32_t text)
{
    if (text < flame->text_count)
        flame->is_used[text] = true;
}

bool flame_copy_texts(struct flame *flame, struct store *store)
{
    bool good = true;
    for (size_t i = 0; i < flame->text_count && good;) {
        store_lock_read(store);
        for (size_t step = 0; step < TEXTS_STEP && i < flame->text_count && good; i++) {
            if (!flame->is_used[i])
                continue;
            step++;
            good = textpool_add(&flame->pool, store_text(store, (uint32_t) i), &flame->texts[i]);
        }
        store_unlock(store);
    }
    return good;
}

gt_string flame_text(const struct flame *flame, uint32_t text)
{
    return text < flame->text_count ? textpool_get(&flame->pool, flame->texts[text])
                                    : (gt_string){"", 0};
}

static void put_function(struct json *json, const struct flame *flame, uint32_t function)
{
    char name[32];
    gt_string text;
    switch (function) {
    case CALLTREE_ROOT:
        json_text(json, "(all)");
        return;
    case CALLTREE_NO_STACK:
        json_text(json, "(no stack)");
        return;
    case CALLTREE_OTHER:
        json_text(json, "(other)");
        return;
    default:
        break;
    }
    if (function >= CALLTREE_CLASS && function - CALLTREE_CLASS < STORE_CLASSES) {
        char *end = gt_web_put_text(name, "[");
        end = gt_web_put_text(end, answer_classes[function - CALLTREE_CLASS]);
        end = gt_web_put_text(end, "]");
        json_string(json, (gt_string){name, (size_t) (end - name)});
        return;
    }
    text = flame_text(flame, function);
    if (text.size > 0)
        json_string(json, text);
    else
        json_text(json, "(unknown)");
}

static void put_tree(struct gt_response *response, const struct flame *flame,
                     const struct calltree *tree)
{
    struct json json;
    json_init(&json, response);
    json_object(&json);
    json_key_text(&json, "unit", flame->weights.kind == WEIGHTS_CPU ? "samples" : "ns");
    json_key_int(&json, "total", tree->nodes[0].total);
    json_key_bool(&json, "complete", !flame->weights.cut);
    json_key(&json, "nodes");
    json_array(&json);
    for (size_t i = 0; i < tree->count && !gt_response_is_over(response); i++) {
        const struct calltree_node *node = &tree->nodes[i];
        json_array(&json);
        json_uint(&json, node->parent);
        put_function(&json, flame, node->function);
        json_int(&json, node->self);
        json_int(&json, node->total);
        json_end_array(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}

void gt_web_serve_flame(void *user_data, const struct gt_request *request,
                        struct gt_response *response)
{
    struct gt_web *web = user_data;
    struct flame flame;
    struct calltree tree = {0};
    if (flame_take(&flame, web, request, response)) {
        bool good = calltree_make(&tree, &flame.weights, flame.frames, flame.frame_count);
        for (size_t i = 0; i < tree.count; i++)
            flame_use_text(&flame, tree.nodes[i].function);
        if (good && flame_copy_texts(&flame, web->store))
            put_tree(response, &flame, &tree);
        else
            gt_response_error(response, 503, "out of memory");
    }
    calltree_free(&tree);
    flame_free(&flame);
}
