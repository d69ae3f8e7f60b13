/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RAW_TEXT_H
#define GT_RAW_TEXT_H

#include "raw/raw.h"

/* The start of a comment that contains the widths of the next record's numbers. */
#define GT_RAW_WIDTHS "#!widths"

enum {
    /* The length of the longest name of a record or an argument. */
    GT_RAW_NAME_MAX = 24
};

/*
 * A hash table with linear probing, from the names of records to their types. It is not a gt_index,
 * with which reading text takes 4 % more instructions, because the names are few and known.
 */
struct gt_raw_names {
    uint8_t slots[256]; /* types; 0: free, as no record has type 0 */
    bool is_filled;
};

struct gt_raw_text {
    /* The read pointer in the line. There is always a newline at `end`. */
    const uint8_t *p;
    const uint8_t *end;
    size_t seen;          /* available bytes of the next line, without a newline */
    uint64_t line;        /* the number of the line, from 1 */
    uint64_t offset;      /* the offset of the line in the input */
    uint64_t record_line; /* the number of the record's first line */
    uint8_t *last;        /* a copy of the last line, if the input ends without a newline */
    size_t last_capacity;
    char *data; /* the data of the record, unquoted */
    size_t data_capacity;
    bool is_open;             /* the record was cleared, and parts of it may have been read */
    bool has_widths;          /* the record contains the widths that precede it */
    const gt_wire_spec *spec; /* of the record, after its first line was read; else NULL */
    uint64_t frames_left;     /* the number of lines of frames that have not been read */
    struct gt_raw_names names;
};

/* The position of a line, which determines the meaning of a line of widths. */
enum gt_raw_place {
    GT_RAW_BEFORE_HEADER, /* it is an ordinary comment */
    GT_RAW_BEFORE_RECORD, /* it gives the widths of the record */
    GT_RAW_WITHIN_RECORD  /* it is a fault */
};

/*
 * Advances to the next line that contains more than a comment, and text->p to the first word of
 * that line. Returns GT_END at the end of the input.
 */
gt_status gt_raw_text_next(struct gt_raw_reader *reader, enum gt_raw_place place);

/* Sets an error with the number and the offset of the current line. See gt_error_set. */
gt_status gt_raw_text_fail(struct gt_raw_reader *reader, gt_status status, const char *text, ...);

enum {
    GT_RAW_WORD_MAX = 40
};

/* Copies the word at `p` for a message: quoted, and truncated if it is long. Returns `word`. */
const char *gt_raw_text_word(const uint8_t *p, char word[GT_RAW_WORD_MAX]);

/*
 * Returns the length of the white space character at `p` that is not ASCII, or 0 if there is none.
 */
size_t gt_raw_text_wide_space(const uint8_t *p);

/*
 * Returns the length of one white space character other than a newline, according to Go's
 * unicode.IsSpace.
 */
static inline size_t gt_raw_text_space(const uint8_t *p)
{
    if (*p == ' ' || (*p >= '\t' && *p <= '\r' && *p != '\n'))
        return 1;
    return *p < 0x80 ? 0 : gt_raw_text_wide_space(p);
}

/* Skips white space. */
static inline const uint8_t *gt_raw_text_skip(const uint8_t *p)
{
    for (size_t space; (space = gt_raw_text_space(p)) != 0;)
        p += space;
    return p;
}

/* Returns whether the line ends at `p`, possibly with a comment. */
static inline bool gt_raw_text_is_end(const uint8_t *p)
{
    return *p == '\n' || *p == '#';
}

/* Whether a word ends at `p`. */
static inline bool gt_raw_text_is_gap(const uint8_t *p)
{
    return gt_raw_text_is_end(p) || gt_raw_text_space(p) != 0;
}

/*
 * Advances `*p` past `word`, which must not contain a newline, if `*p` begins with it. Returns
 * whether it does.
 */
static inline bool gt_raw_text_take(const uint8_t **p, const char *word)
{
    const uint8_t *at = *p;
    for (; *word; word++, at++) {
        if (*at != (uint8_t) *word)
            return false;
    }
    *p = at;
    return true;
}

/* Reads a decimal number. Returns false if there is none, or if it does not fit 64 bits. */
bool gt_raw_text_number(const uint8_t **p, uint64_t *value);

/* Returns the end of the letters at `p`. Names of records consist of letters only. */
static inline const uint8_t *gt_raw_text_name_end(const uint8_t *p)
{
    while ((uint8_t) ((*p | 0x20) - 'a') < 26)
        p++;
    return p;
}

/* Returns the specification of the records with this name of `size` bytes, or NULL. */
const gt_wire_spec *gt_raw_names_find(struct gt_raw_names *names, const gt_wire_spec *const *specs,
                                      const uint8_t *name, size_t size);

/*
 * Reads the Go string literal at `p`, which must end before `end`, and writes its unquoted `*size`
 * bytes to `to`. Returns the end of the literal, or NULL if it is malformed.
 */
const uint8_t *gt_raw_unquote(const uint8_t *p, const uint8_t *end, char *to, size_t *size);

/* The number of bytes that suffice for the unquoted text of any literal between `p` and `end`. */
size_t gt_raw_unquote_room(const uint8_t *p, const uint8_t *end);

#endif
