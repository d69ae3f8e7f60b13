/* SPDX-License-Identifier: BSD-3-Clause */
#include "modulelist.h"

#include <stdlib.h>
#include <string.h>

#include "list.h"

static const char module_head[] = "gotrace.module ";

/* Reads a hexadecimal number and the space after it. */
static bool module_number(char **at, uint64_t *number)
{
    char *end;
    if (strncmp(*at, "0x", 2) != 0)
        return false;
    *number = strtoull(*at, &end, 16);
    *at = end + 1;
    return *end == ' ';
}

/* Reads the text of a module. Returns false if it is malformed. */
static bool module_parse(struct module *module)
{
    char *at = module->text + sizeof(module_head) - 1;
    if (!module_number(&at, &module->base) || !module_number(&at, &module->low) ||
        !module_number(&at, &module->high))
        return false;
    char *space = strchr(at, ' ');
    if (!space || module->base > module->low || module->low >= module->high)
        return false;
    *space = '\0';
    module->build_id = at;
    module->path = space + 1;
    return true;
}

bool modulelist_add(struct modulelist *modules, gt_string text)
{
    if (text.size < sizeof(module_head) ||
        memcmp(text.data, module_head, sizeof(module_head) - 1) != 0 ||
        memchr(text.data, '\0', text.size))
        return true;
    if (!list_reserve(&modules->list, &modules->capacity, modules->count + 1,
                      sizeof(*modules->list)))
        return false;
    struct module *module = &modules->list[modules->count];
    *module = (struct module){.order = modules->count, .text = strndup(text.data, text.size)};
    if (!module->text)
        return false;
    if (module_parse(module))
        modules->count++;
    else
        free(module->text);
    return true;
}

static int module_compare(const void *a, const void *b)
{
    const struct module *left = a, *right = b;
    if (left->low != right->low)
        return left->low < right->low ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

/*
 * Each generation tells of the same modules again, so most of those that overlap are the same. Of
 * others the trace does not say which one was there when.
 */
void modulelist_sort(struct modulelist *modules)
{
    size_t kept = 1;
    if (modules->count == 0)
        return;
    qsort(modules->list, modules->count, sizeof(*modules->list), module_compare);
    for (size_t i = 1; i < modules->count; i++) {
        struct module *module = &modules->list[i], *last = &modules->list[kept - 1];
        if (module->low >= last->high) {
            modules->list[kept++] = *module;
            continue;
        }
        bool is_later = module->order > last->order;
        free(is_later ? last->text : module->text);
        if (is_later)
            *last = *module;
    }
    modules->count = kept;
}

const struct module *modulelist_find(const struct modulelist *modules, uint64_t address)
{
    size_t low = 0, high = modules->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (modules->list[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < modules->list[low - 1].high ? &modules->list[low - 1] : NULL;
}

void modulelist_free(struct modulelist *modules)
{
    for (size_t i = 0; i < modules->count; i++)
        free(modules->list[i].text);
    free(modules->list);
}
