/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JSONTEXT_H
#define JSONTEXT_H

/* A text in JSON that is built in memory. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <gotrace/types.h>

struct jsontext {
    char *text;
    size_t size;
    /* The stream to which jsontext_print prints; NULL if memory has run out. */
    FILE *stream;
};

void jsontext_begin(struct jsontext *json);

/* Prints as printf does. Does nothing if memory has run out. */
__attribute__((format(printf, 2, 3))) void jsontext_print(struct jsontext *json, const char *format,
                                                          ...);

/* Print a text in quotes, with escapes. */
void jsontext_put_text(struct jsontext *json, const char *text);
void jsontext_put_string(struct jsontext *json, gt_string string);

/*
 * Ends the text, which `text` and `size` then are, and which the caller frees. Returns false if
 * memory has run out; nothing is to be freed then.
 */
bool jsontext_end(struct jsontext *json);

#endif
