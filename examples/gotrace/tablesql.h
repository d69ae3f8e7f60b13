/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TABLESQL_H
#define TABLESQL_H

#include <stdbool.h>
#include <stdint.h>

#include "output.h"

/* Statements by which a query engine knows the tables in a folder. */

/* The engines, as the values of an option. */
extern const char tablesql_engines[];

/* Whether there is such an engine. */
bool tablesql_knows(const char *engine);

/*
 * Prints a view for each of the tables, which are bits, in a folder of which only the name is used,
 * and views for common questions that these tables can answer.
 */
void tablesql_print(struct output *out, const char *engine, const char *folder, uint64_t tables);

#endif
