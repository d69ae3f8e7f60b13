/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * live_table FILE POSITION...: prints what lives after so many events, for live_test.py. A line
 * with the position is in front of each table.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "living.h"

int main(int argc, char **argv)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader *reader;
    const gt_event *event;
    uint64_t read = 0;

    options.flags = GT_READER_TRACK | GT_READER_AHEAD;
    if (argc < 2 || gt_reader_open_file(&reader, argv[1], &options, NULL) != GT_OK)
        return 1;
    for (int i = 2; i < argc; i++) {
        uint64_t position = strtoull(argv[i], NULL, 10);
        while (read < position && gt_reader_next_event(reader, &event) == GT_OK)
            read++;
        printf("position %" PRIu64 "\n", position);
        if (living_print(stdout, reader) != GT_END)
            return 1;
    }
    gt_reader_close(&reader);
    return 0;
}
