/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * path_lines TRACE: prints the critical paths of the intervals that standard input names, one per
 * line as GOROUTINE START END. A part is a line START, END, GOROUTINE, STATE and REASON with tabs
 * in between; an empty line ends a path. Of a goroutine that is not known there is a line "?".
 */

#include <inttypes.h>
#include <stdio.h>

#include <gotrace/gotrace.h>

static gt_status feed(gt_path *path, const char *name)
{
    gt_reader *reader;
    const gt_event *event;
    gt_status status = gt_reader_open_file(&reader, name, NULL, NULL);
    while (status == GT_OK && (status = gt_reader_next_event(reader, &event)) == GT_OK)
        status = gt_path_event(path, reader, event);
    gt_reader_close(&reader);
    return status;
}

static void print_parts(const gt_path *path)
{
    gt_path_part part = GT_PATH_PART_INIT;
    for (size_t i = 0; gt_path_get_part(path, i, &part) == GT_OK; i++)
        printf("%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%s\t%.*s\n", part.start, part.end,
               part.goroutine, gt_path_state_name(part.state), (int) part.reason.size,
               part.reason.data);
}

int main(int argc, char **argv)
{
    gt_path *path;
    int64_t goroutine, start, end;
    if (argc != 2 || gt_path_open(&path, NULL, NULL) != GT_OK)
        return 2;
    gt_status status = feed(path, argv[1]);
    while (scanf("%" SCNd64 " %" SCNd64 " %" SCNd64, &goroutine, &start, &end) == 3) {
        if (gt_path_follow(path, goroutine, start, end) == GT_OK)
            print_parts(path);
        else
            puts("?");
        puts("");
    }
    gt_path_close(&path);
    return status == GT_END ? 0 : 1;
}
