/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMPAREJSON_H
#define COMPAREJSON_H

/* The differences of a comparison as JSON, for the command and for the page. */

#include <stdbool.h>

#include <gotrace/compare.h>

#include "jsontext.h"
#include "output.h"

/* Puts the members "before", "after", "tested" and "lost" of an object. */
void comparejson_put_info(struct jsontext *json, const gt_compare *compare);

/* Puts an object for a difference. */
void comparejson_put_difference(struct jsontext *json, const gt_compare_difference *difference);

/*
 * Writes all of it. `conditions` are separated by semicolons, or NULL. Returns false if there is
 * not enough memory.
 */
bool comparejson_write(struct output *out, const gt_compare *compare, bool all,
                       const char *conditions);

#endif
