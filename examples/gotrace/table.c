/* SPDX-License-Identifier: BSD-3-Clause */
#include "table.h"

#include "quote.h"

enum {
    /* Enough for any number with its unit. */
    NUMBER_MAX = 32,
    /* Texts are quoted in pieces of up to this size. */
    PIECE = 256,
    GAP = 2
};

/* Writes a duration with three decimals, such as 1.234 ms. The unit takes two columns. */
static char *table_put_duration(char *to, int64_t nanoseconds)
{
    static const struct {
        uint64_t size;
        const char *name;
    } units[] = {{1000000000, " s "}, {1000000, " ms"}, {1000, " us"}};

    uint64_t value = nanoseconds < 0 ? 0 - (uint64_t) nanoseconds : (uint64_t) nanoseconds;
    if (nanoseconds < 0)
        *to++ = '-';
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (value < units[i].size)
            continue;
        uint64_t thousandth = units[i].size / 1000;
        to = put_unsigned(to, value / units[i].size);
        *to++ = '.';
        to = put_three(to, (uint32_t) (value % units[i].size / thousandth));
        return put_text(to, units[i].name);
    }
    return put_text(put_unsigned(to, value), " ns");
}

static char *table_put_number(char *to, const struct table_cell *cell, enum table_kind kind)
{
    return kind == TABLE_DURATION ? table_put_duration(to, cell->number)
                                  : put_signed(to, cell->number);
}

static const struct table_cell *table_cell_at(const struct table *table, size_t row, size_t column)
{
    return &table->cells[row * table->column_count + column];
}

/* How many columns a text takes; each character takes one. */
static size_t table_text_width(gt_string text)
{
    char piece[PIECE];
    size_t width = 0;
    while (text.size > 0) {
        size_t size = gt_string_quote(&text, piece, sizeof(piece));
        for (size_t i = 0; i < size; i++)
            width += ((unsigned char) piece[i] & 0xc0) != 0x80;
    }
    return width;
}

static size_t table_cell_width(const struct table_cell *cell, enum table_kind kind)
{
    char number[NUMBER_MAX];
    return kind == TABLE_TEXT ? table_text_width(cell->text)
                              : (size_t) (table_put_number(number, cell, kind) - number);
}

static size_t table_column_width(const struct table *table, size_t column)
{
    size_t width = strlen(table->columns[column].label);
    for (size_t row = 0; row < table->row_count; row++) {
        size_t own =
            table_cell_width(table_cell_at(table, row, column), table->columns[column].kind);
        width = own > width ? own : width;
    }
    return width;
}

static void table_write_spaces(struct output *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        output_bytes(out, " ", 1);
}

/* Aligns numbers to the right and texts to the left, without spaces at the end of a line. */
static void table_write_cell(struct output *out, const struct table *table, size_t column,
                             const struct table_cell *cell, size_t width)
{
    enum table_kind kind = table->columns[column].kind;
    bool is_last = column + 1 == table->column_count;
    size_t space = width - table_cell_width(cell, kind);
    if (kind == TABLE_TEXT && is_last && cell->text.size == 0)
        return;
    table_write_spaces(out, column > 0 ? GAP : 0);
    if (kind == TABLE_TEXT) {
        quote_write_inner(out, cell->text);
        table_write_spaces(out, is_last ? 0 : space);
    } else {
        table_write_spaces(out, space);
        output_commit(out, table_put_number(output_reserve(out, NUMBER_MAX), cell, kind));
    }
}

static void table_write_labels(struct output *out, const struct table *table, const size_t *widths)
{
    for (size_t i = 0; i < table->column_count; i++) {
        const char *label = table->columns[i].label;
        size_t space = widths[i] - strlen(label);
        bool is_text = table->columns[i].kind == TABLE_TEXT;
        table_write_spaces(out, (i > 0 ? GAP : 0) + (is_text ? 0 : space));
        output_text(out, label);
        table_write_spaces(out, is_text && i + 1 < table->column_count ? space : 0);
    }
    output_text(out, "\n");
}

static void table_write_columns(struct output *out, const struct table *table)
{
    size_t widths[TABLE_COLUMNS_MAX];
    for (size_t i = 0; i < table->column_count; i++)
        widths[i] = table_column_width(table, i);
    table_write_labels(out, table, widths);
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t i = 0; i < table->column_count; i++)
            table_write_cell(out, table, i, table_cell_at(table, row, i), widths[i]);
        output_text(out, "\n");
    }
}

/* Whether a spreadsheet would take the text for a formula. */
static bool table_is_formula(gt_string text)
{
    return text.size > 0 && text.data[0] != '\0' && strchr("=+-@\t\r", text.data[0]);
}

static void table_write_csv_text(struct output *out, gt_string text)
{
    output_text(out, table_is_formula(text) ? "\"'" : "\"");
    const char *quote;
    while (text.size > 0 && (quote = memchr(text.data, '"', text.size))) {
        size_t size = (size_t) (quote - text.data) + 1;
        output_string(out, (gt_string){text.data, size});
        output_text(out, "\"");
        text = (gt_string){text.data + size, text.size - size};
    }
    output_string(out, text);
    output_text(out, "\"");
}

static void table_write_plain_number(struct output *out, int64_t number)
{
    output_commit(out, put_signed(output_reserve(out, OUTPUT_NUMBER_MAX), number));
}

static void table_write_csv(struct output *out, const struct table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        output_text(out, i > 0 ? "," : "");
        output_text(out, table->columns[i].key);
    }
    output_text(out, "\n");
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            const struct table_cell *cell = table_cell_at(table, row, i);
            output_text(out, i > 0 ? "," : "");
            if (table->columns[i].kind == TABLE_TEXT)
                table_write_csv_text(out, cell->text);
            else
                table_write_plain_number(out, cell->number);
        }
        output_text(out, "\n");
    }
}

static void table_write_json(struct output *out, const struct table *table)
{
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            const struct table_cell *cell = table_cell_at(table, row, i);
            output_text(out, i > 0 ? ",\"" : "{\"");
            output_text(out, table->columns[i].key);
            output_text(out, "\":");
            if (table->columns[i].kind == TABLE_TEXT)
                quote_write_json(out, cell->text);
            else
                table_write_plain_number(out, cell->number);
        }
        output_text(out, "}\n");
    }
}

void table_write(struct output *out, const struct table *table, enum table_format format)
{
    if (format == TABLE_JSON)
        table_write_json(out, table);
    else if (format == TABLE_CSV)
        table_write_csv(out, table);
    else
        table_write_columns(out, table);
}
