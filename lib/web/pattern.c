/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/pattern.h"

#include <string.h>

#include "base/text.h"

enum {
    /* The most groups that may be open at once. */
    DEPTH_MAX = 16,
    CHARACTERS = 256,
    WORD_BITS = 64
};

/* A part of a pattern: where its matches begin and end, and whether it matches the empty text. */
struct piece {
    uint64_t first, last;
    bool is_empty;
};

/* A group that is open: its alternatives that are complete, and the current one up to here. */
struct level {
    struct piece alternatives;
    struct piece sequence;
};

struct compiler {
    struct gt_pattern *pattern;
    const char *at, *end;
    uint32_t positions;
    struct level levels[DEPTH_MAX];
    size_t depth;
    /* The piece to which a following repetition applies, if there is one. It is not in the sequence
     * yet. */
    struct piece atom;
    bool has_atom;
    const char *wrong;
};

/* A set of bytes. */
struct byte_class {
    uint64_t bits[CHARACTERS / WORD_BITS];
};

static const struct piece empty_piece = {0, 0, true};

static void class_add(struct byte_class *class, uint8_t c)
{
    class->bits[c / WORD_BITS] |= UINT64_C(1) << c % WORD_BITS;
}

static bool class_has(const struct byte_class *class, uint8_t c)
{
    return (class->bits[c / WORD_BITS] >> c % WORD_BITS & 1) != 0;
}

static void class_negate(struct byte_class *class)
{
    for (size_t i = 0; i < CHARACTERS / WORD_BITS; i++)
        class->bits[i] = ~class->bits[i];
}

static void class_add_range(struct byte_class *class, uint8_t from, uint8_t to)
{
    for (unsigned int c = from; c <= to; c++)
        class_add(class, (uint8_t) c);
}

/* Lets a class that has one case of a letter have both. */
static void class_ignore_case(struct byte_class *class)
{
    for (int c = 'a'; c <= 'z'; c++) {
        uint8_t lower = (uint8_t) c, upper = (uint8_t) (c - 'a' + 'A');
        if (class_has(class, lower) || class_has(class, upper)) {
            class_add(class, lower);
            class_add(class, upper);
        }
    }
}

/* Adds the class of an escape such as \d. Returns false if the letter names none. */
static bool class_add_named(struct byte_class *class, char letter)
{
    struct byte_class named = {{0}};
    char kind = gt_text_lower(letter);
    if (kind == 'd' || kind == 'w')
        class_add_range(&named, '0', '9');
    if (kind == 'w') {
        class_add_range(&named, 'a', 'z');
        class_add_range(&named, 'A', 'Z');
        class_add(&named, '_');
    } else if (kind == 's') {
        class_add_range(&named, '\t', '\r');
        class_add(&named, ' ');
    } else if (kind != 'd') {
        return false;
    }
    if (letter != kind)
        class_negate(&named);
    for (size_t i = 0; i < CHARACTERS / WORD_BITS; i++)
        class->bits[i] |= named.bits[i];
    return true;
}

/* Keeps the first message, and ends the compilation. */
static void pattern_fail(struct compiler *compiler, const char *wrong)
{
    if (!compiler->wrong)
        compiler->wrong = wrong;
    compiler->at = compiler->end;
}

/* Joins two pieces that follow each other. */
static struct piece pattern_join(struct gt_pattern *pattern, struct piece one, struct piece two)
{
    for (uint64_t left = one.last, i = 0; left != 0; left >>= 1, i++) {
        if ((left & 1) != 0)
            pattern->next[i] |= two.first;
    }
    return (struct piece){one.first | (one.is_empty ? two.first : 0),
                          two.last | (two.is_empty ? one.last : 0), one.is_empty && two.is_empty};
}

/* Moves the atom into the sequence, once it is known that no repetition follows it. */
static void pattern_end_atom(struct compiler *compiler)
{
    struct level *level = &compiler->levels[compiler->depth];
    if (compiler->has_atom)
        level->sequence = pattern_join(compiler->pattern, level->sequence, compiler->atom);
    compiler->has_atom = false;
}

static void pattern_start_atom(struct compiler *compiler, struct piece atom)
{
    pattern_end_atom(compiler);
    compiler->atom = atom;
    compiler->has_atom = true;
}

/* Returns a new position as a mask, or 0 if there are too many. */
static uint64_t pattern_new_position(struct compiler *compiler)
{
    if (compiler->positions == GT_PATTERN_POSITIONS) {
        pattern_fail(compiler, "the regular expression is too long");
        return 0;
    }
    return UINT64_C(1) << compiler->positions++;
}

static struct piece pattern_class_piece(struct compiler *compiler, const struct byte_class *class)
{
    uint64_t position = pattern_new_position(compiler);
    for (unsigned int c = 0; c < CHARACTERS; c++) {
        if (class_has(class, (uint8_t) c))
            compiler->pattern->accepts[c] |= position;
    }
    return (struct piece){position, position, false};
}

/* Adds the beginning or the end of the text. */
static void pattern_add_edge(struct compiler *compiler, size_t character)
{
    uint64_t position = pattern_new_position(compiler);
    compiler->pattern->accepts[character] |= position;
    pattern_start_atom(compiler, (struct piece){position, position, false});
}

static struct piece pattern_byte_piece(struct compiler *compiler, char c)
{
    struct byte_class class = {{0}};
    class_add(&class, (uint8_t) c);
    class_ignore_case(&class);
    return pattern_class_piece(compiler, &class);
}

/* Adds a character. It may have several bytes, and a repetition applies to all of them. */
static void pattern_add_character(struct compiler *compiler, char first)
{
    struct piece piece = pattern_byte_piece(compiler, first);
    while ((uint8_t) first >= 0xc0 && compiler->at < compiler->end &&
           ((uint8_t) *compiler->at & 0xc0) == 0x80)
        piece =
            pattern_join(compiler->pattern, piece, pattern_byte_piece(compiler, *compiler->at++));
    pattern_start_atom(compiler, piece);
}

static void pattern_add_class(struct compiler *compiler, const struct byte_class *class)
{
    pattern_start_atom(compiler, pattern_class_piece(compiler, class));
}

static bool pattern_is_letter_or_digit(char c)
{
    char lower = gt_text_lower(c);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}

static void pattern_add_escape(struct compiler *compiler)
{
    struct byte_class class = {{0}};
    if (compiler->at == compiler->end) {
        pattern_fail(compiler, "there is nothing after the backslash");
        return;
    }
    char c = *compiler->at++;
    if (class_add_named(&class, c))
        pattern_add_class(compiler, &class);
    else if (pattern_is_letter_or_digit(c))
        pattern_fail(compiler, "a regular expression has an unknown escape");
    else
        pattern_add_character(compiler, c);
}

/*
 * Takes one character of a class in brackets. Returns false if it was an escape for a class, which
 * has been added, or if it is wrong.
 */
static bool pattern_take_in_brackets(struct compiler *compiler, struct byte_class *class,
                                     uint8_t *c)
{
    char taken = *compiler->at++;
    if (taken == '\\' && compiler->at < compiler->end) {
        taken = *compiler->at++;
        if (class_add_named(class, taken))
            return false;
        if (pattern_is_letter_or_digit(taken))
            pattern_fail(compiler, "a regular expression has an unknown escape");
    }
    if ((uint8_t) taken >= 0x80)
        pattern_fail(compiler, "brackets may contain only ASCII characters");
    *c = (uint8_t) taken;
    return !compiler->wrong;
}

/* Adds the next character in brackets, or a range. */
static void pattern_add_range(struct compiler *compiler, struct byte_class *class)
{
    uint8_t from, to;
    if (!pattern_take_in_brackets(compiler, class, &from))
        return;
    to = from;
    if (compiler->end - compiler->at > 1 && compiler->at[0] == '-' && compiler->at[1] != ']') {
        compiler->at++;
        if (!pattern_take_in_brackets(compiler, class, &to) || to < from) {
            pattern_fail(compiler, "a range in brackets has no good end");
            return;
        }
    }
    class_add_range(class, from, to);
}

/* Adds a class in brackets. A closing bracket that comes first belongs to the class. */
static void pattern_add_brackets(struct compiler *compiler)
{
    struct byte_class class = {{0}};
    bool is_negated = compiler->at < compiler->end && *compiler->at == '^';
    compiler->at += is_negated;
    for (bool is_first = true; compiler->at < compiler->end && (is_first || *compiler->at != ']');
         is_first = false)
        pattern_add_range(compiler, &class);
    if (compiler->at == compiler->end) {
        pattern_fail(compiler, "a bracket is left open");
        return;
    }
    compiler->at++;
    class_ignore_case(&class);
    if (is_negated)
        class_negate(&class);
    pattern_add_class(compiler, &class);
}

static void pattern_repeat(struct compiler *compiler, char how)
{
    struct piece *atom = &compiler->atom;
    if (!compiler->has_atom) {
        pattern_fail(compiler, "there is nothing to repeat");
        return;
    }
    if (how != '?')
        pattern_join(compiler->pattern, *atom, *atom);
    if (how != '+')
        atom->is_empty = true;
}

static void pattern_end_alternative(struct compiler *compiler)
{
    struct level *level = &compiler->levels[compiler->depth];
    pattern_end_atom(compiler);
    level->alternatives.first |= level->sequence.first;
    level->alternatives.last |= level->sequence.last;
    level->alternatives.is_empty |= level->sequence.is_empty;
    level->sequence = empty_piece;
}

static void pattern_open_group(struct compiler *compiler)
{
    pattern_end_atom(compiler);
    if (compiler->depth + 1 == DEPTH_MAX) {
        pattern_fail(compiler, "there are too many groups within each other");
        return;
    }
    compiler->levels[++compiler->depth] = (struct level){.sequence = empty_piece};
}

static void pattern_close_group(struct compiler *compiler)
{
    if (compiler->depth == 0) {
        pattern_fail(compiler, "a parenthesis is closed that was not opened");
        return;
    }
    pattern_end_alternative(compiler);
    struct piece group = compiler->levels[compiler->depth--].alternatives;
    pattern_start_atom(compiler, group);
}

static void pattern_add_any(struct compiler *compiler)
{
    struct byte_class any = {{0}};
    class_negate(&any);
    pattern_add_class(compiler, &any);
}

/* Adds a symbol. Returns false if the character is none. */
static bool pattern_add_symbol(struct compiler *compiler, char c)
{
    if (c == '(')
        pattern_open_group(compiler);
    else if (c == ')')
        pattern_close_group(compiler);
    else if (c == '|')
        pattern_end_alternative(compiler);
    else if (c == '*' || c == '+' || c == '?')
        pattern_repeat(compiler, c);
    else if (c == '[')
        pattern_add_brackets(compiler);
    else if (c == '{')
        pattern_fail(compiler, "a regular expression cannot have {}; the character is \\{");
    else if (c == '\\')
        pattern_add_escape(compiler);
    else if (c == '^' || c == '$')
        pattern_add_edge(compiler, c == '^' ? GT_PATTERN_BEGIN : GT_PATTERN_END);
    else if (c == '.')
        pattern_add_any(compiler);
    else
        return false;
    return true;
}

const char *gt_pattern_compile(struct gt_pattern *pattern, const char *text, size_t size)
{
    struct compiler compiler = {.pattern = pattern, .at = text, .end = text + size};
    memset(pattern, 0, sizeof(*pattern));
    compiler.levels[0].sequence = empty_piece;
    while (compiler.at < compiler.end) {
        char c = *compiler.at++;
        if (!pattern_add_symbol(&compiler, c))
            pattern_add_character(&compiler, c);
    }
    pattern_end_alternative(&compiler);
    if (compiler.depth > 0)
        pattern_fail(&compiler, "a parenthesis is left open");
    const struct piece *all = &compiler.levels[0].alternatives;
    pattern->first = all->first;
    pattern->last = all->last;
    pattern->is_empty = all->is_empty;
    return compiler.wrong;
}

/* Returns the positions that follow any of a set, or begin a match. */
static uint64_t pattern_next(const struct gt_pattern *pattern, uint64_t positions)
{
    uint64_t next = pattern->first;
    for (size_t i = 0; positions != 0; positions >>= 1, i++) {
        if ((positions & 1) != 0)
            next |= pattern->next[i];
    }
    return next;
}

bool gt_pattern_matches(const struct gt_pattern *pattern, gt_string text)
{
    uint64_t positions = pattern->first & pattern->accepts[GT_PATTERN_BEGIN];
    if (pattern->is_empty)
        return true;
    for (size_t i = 0; i < text.size && (positions & pattern->last) == 0; i++)
        positions = pattern_next(pattern, positions) & pattern->accepts[(uint8_t) text.data[i]];
    if ((positions & pattern->last) != 0)
        return true;
    positions = pattern_next(pattern, positions) & pattern->accepts[GT_PATTERN_END];
    return (positions & pattern->last) != 0;
}
