/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats.h"

int formats_check(const struct formats *formats, const struct command *self)
{
    if (formats->json && formats->csv)
        return command_misused(self, "--json and --csv exclude each other", NULL);
    return COMMAND_GO_ON;
}

enum table_format formats_choose(const struct formats *formats)
{
    return formats->json ? TABLE_JSON : formats->csv ? TABLE_CSV : TABLE_COLUMNS;
}
