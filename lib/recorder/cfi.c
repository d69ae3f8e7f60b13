/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/cfi.h"

#include <string.h>

#include "base/likely.h"
#include "base/sort.h"
#include "base/wraps.h"
#include "recorder/cfi_program.h"

/* How addresses are written, of the Linux Standard Base: .eh_frame. */
enum {
    CFI_ENCODING_LEB = 0x01,
    CFI_ENCODING_2 = 0x02,
    CFI_ENCODING_4 = 0x03,
    CFI_ENCODING_8 = 0x04,
    CFI_ENCODING_SIGNED = 0x08,
    CFI_ENCODING_FORMAT = 0x0f,
    CFI_ENCODING_RELATIVE = 0x10 /* to where it is written */
};

enum {
    /* The most bytes of instructions that several entries have in common. */
    CFI_COMMON_PROGRAM = 256
};

/* The content of .eh_frame. */
struct cfi_section {
    const uint8_t *content;
    size_t size;
    uint64_t address;
};

/* An entry: a CIE, which several others use, or an FDE, which is about one function. */
struct cfi_entry {
    const uint8_t *begin; /* of what the id is relative to, which is the id itself */
    struct gt_cfi_cursor cursor;
    uint64_t id; /* 0: a CIE; otherwise how far before `begin` that of the FDE is */
};

/* An FDE, for addresses from the begin of the table on. */
struct cfi_function {
    uint32_t address, size;
    size_t at; /* of the entry in the section */
};

struct cfi_functions {
    GT_ARRAY(struct cfi_function) list;
};

/* Reads the head of an entry, and goes on to the next one. Returns false at the end. */
static bool entry_next(struct gt_cfi_cursor *section, struct cfi_entry *entry)
{
    uint64_t size = gt_cfi_fixed(section, 4);
    if (size == UINT32_MAX)
        size = gt_cfi_fixed(section, 8);
    if (section->has_failed || size < 4 || size > (size_t) (section->end - section->at))
        return false;
    entry->begin = section->at;
    section->at += size;
    entry->cursor = (struct gt_cfi_cursor){entry->begin, section->at, false};
    entry->id = gt_cfi_fixed(&entry->cursor, 4);
    return true;
}

size_t gt_cfi_length(const uint8_t *content, size_t size)
{
    struct gt_cfi_cursor cursor = {content, content + size, false};
    struct cfi_entry entry;
    const uint8_t *end = content;
    while (entry_next(&cursor, &entry))
        end = cursor.at;
    return (size_t) (end - content);
}

GT_WRAPS static uint64_t cursor_address(struct gt_cfi_cursor *cursor, uint8_t encoding,
                                        const struct cfi_section *section)
{
    uint64_t from = section->address + (uint64_t) (cursor->at - section->content), value;
    bool is_signed = encoding & CFI_ENCODING_SIGNED;
    switch (encoding & CFI_ENCODING_FORMAT & ~CFI_ENCODING_SIGNED) {
    case CFI_ENCODING_LEB:
        value = is_signed ? (uint64_t) gt_cfi_signed(cursor) : gt_cfi_unsigned(cursor);
        break;
    case CFI_ENCODING_2:
        value = gt_cfi_fixed(cursor, 2);
        value = is_signed && value >> 15 ? value | ~UINT64_C(0xffff) : value;
        break;
    case CFI_ENCODING_4:
        value = gt_cfi_fixed(cursor, 4);
        value = is_signed && value >> 31 ? value | ~UINT64_C(0xffffffff) : value;
        break;
    default:
        value = gt_cfi_fixed(cursor, 8);
        break;
    }
    return (encoding & CFI_ENCODING_RELATIVE) != 0 ? value + from : value;
}

/* Addresses as they are, or relative to where they are written, are what linkers make. */
static bool encoding_is_known(uint8_t encoding)
{
    uint8_t format = encoding & CFI_ENCODING_FORMAT & ~CFI_ENCODING_SIGNED;
    return (encoding | CFI_ENCODING_FORMAT | CFI_ENCODING_RELATIVE) ==
               (CFI_ENCODING_FORMAT | CFI_ENCODING_RELATIVE) &&
           format <= CFI_ENCODING_8;
}

/* Reads the data that the letters of an augmentation announce. */
static bool common_read_augmentation(struct gt_cfi_common *common, struct gt_cfi_cursor *cursor,
                                     const char *letters, const struct cfi_section *section)
{
    common->is_signal = strchr(letters, 'S') != NULL;
    common->has_data = letters[0] == 'z';
    common->encoding = 0;
    if (letters[0] != 'z')
        return letters[0] == '\0';
    uint64_t size = gt_cfi_unsigned(cursor);
    if (size > (size_t) (cursor->end - cursor->at))
        return false;
    struct gt_cfi_cursor data = {cursor->at, cursor->at + size, false};
    cursor->at = data.end;
    for (const char *letter = letters + 1; *letter != '\0'; letter++) {
        uint8_t encoding;
        if (*letter == 'R') {
            common->encoding = (uint8_t) gt_cfi_fixed(&data, 1);
        } else if (*letter == 'L') {
            gt_cfi_fixed(&data, 1);
        } else if (*letter == 'P') {
            encoding = (uint8_t) gt_cfi_fixed(&data, 1);
            cursor_address(&data, encoding, section);
        } else if (*letter != 'S' && *letter != 'B') {
            return false;
        }
    }
    return !data.has_failed && encoding_is_known(common->encoding);
}

/* Runs the instructions that begin every program. */
static bool common_run(struct gt_cfi_common *common, const struct gt_cfi_cursor *cursor)
{
    struct gt_cfi_program program = {*cursor, common, common->first, 0, 1};
    struct gt_cfi_state saved[GT_CFI_SAVED];
    size_t saved_count = 0;
    uint64_t next;
    if (cursor->end - cursor->at > CFI_COMMON_PROGRAM ||
        !gt_cfi_run(&program, saved, &saved_count, &next))
        return false;
    common->first = program.state;
    return true;
}

/* Reads a CIE. */
static bool common_read(struct gt_cfi_common *common, struct cfi_entry *entry,
                        const struct cfi_section *section)
{
    struct gt_cfi_cursor *cursor = &entry->cursor;
    uint8_t version = (uint8_t) gt_cfi_fixed(cursor, 1);
    const uint8_t *end = memchr(cursor->at, '\0', (size_t) (cursor->end - cursor->at));
    if (entry->id != 0 || (version != 1 && version != 3) || !end)
        return false;
    const char *letters = (const char *) cursor->at;
    cursor->at = end + 1;
    memset(&common->first, 0, sizeof(common->first));
    common->first.frame = GT_CFI_END;
    common->code_factor = gt_cfi_unsigned(cursor);
    common->data_factor = gt_cfi_signed(cursor);
    /* The register of the return address, which is always the same. */
    if (version == 1)
        gt_cfi_fixed(cursor, 1);
    else
        gt_cfi_unsigned(cursor);
    return common_read_augmentation(common, cursor, letters, section) && !cursor->has_failed &&
           common_run(common, cursor);
}

/* Finds and reads the CIE that begins at `at`. */
static bool common_find(struct gt_cfi_common *common, const uint8_t *at,
                        const struct cfi_section *section)
{
    struct gt_cfi_cursor cursor = {at, section->content + section->size, false};
    struct cfi_entry found;
    return entry_next(&cursor, &found) && common_read(common, &found, section);
}

/* Keeps the CIE that was read last: most entries have the same. */
struct cfi_cache {
    const uint8_t *at;
    bool is_good;
    struct gt_cfi_common common;
};

/* Returns the CIE of an FDE, or NULL if it has none that can be read. */
static const struct gt_cfi_common *cache_get(struct cfi_cache *cache, const struct cfi_entry *entry,
                                             const struct cfi_section *section)
{
    if (entry->id == 0 || entry->id > (uint64_t) (entry->begin - section->content))
        return NULL;
    const uint8_t *at = entry->begin - entry->id;
    if (cache->at != at) {
        cache->at = at;
        cache->is_good = common_find(&cache->common, at, section);
    }
    return cache->is_good ? &cache->common : NULL;
}

/* Reads which addresses an FDE is about. Its cursor goes on to the augmentation. */
GT_WRAPS static bool entry_read_range(struct cfi_entry *entry, const struct gt_cfi_common *common,
                                      const struct cfi_section *section, const struct gt_cfi *cfi,
                                      struct cfi_function *function)
{
    uint64_t address = cursor_address(&entry->cursor, common->encoding, section) - cfi->begin;
    uint64_t size = cursor_address(&entry->cursor, common->encoding & CFI_ENCODING_FORMAT, section);
    if (entry->cursor.has_failed || size == 0 || address >= cfi->size || size > cfi->size - address)
        return false;
    function->address = (uint32_t) address;
    function->size = (uint32_t) size;
    return true;
}

static gt_status functions_read(struct cfi_functions *functions, struct gt_mem *mem,
                                const struct cfi_section *section, const struct gt_cfi *cfi)
{
    struct gt_cfi_cursor cursor = {section->content, section->content + section->size, false};
    struct cfi_cache cache = {NULL, false, {0}};
    struct cfi_entry entry;
    gt_status status = GT_OK;
    const uint8_t *at = cursor.at;
    for (; status == GT_OK && entry_next(&cursor, &entry); at = cursor.at) {
        const struct gt_cfi_common *common = cache_get(&cache, &entry, section);
        struct cfi_function function = {0, 0, (size_t) (at - section->content)};
        if (common && entry_read_range(&entry, common, section, cfi, &function))
            status = gt_array_add(mem, &functions->list, function);
    }
    return status;
}

static bool function_is_before(const void *a, const void *b, void *context)
{
    const struct cfi_function *one = a, *other = b;
    (void) context;
    if (one->address != other->address)
        return one->address < other->address;
    return one->at < other->at;
}

/* Adds a row, unless the last one has the same rule. One at the same address is replaced. */
static gt_status row_add(struct gt_cfi *cfi, struct gt_mem *mem, uint64_t address, gt_cfi_rule rule,
                         size_t most)
{
    struct gt_cfi_row *last = cfi->rows.count > 0 ? &cfi->rows.items[cfi->rows.count - 1] : NULL;
    if (last && last->address == address)
        last->rule = rule;
    if (last && (last->rule == rule || last->address == address))
        return GT_OK;
    if (cfi->rows.count >= most)
        return GT_ERR_LIMIT;
    return gt_array_add(mem, &cfi->rows, (struct gt_cfi_row){(uint32_t) address, rule});
}

/*
 * Adds the rows of a function. What comes after an instruction that is not known has no rule. The
 * saved states take most of a KiB of stack, which the caller does without while it reads.
 */
static GT_NOINLINE gt_status function_add_rows(const struct cfi_function *function,
                                               struct gt_cfi *cfi, struct gt_mem *mem,
                                               struct gt_cfi_program *program, size_t most)
{
    struct gt_cfi_state saved[GT_CFI_SAVED];
    size_t saved_count = 0;
    gt_status status = GT_OK;
    program->address = function->address;
    program->end = (uint64_t) function->address + function->size;
    while (status == GT_OK && program->address < program->end) {
        uint64_t next = program->end;
        bool is_known = gt_cfi_run(program, saved, &saved_count, &next);
        gt_cfi_rule rule =
            is_known ? gt_cfi_rule_of(&program->state, program->common->is_signal) : GT_CFI_END;
        status = row_add(cfi, mem, program->address, rule, most);
        program->address = is_known ? next : program->end;
    }
    /* Nothing is known from here on, until the next function. */
    return status == GT_OK && program->end < cfi->size
               ? row_add(cfi, mem, program->end, GT_CFI_NONE, most)
               : status;
}

static gt_status function_read(const struct cfi_function *function, struct gt_cfi *cfi,
                               struct gt_mem *mem, const struct cfi_section *section,
                               struct cfi_cache *cache, size_t most)
{
    const uint8_t *at = section->content + function->at;
    struct gt_cfi_cursor cursor = {at, section->content + section->size, false};
    struct cfi_entry entry;
    struct cfi_function again;
    if (!entry_next(&cursor, &entry))
        return GT_OK;
    const struct gt_cfi_common *common = cache_get(cache, &entry, section);
    if (!common || !entry_read_range(&entry, common, section, cfi, &again))
        return GT_OK;
    struct gt_cfi_program program = {entry.cursor, common, common->first, 0, 0};
    /* What is for exceptions. */
    uint64_t skipped = common->has_data ? gt_cfi_unsigned(&program.cursor) : 0;
    if (skipped > (size_t) (program.cursor.end - program.cursor.at))
        return GT_OK;
    program.cursor.at += skipped;
    return function_add_rows(function, cfi, mem, &program, most);
}

/* Functions that overlap the one before are left out, so that rows are in order. */
static gt_status table_add_functions(struct gt_cfi *cfi, struct gt_mem *mem,
                                     const struct cfi_section *section,
                                     const struct cfi_functions *functions, size_t most)
{
    struct cfi_cache cache = {NULL, false, {0}};
    uint64_t end = 0;
    gt_status status = row_add(cfi, mem, 0, GT_CFI_NONE, most);
    for (size_t i = 0; i < functions->list.count && status == GT_OK; i++) {
        const struct cfi_function *function = &functions->list.items[i];
        if (function->address < end)
            continue;
        end = (uint64_t) function->address + function->size;
        status = function_read(function, cfi, mem, section, &cache, most);
    }
    return status;
}

static gt_status table_add_pages(struct gt_cfi *cfi, struct gt_mem *mem)
{
    size_t count = (size_t) ((cfi->size + GT_CFI_PAGE - 1) / GT_CFI_PAGE) + 1, row = 0;
    gt_status status = gt_array_extend(mem, &cfi->pages, count);
    for (size_t i = 0; i < count && status == GT_OK; i++) {
        while (row + 1 < cfi->rows.count &&
               cfi->rows.items[row + 1].address <= (uint64_t) i * GT_CFI_PAGE)
            row++;
        cfi->pages.items[i] = (uint32_t) row;
    }
    return status;
}

gt_status gt_cfi_read(struct gt_cfi *cfi, struct gt_mem *mem, const uint8_t *content, size_t size,
                      uint64_t address, size_t most)
{
    struct cfi_section section = {content, size, address};
    struct cfi_functions functions = {{NULL, 0, 0}};
    if (cfi->size == 0 || cfi->size > UINT32_MAX || most > UINT32_MAX)
        return GT_ERR_LIMIT;
    gt_status status = functions_read(&functions, mem, &section, cfi);
    gt_sort(functions.list.items, functions.list.count, sizeof(*functions.list.items),
            function_is_before, NULL);
    if (status == GT_OK)
        status = table_add_functions(cfi, mem, &section, &functions, most);
    if (status == GT_OK)
        status = table_add_pages(cfi, mem);
    gt_array_free(mem, &functions.list);
    if (status != GT_OK)
        gt_cfi_free(cfi, mem);
    return status;
}

void gt_cfi_free(struct gt_cfi *cfi, struct gt_mem *mem)
{
    gt_array_free(mem, &cfi->rows);
    gt_array_free(mem, &cfi->pages);
}
