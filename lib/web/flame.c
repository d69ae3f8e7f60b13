/* SPDX-License-Identifier: BSD-3-Clause */

/* /api/flame: the stacks in which a part of the trace was spent, as a tree of functions. */

#include "web/flame.h"

#include "base/text.h"
#include "web/answer.h"
#include "web/calltree.h"
#include "web/endpoints.h"
#include "web/query.h"
#include "web/treescope.h"

enum {
    /* The most texts that are copied before the lock of the store is released. */
    TEXTS_STEP = 4096,
    /* The size of the sample for a rough answer, which takes about half a second. */
    ROUGH_SPANS = 16 * 1000 * 1000
};

bool gt_flame_take(struct gt_flame *flame, struct gt_web *web, struct gt_query *query)
{
    uint32_t kind = GT_WEIGHTS_RUNNING;
    bool rough = false;
    *flame = (struct gt_flame){.weights.mem = &web->mem, .copies.mem = &web->mem};
    gt_query_word(query, "kind", gt_stackweights_names, GT_WEIGHTS_KINDS, &kind);
    gt_query_bool(query, "rough", &rough);
    if (!gt_treescope_take(&flame->scope, query, web, GT_TREESCOPE_FIRST_LANES))
        return false;
    flame->weights.kind = kind;
    flame->weights.most = rough ? ROUGH_SPANS : 0;
    if (gt_stackweights_make(&flame->weights, web->store, &flame->scope, query->response))
        flame->frames = gt_stackweights_frames(&web->mem, web->store, &flame->frame_count);
    gt_store_lock_read(web->store);
    flame->text_count = gt_store_text_count(web->store);
    gt_store_unlock(web->store);
    flame->texts = gt_mem_zeros(&web->mem, (flame->text_count + 1) * sizeof(*flame->texts));
    flame->is_used = gt_mem_zeros(&web->mem, (flame->text_count + 1) * sizeof(*flame->is_used));
    if (flame->frames && flame->texts && flame->is_used)
        return true;
    gt_response_no_memory(query->response);
    return false;
}

void gt_flame_free(struct gt_flame *flame)
{
    gt_stackweights_free(&flame->weights);
    gt_dictionary_free(&flame->copies);
    struct gt_mem *mem = flame->copies.mem;
    gt_mem_free(mem, flame->frames, flame->frame_count * sizeof(*flame->frames));
    gt_mem_free(mem, flame->texts, (flame->text_count + 1) * sizeof(*flame->texts));
    gt_mem_free(mem, flame->is_used, (flame->text_count + 1) * sizeof(*flame->is_used));
    gt_scope_free(&flame->scope);
}

void gt_flame_use_text(struct gt_flame *flame, uint32_t text)
{
    if (text < flame->text_count)
        flame->is_used[text] = true;
}

bool gt_flame_copy_texts(struct gt_flame *flame, struct gt_store *store)
{
    bool good = true;
    for (size_t i = 0; i < flame->text_count && good;) {
        gt_store_lock_read(store);
        for (size_t step = 0; step < TEXTS_STEP && i < flame->text_count && good; i++) {
            if (!flame->is_used[i])
                continue;
            step++;
            good = gt_dictionary_put(&flame->copies, gt_store_text(store, (uint32_t) i),
                                     &flame->texts[i]);
        }
        gt_store_unlock(store);
    }
    return good;
}

gt_string gt_flame_text(const struct gt_flame *flame, uint32_t text)
{
    return text < flame->text_count ? gt_dictionary_get(&flame->copies, flame->texts[text])
                                    : (gt_string){"", 0};
}

static gt_string flame_text_of(const void *flame, uint32_t function)
{
    return gt_flame_text(flame, function);
}

static void flame_put_function(struct gt_json *json, uint32_t function, gt_string text)
{
    char name[32];
    if (function >= GT_CALLTREE_CLASS && function - GT_CALLTREE_CLASS < GT_STORE_CLASSES) {
        char *end = gt_text_put(name, "[");
        end = gt_text_put(end, gt_answer_classes[function - GT_CALLTREE_CLASS]);
        end = gt_text_put(end, "]");
        gt_json_string(json, (gt_string){name, (size_t) (end - name)});
    } else if (function == GT_CALLTREE_ROOT) {
        gt_json_text(json, "(all)");
    } else if (function == GT_CALLTREE_NO_STACK) {
        gt_json_text(json, "(no stack)");
    } else if (function == GT_CALLTREE_OTHER) {
        gt_json_text(json, "(other)");
    } else if (text.size == 0) {
        gt_json_text(json, "(unknown)");
    } else {
        gt_json_string(json, text);
    }
}

/* Writes where each node is. Returns false if memory runs out. */
static bool flame_put_places(struct gt_json *json, const struct gt_calltree *tree,
                             gt_flame_text_fn *text_of, const void *context)
{
    struct gt_dictionary files = {.mem = json->out->mem};
    uint32_t file = 0;
    bool good = true;
    gt_json_key_array(json, "places");
    for (size_t i = 0; i < tree->count && good && !gt_response_is_over(json->out); i++) {
        const struct gt_calltree_node *node = &tree->nodes[i];
        bool is_function = node->function < GT_CALLTREE_ROOT;
        gt_string name = is_function ? text_of(context, node->file) : (gt_string){"", 0};
        good = gt_dictionary_put(&files, name, &file);
        gt_json_array(json);
        gt_json_uint(json, file);
        gt_json_uint(json, node->line);
        gt_json_end(json);
    }
    gt_json_end(json);
    gt_json_key_array(json, "files");
    for (uint32_t i = 0; good && i < files.texts.list.count; i++)
        gt_json_string(json, gt_dictionary_get(&files, i));
    gt_json_end(json);
    gt_dictionary_free(&files);
    return good;
}

bool gt_flame_write_nodes(struct gt_json *json, const struct gt_calltree *tree,
                          gt_flame_text_fn *text_of, const void *context)
{
    gt_json_key_array(json, "nodes");
    for (size_t i = 0; i < tree->count && !gt_response_is_over(json->out); i++) {
        const struct gt_calltree_node *node = &tree->nodes[i];
        gt_json_array(json);
        gt_json_uint(json, node->parent);
        flame_put_function(json, node->function, text_of(context, node->function));
        gt_json_int(json, node->self);
        gt_json_int(json, node->total);
        gt_json_end(json);
    }
    gt_json_end(json);
    return flame_put_places(json, tree, text_of, context);
}

static void flame_put_tree(struct gt_response *response, const struct gt_flame *flame,
                           const struct gt_calltree *tree)
{
    struct gt_json json;
    gt_json_start(&json, response);
    gt_json_key_text(&json, "unit", flame->weights.kind == GT_WEIGHTS_CPU ? "samples" : "ns");
    gt_json_key_int(&json, "total", tree->nodes[0].total);
    gt_json_key_uint(&json, "spans", flame->weights.spans);
    gt_json_key_bool(&json, "approximate", flame->weights.approximate);
    bool good = gt_flame_write_nodes(&json, tree, flame_text_of, flame);
    gt_json_finish(&json);
    if (!good)
        gt_response_no_memory(response);
}

void gt_web_serve_flame(struct gt_web *web, struct gt_query *query)
{
    struct gt_flame flame;
    struct gt_calltree tree = {0};
    gt_query_bool(query, "lines", &tree.by_line);
    if (gt_flame_take(&flame, web, query)) {
        bool good = gt_calltree_make(&tree, &flame.weights, flame.frames, flame.frame_count);
        for (size_t i = 0; i < tree.count; i++) {
            gt_flame_use_text(&flame, tree.nodes[i].function);
            gt_flame_use_text(&flame, tree.nodes[i].file);
        }
        if (good && gt_flame_copy_texts(&flame, web->store))
            flame_put_tree(query->response, &flame, &tree);
        else
            gt_response_no_memory(query->response);
    }
    gt_calltree_free(&tree);
    gt_flame_free(&flame);
}
