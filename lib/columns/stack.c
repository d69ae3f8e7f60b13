/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/wraps.h"
#include "columns/state.h"

/* FNV-1a, of 64 bits. The ids of stacks must be the same for ever, so that files can be joined. */
#define STACK_HASH_START UINT64_C(0xcbf29ce484222325)
#define STACK_HASH_PRIME UINT64_C(0x100000001b3)

/* The first elements of the paths of the packages of the standard library. */
static const char *const stack_standard[] = {
    "archive", "bufio",    "builtin", "bytes",   "cmp",      "compress", "container", "context",
    "crypto",  "database", "debug",   "embed",   "encoding", "errors",   "expvar",    "flag",
    "fmt",     "go",       "hash",    "html",    "image",    "index",    "internal",  "io",
    "iter",    "log",      "maps",    "math",    "mime",     "net",      "os",        "path",
    "plugin",  "reflect",  "regexp",  "runtime", "simd",     "slices",   "sort",      "strconv",
    "strings", "structs",  "sync",    "syscall", "testing",  "text",     "time",      "unicode",
    "unique",  "unsafe",   "vendor",  "weak",
};

GT_WRAPS static uint64_t stack_hash_byte(uint64_t hash, uint8_t byte)
{
    return (hash ^ byte) * STACK_HASH_PRIME;
}

/* Adds a text and a byte that ends it. */
static uint64_t stack_hash_text(uint64_t hash, gt_string text)
{
    for (size_t i = 0; i < text.size; i++)
        hash = stack_hash_byte(hash, (uint8_t) text.data[i]);
    return stack_hash_byte(hash, 0);
}

static int64_t stack_hash(const gt_frame *frames, size_t count)
{
    uint64_t hash = STACK_HASH_START;
    for (size_t i = 0; i < count; i++) {
        hash = stack_hash_text(hash, frames[i].function);
        hash = stack_hash_text(hash, frames[i].file);
        for (unsigned byte = 0; byte < sizeof(frames[i].line); byte++)
            hash = stack_hash_byte(hash, (uint8_t) (frames[i].line >> 8 * byte));
    }
    return hash <= INT64_MAX ? (int64_t) hash : -1 - (int64_t) (UINT64_MAX - hash);
}

/* Returns the first element of the path of the package that a function is in. */
static gt_string stack_package_first(gt_string function)
{
    size_t slash = 0, dot = 0;
    /* Slashes in type arguments and receivers belong to other packages. */
    while (slash < function.size && !memchr("/[(", function.data[slash], 3))
        slash++;
    if (slash < function.size && function.data[slash] == '/')
        return (gt_string){function.data, slash};
    while (dot < function.size && function.data[dot] != '.')
        dot++;
    return (gt_string){function.data, dot};
}

static bool stack_is_standard(gt_string function)
{
    gt_string first = stack_package_first(function);
    for (size_t i = 0; i < sizeof(stack_standard) / sizeof(*stack_standard); i++) {
        if (gt_text_is(first, stack_standard[i]))
            return true;
    }
    return false;
}

/* Composes the functions, the outermost first, with semicolons in between. */
static gt_string stack_fold(struct gt_columns *columns, const gt_frame *frames, size_t count)
{
    struct gt_stack_ids *stacks = &columns->stacks;
    size_t size = count;
    for (size_t i = 0; i < count; i++)
        size += frames[i].function.size;
    stacks->folded.count = 0;
    gt_columns_note(columns, gt_array_reserve(&columns->mem, &stacks->folded, size));
    if (columns->status != GT_OK)
        return (gt_string){"", 0};
    char *to = stacks->folded.items;
    for (size_t i = count; i > 0; i--) {
        to = gt_text_put_bytes(to, frames[i - 1].function.data, frames[i - 1].function.size);
        *to++ = ';';
    }
    return (gt_string){stacks->folded.items, (size_t) (to - stacks->folded.items) - 1};
}

static void stack_row_put(struct gt_columns *columns, int64_t id, const gt_frame *frames,
                          size_t count)
{
    struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_STACKS);
    if (!rows)
        return;
    gt_row_set(rows, GT_COLUMN_STACKS_stack_id, id);
    gt_row_set(rows, GT_COLUMN_STACKS_frames, (int64_t) count);
    gt_row_text(columns, rows, GT_COLUMN_STACKS_leaf, frames[0].function);
    gt_row_text(columns, rows, GT_COLUMN_STACKS_root, frames[count - 1].function);
    for (size_t i = 0; i < count; i++) {
        if (!stack_is_standard(frames[i].function)) {
            gt_row_text(columns, rows, GT_COLUMN_STACKS_own, frames[i].function);
            break;
        }
    }
    gt_row_text(columns, rows, GT_COLUMN_STACKS_folded, stack_fold(columns, frames, count));
    gt_row_end(columns, GT_TABLE_STACKS);
}

static void stack_frames_put(struct gt_columns *columns, int64_t id, const gt_frame *frames,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct gt_rowset *rows = gt_row_begin(columns, GT_TABLE_FRAMES);
        if (!rows)
            return;
        gt_row_set(rows, GT_COLUMN_FRAMES_stack_id, id);
        gt_row_set(rows, GT_COLUMN_FRAMES_position, (int64_t) i);
        gt_row_text(columns, rows, GT_COLUMN_FRAMES_function, frames[i].function);
        gt_row_text(columns, rows, GT_COLUMN_FRAMES_file, frames[i].file);
        gt_row_set(rows, GT_COLUMN_FRAMES_line, gt_int32_of(gt_int64_of(frames[i].line)));
        gt_row_end(columns, GT_TABLE_FRAMES);
    }
}

/* Adds the rows of a stack, unless the trace has it already. */
static void stack_list(struct gt_columns *columns, int64_t id, const gt_frame *frames, size_t count)
{
    struct gt_stack_ids *stacks = &columns->stacks;
    uint64_t hash = gt_hash((uint64_t) id, columns->secret);
    const int64_t *listed;
    GT_INDEX_FIND(listed, &stacks->listed, &stacks->index, hash, *listed == id);
    if (listed)
        return;
    gt_columns_note(columns,
                    gt_index_append(&stacks->index, &stacks->listed, &columns->mem, hash, id));
    stack_row_put(columns, id, frames, count);
    stack_frames_put(columns, id, frames, count);
}

/* Finds out the id of a stack that is new in its generation. */
static void stack_identify(struct gt_columns *columns, gt_stack stack, struct gt_stack_ref *ref)
{
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_stack_view(columns->reader, stack, &frames, &count);
    if (status == GT_ERR_NO_MEMORY || status == GT_ERR_LIMIT)
        gt_columns_note(columns, status);
    if (status != GT_OK || count == 0)
        return;
    ref->id = stack_hash(frames, count);
    ref->is_known = true;
    stack_list(columns, ref->id, frames, count);
}

struct gt_stack_ref gt_columns_stack(struct gt_columns *columns, gt_stack stack)
{
    struct gt_stack_ids *stacks = &columns->stacks;
    struct gt_stack_ref none = {.is_known = false};
    const size_t slot = (uint32_t) stack;
    const uint64_t ordinal = stack >> 32;
    if (stack == GT_STACK_NONE || slot == GT_STACK_EMPTY_SLOT)
        return none;
    if (ordinal != stacks->ordinal) {
        stacks->ordinal = ordinal;
        stacks->known.count = 0;
    }
    if (slot >= stacks->known.count) {
        gt_columns_note(columns, gt_array_extend(&columns->mem, &stacks->known, slot + 1));
        if (columns->status != GT_OK)
            return none;
    }
    struct gt_stack_ref *ref = &stacks->known.items[slot];
    if (!ref->is_known)
        stack_identify(columns, stack, ref);
    return *ref;
}

void gt_columns_stacks_clear(struct gt_columns *columns)
{
    struct gt_stack_ids *stacks = &columns->stacks;
    gt_array_free(&columns->mem, &stacks->known);
    gt_array_free(&columns->mem, &stacks->listed);
    gt_index_free(&stacks->index, &columns->mem);
    gt_array_free(&columns->mem, &stacks->folded);
    stacks->ordinal = 0;
}
