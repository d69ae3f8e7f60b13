/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/profile, and the pages /io and so on: what goroutines waited for, by stack. */
#include <string.h>

#include <gotrace/profile.h>

#include "base/time.h"
#include "web/analysis.h"
#include "web/calltree.h"
#include "web/dictionary.h"
#include "web/endpoints.h"
#include "web/flame.h"
#include "web/regionplace.h"
#include "web/totals_page.h"

/*
 * What a profile is restricted to. It is the beginning of an analysis's key; `text_size` bytes
 * follow: the name of the goroutines' start function or the type of the regions.
 */
struct filter {
    uint64_t counts_all, is_region, has_type, has_pc;
    uint64_t pc;
    int64_t latency_min, latency_max;
    uint64_t text_size;
};

/*
 * The result of an analysis. It has all kinds of waiting, as one pass over the trace finds them
 * all.
 */
struct waits {
    /* Protects `profile`, as a gt_profile may be used by one thread at a time only. */
    pthread_mutex_t lock;
    gt_profile *profile;
    struct gt_regionplace place;
};

/* The parameters of a request. */
struct asked {
    uint32_t kind;
    bool by_line;
    struct filter filter;
    gt_string text;
    /* The key of the analysis: the filter followed by the text. */
    struct gt_pack key;
};

static const char *const kinds[] = {"io",       "block",       "syscall",       "sched",
                                    "regionio", "regionblock", "regionsyscall", "regionsched"};

enum {
    KINDS = sizeof(kinds) / sizeof(kinds[0])
};

/* Which waits count: those that go tool trace counts, or all. */
enum {
    WAITS_GO,
    WAITS_ALL,
    WAITS_WORDS
};

static const char *const waits_words[WAITS_WORDS] = {"go", "all"};

static const uint32_t profile_kinds[KINDS / 2] = {GT_PROFILE_NET, GT_PROFILE_SYNC,
                                                  GT_PROFILE_SYSCALL, GT_PROFILE_SCHED};

static gt_status waits_on_event(void *user_data, gt_reader *reader, const gt_event *event)
{
    struct waits *waits = user_data;
    if (waits->place.type.size > 0 && !gt_regionplace_shows(&waits->place, reader, event))
        return waits->place.out_of_memory ? GT_ERR_NO_MEMORY : GT_OK;
    return gt_profile_event(waits->profile, reader, event);
}

static void waits_set_options(gt_profile_options *options, struct gt_regionplace *place,
                              const void *key)
{
    struct filter filter;
    memcpy(&filter, key, sizeof(filter));
    gt_string text = {(const char *) key + sizeof(filter), (size_t) filter.text_size};
    for (size_t i = 0; i < KINDS / 2; i++)
        options->kinds |= GT_PROFILE_BIT(profile_kinds[i]);
    if (filter.counts_all)
        options->flags = GT_PROFILE_ALL;
    if (!filter.is_region) {
        options->goroutine = text;
        return;
    }
    options->flags |= GT_PROFILE_REGIONS;
    options->latency_min = filter.latency_min;
    options->latency_max = filter.latency_max;
    if (filter.has_type)
        options->region_type = text;
    if (filter.has_pc) {
        place->type = text;
        place->pc = filter.pc;
    }
}

static void waits_free(struct gt_mem *mem, void *result)
{
    struct waits *waits = result;
    gt_profile_close(&waits->profile);
    gt_regionplace_free(&waits->place);
    pthread_mutex_destroy(&waits->lock);
    gt_mem_free(mem, waits, sizeof(*waits));
}

static void *waits_run(struct gt_analysis_pass *pass, const void *key)
{
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
    struct gt_mem *mem = &pass->web->mem;
    struct waits *waits = gt_mem_zeros(mem, sizeof(*waits));
    if (!waits || pthread_mutex_init(&waits->lock, NULL) != 0) {
        gt_mem_free(mem, waits, sizeof(*waits));
        return gt_analysis_fail(pass, GT_ERR_NO_MEMORY);
    }
    options.allocator = &mem->allocator;
    waits->place.mem = mem;
    waits_set_options(&options, &waits->place, key);
    gt_status status = gt_profile_open(&waits->profile, &options, NULL);
    bool good = status == GT_OK && gt_analysis_read(pass, waits_on_event, waits);
    if (good)
        status = gt_profile_finish(waits->profile);
    gt_regionplace_free(&waits->place);
    waits->place = (struct gt_regionplace){.pc = 0};
    if (good && status == GT_OK)
        return waits;
    if (status != GT_OK)
        gt_analysis_fail(pass, status);
    waits_free(mem, waits);
    return NULL;
}

static const struct gt_analysis_kind waits_kind = {waits_run, waits_free};

static void waits_take_region(struct gt_query *query, struct asked *asked)
{
    struct gt_totals_page_latency latency;
    struct filter *filter = &asked->filter;
    filter->is_region = 1;
    filter->has_type = gt_query_text(query, "type", &asked->text);
    gt_totals_page_latency(query, &latency);
    filter->latency_min = latency.min;
    filter->latency_max = latency.max;
    filter->has_pc = gt_totals_page_pc(query, &filter->pc);
    /*
     * Regions with an empty type have no place, unless the program itself begins regions with an
     * empty type. So an empty type is accepted only together with pc 0, and then selects by type
     * alone.
     */
    if (filter->has_pc && asked->text.size == 0) {
        if (filter->pc != 0 || !filter->has_type)
            gt_query_fail(query, "pc", "goes with a type");
        filter->has_pc = 0;
    }
}

/* Reads the parameters of a request. The query fails if they are invalid or memory runs out. */
static void waits_take(struct asked *asked, uint32_t kind, struct gt_query *query)
{
    *asked = (struct asked){
        .kind = profile_kinds[kind % (KINDS / 2)],
        .text = {"", 0},
        .key.mem = query->response->mem,
    };
    uint32_t waits = WAITS_GO;
    gt_query_word(query, "waits", waits_words, WAITS_WORDS, &waits);
    asked->filter.counts_all = waits == WAITS_ALL;
    asked->filter.latency_max = INT64_MAX;
    gt_query_bool(query, "lines", &asked->by_line);
    if (kind >= KINDS / 2)
        waits_take_region(query, asked);
    else
        gt_query_text(query, "name", &asked->text);
    if (!asked->filter.has_pc)
        asked->filter.pc = 0;
    asked->filter.text_size = asked->text.size;
    gt_pack_raw(&asked->key, &asked->filter, sizeof(asked->filter));
    gt_pack_raw(&asked->key, asked->text.data, asked->text.size);
    if (asked->key.failed)
        gt_query_no_memory(query);
}

/*
 * As in Go's viewer, a name that no goroutine has is an error, whereas a type that no region has
 * gives an empty profile.
 */
static bool waits_has_selected(const struct asked *asked, struct waits *waits)
{
    gt_profile_info info = GT_PROFILE_INFO_INIT;
    pthread_mutex_lock(&waits->lock);
    gt_profile_get_info(waits->profile, &info);
    pthread_mutex_unlock(&waits->lock);
    return asked->filter.is_region || asked->text.size == 0 || info.selected > 0;
}

/*
 * The frames of all samples, one stack after the other, in the form that a call tree is made
 * from.
 */
struct stacks {
    /* The names of functions and files. */
    struct gt_dictionary texts;
    GT_ARRAY(struct gt_store_frame) frames;
    /* By frame, in its first group. */
    struct gt_stackweights weights;
};

static bool waits_add_frame(struct stacks *stacks, uint32_t parent, const gt_frame *from)
{
    struct gt_store_frame frame = {.parent = parent, .line = from->line};
    if (!gt_dictionary_put(&stacks->texts, from->function, &frame.function) ||
        !gt_dictionary_put(&stacks->texts, from->file, &frame.file))
        return false;
    struct gt_mem *mem = stacks->weights.mem;
    return stacks->frames.count < UINT32_MAX - 1 &&
           gt_array_add(mem, &stacks->frames, frame) == GT_OK &&
           gt_array_extend(mem, &stacks->weights.groups[0], stacks->frames.count) == GT_OK;
}

static bool waits_add_sample(struct stacks *stacks, const gt_profile_sample *sample)
{
    uint32_t parent = 0;
    for (size_t i = sample->frame_count; i > 0; i--) {
        if (!waits_add_frame(stacks, parent, &sample->frames[i - 1]))
            return false;
        parent = (uint32_t) stacks->frames.count - 1;
    }
    gt_time_add_to(&stacks->weights.groups[0].items[parent], (int64_t) sample->nanoseconds);
    return true;
}

static bool waits_add_samples(struct stacks *stacks, struct waits *waits, uint32_t kind)
{
    /* Frame 0 stands for no stack. */
    const gt_frame none = {.function = {"", 0}, .file = {"", 0}};
    bool good = waits_add_frame(stacks, 0, &none);
    pthread_mutex_lock(&waits->lock);
    size_t count = gt_profile_count(waits->profile, kind);
    for (size_t i = 0; i < count && good; i++) {
        gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
        good = gt_profile_get_sample(waits->profile, kind, i, &sample) == GT_OK &&
               waits_add_sample(stacks, &sample);
    }
    pthread_mutex_unlock(&waits->lock);
    return good;
}

static gt_string waits_text_of(const void *context, uint32_t function)
{
    const struct stacks *stacks = context;
    return function < stacks->texts.texts.list.count ? gt_dictionary_get(&stacks->texts, function)
                                                     : (gt_string){"", 0};
}

static void waits_write_tree(struct gt_response *response, const struct stacks *stacks,
                             const struct gt_calltree *tree)
{
    struct gt_json json;
    gt_json_start(&json, response);
    gt_json_key_text(&json, "unit", "ns");
    gt_json_key_int(&json, "total", tree->nodes[0].total);
    bool good = gt_flame_write_nodes(&json, tree, waits_text_of, stacks);
    gt_json_finish(&json);
    if (!good)
        gt_response_no_memory(response);
}

static void waits_answer_tree(struct gt_response *response, struct waits *waits,
                              const struct asked *asked)
{
    struct gt_mem *mem = response->mem;
    struct stacks stacks = {
        .texts.mem = mem,
        .weights = {.mem = mem, .kind = GT_WEIGHTS_WAITING},
    };
    struct gt_calltree tree = {.by_line = asked->by_line};
    if (waits_add_samples(&stacks, waits, asked->kind) &&
        gt_calltree_make(&tree, &stacks.weights, stacks.frames.items, stacks.frames.count))
        waits_write_tree(response, &stacks, &tree);
    else
        gt_response_no_memory(response);
    gt_calltree_free(&tree);
    gt_dictionary_free(&stacks.texts);
    gt_array_free(mem, &stacks.frames);
    gt_stackweights_free(&stacks.weights);
}

static int waits_write_part(void *user_data, const void *data, size_t size)
{
    struct gt_pack *pack = user_data;
    gt_pack_raw(pack, data, size);
    return pack->failed;
}

/*
 * The profile is written to memory first, so that a client that reads slowly does not keep others
 * waiting for the lock.
 */
static void waits_answer_pprof(struct gt_response *response, struct waits *waits, uint32_t kind)
{
    struct gt_pack pack = {.mem = response->mem};
    pthread_mutex_lock(&waits->lock);
    gt_status status = gt_profile_write_pprof(waits->profile, kind, waits_write_part, &pack);
    pthread_mutex_unlock(&waits->lock);
    if (status == GT_OK) {
        gt_response_stream(response);
        gt_response_set_header(response, "Content-Disposition",
                               "attachment; filename=\"profile.pb\"");
        gt_response_bytes(response, pack.data, pack.size);
    } else {
        gt_response_no_memory(response);
    }
    gt_pack_free(&pack);
}

static void waits_answer(struct gt_web *web, uint32_t kind, bool is_raw, struct gt_query *query)
{
    struct asked asked;
    waits_take(&asked, kind, query);
    struct waits *waits =
        gt_analysis_demand(web, query, &waits_kind, asked.key.data, asked.key.size, is_raw);
    gt_pack_free(&asked.key);
    if (!waits)
        return;
    if (!waits_has_selected(&asked, waits))
        gt_response_error(query->response, 404, "no goroutine began in this function");
    else if (is_raw)
        waits_answer_pprof(query->response, waits, asked.kind);
    else
        waits_answer_tree(query->response, waits, &asked);
}

void gt_web_serve_profile(struct gt_web *web, struct gt_query *query)
{
    uint32_t kind = 0;
    gt_query_need(query, "kind");
    gt_query_word(query, "kind", kinds, KINDS, &kind);
    if (!query->failed)
        waits_answer(web, kind, false, query);
}

void gt_web_serve_profile_page(struct gt_web *web, struct gt_query *query)
{
    bool is_raw = false;
    uint32_t kind = 0;
    gt_query_bool(query, "raw", &is_raw);
    if (query->failed)
        return;
    if (is_raw && gt_query_word_find(kinds, KINDS, query->request->path + 1, &kind))
        waits_answer(web, kind, true, query);
    else
        gt_web_serve_page(web, query);
}
