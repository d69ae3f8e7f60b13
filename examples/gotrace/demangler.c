/* SPDX-License-Identifier: BSD-3-Clause */
#include "demangler.h"

#include <stdlib.h>
#include <string.h>

#include "list.h"

/* Names of C++, and of Rust, in whose old form they are those of C++ with a hash. */
static bool demangler_is_name(gt_string text)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$";
    if (text.size < 3 || text.data[0] != '_' || (text.data[1] != 'Z' && text.data[1] != 'R'))
        return false;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\0' || !strchr(letters, text.data[i]))
            return false;
    }
    return true;
}

bool demangler_note(struct demangler *demangler, gt_string text)
{
    if (!demangler_is_name(text))
        return true;
    if (!list_reserve(&demangler->names, &demangler->capacity, demangler->count + 1,
                      sizeof(*demangler->names)))
        return false;
    struct demangler_name *name = &demangler->names[demangler->count];
    *name = (struct demangler_name){.mangled = strndup(text.data, text.size), .meaning = {"", 0}};
    if (!name->mangled)
        return false;
    demangler->count++;
    return true;
}

static int demangler_compare(const void *a, const void *b)
{
    return strcmp(((const struct demangler_name *) a)->mangled,
                  ((const struct demangler_name *) b)->mangled);
}

/* Sorts the names, and frees all but one of those that are equal. */
static void demangler_sort(struct demangler *demangler)
{
    size_t kept = 0;
    if (demangler->count > 0)
        qsort(demangler->names, demangler->count, sizeof(*demangler->names), demangler_compare);
    for (size_t i = 0; i < demangler->count; i++) {
        if (kept > 0 &&
            strcmp(demangler->names[kept - 1].mangled, demangler->names[i].mangled) == 0)
            free(demangler->names[i].mangled);
        else
            demangler->names[kept++] = demangler->names[i];
    }
    demangler->count = kept;
}

/* The tool prints a line for each name, which is the name itself if it has no meaning. */
static void demangler_read(struct demangler *demangler)
{
    char *at = demangler->filter.output;
    for (size_t i = 0; i < demangler->count; i++) {
        struct demangler_name *name = &demangler->names[i];
        char *end = strchr(at, '\n');
        if (!end)
            return;
        *end = '\0';
        if (strcmp(at, name->mangled) != 0)
            name->meaning = (gt_string){at, (size_t) (end - at)};
        at = end + 1;
    }
}

static bool demangler_run_tool(struct demangler *demangler, const char *tool)
{
    char name[sizeof("llvm-cxxfilt")];
    char *arguments[] = {name, NULL};
    strcpy(name, tool);
    if (!filter_begin(&demangler->filter))
        return false;
    for (size_t i = 0; i < demangler->count; i++)
        fprintf(demangler->filter.input, "%s\n", demangler->names[i].mangled);
    return filter_run(&demangler->filter, arguments);
}

bool demangler_run(struct demangler *demangler)
{
    demangler_sort(demangler);
    if (demangler->count == 0)
        return true;
    bool is_run = demangler_run_tool(demangler, "c++filt");
    if (demangler->filter.is_missing)
        is_run = demangler_run_tool(demangler, "llvm-cxxfilt");
    if (is_run)
        demangler_read(demangler);
    return is_run;
}

gt_string demangler_find(const struct demangler *demangler, gt_string text)
{
    static const gt_string none = {"", 0};
    size_t low = 0, high = demangler->count;
    if (!demangler_is_name(text))
        return none;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct demangler_name *name = &demangler->names[middle];
        int order = strncmp(name->mangled, text.data, text.size);
        if (order == 0 && name->mangled[text.size] == '\0')
            return name->meaning;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return none;
}

void demangler_free(struct demangler *demangler)
{
    for (size_t i = 0; i < demangler->count; i++)
        free(demangler->names[i].mangled);
    free(demangler->names);
    filter_free(&demangler->filter);
}
