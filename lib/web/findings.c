/* SPDX-License-Identifier: BSD-3-Clause */

/* /api/report: what is wrong with the program, the worst first. */

#include <pthread.h>

#include <gotrace/report.h>

#include "base/text.h"
#include "base/time.h"
#include "web/analysis.h"
#include "web/endpoints.h"
#include "web/findingcurves.h"
#include "web/totals_page.h"

enum {
    /*
     * The most bytes of the names of one stack, which is cut after them: an answer has room for a
     * finding with all its stacks, even if each byte becomes an escape sequence.
     */
    STACK_TEXTS_MAX = 40000
};

struct findings {
    /* Protects `report`, as a gt_report may be used by one thread at a time only. */
    pthread_mutex_t lock;
    gt_report *report;
    bool has_begun;
    int64_t start;
    struct gt_findingcurves curves;
};

/* What an answer is made from. */
struct findings_answer {
    const gt_report *report;
    const struct gt_findingcurves *curves;
    /* The time of the trace's first event. */
    int64_t start;
    gt_frame *frames; /* room for GT_STACK_MAX_FRAMES */
    struct gt_json json;
};

static void findings_free(struct gt_mem *mem, void *result)
{
    struct findings *findings = result;
    gt_report_close(&findings->report);
    pthread_mutex_destroy(&findings->lock);
    gt_mem_free(mem, findings, sizeof(*findings));
}

static gt_status findings_on_event(void *user_data, gt_reader *reader, const gt_event *event)
{
    struct findings *findings = user_data;
    if (!findings->has_begun)
        findings->start = event->time;
    findings->has_begun = true;
    gt_findingcurves_event(&findings->curves, gt_time_minus(event->time, findings->start));
    return gt_report_event(findings->report, reader, event);
}

static gt_status findings_finish(struct findings *findings, struct gt_web *web)
{
    gt_status status = gt_report_finish(findings->report);
    if (status == GT_OK && !gt_findingcurves_make(&findings->curves, web, findings->report))
        status = GT_ERR_NO_MEMORY;
    return status;
}

static void *findings_run(struct gt_analysis_pass *pass, const void *key)
{
    gt_report_options options = GT_REPORT_OPTIONS_INIT;
    struct gt_mem *mem = &pass->web->mem;
    struct findings *findings = gt_mem_zeros(mem, sizeof(*findings));
    (void) key;
    if (!findings || pthread_mutex_init(&findings->lock, NULL) != 0) {
        gt_mem_free(mem, findings, sizeof(*findings));
        return gt_analysis_fail(pass, GT_ERR_NO_MEMORY);
    }
    options.allocator = &mem->allocator;
    gt_findingcurves_init(&findings->curves, pass->web);
    gt_status status = gt_report_open(&findings->report, &options, NULL);
    bool good = status == GT_OK && gt_analysis_read(pass, findings_on_event, findings);
    if (good)
        status = findings_finish(findings, pass->web);
    if (good && status == GT_OK)
        return findings;
    if (status != GT_OK)
        gt_analysis_fail(pass, status);
    findings_free(mem, findings);
    return NULL;
}

static const struct gt_analysis_kind findings_kind = {findings_run, findings_free};

/* Whether a finding says that something is wrong. The one about the trace is there always. */
static bool finding_is_wrong(const gt_report_finding *finding)
{
    return finding->excess >= 1 || !gt_text_is(finding->name, "trace-health");
}

/* Returns a text of the trace, or the beginning of one that is very long, so that a finding fits
 * into an answer. */
static gt_string finding_text(gt_string text)
{
    text.size = gt_answer_fitting(text, GT_ANSWER_TITLE_MAX);
    return text;
}

static void finding_stack_write(struct findings_answer *answer, const char *key, size_t finding,
                                size_t subject, uint32_t which)
{
    struct gt_json *json = &answer->json;
    size_t count = 0;
    gt_report_subject_frames(answer->report, finding, subject, which, answer->frames,
                             GT_STACK_MAX_FRAMES, &count);
    gt_json_key_array(json, key);
    for (size_t i = 0, room = STACK_TEXTS_MAX; i < count; i++) {
        const gt_frame *frame = &answer->frames[i];
        size_t size = frame->function.size + frame->file.size;
        if (size > room)
            break;
        room -= size;
        gt_answer_frame(json, frame->function, frame->file, frame->line, frame->pc);
    }
    gt_json_end(json);
}

static void finding_subjects_write(struct findings_answer *answer, size_t finding, uint64_t count)
{
    struct gt_json *json = &answer->json;
    gt_json_key_array(json, "subjects");
    for (size_t i = 0; i < count; i++) {
        gt_report_subject subject = GT_REPORT_SUBJECT_INIT;
        gt_report_get_subject(answer->report, finding, i, &subject);
        gt_json_object(json);
        gt_json_key_string(json, "group", finding_text(subject.group));
        gt_json_key_string(json, "detail", finding_text(subject.detail));
        gt_json_key_exact(json, "figure", subject.figure);
        gt_json_key_uint(json, "count", subject.count);
        finding_stack_write(answer, "stack", finding, i, GT_REPORT_STACK_OWN);
        finding_stack_write(answer, "ended_by", finding, i, GT_REPORT_STACK_OTHER);
        gt_json_end(json);
    }
    gt_json_end(json);
}

static void finding_example_write(struct findings_answer *answer, const gt_report_finding *finding)
{
    struct gt_json *json = &answer->json;
    if (!gt_json_key_object_if(json, "example", finding->end >= finding->start))
        return;
    gt_json_key_int_if(json, "goroutine", finding->goroutine != GT_NO_GOROUTINE,
                       finding->goroutine);
    gt_json_key_int(json, "start", gt_time_minus(finding->start, answer->start));
    gt_json_key_int(json, "end", gt_time_minus(finding->end, answer->start));
    gt_json_end(json);
}

static void finding_curve_write(struct findings_answer *answer, size_t finding)
{
    struct gt_json *json = &answer->json;
    static const struct gt_findingcurve none = {.measure = NULL};
    const struct gt_findingcurve *curve =
        finding < GT_FINDINGCURVES_MAX ? &answer->curves->list[finding] : &none;
    if (!gt_json_key_object_if(json, "curve", curve->measure))
        return;
    gt_json_key_text(json, "measure", curve->measure);
    gt_json_key_text(json, "unit", curve->unit);
    gt_json_key_text(json, "view", gt_answer_views[curve->view]);
    gt_json_key_array(json, "values");
    for (size_t i = 0; i < answer->curves->bins.count; i++)
        gt_json_real(json, curve->values[i]);
    gt_json_end(json);
    gt_json_end(json);
}

static void finding_write(struct findings_answer *answer, size_t index)
{
    struct gt_json *json = &answer->json;
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    gt_report_kind kind = GT_REPORT_KIND_INIT;
    gt_report_get_finding(answer->report, index, &finding);
    gt_report_get_kind((size_t) finding.kind, &kind);
    gt_json_object(json);
    gt_json_key_string(json, "name", finding.name);
    gt_json_key_bool(json, "wrong", finding_is_wrong(&finding));
    gt_json_key_string(json, "sentence", kind.sentence);
    gt_json_key_exact(json, "figure", finding.figure);
    gt_json_key_text(json, "unit", gt_report_unit_name(kind.unit));
    gt_json_key_string(json, "measure", kind.measure);
    gt_json_key_exact(json, "share", finding.share);
    gt_json_key_string(json, "whole", kind.whole);
    gt_json_key_exact(json, "excess", finding.excess);
    finding_example_write(answer, &finding);
    gt_json_key_string(json, "advice", kind.advice);
    finding_curve_write(answer, index);
    finding_subjects_write(answer, index, finding.subject_count);
    gt_json_end(json);
}

/* Writes what the report has looked at, and how many findings say that something is wrong. */
static void findings_info_write(struct findings_answer *answer)
{
    struct gt_json *json = &answer->json;
    gt_report_info info = GT_REPORT_INFO_INIT;
    gt_report_finding finding = GT_REPORT_FINDING_INIT;
    gt_report_kind kind = GT_REPORT_KIND_INIT;
    uint64_t wrong = 0;
    gt_report_get_info(answer->report, &info);
    for (size_t i = 0; gt_report_get_finding(answer->report, i, &finding) == GT_OK; i++)
        wrong += finding_is_wrong(&finding);
    gt_json_key_uint(json, "wrong", wrong);
    gt_json_key_uint(json, "events", info.events);
    gt_json_key_uint(json, "goroutines", info.goroutines);
    gt_json_key_uint(json, "procs", info.procs);
    gt_json_key_int(json, "duration", gt_time_minus(info.end, info.start));
    gt_json_key_array(json, "looked_for");
    for (size_t i = 0; gt_report_get_kind(i, &kind) == GT_OK; i++)
        gt_json_string(json, kind.name);
    gt_json_end(json);
    gt_json_key_object(json, "bins");
    gt_json_key_uint(json, "count", answer->curves->bins.count);
    gt_json_key_int(json, "width", answer->curves->bins.width);
    gt_json_end(json);
}

static void findings_answer(struct gt_response *response, const struct findings *findings,
                            const struct gt_totals_page_part *part)
{
    const size_t frame_bytes = GT_STACK_MAX_FRAMES * sizeof(gt_frame);
    struct findings_answer answer = {.report = findings->report,
                                     .curves = &findings->curves,
                                     .start = findings->start,
                                     .frames = gt_mem_alloc(response->mem, frame_bytes)};
    if (!answer.frames) {
        gt_response_no_memory(response);
        return;
    }
    gt_json_start(&answer.json, response);
    findings_info_write(&answer);
    size_t end = gt_totals_page_start_part(&answer.json, "findings", part,
                                           gt_report_finding_count(findings->report));
    for (size_t i = (size_t) part->first; i < end; i++)
        finding_write(&answer, i);
    gt_json_finish(&answer.json);
    gt_mem_free(response->mem, answer.frames, frame_bytes);
}

void gt_web_serve_report(struct gt_web *web, struct gt_query *query)
{
    struct gt_totals_page_part part;
    gt_totals_page_part_or_all(query, &part);
    struct findings *findings = gt_analysis_demand(web, query, &findings_kind, "", 0, false);
    if (!findings)
        return;
    pthread_mutex_lock(&findings->lock);
    findings_answer(query->response, findings, &part);
    pthread_mutex_unlock(&findings->lock);
}
