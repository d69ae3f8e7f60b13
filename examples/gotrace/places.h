/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLACES_H
#define PLACES_H

/*
 * The places in the source of the addresses that a trace has in its stacks: they are collected,
 * found by a resolver, and then looked up.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "idset.h"
#include "modulelist.h"
#include "resolver.h"

/* A place, of which the names are numbers from 1 on; 0 is a name that is not known. */
struct place {
    size_t function, file;
    uint64_t line;
};

struct place_name {
    char *text; /* Owned. */
    size_t size;
};

struct place_address {
    uint64_t pc;
    /* Its places are `count` in the list from `first` on, the innermost function first. */
    size_t first, count;
};

/* Begins as zeros. */
struct places {
    struct idset seen;
    struct place_address *addresses;
    size_t address_count, address_capacity;
    struct place *list;
    size_t count, capacity;
    /* A name of number N is at N - 1; the table has these numbers, by the hashes of the names. */
    struct place_name *names;
    size_t name_count, name_capacity;
    size_t *name_table;
    size_t name_table_size;
};

/* Notes an address. Returns false if there is not enough memory. */
bool places_note(struct places *places, uint64_t pc);

/* Must be called when all addresses were noted. */
void places_sort(struct places *places);

/*
 * Takes the answers of a resolver that was asked for the addresses from `first` up to `end`, in
 * their order. Returns false if there is not enough memory.
 */
bool places_take(struct places *places, size_t first, size_t end, struct resolver *resolver);

/* Returns the address, or NULL if it was not noted or has no places. */
const struct place_address *places_find(const struct places *places, uint64_t pc);

void places_free(struct places *places);

#endif
