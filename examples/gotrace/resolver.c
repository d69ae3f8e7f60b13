/* SPDX-License-Identifier: BSD-3-Clause */
#include "resolver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RESOLVER_TOOL_COUNT = 2
};

static const char *const resolver_tools[RESOLVER_TOOL_COUNT] = {"addr2line", "llvm-symbolizer"};

bool resolver_knows(const char *tool)
{
    size_t at = 0;
    while (at < RESOLVER_TOOL_COUNT && strcmp(resolver_tools[at], tool) != 0)
        at++;
    return at < RESOLVER_TOOL_COUNT;
}

/* Runs the tool, which prints the same in both cases. */
static bool resolver_run_tool(struct resolver *resolver, const char *path)
{
    char addr2line[] = "addr2line", llvm[] = "llvm-symbolizer", style[] = "--output-style=GNU";
    char words[] = "-afiC", of[] = "-e";
    char *file = strdup(path);
    char *with_addr2line[] = {addr2line, words, of, file, NULL};
    char *with_llvm[] = {llvm, style, words, of, file, NULL};
    bool is_llvm = strcmp(resolver->tool, llvm) == 0;
    bool is_run = file && filter_run(&resolver->filter, is_llvm ? with_llvm : with_addr2line);
    resolver->rest = resolver->filter.output;
    free(file);
    return is_run;
}

static bool resolver_ask_tool(struct resolver *resolver, const char *path)
{
    if (!filter_begin(&resolver->filter))
        return false;
    for (size_t i = 0; i < resolver->count; i++)
        fprintf(resolver->filter.input, "0x%" PRIx64 "\n", resolver->addresses[i]);
    return resolver_run_tool(resolver, path);
}

bool resolver_ask(struct resolver *resolver, const char *path, const uint64_t *addresses,
                  size_t count)
{
    resolver->addresses = addresses;
    resolver->count = count;
    resolver->at = 0;
    if (resolver->tool)
        return resolver_ask_tool(resolver, path);
    for (size_t i = 0; i < RESOLVER_TOOL_COUNT; i++) {
        resolver->tool = resolver_tools[i];
        bool is_answered = resolver_ask_tool(resolver, path);
        if (!resolver->filter.is_missing)
            return is_answered;
    }
    resolver->tool = NULL;
    snprintf(resolver->filter.error, sizeof(resolver->filter.error),
             "cannot run addr2line or llvm-symbolizer: install binutils");
    return false;
}

/* Reads the line at `*at` and advances to the next. Returns false if no complete line is left. */
static bool resolver_next_line(char **at, gt_string *line)
{
    char *end = strchr(*at, '\n');
    if (!end)
        return false;
    *line = (gt_string){*at, (size_t) (end - *at)};
    *at = end + 1;
    return true;
}

/* Whether the answers go on with the address `index` of those that were asked for. */
static bool resolver_is_at(const struct resolver *resolver, size_t index)
{
    char *end;
    if (index >= resolver->count || strncmp(resolver->rest, "0x", 2) != 0)
        return false;
    uint64_t address = strtoull(resolver->rest, &end, 16);
    return address == resolver->addresses[index] && *end == '\n';
}

bool resolver_next_address(struct resolver *resolver)
{
    gt_string line;
    if (!resolver->rest || !resolver_is_at(resolver, resolver->at))
        return false;
    resolver->at++;
    return resolver_next_line(&resolver->rest, &line);
}

static gt_string resolver_text(gt_string text)
{
    bool is_known = !(text.size == 2 && memcmp(text.data, "??", 2) == 0);
    return is_known ? text : (gt_string){"", 0};
}

/* `where` is FILE:LINE, perhaps with a remark; LINE can be '?'. */
static void resolver_set_place(struct resolver_place *place, gt_string where)
{
    size_t colon = where.size;
    while (colon > 0 && where.data[colon - 1] != ':')
        colon--;
    if (colon == 0)
        return;
    place->file = resolver_text((gt_string){where.data, colon - 1});
    if (place->file.size > 0)
        place->line = strtoull(where.data + colon, NULL, 10);
}

bool resolver_next_place(struct resolver *resolver, struct resolver_place *place)
{
    gt_string function, where;
    if (resolver_is_at(resolver, resolver->at) || !resolver_next_line(&resolver->rest, &function) ||
        !resolver_next_line(&resolver->rest, &where))
        return false;
    *place = (struct resolver_place){.function = resolver_text(function), .file = {"", 0}};
    resolver_set_place(place, where);
    return true;
}

void resolver_free(struct resolver *resolver)
{
    filter_free(&resolver->filter);
    resolver->rest = NULL;
}
