/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

static int write_nothing(void *user_data, const void *data, size_t size)
{
    (void) user_data;
    (void) data;
    (void) size;
    return 0;
}

/* Each function opens an object with a structure, and closes it if that succeeded. */

static gt_status with_reader(const void *options)
{
    gt_reader *reader = NULL;
    gt_status status = gt_reader_open_memory(&reader, trace.data, trace.size, options, NULL);
    gt_reader_close(&reader);
    return status;
}

static gt_status with_allocator(const void *from)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.allocator = from;
    return with_reader(&options);
}

static gt_status with_error(const void *error)
{
    gt_error *filled = (gt_error *) (uintptr_t) error;
    gt_reader *reader = NULL;
    gt_status status = gt_reader_open_memory(&reader, trace.data, trace.size, NULL, filled);
    gt_reader_close(&reader);
    return status;
}

static gt_status with_raw_reader(const void *options)
{
    gt_raw_reader *reader = NULL;
    gt_status status = gt_raw_reader_open_memory(&reader, trace.data, trace.size, options, NULL);
    gt_raw_reader_close(&reader);
    return status;
}

static gt_status with_raw_writer(const void *options)
{
    gt_raw_writer *writer = NULL;
    gt_status status =
        gt_raw_writer_open(&writer, 26, GT_RAW_TEXT, write_nothing, NULL, options, NULL);
    gt_raw_writer_close(&writer);
    return status;
}

static gt_status with_validator(const void *options)
{
    gt_validator *validator = NULL;
    gt_status status = gt_validator_open(&validator, options, NULL);
    gt_validator_close(&validator);
    return status;
}

static gt_status with_writer(const void *options)
{
    struct sink sink = {0};
    gt_reader *reader = open_trace();
    gt_writer *writer = NULL;
    gt_status status = gt_writer_open(&writer, reader, take_bytes, &sink, options, NULL);
    gt_writer_close(&writer);
    gt_reader_close(&reader);
    return status;
}

static gt_status with_downgrader(const void *options)
{
    struct sink sink = {0};
    gt_reader *reader = open_trace();
    gt_downgrader *downgrader = NULL;
    gt_status status = gt_downgrader_open(&downgrader, reader, take_bytes, &sink, options, NULL);
    gt_downgrader_close(&downgrader);
    gt_reader_close(&reader);
    return status;
}

static gt_status with_summary(const void *options)
{
    gt_summary *summary = NULL;
    gt_status status = gt_summary_open(&summary, options, NULL);
    gt_summary_close(&summary);
    return status;
}

static gt_status with_profile(const void *options)
{
    gt_profile *profile = NULL;
    gt_status status = gt_profile_open(&profile, options, NULL);
    gt_profile_close(&profile);
    return status;
}

static gt_status with_mmu(const void *options)
{
    gt_mmu *mmu = NULL;
    gt_status status = gt_mmu_open(&mmu, options, NULL);
    gt_mmu_close(&mmu);
    return status;
}

static gt_status with_path(const void *options)
{
    gt_path *path = NULL;
    gt_status status = gt_path_open(&path, options, NULL);
    gt_path_close(&path);
    return status;
}

static gt_status with_compare(const void *options)
{
    gt_compare *compare = NULL;
    gt_status status = gt_compare_open(&compare, options, NULL);
    gt_compare_close(&compare);
    return status;
}

static gt_status with_report(const void *options)
{
    gt_report *report = NULL;
    gt_status status = gt_report_open(&report, options, NULL);
    gt_report_close(&report);
    return status;
}

static gt_status with_latency(const void *options)
{
    gt_latency *latency = NULL;
    gt_status status = gt_latency_open(&latency, options, NULL);
    gt_latency_close(&latency);
    return status;
}

static gt_status with_consumer(const void *consumer)
{
    gt_emitter *emitter = NULL;
    gt_status status = gt_emitter_open(&emitter, consumer, NULL, NULL);
    gt_emitter_close(&emitter);
    return status;
}

static gt_emitter *open_emitter(const gt_emitter_options *options, gt_status *status)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter *emitter = NULL;
    *status = gt_emitter_open(&emitter, &consumer, options, NULL);
    return emitter;
}

static gt_status with_emitter(const void *options)
{
    gt_status status;
    gt_emitter *emitter = open_emitter(options, &status);
    gt_emitter_close(&emitter);
    return status;
}

static gt_status with_slice(const void *slice)
{
    gt_status status;
    gt_emitter *emitter = open_emitter(NULL, &status);
    status = gt_emitter_slice(emitter, slice);
    gt_emitter_close(&emitter);
    return status;
}

static gt_status with_instant(const void *instant)
{
    gt_status status;
    gt_emitter *emitter = open_emitter(NULL, &status);
    status = gt_emitter_instant(emitter, instant);
    gt_emitter_close(&emitter);
    return status;
}

static gt_status with_arrow(const void *arrow)
{
    gt_status status;
    gt_emitter *emitter = open_emitter(NULL, &status);
    status = gt_emitter_arrow(emitter, arrow);
    gt_emitter_close(&emitter);
    return status;
}

static gt_status with_json(const void *options)
{
    gt_json_writer *writer = NULL;
    gt_status status = gt_json_writer_open(&writer, write_nothing, NULL, options, NULL);
    gt_json_writer_close(&writer);
    return status;
}

static gt_status with_selector(const void *options)
{
    gt_selector *selector = NULL;
    gt_status status = gt_selector_open(&selector, GT_SELECT_TASK, 1, options, NULL);
    gt_selector_close(&selector);
    return status;
}

static gt_status with_timeline(const void *options)
{
    gt_status status;
    gt_emitter *emitter = open_emitter(NULL, &status);
    gt_reader *reader = open_trace();
    gt_timeline *timeline = NULL;
    status = gt_timeline_open(&timeline, reader, emitter, options, NULL);
    gt_timeline_close(&timeline);
    gt_reader_close(&reader);
    gt_emitter_close(&emitter);
    return status;
}

static int take_batch(void *user_data, const gt_batch *batch)
{
    (void) user_data;
    (void) batch;
    return 0;
}

static gt_status with_columns(const void *options)
{
    gt_columns *columns = NULL;
    gt_status status = gt_columns_open(&columns, options, NULL);
    gt_columns_close(&columns);
    return status;
}

static gt_status with_about(const void *about)
{
    gt_columns_options options = GT_COLUMNS_OPTIONS_INIT;
    gt_reader *reader = open_trace();
    gt_columns *columns = NULL;
    options.on_batch = take_batch;
    gt_status status = gt_columns_open(&columns, &options, NULL);
    if (status == GT_OK)
        status = gt_columns_begin(columns, reader, about);
    gt_columns_close(&columns);
    gt_reader_close(&reader);
    return status;
}

static gt_status with_parquet(const void *options)
{
    gt_parquet *parquet = NULL;
    gt_status status = gt_parquet_open(&parquet, 0, write_nothing, NULL, options, NULL);
    gt_parquet_close(&parquet);
    return status;
}

static gt_status with_batch(const void *batch)
{
    gt_parquet *parquet = NULL;
    gt_status status = gt_parquet_open(&parquet, 0, write_nothing, NULL, NULL, NULL);
    if (status == GT_OK)
        status = gt_parquet_batch(parquet, batch);
    gt_parquet_close(&parquet);
    return status;
}

static gt_status with_arrow_stream(const void *options)
{
    gt_reader *reader = open_trace();
    struct ArrowArrayStream stream;
    gt_status status = gt_arrow_stream(&stream, &reader, 0, NULL, options, NULL);
    if (status == GT_OK)
        stream.release(&stream);
    gt_reader_close(&reader);
    return status;
}

static gt_status with_web(const void *options)
{
    gt_web *web = NULL;
    gt_status status = gt_web_open_memory(&web, trace.data, trace.size, options, NULL);
    gt_web_close(&web);
    return status;
}

static int begin_nothing(void *user_data, uint32_t status, const gt_web_header *headers,
                         size_t count, uint64_t length)
{
    (void) user_data;
    (void) status;
    (void) headers;
    (void) count;
    (void) length;
    return 0;
}

static gt_status with_answer(const void *request, const void *client)
{
    gt_web *web = NULL;
    gt_status status = gt_web_open_memory(&web, trace.data, trace.size, NULL, NULL);
    if (status == GT_OK)
        status = gt_web_answer(web, request, client);
    gt_web_close(&web);
    return status;
}

static gt_status with_web_request(const void *request)
{
    gt_web_client client = GT_WEB_CLIENT_INIT;
    client.begin = begin_nothing;
    client.write = write_nothing;
    return with_answer(request, &client);
}

static gt_status with_web_client(const void *client)
{
    gt_web_request request = GT_WEB_REQUEST_INIT;
    request.path = "/api/trace";
    return with_answer(&request, client);
}

#define EACH(structure, with)                                                                      \
    {                                                                                              \
#structure, with, &structure, sizeof(structure)                                            \
    }

static void show(const char *name, gt_status status)
{
    says(name, status);
}

/* Passes each structure that the library reads, after `change` has changed a valid one. */
static void give_each(void (*change)(unsigned char *structure, size_t size),
                      void (*judge)(const char *name, gt_status status))
{
    static const gt_reader_options reader_options = GT_READER_OPTIONS_INIT;
    static const gt_error error = GT_ERROR_INIT;
    static const gt_raw_options raw_options = GT_RAW_OPTIONS_INIT;
    static const gt_writer_options writer_options = GT_WRITER_OPTIONS_INIT;
    static const gt_downgrader_options downgrader_options = GT_DOWNGRADER_OPTIONS_INIT;
    static const gt_validator_options validator_options = GT_VALIDATOR_OPTIONS_INIT;
    static const gt_summary_options summary_options = GT_SUMMARY_OPTIONS_INIT;
    gt_profile_options profile_options = GT_PROFILE_OPTIONS_INIT;
    static const gt_mmu_options mmu_options = GT_MMU_OPTIONS_INIT;
    static const gt_path_options path_options = GT_PATH_OPTIONS_INIT;
    static const gt_compare_options compare_options = GT_COMPARE_OPTIONS_INIT;
    static const gt_report_options report_options = GT_REPORT_OPTIONS_INIT;
    static const gt_latency_options latency_options = GT_LATENCY_OPTIONS_INIT;
    static const gt_consumer consumer = GT_CONSUMER_INIT;
    static const gt_emitter_options emitter_options = GT_EMITTER_OPTIONS_INIT;
    static const gt_slice slice = GT_SLICE_INIT;
    static const gt_instant instant = GT_INSTANT_INIT;
    static const gt_arrow arrow = GT_ARROW_INIT;
    static const gt_json_options json_options = GT_JSON_OPTIONS_INIT;
    static const gt_selector_options selector_options = GT_SELECTOR_OPTIONS_INIT;
    static const gt_timeline_options timeline_options = GT_TIMELINE_OPTIONS_INIT;
    static const gt_columns_about about = GT_COLUMNS_ABOUT_INIT;
    static const gt_parquet_options parquet_options = GT_PARQUET_OPTIONS_INIT;
    gt_columns_options columns_options = GT_COLUMNS_OPTIONS_INIT;
    gt_batch batch = GT_BATCH_INIT;
    static const gt_arrow_options arrow_options = GT_ARROW_OPTIONS_INIT;
    static const gt_web_options web_options = GT_WEB_OPTIONS_INIT;
    static const gt_web_request web_request = GT_WEB_REQUEST_INIT;
    gt_web_client web_client = GT_WEB_CLIENT_INIT;
    columns_options.on_batch = take_batch;
    gt_table_description first = GT_TABLE_DESCRIPTION_INIT;
    must("table", gt_table_describe(0, &first));
    batch.column_count = first.column_count;
    web_client.begin = begin_nothing;
    web_client.write = write_nothing;
    profile_options.kinds = GT_PROFILE_BIT(GT_PROFILE_WALL);

    const struct {
        const char *name;
        gt_status (*with)(const void *structure);
        const void *structure;
        size_t size;
    } each[] = {
        EACH(reader_options, with_reader),
        EACH(allocator, with_allocator),
        EACH(error, with_error),
        EACH(raw_options, with_raw_reader),
        EACH(raw_options, with_raw_writer),
        EACH(writer_options, with_writer),
        EACH(downgrader_options, with_downgrader),
        EACH(validator_options, with_validator),
        EACH(summary_options, with_summary),
        EACH(profile_options, with_profile),
        EACH(mmu_options, with_mmu),
        EACH(path_options, with_path),
        EACH(compare_options, with_compare),
        EACH(report_options, with_report),
        EACH(latency_options, with_latency),
        EACH(consumer, with_consumer),
        EACH(emitter_options, with_emitter),
        EACH(slice, with_slice),
        EACH(instant, with_instant),
        EACH(arrow, with_arrow),
        EACH(json_options, with_json),
        EACH(selector_options, with_selector),
        EACH(timeline_options, with_timeline),
        EACH(columns_options, with_columns),
        EACH(about, with_about),
        EACH(parquet_options, with_parquet),
        EACH(batch, with_batch),
        EACH(arrow_options, with_arrow_stream),
        EACH(web_options, with_web),
        EACH(web_request, with_web_request),
        EACH(web_client, with_web_client),
    };

    for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
        unsigned char *copy = malloc(each[i].size);
        if (!copy) {
            die(each[i].name, "no memory");
            return;
        }
        memcpy(copy, each[i].structure, each[i].size);
        change(copy, each[i].size);
        judge(each[i].name, each[i].with(copy));
        free(copy);
    }
}

static void leave(unsigned char *structure, size_t size)
{
    (void) structure;
    (void) size;
}

/* Sets the size to that of the size member alone, which no release had. */
static void cut(unsigned char *structure, size_t size)
{
    size_t claimed = sizeof(size_t);
    (void) size;
    memcpy(structure, &claimed, sizeof(claimed));
}

#ifdef GT_OLDEST
static void refused(const char *name, gt_status status)
{
    if (status != GT_ERR_INVALID_ARGUMENT)
        die(name, "was taken though it was too small");
}

/* Sets the size to one byte less than in the first release. */
static void cut_by_one(unsigned char *structure, size_t size)
{
    size_t claimed = size - 1;
    memcpy(structure, &claimed, sizeof(claimed));
}
#endif

void use_structures(void)
{
    say("as they are");
    give_each(leave, show);
    say("cut");
    give_each(cut, show);
#ifdef GT_OLDEST
    give_each(cut_by_one, refused);
#endif
}

#ifdef GT_LATER
static void ask(unsigned char *structure, size_t size)
{
    structure[size - 1] = 1;
}

void ask_for_more(void)
{
    say("asking for more");
    give_each(ask, show);
}
#endif
