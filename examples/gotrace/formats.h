/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FORMATS_H
#define FORMATS_H

/* The options --json and --csv, which choose how a command writes its table. */

#include <stdbool.h>
#include <stddef.h>

#include "command.h"
#include "table.h"

struct formats {
    bool json;
    bool csv;
};

#define FORMATS_JSON(type, member, text)                                                           \
    {                                                                                              \
        OPTION_FLAG(type, member.json, "json", text), .summary = "as JSON", .excludes = "--csv"    \
    }
#define FORMATS_CSV(type, member, text)                                                            \
    {                                                                                              \
        OPTION_FLAG(type, member.csv, "csv", text), .summary = "as CSV", .excludes = "--json"      \
    }

/* Two rows of a list of struct option, for a table_write with the struct formats `member`. */
#define FORMATS_OPTIONS(type, member)                                                              \
    FORMATS_JSON(type, member, "as JSON, one object per line; times are in nanoseconds"),          \
        FORMATS_CSV(type, member, "as CSV; times are in nanoseconds")

/* Returns COMMAND_GO_ON; or COMMAND_MISUSED after it has reported that both were given. */
int formats_check(const struct formats *formats, const struct command *self);

enum table_format formats_choose(const struct formats *formats);

#endif
