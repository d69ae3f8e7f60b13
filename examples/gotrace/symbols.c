/* SPDX-License-Identifier: BSD-3-Clause */
#include "symbols.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool symbols_set(struct symbols *symbols, gt_symbol *list, size_t count)
{
    struct resolver *resolver = &symbols->resolver;
    struct resolver_place place;
    for (size_t i = 0; i < count; i++) {
        if (!resolver_next_address(resolver) || !resolver_next_place(resolver, &place)) {
            snprintf(symbols->error, sizeof(symbols->error), "%s answers for %zu of %zu addresses",
                     resolver->tool, i, count);
            return false;
        }
        list[i].function = place.function;
        list[i].file = place.file;
        list[i].line = place.line;
        /* A frame has one function. */
        while (resolver_next_place(resolver, &place))
            continue;
    }
    return true;
}

int symbols_find(void *user_data, gt_symbol *list, size_t count)
{
    struct symbols *symbols = user_data;
    uint64_t *addresses = calloc(count + 1, sizeof(*addresses));
    bool good = false;
    if (!addresses) {
        snprintf(symbols->error, sizeof(symbols->error), "no memory for %zu addresses", count);
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        addresses[i] = list[i].address;
    if (resolver_ask(&symbols->resolver, symbols->program, addresses, count))
        good = symbols_set(symbols, list, count);
    else
        memcpy(symbols->error, symbols->resolver.filter.error, sizeof(symbols->error));
    free(addresses);
    return good ? 0 : -1;
}

void symbols_free(struct symbols *symbols)
{
    resolver_free(&symbols->resolver);
}
