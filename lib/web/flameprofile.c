/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * /api/flame.pprof: the same stacks as /api/flame, but with all of their lines, as a profile for
 * pprof.
 */

#include <string.h>

#include "base/time.h"
#include "web/answer.h"
#include "web/endpoints.h"
#include "web/flame.h"
#include "web/pprofile.h"

/*
 * A profile while it is being written. Strings are written first, because their order determines
 * their numbers.
 */
struct profile {
    struct gt_pprofile out;
    struct gt_flame *flame;
    /* For each frame, whether a sample contains it. */
    GT_ARRAY(bool) has_frame;
    /*
     * For each text of the store, the number of its string, and whether it has been written as a
     * function.
     */
    GT_ARRAY(uint32_t) strings;
    GT_ARRAY(bool) has_function;
    /* The stack of one sample, with room for the longest. */
    GT_ARRAY(uint64_t) stack;
};

/* The numbers of the strings that each profile contains. */
enum {
    STRING_EMPTY,
    STRING_TYPE,
    STRING_UNIT,
    STRING_STATE,
    STRING_FIRST_CLASS,
    STRING_FIRST = STRING_FIRST_CLASS + GT_STORE_CLASSES
};

/* Marks the frames of all stacks that have a weight, and their texts as used. */
static void flameprofile_frames_mark(struct profile *profile)
{
    struct gt_flame *flame = profile->flame;
    for (size_t group = 0; group < GT_STORE_CLASSES; group++) {
        for (size_t i = 1; i < flame->weights.groups[group].count && i < flame->frame_count; i++)
            profile->has_frame.items[i] |= flame->weights.groups[group].items[i] != 0;
    }
    for (size_t i = flame->frame_count; i-- > 1;) {
        if (!profile->has_frame.items[i])
            continue;
        profile->has_frame.items[flame->frames[i].parent] = true;
        gt_flame_use_text(flame, flame->frames[i].function);
        gt_flame_use_text(flame, flame->frames[i].file);
    }
}

/* Makes room for the longest stack. Returns false if memory runs out. */
static bool flameprofile_stack_reserve(struct profile *profile, struct gt_mem *mem)
{
    const struct gt_flame *flame = profile->flame;
    GT_ARRAY(uint32_t) depths = {NULL, 0, 0};
    uint32_t most = 0;
    bool good = gt_array_extend(mem, &depths, flame->frame_count) == GT_OK;
    for (size_t i = 1; good && i < flame->frame_count; i++) {
        depths.items[i] = depths.items[flame->frames[i].parent] + 1;
        most = depths.items[i] > most ? depths.items[i] : most;
    }
    gt_array_free(mem, &depths);
    return good && gt_array_reserve(mem, &profile->stack, most) == GT_OK;
}

static bool flameprofile_init(struct profile *profile, struct gt_flame *flame,
                              struct gt_store *store, struct gt_response *response)
{
    struct gt_mem *mem = response->mem;
    *profile = (struct profile){.out = {response}, .flame = flame};
    if (gt_array_extend(mem, &profile->has_frame, flame->frame_count) != GT_OK ||
        gt_array_extend(mem, &profile->strings, flame->text_count) != GT_OK ||
        gt_array_extend(mem, &profile->has_function, flame->text_count) != GT_OK ||
        !flameprofile_stack_reserve(profile, mem))
        return false;
    flameprofile_frames_mark(profile);
    return gt_flame_copy_texts(flame, store);
}

static void flameprofile_free(struct profile *profile, struct gt_mem *mem)
{
    gt_array_free(mem, &profile->has_frame);
    gt_array_free(mem, &profile->strings);
    gt_array_free(mem, &profile->has_function);
    gt_array_free(mem, &profile->stack);
}

static void flameprofile_put_string(struct profile *profile, const char *text)
{
    gt_pprofile_string(&profile->out, (gt_string){text, strlen(text)});
}

static void flameprofile_put_strings(struct profile *profile)
{
    const struct gt_flame *flame = profile->flame;
    bool is_cpu = flame->weights.kind == GT_WEIGHTS_CPU;
    uint32_t next = STRING_FIRST;
    flameprofile_put_string(profile, "");
    flameprofile_put_string(profile,
                            is_cpu ? "samples" : gt_stackweights_names[flame->weights.kind]);
    flameprofile_put_string(profile, is_cpu ? "count" : "nanoseconds");
    flameprofile_put_string(profile, "state");
    for (size_t i = 0; i < GT_STORE_CLASSES; i++)
        flameprofile_put_string(profile, gt_answer_classes[i]);
    for (size_t i = 0; i < flame->text_count; i++) {
        gt_string text = gt_flame_text(flame, (uint32_t) i);
        if (!flame->is_used[i] || text.size == 0)
            continue;
        gt_pprofile_string(&profile->out, text);
        profile->strings.items[i] = next++;
    }
}

static void flameprofile_put_frames(struct profile *profile)
{
    const struct gt_flame *flame = profile->flame;
    for (size_t i = 1; i < flame->frame_count; i++) {
        const struct gt_store_frame *frame = &flame->frames[i];
        if (!profile->has_frame.items[i] || frame->function >= flame->text_count ||
            frame->file >= flame->text_count)
            continue;
        /* In a profile the id of a function must not be 0, which is a valid id of a text. */
        uint64_t function = (uint64_t) frame->function + 1;
        if (!profile->has_function.items[frame->function])
            gt_pprofile_function(&profile->out, function, profile->strings.items[frame->function],
                                 profile->strings.items[frame->file]);
        profile->has_function.items[frame->function] = true;
        gt_pprofile_location(&profile->out, i, frame->pc, function, frame->line);
    }
}

static void flameprofile_put_samples(struct profile *profile, size_t group)
{
    const struct gt_flame *flame = profile->flame;
    bool is_wall = flame->weights.kind == GT_WEIGHTS_WALL;
    for (size_t i = 0; i < flame->weights.groups[group].count && i < flame->frame_count; i++) {
        int64_t weight = flame->weights.groups[group].items[i];
        size_t depth = 0;
        if (weight == 0)
            continue;
        for (size_t frame = i; frame != 0; frame = flame->frames[frame].parent)
            profile->stack.items[depth++] = frame;
        gt_pprofile_sample(&profile->out, profile->stack.items, depth, weight,
                           is_wall ? STRING_STATE : 0, STRING_FIRST_CLASS + group);
    }
}

void gt_web_serve_flame_pprof(struct gt_web *web, struct gt_query *query)
{
    struct gt_flame flame;
    struct profile profile = {0};
    if (gt_flame_take(&flame, web, query)) {
        if (flameprofile_init(&profile, &flame, web->store, query->response)) {
            gt_response_stream(query->response);
            gt_response_set_header(query->response, "Content-Disposition",
                                   "attachment; filename=\"profile.pb\"");
            gt_pprofile_sample_type(&profile.out, STRING_TYPE, STRING_UNIT);
            gt_pprofile_duration(&profile.out, gt_time_minus(flame.scope.end, flame.scope.start));
            flameprofile_put_strings(&profile);
            flameprofile_put_frames(&profile);
            for (size_t group = 0; group < GT_STORE_CLASSES; group++)
                flameprofile_put_samples(&profile, group);
        } else {
            gt_response_no_memory(query->response);
        }
    }
    flameprofile_free(&profile, &web->mem);
    gt_flame_free(&flame);
}
