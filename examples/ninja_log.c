/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws a build by ninja for ui.perfetto.dev, by libgotrace-viewer alone:
 *
 *     ninja_log <build/.ninja_log >build.json
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <gotrace/viewer_json.h>

#define LANES 256

static int write_out(void *user_data, const void *data, size_t size)
{
    (void) user_data;
    return fwrite(data, 1, size, stdout) != size;
}

static gt_string text(const char *string)
{
    return (gt_string){string, strlen(string)};
}

/* Jobs that overlap need rows of their own: returns the first row that is free again. */
static uint64_t take_lane(int64_t *ends, int64_t start, int64_t end)
{
    uint64_t lane = 0;
    while (lane < LANES - 1 && ends[lane] > start)
        lane++;
    ends[lane] = end;
    return lane;
}

/* Errors persist in the emitter, except for that of a member which is not valid. */
static int draw_job(gt_emitter *emitter, const char *line, int64_t *ends, int64_t finished)
{
    static char name[4096];
    int64_t start, end; /* in milliseconds */
    if (sscanf(line, "%" SCNd64 "\t%" SCNd64 "\t%*d\t%4095[^\t]", &start, &end, name) != 3)
        return 0;
    gt_slice slice = GT_SLICE_INIT;
    slice.resource = take_lane(ends, start, end);
    slice.time = start * 1000000;
    slice.duration = (end - start) * 1000000;
    slice.name = text(name);
    const double rate = end > 0 ? (double) finished * 1000 / (double) end : 0;
    const gt_viewer_argument value = {{"rate", 4}, GT_VIEWER_DOUBLE, 0, 0, {"", 0}, rate};
    gt_counter counter = GT_COUNTER_INIT;
    counter.time = end * 1000000;
    counter.name = text("finished");
    counter.unit = text("jobs/s");
    counter.values = &value;
    counter.value_count = 1;
    return gt_emitter_slice(emitter, &slice) == GT_OK &&
           gt_emitter_counter(emitter, &counter) == GT_OK;
}

int main(void)
{
    static char line[8192];
    static int64_t ends[LANES];
    gt_json_writer *writer = NULL;
    gt_emitter *emitter = NULL;
    gt_consumer consumer = GT_CONSUMER_INIT;
    int good = gt_json_writer_open(&writer, write_out, NULL, NULL, NULL) == GT_OK &&
               gt_json_writer_consumer(writer, &consumer) == GT_OK &&
               gt_emitter_open(&emitter, &consumer, NULL, NULL) == GT_OK &&
               gt_emitter_name_section(emitter, GT_SECTION_RESOURCES, text("JOBS")) == GT_OK;
    for (int64_t finished = 1; good && fgets(line, sizeof(line), stdin);)
        good = line[0] == '#' || draw_job(emitter, line, ends, finished++);
    good = good && gt_emitter_flush(emitter) == GT_OK && fflush(stdout) == 0;
    gt_error error = GT_ERROR_INIT;
    if (!good && gt_emitter_error(emitter, &error) == GT_OK)
        fprintf(stderr, "ninja_log: %s: %s", error.message, line);
    gt_emitter_close(&emitter);
    gt_json_writer_close(&writer);
    return !good;
}
