/* SPDX-License-Identifier: BSD-3-Clause */
#include "profiling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gt_profile_options profiling_options(void)
{
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
    options.kinds = PROFILING_ALL;
    return options;
}

gt_profile *profiling_read(struct reading *reading, const gt_profile_options *options)
{
    gt_profile *profile;
    const gt_event *event;
    assert_status(gt_profile_open(&profile, options, NULL), GT_OK);
    while (gt_reader_next_event(reading->reader, &event) == GT_OK)
        assert_status(gt_profile_event(profile, reading->reader, event), GT_OK);
    assert_status(gt_profile_finish(profile), GT_OK);
    return profile;
}

gt_profile *profiling_of(struct gen *gen, const gt_profile_options *options)
{
    struct reading reading = {0};
    gt_profile *profile;
    gen_read(gen, &reading);
    profile = profiling_read(&reading, options);
    reading_close(&reading);
    return profile;
}

static void write_stack(FILE *to, const gt_profile_sample *sample)
{
    const char *separator = "";
    if (sample->state != GT_GO_UNDETERMINED) {
        fprintf(to, "[%s]", gt_go_state_name(sample->state));
        separator = ";";
    }
    for (size_t i = 0; i < sample->frame_count; i++) {
        fprintf(to, "%s%.*s:%" PRIu64, separator, (int) sample->frames[i].function.size,
                sample->frames[i].function.data, sample->frames[i].line);
        separator = ";";
    }
}

char *profiling_lines(gt_profile *profile, uint32_t kind)
{
    gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    for (size_t i = 0; i < gt_profile_count(profile, kind); i++) {
        assert_status(gt_profile_get_sample(profile, kind, i, &sample), GT_OK);
        fprintf(to, "%" PRIu64 " %" PRIu64 " ", sample.count, sample.nanoseconds);
        write_stack(to, &sample);
        fputc('\n', to);
    }
    fclose(to);
    return text;
}

void profiling_expect(gt_profile *profile, uint32_t kind, const char *lines)
{
    char *text = profiling_lines(profile, kind);
    assert_string_equal(text, lines);
    free(text);
}
