/* SPDX-License-Identifier: BSD-3-Clause */
#include "v1/symbols.h"

#include <string.h>

#include "base/error.h"
#include "base/varint.h"

/* Go 1.5's internal/trace/parser.go, Symbolize. */

/* Heapsort, as qsort promises no bound. */
static void sift(uint64_t *pcs, size_t i, size_t count)
{
    uint64_t pc = pcs[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && pcs[child] < pcs[child + 1])
            child++;
        if (pcs[child] <= pc)
            break;
        pcs[i] = pcs[child];
        i = child;
    }
    pcs[i] = pc;
}

static void sort_unique(struct gt_v1 *v1)
{
    uint64_t *pcs = v1->pcs;
    size_t count = v1->pc_count;
    for (size_t i = count / 2; i > 0; i--)
        sift(pcs, i - 1, count);
    for (size_t end = count; end > 1; end--) {
        uint64_t last = pcs[end - 1];
        pcs[end - 1] = pcs[0];
        pcs[0] = last;
        sift(pcs, 0, end - 1);
    }
    v1->pc_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || pcs[i] != pcs[i - 1])
            pcs[v1->pc_count++] = pcs[i];
    }
}

/* Where `pc` is among the sorted ones; it is there. */
static size_t find_pc(const struct gt_v1 *v1, uint64_t pc)
{
    size_t first = 0;
    for (size_t count = v1->pc_count; count > 1;) {
        size_t half = count / 2;
        if (v1->pcs[first + half] <= pc)
            first += half;
        count -= half;
    }
    return first;
}

/* Frames hold return addresses; the call is before that. */
static gt_status ask(struct gt_v1 *v1, gt_symbol **out)
{
    *out = NULL;
    if (!v1->options.symbolize || v1->pc_count == 0)
        return GT_OK;
    gt_symbol *symbols = gt_mem_alloc(v1->mem, v1->pc_count * sizeof(*symbols));
    if (!symbols)
        return gt_v1_fail_memory(v1);
    memset(symbols, 0, v1->pc_count * sizeof(*symbols));
    for (size_t i = 0; i < v1->pc_count; i++)
        symbols[i].address = v1->pcs[i] - 1;
    *out = symbols;
    if (v1->options.symbolize(v1->options.symbolize_data, symbols, v1->pc_count) != 0)
        return gt_error_plain(v1->error, GT_ERR_SYMBOLS);
    return GT_OK;
}

/* Ids of a symbol's texts in the table of strings, of which N = 5 has none itself. */
static uint64_t function_id(size_t symbol)
{
    return 2 * (uint64_t) symbol + 1;
}

static uint64_t file_id(size_t symbol)
{
    return 2 * (uint64_t) symbol + 2;
}

static gt_status add_text(struct gt_v1 *v1, uint64_t id, gt_string text)
{
    if (!text.data || text.size == 0)
        return GT_OK;
    uint32_t size = text.size > GT_V1_MAX_TEXT ? GT_V1_MAX_TEXT : (uint32_t) text.size;
    if (gt_strings_add(&v1->table.strings, id, (const uint8_t *) text.data, size) != GT_OK)
        return gt_v1_fail_memory(v1);
    return GT_OK;
}

/* What is known of a pc. */
struct symbol_ids {
    uint64_t function; /* 0: not known */
    uint64_t file;
    uint64_t line;
};

static struct symbol_ids ids_of(const struct gt_v1 *v1, const gt_symbol *symbols, uint64_t pc)
{
    struct symbol_ids ids = {0, 0, 0};
    if (symbols) {
        size_t i = find_pc(v1, pc);
        ids.function = symbols[i].function.size != 0 ? function_id(i) : 0;
        ids.file = symbols[i].file.size != 0 ? file_id(i) : 0;
        ids.line = symbols[i].line;
    }
    return ids;
}

/* Appends a number to `out`, or only counts its bytes where that is NULL. */
static size_t put(uint8_t *out, size_t at, uint64_t number)
{
    for (; number >= 0x80; number >>= 7, at++) {
        if (out)
            out[at] = (uint8_t) (number | 0x80);
    }
    if (out)
        out[at] = (uint8_t) number;
    return at + 1;
}

static size_t put_frame(const struct gt_v1 *v1, const gt_symbol *symbols, uint8_t *out, size_t at,
                        uint64_t pc)
{
    struct symbol_ids ids = ids_of(v1, symbols, pc);
    at = put(out, at, pc);
    at = put(out, at, ids.function);
    at = put(out, at, ids.file);
    return put(out, at, ids.line);
}

/* The one frame of a goroutine that did not run yet. Goroutines that start alike share it. */
static gt_status add_start(struct gt_v1 *v1, const gt_symbol *symbols, uint64_t pc, size_t *at)
{
    uint32_t slot;
    uint8_t *start = v1->frames + *at;
    if (gt_idmap_get(&v1->starts, pc))
        return GT_OK;
    *at = put(v1->frames, *at, 1);
    *at = put_frame(v1, symbols, v1->frames, *at, pc + 1);
    if (gt_stacks_add_plain(&v1->table.stacks, start, 1, &slot) != GT_OK ||
        gt_idmap_put_number(&v1->starts, pc, slot) != GT_OK)
        return gt_v1_fail_memory(v1);
    return GT_OK;
}

static gt_status add_stack(struct gt_v1 *v1, const gt_symbol *symbols,
                           const struct gt_v1_bare_stack *stack, size_t *at)
{
    struct gt_cursor cursor = gt_cursor_make(stack->data, (size_t) (v1->end - stack->data));
    uint64_t frames = gt_cursor_varint(&cursor);
    uint8_t *start = v1->frames + *at;
    *at = put(v1->frames, *at, frames);
    for (uint64_t i = 0; i < frames; i++)
        *at = put_frame(v1, symbols, v1->frames, *at, gt_cursor_varint(&cursor));
    if (gt_stacks_add(&v1->table.stacks, stack->id, start, (uint32_t) frames) != GT_OK)
        return gt_v1_fail_memory(v1);
    return GT_OK;
}

/* How many bytes the stacks take at most. */
static size_t measure(const struct gt_v1 *v1, const gt_symbol *symbols)
{
    size_t size = 0;
    for (size_t i = 0; i < v1->bare_count; i++) {
        const struct gt_v1_bare_stack *stack = &v1->bare[i];
        if (stack->is_start) {
            size = put_frame(v1, symbols, NULL, put(NULL, size, 1), stack->id + 1);
            continue;
        }
        struct gt_cursor cursor = gt_cursor_make(stack->data, (size_t) (v1->end - stack->data));
        uint64_t frames = gt_cursor_varint(&cursor);
        size = put(NULL, size, frames);
        for (uint64_t k = 0; k < frames; k++)
            size = put_frame(v1, symbols, NULL, size, gt_cursor_varint(&cursor));
    }
    return size;
}

static gt_status add_stacks(struct gt_v1 *v1, const gt_symbol *symbols)
{
    size_t at = 0;
    gt_status status = GT_OK;
    if (v1->bare_count == 0)
        return GT_OK;
    v1->frames_size = measure(v1, symbols);
    v1->frames = gt_mem_alloc(v1->mem, v1->frames_size);
    if (!v1->frames)
        return gt_v1_fail_memory(v1);
    for (size_t i = 0; i < v1->bare_count && status == GT_OK; i++) {
        const struct gt_v1_bare_stack *stack = &v1->bare[i];
        status = stack->is_start ? add_start(v1, symbols, stack->id, &at)
                                 : add_stack(v1, symbols, stack, &at);
    }
    return status;
}

static gt_status fill_table(struct gt_v1 *v1, const gt_symbol *symbols)
{
    gt_status status = GT_OK;
    for (size_t i = 0; symbols && i < v1->pc_count && status == GT_OK; i++) {
        status = add_text(v1, function_id(i), symbols[i].function);
        if (status == GT_OK)
            status = add_text(v1, file_id(i), symbols[i].file);
    }
    return status != GT_OK ? status : add_stacks(v1, symbols);
}

void gt_v1_symbols_drop(struct gt_v1 *v1)
{
    gt_mem_free(v1->mem, v1->bare, v1->bare_capacity * sizeof(*v1->bare));
    gt_mem_free(v1->mem, v1->pcs, v1->pc_capacity * sizeof(*v1->pcs));
    v1->bare = NULL;
    v1->pcs = NULL;
    v1->bare_capacity = v1->pc_capacity = 0;
}

gt_status gt_v1_symbolize(struct gt_v1 *v1)
{
    gt_symbol *symbols;
    if (v1->version >= 7)
        return GT_OK;
    sort_unique(v1);
    gt_status status = ask(v1, &symbols);
    if (status == GT_OK)
        status = fill_table(v1, symbols);
    gt_mem_free(v1->mem, symbols, v1->pc_count * sizeof(*symbols));
    gt_v1_symbols_drop(v1);
    return status;
}
