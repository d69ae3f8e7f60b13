/* SPDX-License-Identifier: BSD-3-Clause */
#include "limits/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "support/v1hostile.h"

struct table {
    const char *name;
    const struct hostile *hostiles;
    const size_t *count;
};

static const struct table tables[] = {
    {"v2", hostiles, &hostile_count},
    {"events", event_hostiles, &event_hostile_count},
    {"damage", damage_hostiles, &damage_hostile_count},
    {"v1", v1_hostiles, &v1_hostile_count},
};

#define TABLES (sizeof(tables) / sizeof(*tables))

size_t kinds_count(void)
{
    size_t count = 0;

    for (size_t i = 0; i < TABLES; i++)
        count += *tables[i].count;
    return count;
}

struct kind kinds_get(size_t index)
{
    const struct table *table = tables;

    while (index >= *table->count)
        index -= *table++->count;
    return (struct kind){&table->hostiles[index], table->name};
}

struct kind *kinds_new(size_t index)
{
    struct kind *kind = malloc(sizeof(*kind));

    if (!kind)
        abort();
    *kind = kinds_get(index);
    return kind;
}

uint8_t *kinds_write(const struct kind *kind, uint64_t n, size_t *size)
{
    struct wire wire = {0};
    uint8_t *data;

    kind->hostile->write(&wire, n);
    wire_generation_end(&wire);
    data = malloc(wire.size);
    if (!data)
        abort();
    memcpy(data, wire.data, wire.size);
    *size = wire.size;
    wire_free(&wire);
    return data;
}
