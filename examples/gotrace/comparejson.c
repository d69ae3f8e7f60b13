/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparejson.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "comparetext.h"
#include "condition.h"

static void json_put_string(struct jsontext *json, const char *key, gt_string string)
{
    jsontext_print(json, "%s", key);
    jsontext_put_string(json, string);
}

static void json_put_text(struct jsontext *json, const char *key, const char *text)
{
    jsontext_print(json, "%s", key);
    jsontext_put_text(json, text);
}

static void json_put_side(struct jsontext *json, const char *key, uint64_t traces, int64_t time,
                          uint64_t pieces)
{
    jsontext_print(json,
                   "%s{\"traces\": %" PRIu64 ", \"time_ns\": %" PRId64 ", \"pieces\": %" PRIu64 "}",
                   key, traces, time, pieces);
}

void comparejson_put_info(struct jsontext *json, const gt_compare *compare)
{
    gt_compare_info info = GT_COMPARE_INFO_INIT;
    gt_compare_get_info(compare, &info);
    json_put_side(json, "\"before\": ", info.before_traces, info.before_time, info.before_pieces);
    json_put_side(json, ",\n\"after\": ", info.after_traces, info.after_time, info.after_pieces);
    jsontext_print(json, ",\n\"tested\": %" PRIu64 ",\n\"lost\": %" PRIu64, info.tested, info.lost);
}

void comparejson_put_difference(struct jsontext *json, const gt_compare_difference *difference)
{
    gt_string label = {NULL, 0};
    char *made = comparetext_label(difference, &label.size);
    label.data = made;
    json_put_text(json, "{\"verdict\": ", gt_compare_verdict_name(difference->verdict));
    json_put_string(json, ", \"label\": ", made ? label : (gt_string){NULL, 0});
    json_put_text(json, ", \"subject\": ", gt_compare_subject_name(difference->subject));
    json_put_string(json, ", \"name\": ", difference->name);
    json_put_text(json, ", \"measure\": ", gt_compare_measure_name(difference->measure));
    json_put_string(json, ", \"detail\": ", difference->detail);
    json_put_text(json, ", \"statistic\": ", gt_compare_statistic_name(difference->statistic));
    jsontext_print(json,
                   ", \"before\": %.12g, \"after\": %.12g, \"before_count\": %" PRIu64
                   ", \"after_count\": %" PRIu64,
                   difference->before, difference->after, difference->before_count,
                   difference->after_count);
    if (difference->has_interval)
        jsontext_print(json, ", \"low\": %.12g, \"high\": %.12g", difference->low,
                       difference->high);
    jsontext_print(json, "}");
    free(made);
}

static bool json_put_conditions(struct jsontext *json, const gt_compare *compare, const char *text)
{
    static const char *const results[] = {
        [CONDITION_HOLDS] = "true",
        [CONDITION_FAILS] = "false",
        [CONDITION_TOO_FEW] = "null, \"why\": \"too few\"",
        [CONDITION_REMOVED] = "null, \"why\": \"removed\"",
        [CONDITION_ADDED] = "null, \"why\": \"added\"",
        [CONDITION_UNKNOWN] = "null, \"why\": \"unknown\"",
    };
    struct condition condition;
    enum condition_result result;
    jsontext_print(json, "],\n\"conditions\": [");
    for (bool is_first = true; condition_take(&condition, &text) == CONDITION_GOOD;
         is_first = false) {
        if (!condition_check(&condition, compare, &result))
            return false;
        json_put_string(json,
                        is_first ? "\n{\"condition\": " : ",\n{\"condition\": ", condition.text);
        jsontext_print(json, ", \"holds\": %s}", results[result]);
    }
    return true;
}

bool comparejson_write(struct output *out, const gt_compare *compare, bool all,
                       const char *conditions)
{
    struct jsontext json;
    size_t count = comparetext_count(compare, all);
    jsontext_begin(&json);
    jsontext_print(&json, "{");
    comparejson_put_info(&json, compare);
    jsontext_print(&json, ",\n\"differences\": [");
    for (size_t i = 0; i < count; i++) {
        gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
        gt_compare_get(compare, i, &difference);
        jsontext_print(&json, i == 0 ? "\n" : ",\n");
        comparejson_put_difference(&json, &difference);
    }
    bool is_good = !conditions || json_put_conditions(&json, compare, conditions);
    jsontext_print(&json, "]}\n");
    if (!jsontext_end(&json) || !is_good) {
        free(json.text);
        return false;
    }
    output_bytes(out, json.text, json.size);
    free(json.text);
    return true;
}
