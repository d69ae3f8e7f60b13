/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/notetext.h"

#include <stdint.h>

#include "base/text.h"
#include "base/time.h"
#include "base/utf8.h"

enum {
    /* No uint64_t overflows with so many digits. */
    NOTETEXT_DIGITS_MAX = 19,
    NOTETEXT_KIND_MAX = 20,
    NOTETEXT_ID_MAX = 20
};

/*
 * The largest absolute value of a time, in ns: that of the page, 2^61, as JavaScript writes it in
 * decimal digits.
 */
#define NOTETEXT_TIME_MAX INT64_C(2305843009213694000)

/* The state of parsing: the rest of the text, and the first fault, after which nothing is
 * parsed. */
struct notetext {
    const char *at, *end;
    const char *why;
};

/* The members of a note that were parsed so far. */
struct notetext_note {
    bool has_time, has_end, has_row, has_text;
    int64_t time;
    /* The largest value if there is none. */
    int64_t end;
};

static bool notetext_fail(struct notetext *text, const char *why)
{
    if (!text->why)
        text->why = why;
    return false;
}

static void notetext_skip_space(struct notetext *text)
{
    while (text->at < text->end &&
           (*text->at == ' ' || *text->at == '\n' || *text->at == '\t' || *text->at == '\r'))
        text->at++;
}

/* Takes the space before a word and the word. Returns false, and takes no word, if it is none. */
static bool notetext_take(struct notetext *text, const char *word)
{
    notetext_skip_space(text);
    gt_string rest = {text->at, (size_t) (text->end - text->at)};
    if (!gt_text_starts_with(rest, word))
        return false;
    text->at += strlen(word);
    return true;
}

static bool notetext_need(struct notetext *text, const char *word, const char *why)
{
    return notetext_take(text, word) || notetext_fail(text, why);
}

static bool notetext_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes the digits that are next, but at most `most`. Returns how many there were. */
static size_t notetext_take_digits(struct notetext *text, size_t most)
{
    const char *start = text->at;
    while (text->at < text->end && notetext_is_digit(*text->at) &&
           (size_t) (text->at - start) < most)
        text->at++;
    return (size_t) (text->at - start);
}

/* Parses a whole number, without a fraction or an exponent. */
static bool notetext_parse_time(struct notetext *text, int64_t *time)
{
    bool is_negative = notetext_take(text, "-");
    const char *start = text->at;
    size_t digits = notetext_take_digits(text, NOTETEXT_DIGITS_MAX);
    uint64_t value = 0;
    for (size_t i = 0; i < digits; i++)
        value = value * 10 + (uint64_t) (start[i] - '0');
    bool goes_on = text->at < text->end && (notetext_is_digit(*text->at) || *text->at == '.' ||
                                            *text->at == 'e' || *text->at == 'E');
    if (digits == 0 || (digits > 1 && *start == '0') || goes_on || value > NOTETEXT_TIME_MAX)
        return notetext_fail(text, "a time must be a whole number of nanoseconds");
    *time = is_negative ? gt_time_minus(0, (int64_t) value) : (int64_t) value;
    return true;
}

/* Parses the four digits of \uXXXX. Returns false if there are none. */
static bool notetext_parse_unit(struct notetext *text, uint32_t *unit)
{
    *unit = 0;
    if (text->end - text->at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char c = gt_text_lower(*text->at++);
        if (!notetext_is_digit(c) && (c < 'a' || c > 'f'))
            return false;
        *unit = *unit << 4 | (uint32_t) (notetext_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return true;
}

/* Parses what follows \u: a character, for which two units of UTF-16 may be needed. */
static bool notetext_parse_units(struct notetext *text, uint32_t *rune)
{
    uint32_t low;
    if (!notetext_parse_unit(text, rune))
        return false;
    if (*rune < 0xd800 || *rune > 0xdfff)
        return true;
    if (*rune > 0xdbff || text->end - text->at < 2 || memcmp(text->at, "\\u", 2) != 0)
        return false;
    text->at += 2;
    if (!notetext_parse_unit(text, &low) || low < 0xdc00 || low > 0xdfff)
        return false;
    *rune = 0x10000 + ((*rune & 0x3ff) << 10 | (low & 0x3ff));
    return true;
}

/* Parses what follows a backslash. */
static bool notetext_parse_escape(struct notetext *text, uint32_t *rune)
{
    static const char escapes[] = "\"\\/bfnrt", runes[] = "\"\\/\b\f\n\r\t";
    const char *found =
        text->at < text->end && *text->at != '\0' ? strchr(escapes, *text->at) : NULL;
    if (found) {
        *rune = (uint8_t) runes[found - escapes];
        text->at++;
        return true;
    }
    if (text->at == text->end || *text->at != 'u')
        return false;
    text->at++;
    return notetext_parse_units(text, rune);
}

/* Parses a character of a string. The text has one. */
static bool notetext_parse_rune(struct notetext *text, uint32_t *rune)
{
    uint8_t byte = (uint8_t) *text->at;
    if (byte >= 0x80) {
        size_t size =
            gt_utf8_decode((const uint8_t *) text->at, (size_t) (text->end - text->at), rune);
        text->at += size;
        return size > 0 || notetext_fail(text, "a string is not valid UTF-8");
    }
    text->at++;
    *rune = byte;
    if (byte < ' ')
        return notetext_fail(text, "a string has a control character");
    if (byte == '\\' && !notetext_parse_escape(text, rune))
        return notetext_fail(text, "a string has a malformed escape");
    return true;
}

static bool notetext_is_control(uint32_t rune)
{
    return rune < ' ' ? rune != '\t' && rune != '\n' && rune != '\r' : rune >= 0x7f && rune <= 0x9f;
}

/*
 * Parses a string up to its closing quote, and counts its units of UTF-16. Sets `*is_blank` to
 * false if the string contains a visible character.
 */
static bool notetext_parse_string(struct notetext *text, size_t *units, bool *is_blank)
{
    uint32_t rune = 0;
    *units = 0;
    *is_blank = true;
    if (!notetext_need(text, "\"", "a string is missing"))
        return false;
    while (text->at < text->end && *text->at != '"') {
        if (!notetext_parse_rune(text, &rune))
            return false;
        if (notetext_is_control(rune))
            return notetext_fail(text, "a string has a control character");
        *units += rune > 0xffff ? 2 : 1;
        *is_blank = *is_blank && rune <= ' ';
    }
    return notetext_need(text, "\"", "a string has no end");
}

static bool notetext_parse_text(struct notetext *text)
{
    size_t units;
    bool is_blank;
    if (!notetext_parse_string(text, &units, &is_blank))
        return false;
    if (is_blank)
        return notetext_fail(text, "its text is empty");
    return units <= GT_NOTETEXT_TEXT_MAX || notetext_fail(text, "its text is too long");
}

/* Parses a row, which is "" or the name of its view, a colon and its id. */
static bool notetext_parse_row(struct notetext *text)
{
    static const char why[] = "its row is not the name of a view, a colon and a number";
    size_t letters = 0;
    if (!notetext_need(text, "\"", why))
        return false;
    while (text->at < text->end && *text->at >= 'a' && *text->at <= 'z') {
        text->at++;
        letters++;
    }
    if (letters > 0) {
        if (letters > NOTETEXT_KIND_MAX || text->at == text->end || *text->at++ != ':')
            return notetext_fail(text, why);
        if (text->at < text->end && *text->at == '-')
            text->at++;
        if (notetext_take_digits(text, NOTETEXT_ID_MAX) == 0)
            return notetext_fail(text, why);
    }
    if (text->at == text->end || *text->at++ != '"')
        return notetext_fail(text, why);
    return true;
}

/* Parses a key and the colon after it, if it is `key`, which must not have been there before. */
static bool notetext_take_key(struct notetext *text, const char *key, bool *seen)
{
    if (!notetext_take(text, key))
        return false;
    if (*seen)
        notetext_fail(text, "a member is there twice");
    *seen = true;
    notetext_need(text, ":", "a colon is missing");
    return true;
}

static bool notetext_parse_note_member(struct notetext *text, struct notetext_note *note)
{
    if (notetext_take_key(text, "\"time\"", &note->has_time))
        return !text->why && notetext_parse_time(text, &note->time);
    if (notetext_take_key(text, "\"end\"", &note->has_end)) {
        return !text->why && (notetext_take(text, "null") || notetext_parse_time(text, &note->end));
    }
    if (notetext_take_key(text, "\"row\"", &note->has_row))
        return !text->why && notetext_parse_row(text);
    if (notetext_take_key(text, "\"text\"", &note->has_text))
        return !text->why && notetext_parse_text(text);
    return notetext_fail(text, "it has something else than time, end, row and text");
}

static bool notetext_parse_note(struct notetext *text)
{
    struct notetext_note note = {.end = INT64_MAX};
    if (!notetext_need(text, "{", "it is no object"))
        return false;
    do {
        if (!notetext_parse_note_member(text, &note))
            return false;
    } while (notetext_take(text, ","));
    if (!notetext_need(text, "}", "its end is missing"))
        return false;
    if (!note.has_time || !note.has_text)
        return notetext_fail(text, "it has no time or no text");
    return note.end >= note.time || notetext_fail(text, "it ends before it begins");
}

/* Parses the list of notes. `*number` is that of the note which is parsed. */
static bool notetext_parse_list(struct notetext *text, size_t *number)
{
    if (!notetext_need(text, "[", "the notes are no list"))
        return false;
    if (notetext_take(text, "]"))
        return true;
    do {
        if (++*number > GT_NOTETEXT_NOTES_MAX)
            return notetext_fail(text, "there are more than 1,000 notes");
        if (!notetext_parse_note(text))
            return false;
    } while (notetext_take(text, ","));
    if (!notetext_need(text, "]", "the end of the list is missing"))
        return false;
    *number = 0;
    return true;
}

/* Parses a member of the outermost object. `seen` says which of them were there. */
static bool notetext_parse_member(struct notetext *text, bool seen[2], struct gt_notetext *out)
{
    if (notetext_take_key(text, "\"version\"", &seen[0])) {
        int64_t version = 0;
        bool is_good = !text->why && notetext_parse_time(text, &version) && version == 1;
        text->why = is_good || text->why ? text->why : "only version 1 is known";
        return is_good;
    }
    if (!notetext_take_key(text, "\"notes\"", &seen[1]))
        return notetext_fail(text, "it is not a file of notes");
    notetext_skip_space(text);
    out->list.data = text->at;
    bool is_good = !text->why && notetext_parse_list(text, &out->note);
    out->list.size = (size_t) (text->at - out->list.data);
    return is_good;
}

bool gt_notetext_check(gt_string from, struct gt_notetext *out)
{
    struct notetext text = {from.data, from.data + from.size, NULL};
    bool seen[2] = {false, false};
    *out = (struct gt_notetext){.note = 0};
    bool is_good = notetext_need(&text, "{", "it is not a file of notes");
    do {
        is_good = is_good && notetext_parse_member(&text, seen, out);
    } while (is_good && notetext_take(&text, ","));
    is_good = is_good && notetext_need(&text, "}", "it is cut off");
    notetext_skip_space(&text);
    if (is_good && (text.at != text.end || !seen[0] || !seen[1]))
        is_good = notetext_fail(&text, "it is not a file of notes");
    out->why = text.why;
    return is_good;
}
