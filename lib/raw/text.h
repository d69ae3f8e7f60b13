/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_TEXT_H
#define GT_RAW_TEXT_H

#include "raw/raw.h"

/* Begins a comment that says what a record's numbers take. */
#define GT_RAW_WIDTHS "#!widths"

enum {
    /* No name of a record or an argument is longer. */
    GT_RAW_NAME_MAX = 24
};

/* Types of records by name: a hash table of which a name's first place follows from its letters. */
struct gt_raw_names {
    uint8_t slots[256]; /* types; 0: free, as no record has it */
    int filled;
};

struct gt_raw_text {
    /* What is left of the line. There is always a newline at `end`. */
    const uint8_t *p;
    const uint8_t *end;
    uint64_t line;        /* its number, from 1 */
    uint64_t offset;      /* where it begins */
    uint64_t record_line; /* the number of the record's first line */
    uint8_t *last;        /* a copy of the last line, where the input has no newline there */
    size_t last_capacity;
    char *data; /* of the record, as it was between its quotes */
    size_t data_capacity;
    int has_widths; /* the record that is to come; they are in it */
    struct gt_raw_names names;
};

/* Where a line stands: so it is with a line of widths. */
enum gt_raw_place {
    GT_RAW_BEFORE_HEADER, /* it is a comment like others */
    GT_RAW_BEFORE_RECORD, /* its numbers become the record's widths */
    GT_RAW_WITHIN_RECORD  /* it is a fault */
};

/*
 * Takes the next line that has more than a comment on it; text->p is where that
 * begins. GT_END at the end of the input.
 */
gt_status gt_raw_text_next(struct gt_raw_reader *reader, enum gt_raw_place place);

/*
 * Sets an error with the number and the offset of the current line; `text` as in
 * gt_error_set.
 */
gt_status gt_raw_text_fail(struct gt_raw_reader *reader, gt_status status, const char *text, ...);

enum {
    GT_RAW_WORD_MAX = 40
};

/* Copies what is left of the word at `p`, quoted and perhaps cut off, for a message. */
const char *gt_raw_text_word(const uint8_t *p, char word[GT_RAW_WORD_MAX]);

/* The length of the white space beyond ASCII that `p` points to, 0 where there is none. */
size_t gt_raw_text_wide_space(const uint8_t *p);

/* The same of any white space but a newline: Go's unicode.IsSpace. */
static inline size_t gt_raw_text_space(const uint8_t *p)
{
    if (*p == ' ' || (*p >= '\t' && *p <= '\r' && *p != '\n'))
        return 1;
    return *p < 0x80 ? 0 : gt_raw_text_wide_space(p);
}

static inline const uint8_t *gt_raw_text_skip(const uint8_t *p)
{
    for (size_t space; (space = gt_raw_text_space(p)) != 0;)
        p += space;
    return p;
}

/* Whether nothing but a comment is there. */
static inline int gt_raw_text_is_end(const uint8_t *p)
{
    return *p == '\n' || *p == '#';
}

/* Whether a word ends there. */
static inline int gt_raw_text_is_gap(const uint8_t *p)
{
    return gt_raw_text_is_end(p) || gt_raw_text_space(p) != 0;
}

/* Moves `*p` over `word`, which has no newline in it, if it is there. */
static inline int gt_raw_text_take(const uint8_t **p, const char *word)
{
    const uint8_t *at = *p;
    for (; *word; word++, at++) {
        if (*at != (uint8_t) *word)
            return 0;
    }
    *p = at;
    return 1;
}

/* Moves `*p` over decimal digits. 0: there are none, or they are too large a number. */
int gt_raw_text_number(const uint8_t **p, uint64_t *value);

/* Where a record's name ends: at the first byte that none has. */
static inline const uint8_t *gt_raw_text_name_end(const uint8_t *p)
{
    while ((uint8_t) ((*p | 0x20) - 'a') < 26)
        p++;
    return p;
}

/* The record whose name is `size` bytes at `name`; NULL where there is none. */
const gt_wire_spec *gt_raw_names_find(struct gt_raw_names *names, const gt_wire_spec *const *specs,
                                      const uint8_t *name, size_t size);

/*
 * Reads the Go string literal that begins at `p` and ends before `end`, and puts
 * what it means to `to`, where gt_raw_unquote_room says how much room there must
 * be. Returns where it ends; NULL where it is malformed.
 */
const uint8_t *gt_raw_unquote(const uint8_t *p, const uint8_t *end, char *to, size_t *size);
size_t gt_raw_unquote_room(const uint8_t *p, const uint8_t *end);

#endif
