/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <string.h>

#include <gotrace/types.h>

/* `text`, which ends in NUL, as a string that borrows it. */
static inline gt_string text_of(const char *text)
{
    return (gt_string){text, strlen(text)};
}

static inline bool text_equals(gt_string string, const char *text)
{
    return string.size == strlen(text) && memcmp(string.data, text, string.size) == 0;
}

/* Compares byte by byte; a prefix comes first. Less than, equal to or greater than 0. */
static inline int text_compare(gt_string a, gt_string b)
{
    size_t least = a.size < b.size ? a.size : b.size;
    int order = least > 0 ? memcmp(a.data, b.data, least) : 0;
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

#endif
