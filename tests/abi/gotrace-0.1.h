/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* Made by baseline.sh: all public headers of a release, which stay as they were. */
#ifndef GOTRACE_VERSION_H
#define GOTRACE_VERSION_H
#define GT_VERSION_MAJOR 0
#define GT_VERSION_MINOR 1
#define GT_VERSION_PATCH 0
#define GT_VERSION ((GT_VERSION_MAJOR << 16) | (GT_VERSION_MINOR << 8) | GT_VERSION_PATCH)
#define GT_ABI_VERSION 0
#ifndef GT_API
#if !defined(__GNUC__) || defined(GT_STATIC)
#define GT_API
#else
#define GT_API __attribute__((visibility("default")))
#endif
#endif
#ifndef GT_NODISCARD
#if defined(__GNUC__)
#define GT_NODISCARD __attribute__((warn_unused_result))
#else
#define GT_NODISCARD
#endif
#endif
#ifndef GT_NONNULL
#if defined(__GNUC__)
#define GT_NONNULL(which) __attribute__((nonnull which))
#else
#define GT_NONNULL(which)
#endif
#endif
#ifndef GT_DEPRECATED
#if defined(__GNUC__)
#define GT_DEPRECATED(instead) __attribute__((deprecated(instead)))
#else
#define GT_DEPRECATED(instead)
#endif
#endif
#ifdef __cplusplus
extern "C" {
#endif
GT_API unsigned int gt_library_version(void);
GT_API const char *gt_library_version_text(void);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_ALLOCATOR_H
#define GOTRACE_ALLOCATOR_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct gt_allocator {
    size_t size;
    void *context;
    void *(*allocate)(void *context, size_t bytes);
    void *(*reallocate)(void *context, void *block, size_t old_bytes, size_t bytes);
    void (*release)(void *context, void *block, size_t bytes);
} gt_allocator;
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_STATUS_H
#define GOTRACE_STATUS_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef int32_t gt_status;
enum {
    GT_OK = 0,
    GT_END = 1,
    GT_AGAIN = 2,
    GT_CANCELLED = 3,
    GT_STALE = 4,
    GT_ERR_INVALID_ARGUMENT = -1,
    GT_ERR_NO_MEMORY = -2,
    GT_ERR_LIMIT = -3,
    GT_ERR_IO = -4,
    GT_ERR_WRONG_KIND = -5,
    GT_ERR_EXPIRED = -6,
    GT_ERR_NOT_AVAILABLE = -7,
    GT_ERR_CALLBACK = -8,
    GT_ERR_STATE = -9,
    GT_ERR_BUSY = -10,
    GT_ERR_NOT_A_TRACE = -20,
    GT_ERR_VERSION = -21,
    GT_ERR_TRUNCATED = -22,
    GT_ERR_BATCH = -23,
    GT_ERR_GENERATION = -24,
    GT_ERR_STRINGS = -25,
    GT_ERR_STACKS = -26,
    GT_ERR_SAMPLES = -27,
    GT_ERR_SYNC = -28,
    GT_ERR_EVENT = -29,
    GT_ERR_ORDER = -30,
    GT_ERR_STUCK = -31,
    GT_ERR_REFERENCE = -32,
    GT_ERR_TIME = -33,
    GT_ERR_SYMBOLS = -34
};
GT_API const char *gt_status_text(gt_status status);
#define GT_NO_OFFSET UINT64_MAX
#define GT_ERROR_MESSAGE_SIZE 200
typedef struct gt_error {
    size_t size;
    uint64_t offset;
    uint64_t generation;
    int32_t status;
    int32_t system_error;
    char message[GT_ERROR_MESSAGE_SIZE];
} gt_error;
#define GT_ERROR_INIT                                                                              \
    { sizeof(gt_error), GT_NO_OFFSET, 0, 0, 0, { 0 } }
#define GT_ERROR_TEXT_SIZE 300
GT_API size_t gt_error_format(const gt_error *error, char *text, size_t room);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_TYPES_H
#define GOTRACE_TYPES_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define GT_NO_THREAD (-INT64_C(1))
#define GT_NO_PROC (-INT64_C(1))
#define GT_NO_GOROUTINE (-INT64_C(1))
#define GT_NO_TASK UINT64_MAX
#define GT_BACKGROUND_TASK UINT64_C(0)
typedef struct gt_string {
    const char *data;
    size_t size;
} gt_string;
typedef uint32_t gt_value_kind;
enum {
    GT_VALUE_NONE = 0,
    GT_VALUE_UINT64 = 1,
    GT_VALUE_STRING = 2
};
typedef struct gt_value {
    uint32_t kind;
    uint32_t reserved;
    uint64_t number;
    gt_string string;
} gt_value;
typedef uint32_t gt_resource_kind;
enum {
    GT_RESOURCE_NONE = 0,
    GT_RESOURCE_GOROUTINE = 1,
    GT_RESOURCE_PROC = 2,
    GT_RESOURCE_THREAD = 3
};
typedef struct gt_resource {
    uint32_t kind;
    uint32_t reserved;
    int64_t id;
} gt_resource;
typedef uint32_t gt_go_state;
enum {
    GT_GO_UNDETERMINED = 0,
    GT_GO_NOT_EXIST = 1,
    GT_GO_RUNNABLE = 2,
    GT_GO_RUNNING = 3,
    GT_GO_WAITING = 4,
    GT_GO_SYSCALL = 5
};
typedef uint32_t gt_proc_state;
enum {
    GT_PROC_UNDETERMINED = 0,
    GT_PROC_NOT_EXIST = 1,
    GT_PROC_RUNNING = 2,
    GT_PROC_IDLE = 3
};
typedef int64_t gt_proc_stand_in;
#define GT_STAND_IN_TIMERS INT64_C(1000001)
#define GT_STAND_IN_NETWORK INT64_C(1000002)
#define GT_STAND_IN_SYSCALLS INT64_C(1000003)
#define GT_STAND_IN_GC INT64_C(1000004)
GT_API const char *gt_go_state_name(uint32_t state);
GT_API const char *gt_proc_state_name(uint32_t state);
GT_API const char *gt_resource_kind_name(uint32_t kind);
GT_API int gt_goroutine_state_executing(uint32_t state);
GT_API int gt_proc_state_executing(uint32_t state);
GT_API size_t gt_string_quote(gt_string *rest, char *to, size_t room);
GT_API size_t gt_string_escape_json(gt_string *rest, char *to, size_t room);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_STACK_H
#define GOTRACE_STACK_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct gt_reader;
typedef uint64_t gt_stack;
#define GT_STACK_NONE UINT64_C(0)
#define GT_STACK_EMPTY_SLOT UINT32_MAX
#define GT_STACK_MAX_FRAMES 128
typedef struct gt_frame {
    uint64_t pc;
    uint64_t line;
    gt_string function;
    gt_string file;
} gt_frame;
GT_API gt_status gt_stack_view(struct gt_reader *reader, gt_stack stack, const gt_frame **frames,
                               size_t *count);
GT_API gt_status gt_stack_frames(struct gt_reader *reader, gt_stack stack, gt_frame *frames,
                                 size_t capacity, size_t *count);
GT_API gt_status gt_stack_intern(struct gt_reader *reader, gt_stack stack, uint32_t *id);
GT_API gt_status gt_stack_interned(const struct gt_reader *reader, uint32_t id,
                                   const gt_frame **frames, size_t *count);
GT_API uint32_t gt_stack_interned_count(const struct gt_reader *reader);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_EVENT_H
#define GOTRACE_EVENT_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct gt_reader;
typedef uint32_t gt_event_kind;
enum {
    GT_EVENT_SYNC = 1,
    GT_EVENT_METRIC = 2,
    GT_EVENT_LABEL = 3,
    GT_EVENT_STACK_SAMPLE = 4,
    GT_EVENT_RANGE_BEGIN = 5,
    GT_EVENT_RANGE_ACTIVE = 6,
    GT_EVENT_RANGE_END = 7,
    GT_EVENT_TASK_BEGIN = 8,
    GT_EVENT_TASK_END = 9,
    GT_EVENT_REGION_BEGIN = 10,
    GT_EVENT_REGION_END = 11,
    GT_EVENT_LOG = 12,
    GT_EVENT_STATE_TRANSITION = 13,
    GT_EVENT_EXPERIMENTAL = 14
};
GT_API const char *gt_event_kind_name(uint32_t kind);
typedef struct gt_event {
    uint32_t kind;
    uint32_t reserved;
    int64_t time;
    int64_t thread;
    int64_t proc;
    int64_t goroutine;
#if defined(__cplusplus) && __cplusplus >= 201103L
    gt_event() = delete;
    gt_event(const gt_event &) = delete;
    gt_event &operator=(const gt_event &) = delete;
#endif
} gt_event;
GT_API gt_status gt_event_copy(struct gt_reader *reader, const gt_event *event,
                               const gt_allocator *allocator, gt_event **copy);
GT_API gt_status gt_event_copy_into(struct gt_reader *reader, const gt_event *event, void *memory,
                                    size_t capacity, size_t *size, gt_event **copy);
GT_API void gt_event_free(gt_event **copy);
GT_API gt_status gt_event_frames(struct gt_reader *reader, const gt_event *event, gt_stack stack,
                                 const gt_frame **frames, size_t *count);
GT_API gt_stack gt_event_stack(const gt_event *event) GT_NONNULL((1));
typedef struct gt_metric {
    size_t size;
    gt_string name;
    gt_value value;
} gt_metric;
#define GT_METRIC_INIT                                                                             \
    { sizeof(gt_metric), { NULL, 0 }, { 0, 0, 0, { NULL, 0 } } }
GT_API gt_status gt_event_metric(const gt_event *event, gt_metric *metric) GT_NONNULL((1, 2));
typedef struct gt_label {
    size_t size;
    gt_string label;
    gt_resource resource;
} gt_label;
#define GT_LABEL_INIT                                                                              \
    { sizeof(gt_label), { NULL, 0 }, { 0, 0, 0 } }
GT_API gt_status gt_event_label(const gt_event *event, gt_label *label) GT_NONNULL((1, 2));
typedef struct gt_range {
    size_t size;
    gt_string name;
    gt_string cause;
    uint32_t has_cause;
    uint32_t attribute_count;
    gt_resource scope;
} gt_range;
#define GT_RANGE_INIT                                                                              \
    { sizeof(gt_range), { NULL, 0 }, { NULL, 0 }, 0, 0, { 0, 0, 0 } }
GT_API gt_status gt_event_range(const gt_event *event, gt_range *range) GT_NONNULL((1, 2));
GT_API gt_status gt_event_range_attribute(const gt_event *event, uint32_t index, gt_string *name,
                                          gt_value *value) GT_NONNULL((1, 3, 4));
typedef struct gt_task {
    size_t size;
    uint64_t id;
    uint64_t parent;
    gt_string type;
} gt_task;
#define GT_TASK_INIT                                                                               \
    { sizeof(gt_task), 0, 0, { NULL, 0 } }
GT_API gt_status gt_event_task(const gt_event *event, gt_task *task) GT_NONNULL((1, 2));
typedef struct gt_region {
    size_t size;
    uint64_t task;
    gt_string type;
} gt_region;
#define GT_REGION_INIT                                                                             \
    { sizeof(gt_region), 0, { NULL, 0 } }
GT_API gt_status gt_event_region(const gt_event *event, gt_region *region) GT_NONNULL((1, 2));
typedef struct gt_log {
    size_t size;
    uint64_t task;
    gt_string category;
    gt_string message;
} gt_log;
#define GT_LOG_INIT                                                                                \
    { sizeof(gt_log), 0, { NULL, 0 }, { NULL, 0 } }
GT_API gt_status gt_event_log(const gt_event *event, gt_log *log) GT_NONNULL((1, 2));
typedef struct gt_transition {
    size_t size;
    gt_resource resource;
    uint32_t from;
    uint32_t to;
    gt_string reason;
    gt_stack stack;
} gt_transition;
#define GT_TRANSITION_INIT                                                                         \
    { sizeof(gt_transition), { 0, 0, 0 }, 0, 0, { NULL, 0 }, GT_STACK_NONE }
GT_API gt_status gt_event_transition(const gt_event *event, gt_transition *transition)
    GT_NONNULL((1, 2));
GT_API gt_status gt_event_goroutine_transition(const gt_event *event, gt_transition *transition);
GT_API gt_status gt_event_proc_transition(const gt_event *event, gt_transition *transition);
typedef struct gt_sync {
    size_t size;
    uint64_t number;
    uint64_t generation;
    uint32_t has_clock;
    uint32_t batch_count;
    int64_t clock_trace;
    uint64_t clock_monotonic;
    int64_t clock_seconds;
    uint32_t clock_nanoseconds;
    uint32_t reserved;
} gt_sync;
#define GT_SYNC_INIT                                                                               \
    { sizeof(gt_sync), 0, 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_event_sync(const gt_event *event, gt_sync *sync) GT_NONNULL((1, 2));
GT_API gt_status gt_sync_wall_clock(const gt_sync *sync, int64_t time, int64_t *seconds,
                                    uint32_t *nanoseconds);
typedef struct gt_experimental_batch {
    size_t size;
    gt_string experiment;
    uint64_t experiment_id;
    int64_t thread;
    gt_string data;
} gt_experimental_batch;
#define GT_EXPERIMENTAL_BATCH_INIT                                                                 \
    { sizeof(gt_experimental_batch), { NULL, 0 }, 0, 0, { NULL, 0 } }
GT_API gt_status gt_event_experimental_batch(const gt_event *event, uint32_t index,
                                             gt_experimental_batch *batch) GT_NONNULL((1, 3));
typedef struct gt_experimental {
    size_t size;
    gt_string name;
    gt_string experiment;
    uint32_t argument_count;
    uint32_t reserved;
} gt_experimental;
#define GT_EXPERIMENTAL_INIT                                                                       \
    { sizeof(gt_experimental), { NULL, 0 }, { NULL, 0 }, 0, 0 }
GT_API gt_status gt_event_experimental(const gt_event *event, gt_experimental *experimental)
    GT_NONNULL((1, 2));
GT_API gt_status gt_event_experimental_argument(const gt_event *event, uint32_t index,
                                                gt_string *name, gt_value *value)
    GT_NONNULL((1, 3, 4));
typedef struct gt_wire_event {
    size_t size;
    uint32_t type;
    uint32_t status;
} gt_wire_event;
#define GT_WIRE_EVENT_INIT                                                                         \
    { sizeof(gt_wire_event), 0, 0 }
GT_API gt_status gt_event_wire(const gt_event *event, gt_wire_event *wire) GT_NONNULL((1, 2));
GT_API gt_status gt_event_wall_clock(const gt_event *event, int64_t *seconds, uint32_t *nanoseconds)
    GT_NONNULL((1, 2, 3));
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_READER_H
#define GOTRACE_READER_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct gt_reader gt_reader;
#define GT_READER_KEEP (UINT64_C(1) << 0)
#define GT_READER_KNOWN_VERSIONS (UINT64_C(1) << 1)
#define GT_READER_LENIENT (UINT64_C(1) << 2)
#define GT_READER_AS_RECORDED (UINT64_C(1) << 3)
#define GT_READER_AHEAD (UINT64_C(1) << 4)
#define GT_READER_TRACK (UINT64_C(1) << 5)
#define GT_READER_UNFORCED (UINT64_C(1) << 6)
typedef void (*gt_repair_fn)(void *user_data, const gt_error *repair);
typedef struct gt_symbol {
    uint64_t address;
    uint64_t line;
    gt_string function;
    gt_string file;
} gt_symbol;
typedef int (*gt_symbolize_fn)(void *user_data, gt_symbol *symbols, size_t count);
typedef struct gt_progress {
    size_t size;
    uint64_t bytes_read;
    uint64_t bytes_decoded;
    uint64_t bytes_total;
} gt_progress;
typedef int (*gt_progress_fn)(void *user_data, const gt_progress *progress);
typedef void (*gt_job_fn)(void *job);
typedef int (*gt_execute_fn)(void *user_data, gt_job_fn run, void *job);
typedef struct gt_reader_options {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
    gt_repair_fn on_repair;
    void *repair_data;
    gt_symbolize_fn symbolize;
    void *symbolize_data;
    gt_progress_fn on_progress;
    void *progress_data;
    uint64_t workers;
    uint64_t ahead_bytes;
    gt_execute_fn execute;
    void *execute_data;
} gt_reader_options;
#define GT_READER_OPTIONS_INIT                                                                     \
    { sizeof(gt_reader_options), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL }
#define GT_READ_AGAIN INT64_MIN
#define GT_READ_FAILED(code) (-INT64_C(1) - (code))
typedef int64_t (*gt_read_fn)(void *user_data, void *buffer, size_t capacity);
GT_API GT_NODISCARD gt_status gt_reader_open_memory(gt_reader **reader, const void *data,
                                                    size_t size, const gt_reader_options *options,
                                                    gt_error *error) GT_NONNULL((1));
GT_API GT_NODISCARD gt_status gt_reader_open_file(gt_reader **reader, const char *path,
                                                  const gt_reader_options *options, gt_error *error)
    GT_NONNULL((1, 2));
GT_API GT_NODISCARD gt_status gt_reader_open_fd(gt_reader **reader, int fd,
                                                const gt_reader_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API GT_NODISCARD gt_status gt_reader_open_callback(gt_reader **reader, gt_read_fn read,
                                                      void *user_data,
                                                      const gt_reader_options *options,
                                                      gt_error *error) GT_NONNULL((1, 2));
GT_API GT_NODISCARD gt_status gt_reader_open_push(gt_reader **reader,
                                                  const gt_reader_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API GT_NODISCARD gt_status gt_reader_feed(gt_reader *reader, const void *data, size_t size)
    GT_NONNULL((1));
GT_API gt_status gt_reader_finish(gt_reader *reader) GT_NONNULL((1));
GT_API void gt_reader_cancel(gt_reader *reader);
GT_API void gt_reader_close(gt_reader **reader);
GT_API GT_NODISCARD gt_status gt_reader_next_event(gt_reader *reader, const gt_event **event)
    GT_NONNULL((1, 2));
GT_API GT_NODISCARD gt_status gt_reader_next_events(gt_reader *reader,
                                                    const gt_event *const **events, size_t *count)
    GT_NONNULL((1, 2, 3));
GT_API uint64_t gt_reader_event_number(const gt_reader *reader);
GT_API int gt_reader_has_event(const gt_reader *reader, const gt_event *event);
GT_API gt_status gt_reader_error(const gt_reader *reader, gt_error *error);
typedef struct gt_reader_info {
    size_t size;
    uint32_t version;
    uint32_t newer;
    uint64_t bytes;
    uint64_t events;
    uint64_t generations;
    uint64_t memory;
    uint64_t memory_peak;
    uint64_t repairs;
} gt_reader_info;
#define GT_READER_INFO_INIT                                                                        \
    { sizeof(gt_reader_info), 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_reader_get_info(const gt_reader *reader, gt_reader_info *info);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_COLUMNS_H
#define GOTRACE_COLUMNS_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef uint32_t gt_table;
enum {
    GT_TABLE_TRACES = 0,
    GT_TABLE_GENERATIONS = 1,
    GT_TABLE_GOROUTINES = 2,
    GT_TABLE_GOROUTINE_STATES = 3,
    GT_TABLE_PROC_STATES = 4,
    GT_TABLE_RANGES = 5,
    GT_TABLE_GC_CYCLES = 6,
    GT_TABLE_REGIONS = 7,
    GT_TABLE_TASKS = 8,
    GT_TABLE_LOGS = 9,
    GT_TABLE_METRICS = 10,
    GT_TABLE_SAMPLES = 11,
    GT_TABLE_WAITS = 12,
    GT_TABLE_LATENCY = 13,
    GT_TABLE_STACKS = 14,
    GT_TABLE_FRAMES = 15,
    GT_TABLE_EVENTS = 16
};
typedef uint32_t gt_table_level;
enum {
    GT_TABLE_LEVEL_FLEET = 0,
    GT_TABLE_LEVEL_FULL = 1,
    GT_TABLE_LEVEL_ASKED = 2
};
typedef uint32_t gt_column_kind;
enum {
    GT_COLUMN_BOOLEAN = 1,
    GT_COLUMN_INT32 = 2,
    GT_COLUMN_INT64 = 3,
    GT_COLUMN_TIMESTAMP = 4,
    GT_COLUMN_STRING = 5
};
typedef uint32_t gt_column_unit;
enum {
    GT_COLUMN_UNIT_NONE = 0,
    GT_COLUMN_UNIT_NANOSECONDS = 1,
    GT_COLUMN_UNIT_MICROSECONDS = 2,
    GT_COLUMN_UNIT_BYTES = 3
};
#define GT_COLUMN_OPTIONAL (UINT32_C(1) << 0)
#define GT_COLUMN_RISES (UINT32_C(1) << 1)
typedef struct gt_column_description {
    const char *name;
    const char *meaning;
    uint32_t kind;
    uint32_t unit;
    uint32_t flags;
    uint32_t reserved;
} gt_column_description;
typedef struct gt_table_description {
    size_t size;
    const char *name;
    const char *meaning;
    uint32_t level;
    uint32_t column_count;
    const gt_column_description *columns;
} gt_table_description;
#define GT_TABLE_DESCRIPTION_INIT                                                                  \
    { sizeof(gt_table_description), NULL, NULL, 0, 0, NULL }
GT_API gt_status gt_table_describe(uint32_t table, gt_table_description *description);
typedef struct gt_batch_column {
    const int64_t *values;
    const uint8_t *valid;
} gt_batch_column;
typedef struct gt_batch {
    size_t size;
    uint32_t table;
    uint32_t column_count;
    size_t rows;
    const gt_batch_column *columns;
    const uint32_t *order;
    const gt_string *texts;
    size_t text_count;
} gt_batch;
#define GT_BATCH_INIT                                                                              \
    { sizeof(gt_batch), 0, 0, 0, NULL, NULL, NULL, 0 }
typedef int (*gt_batch_fn)(void *user_data, const gt_batch *batch);
typedef struct gt_columns_options {
    size_t size;
    uint64_t flags;
    uint64_t tables;
    uint64_t rows;
    uint64_t memory_limit;
    const gt_allocator *allocator;
    gt_batch_fn on_batch;
    void *user_data;
} gt_columns_options;
#define GT_COLUMNS_OPTIONS_INIT                                                                    \
    { sizeof(gt_columns_options), 0, 0, 0, 0, NULL, NULL, NULL }
typedef struct gt_columns_about {
    size_t size;
    gt_string id;
    gt_string file;
    gt_string host;
    gt_string meta;
    uint64_t bytes;
} gt_columns_about;
#define GT_COLUMNS_ABOUT_INIT                                                                      \
    { sizeof(gt_columns_about), { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, 0 }
typedef struct gt_columns gt_columns;
GT_API GT_NODISCARD gt_status gt_columns_open(gt_columns **columns,
                                              const gt_columns_options *options, gt_error *error)
    GT_NONNULL((1, 2));
GT_API gt_status gt_columns_begin(gt_columns *columns, gt_reader *reader,
                                  const gt_columns_about *about) GT_NONNULL((1, 2));
GT_API gt_status gt_columns_event(gt_columns *columns, gt_reader *reader, const gt_event *event)
    GT_NONNULL((1, 2, 3));
GT_API gt_status gt_columns_end(gt_columns *columns, gt_reader *reader, gt_string error)
    GT_NONNULL((1, 2));
GT_API gt_status gt_columns_finish(gt_columns *columns) GT_NONNULL((1));
typedef struct gt_columns_info {
    size_t size;
    uint64_t events;
    uint64_t rows;
    uint64_t memory;
    uint64_t memory_peak;
} gt_columns_info;
#define GT_COLUMNS_INFO_INIT                                                                       \
    { sizeof(gt_columns_info), 0, 0, 0, 0 }
GT_API gt_status gt_columns_get_info(const gt_columns *columns, gt_columns_info *info);
GT_API void gt_columns_close(gt_columns **columns);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_ARROW_H
#define GOTRACE_ARROW_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif
typedef struct gt_arrow_options {
    size_t size;
    uint64_t flags;
    uint64_t rows;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_arrow_options;
#define GT_ARROW_OPTIONS_INIT                                                                      \
    { sizeof(gt_arrow_options), 0, 0, 0, NULL }
GT_API GT_NODISCARD gt_status gt_arrow_stream(struct ArrowArrayStream *out, gt_reader **reader,
                                              uint32_t table, const gt_columns_about *about,
                                              const gt_arrow_options *options, gt_error *error)
    GT_NONNULL((1, 2));
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_LATENCY_H
#define GOTRACE_LATENCY_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct gt_reader;
typedef uint32_t gt_latency_kind;
enum {
    GT_LATENCY_SCHED = 1,
    GT_LATENCY_BLOCK = 2,
    GT_LATENCY_TASK = 3,
    GT_LATENCY_REGION = 4
};
typedef uint32_t gt_latency_group;
enum {
    GT_LATENCY_ALL = 0,
    GT_LATENCY_BY_GOROUTINE = 1,
    GT_LATENCY_BY_REASON = 2,
    GT_LATENCY_BY_TASK = 3,
    GT_LATENCY_BY_REGION = 4
};
GT_API const char *gt_latency_kind_name(uint32_t kind);
GT_API const char *gt_latency_group_name(uint32_t group);
#define GT_LATENCY_OTHER "(other)"
#define GT_LATENCY_PAIR_WAITS (UINT64_C(1) << 0)
typedef struct gt_latency_options {
    size_t size;
    uint64_t flags;
    uint64_t series;
    uint64_t pairs;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_latency_options;
#define GT_LATENCY_OPTIONS_INIT                                                                    \
    { sizeof(gt_latency_options), 0, 1000, 100000, 0, NULL }
typedef struct gt_latency gt_latency;
GT_API GT_NODISCARD gt_status gt_latency_open(gt_latency **latency,
                                              const gt_latency_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API gt_status gt_latency_event(gt_latency *latency, struct gt_reader *reader,
                                  const gt_event *event) GT_NONNULL((1));
GT_API gt_status gt_latency_finish(gt_latency *latency) GT_NONNULL((1));
GT_API gt_status gt_latency_snapshot(gt_latency *latency);
typedef struct gt_latency_series {
    size_t size;
    uint32_t kind;
    uint32_t group;
    gt_string name;
    uint64_t count;
    int64_t sum;
    int64_t minimum;
    int64_t maximum;
} gt_latency_series;
#define GT_LATENCY_SERIES_INIT                                                                     \
    { sizeof(gt_latency_series), 0, 0, { NULL, 0 }, 0, 0, 0, 0 }
GT_API size_t gt_latency_series_count(const gt_latency *latency);
GT_API gt_status gt_latency_get_series(const gt_latency *latency, size_t index,
                                       gt_latency_series *series);
GT_API gt_status gt_latency_quantile(const gt_latency *latency, size_t index, double part,
                                     int64_t *duration);
typedef struct gt_latency_bucket {
    size_t size;
    int64_t from;
    int64_t to;
    uint64_t count;
} gt_latency_bucket;
#define GT_LATENCY_BUCKET_INIT                                                                     \
    { sizeof(gt_latency_bucket), 0, 0, 0 }
GT_API gt_status gt_latency_next_bucket(const gt_latency *latency, size_t index,
                                        gt_latency_bucket *bucket);
typedef struct gt_latency_pair {
    size_t size;
    uint64_t count;
    int64_t time;
    int64_t maximum;
    int64_t begin;
    int64_t goroutine;
    int64_t unblocker;
    gt_string reason;
} gt_latency_pair;
#define GT_LATENCY_PAIR_INIT                                                                       \
    { sizeof(gt_latency_pair), 0, 0, 0, 0, 0, 0, { NULL, 0 } }
GT_API size_t gt_latency_pair_count(const gt_latency *latency);
GT_API gt_status gt_latency_get_pair(const gt_latency *latency, size_t index,
                                     gt_latency_pair *pair);
GT_API gt_status gt_latency_pair_quantile(const gt_latency *latency, size_t index, double part,
                                          int64_t *duration);
GT_API gt_status gt_latency_next_pair_bucket(const gt_latency *latency, size_t index,
                                             gt_latency_bucket *bucket);
typedef uint32_t gt_latency_side;
enum {
    GT_LATENCY_WAITER = 0,
    GT_LATENCY_UNBLOCKER = 1
};
GT_API gt_status gt_latency_pair_frames(const gt_latency *latency, size_t index, uint32_t side,
                                        gt_frame *frames, size_t capacity, size_t *count);
typedef struct gt_latency_info {
    size_t size;
    uint64_t events;
    uint64_t unpaired;
    uint64_t memory;
    uint64_t memory_peak;
} gt_latency_info;
#define GT_LATENCY_INFO_INIT                                                                       \
    { sizeof(gt_latency_info), 0, 0, 0, 0 }
GT_API gt_status gt_latency_get_info(const gt_latency *latency, gt_latency_info *info);
GT_API void gt_latency_close(gt_latency **latency);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_COMPARE_H
#define GOTRACE_COMPARE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct gt_reader;
typedef uint32_t gt_compare_subject;
enum {
    GT_COMPARE_TRACE = 1,
    GT_COMPARE_GOROUTINES = 2,
    GT_COMPARE_TASK = 3,
    GT_COMPARE_REGION = 4,
    GT_COMPARE_STACK = 5
};
typedef uint32_t gt_compare_measure;
enum {
    GT_COMPARE_DURATION = 1,
    GT_COMPARE_RUNNING = 2,
    GT_COMPARE_SCHEDULER = 3,
    GT_COMPARE_BLOCKED = 4,
    GT_COMPARE_SYSCALL = 5,
    GT_COMPARE_ASSIST = 6,
    GT_COMPARE_GC = 7,
    GT_COMPARE_STOP = 8,
    GT_COMPARE_ALLOCATED = 9
};
typedef uint32_t gt_compare_statistic;
enum {
    GT_COMPARE_PER_SECOND = 1,
    GT_COMPARE_RATE = 2,
    GT_COMPARE_MEAN = 3,
    GT_COMPARE_P50 = 4,
    GT_COMPARE_P90 = 5,
    GT_COMPARE_P99 = 6
};
typedef uint32_t gt_compare_verdict;
enum {
    GT_COMPARE_NOISE = 0,
    GT_COMPARE_WORSE = 1,
    GT_COMPARE_BETTER = 2,
    GT_COMPARE_CHANGED = 3,
    GT_COMPARE_ADDED = 4,
    GT_COMPARE_REMOVED = 5
};
GT_API const char *gt_compare_subject_name(uint32_t subject);
GT_API const char *gt_compare_measure_name(uint32_t measure);
GT_API const char *gt_compare_statistic_name(uint32_t statistic);
GT_API const char *gt_compare_verdict_name(uint32_t verdict);
#define GT_COMPARE_STACKS (UINT64_C(1) << 0)
typedef struct gt_compare_options {
    size_t size;
    uint64_t flags;
    uint64_t series;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_compare_options;
#define GT_COMPARE_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(gt_compare_options), 0, 10000, 0, NULL                                              \
    }
typedef struct gt_compare gt_compare;
GT_API GT_NODISCARD gt_status gt_compare_open(gt_compare **compare,
                                              const gt_compare_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API gt_status gt_compare_begin(gt_compare *compare, uint32_t side);
GT_API gt_status gt_compare_event(gt_compare *compare, struct gt_reader *reader,
                                  const gt_event *event) GT_NONNULL((1));
GT_API gt_status gt_compare_finish(gt_compare *compare) GT_NONNULL((1));
typedef struct gt_compare_difference {
    size_t size;
    uint32_t subject;
    uint32_t measure;
    uint32_t statistic;
    uint32_t verdict;
    gt_string name;
    gt_string detail;
    uint64_t before_count;
    uint64_t after_count;
    double before;
    double after;
    double low;
    double high;
    uint32_t has_interval;
    uint32_t reserved;
} gt_compare_difference;
#define GT_COMPARE_DIFFERENCE_INIT                                                                 \
    {                                                                                              \
        sizeof(gt_compare_difference), 0, 0, 0, 0, {NULL, 0}, {NULL, 0}, 0, 0, 0, 0, 0, 0, 0, 0    \
    }
GT_API size_t gt_compare_count(const gt_compare *compare);
GT_API gt_status gt_compare_get(const gt_compare *compare, size_t index,
                                gt_compare_difference *difference);
GT_API gt_status gt_compare_next_bucket(const gt_compare *compare, size_t index, uint32_t side,
                                        gt_latency_bucket *bucket);
typedef struct gt_compare_info {
    size_t size;
    uint64_t events;
    uint64_t before_traces;
    uint64_t after_traces;
    int64_t before_time;
    int64_t after_time;
    uint64_t before_pieces;
    uint64_t after_pieces;
    uint64_t tested;
    uint64_t lost;
    uint64_t memory;
    uint64_t memory_peak;
} gt_compare_info;
#define GT_COMPARE_INFO_INIT                                                                       \
    {                                                                                              \
        sizeof(gt_compare_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0                                   \
    }
GT_API gt_status gt_compare_get_info(const gt_compare *compare, gt_compare_info *info);
GT_API void gt_compare_close(gt_compare **compare);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_WRITE_H
#define GOTRACE_WRITE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef int (*gt_write_fn)(void *user_data, const void *data, size_t size);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_DOWNGRADE_H
#define GOTRACE_DOWNGRADE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct gt_downgrader_options {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_downgrader_options;
#define GT_DOWNGRADER_OPTIONS_INIT                                                                 \
    { sizeof(gt_downgrader_options), 0, 0, NULL }
typedef struct gt_downgrader gt_downgrader;
GT_API GT_NODISCARD gt_status gt_downgrader_open(gt_downgrader **downgrader, gt_reader *reader,
                                                 gt_write_fn write, void *user_data,
                                                 const gt_downgrader_options *options,
                                                 gt_error *error) GT_NONNULL((1, 2, 3));
GT_API gt_status gt_downgrader_event(gt_downgrader *downgrader, const gt_event *event)
    GT_NONNULL((1, 2));
GT_API gt_status gt_downgrader_finish(gt_downgrader *downgrader) GT_NONNULL((1));
GT_API gt_status gt_downgrader_error(const gt_downgrader *downgrader, gt_error *error);
typedef struct gt_downgrader_info {
    size_t size;
    uint64_t events;
    uint64_t goroutines;
    uint64_t generations;
    uint64_t clocks;
    uint64_t experiments;
    uint64_t labels;
    uint64_t reasons;
    uint64_t causes;
    uint64_t ranges;
    uint64_t stacks;
    uint64_t frames;
    uint64_t samples;
    uint64_t callbacks;
    uint64_t renamed;
    uint64_t bytes;
    uint64_t memory;
    uint64_t memory_peak;
} gt_downgrader_info;
#define GT_DOWNGRADER_INFO_INIT                                                                    \
    { sizeof(gt_downgrader_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_downgrader_get_info(const gt_downgrader *downgrader, gt_downgrader_info *info);
GT_API void gt_downgrader_close(gt_downgrader **downgrader);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_EMITTER_H
#define GOTRACE_EMITTER_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef uint32_t gt_section;
enum {
    GT_SECTION_RESOURCES = 0,
    GT_SECTION_STATS = 1,
    GT_SECTION_TASKS = 2
};
typedef uint64_t gt_row;
#define GT_ROW_TIMERS UINT64_C(1000001)
#define GT_ROW_NETWORK UINT64_C(1000002)
#define GT_ROW_SYSCALLS UINT64_C(1000003)
#define GT_ROW_GC UINT64_C(1000004)
typedef uint32_t gt_viewer_kind;
enum {
    GT_VIEWER_UNSIGNED = 1,
    GT_VIEWER_SIGNED = 2,
    GT_VIEWER_STRING = 3,
    GT_VIEWER_DOUBLE = 4
};
typedef struct gt_viewer_argument {
    gt_string key;
    uint32_t kind;
    uint32_t reserved;
    uint64_t number;
    gt_string string;
    double real;
} gt_viewer_argument;
typedef struct gt_viewer_event {
    size_t size;
    uint32_t phase;
    uint32_t section;
    uint64_t resource;
    int64_t time;
    int64_t duration;
    gt_string name;
    gt_string category;
    gt_string scope;
    gt_string color;
    uint64_t id;
    uint32_t stack;
    uint32_t end_stack;
    const gt_viewer_argument *arguments;
    size_t argument_count;
} gt_viewer_event;
#define GT_VIEWER_EVENT_INIT                                                                       \
    { sizeof(gt_viewer_event), 'I', GT_SECTION_RESOURCES, 0, 0, 0, { "", 0 }, { "", 0 },           \
      { "", 0 }, { "", 0 }, 0, 0, 0, NULL, 0 }
typedef struct gt_viewer_frame {
    size_t size;
    uint32_t id;
    uint32_t parent;
    uint64_t pc;
    gt_string function;
    uint64_t line;
    gt_string file;
} gt_viewer_frame;
typedef struct gt_consumer {
    size_t size;
    void *user_data;
    int (*time_unit)(void *user_data, const char *unit);
    int (*event)(void *user_data, const gt_viewer_event *event, int required);
    int (*frame)(void *user_data, const gt_viewer_frame *frame);
    int (*flush)(void *user_data);
} gt_consumer;
#define GT_CONSUMER_INIT                                                                           \
    { sizeof(gt_consumer), NULL, NULL, NULL, NULL, NULL }
typedef int (*gt_filter_fn)(void *user_data, uint64_t resource);
#define GT_EMITTER_ENCLOSING (UINT64_C(1) << 0)
typedef struct gt_emitter_options {
    size_t size;
    uint64_t flags;
    int64_t range_start;
    int64_t range_end;
    gt_filter_fn filter;
    void *filter_data;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_emitter_options;
#define GT_EMITTER_OPTIONS_INIT                                                                    \
    { sizeof(gt_emitter_options), 0, INT64_MIN, INT64_MAX, NULL, NULL, 0, NULL }
typedef struct gt_emitter gt_emitter;
GT_API GT_NODISCARD gt_status gt_emitter_open(gt_emitter **emitter, const gt_consumer *consumer,
                                              const gt_emitter_options *options, gt_error *error)
    GT_NONNULL((1, 2));
GT_API void gt_emitter_close(gt_emitter **emitter);
typedef struct gt_emitter_frame {
    uint64_t pc;
    uint64_t line;
    gt_string function;
    gt_string file;
} gt_emitter_frame;
GT_API gt_status gt_emitter_stack(gt_emitter *emitter, const gt_emitter_frame *frames,
                                  size_t count, uint32_t *stack);
typedef struct gt_slice {
    size_t size;
    uint64_t resource;
    int64_t time;
    int64_t duration;
    gt_string name;
    uint32_t stack;
    uint32_t end_stack;
    const gt_viewer_argument *arguments;
    size_t argument_count;
    gt_string category;
    gt_string scope;
    uint64_t task;
} gt_slice;
#define GT_SLICE_INIT                                                                              \
    { sizeof(gt_slice), 0, 0, 0, { "", 0 }, 0, 0, NULL, 0, { "", 0 }, { "", 0 }, 0 }
GT_API gt_status gt_emitter_slice(gt_emitter *emitter, const gt_slice *slice);
GT_API gt_status gt_emitter_task_slice(gt_emitter *emitter, const gt_slice *slice);
GT_API gt_status gt_emitter_async_slice(gt_emitter *emitter, const gt_slice *slice);
typedef struct gt_instant {
    size_t size;
    uint64_t resource;
    int64_t time;
    gt_string name;
    gt_string category;
    uint32_t stack;
    uint32_t reserved;
    const gt_viewer_argument *arguments;
    size_t argument_count;
} gt_instant;
#define GT_INSTANT_INIT                                                                            \
    { sizeof(gt_instant), 0, 0, { "", 0 }, { "", 0 }, 0, 0, NULL, 0 }
GT_API gt_status gt_emitter_instant(gt_emitter *emitter, const gt_instant *instant);
typedef struct gt_arrow {
    size_t size;
    uint64_t from;
    uint64_t to;
    int64_t from_time;
    int64_t to_time;
    gt_string name;
    uint32_t from_stack;
    uint32_t reserved;
} gt_arrow;
#define GT_ARROW_INIT                                                                              \
    { sizeof(gt_arrow), 0, 0, 0, 0, { "", 0 }, 0, 0 }
GT_API gt_status gt_emitter_arrow(gt_emitter *emitter, const gt_arrow *arrow);
GT_API gt_status gt_emitter_task_arrow(gt_emitter *emitter, const gt_arrow *arrow);
typedef uint32_t gt_counted_state;
enum {
    GT_COUNTED_DEAD = 0,
    GT_COUNTED_RUNNABLE = 1,
    GT_COUNTED_RUNNING = 2,
    GT_COUNTED_WAITING = 3,
    GT_COUNTED_WAITING_GC = 4
};
typedef uint32_t gt_counted_thread;
enum {
    GT_COUNTED_IN_SYSCALL = 0,
    GT_COUNTED_IN_SYSCALL_RUNTIME = 1,
    GT_COUNTED_THREAD_RUNNING = 2
};
GT_API gt_status gt_emitter_count_goroutine(gt_emitter *emitter, int64_t time, uint32_t from,
                                            uint32_t to);
GT_API gt_status gt_emitter_count_threads(gt_emitter *emitter, int64_t time, uint32_t state,
                                          int64_t change);
GT_API gt_status gt_emitter_heap(gt_emitter *emitter, int64_t time, uint64_t bytes);
GT_API gt_status gt_emitter_heap_goal(gt_emitter *emitter, int64_t time, uint64_t bytes);
typedef struct gt_counter {
    size_t size;
    int64_t time;
    gt_string name;
    gt_string unit;
    const gt_viewer_argument *values;
    size_t value_count;
} gt_counter;
#define GT_COUNTER_INIT                                                                            \
    { sizeof(gt_counter), 0, { "", 0 }, { "", 0 }, NULL, 0 }
GT_API gt_status gt_emitter_counter(gt_emitter *emitter, const gt_counter *counter);
GT_API gt_status gt_emitter_name_section(gt_emitter *emitter, uint32_t section, gt_string name);
GT_API gt_status gt_emitter_name_resource(gt_emitter *emitter, uint64_t resource, gt_string name);
GT_API gt_status gt_emitter_focus(gt_emitter *emitter, uint64_t resource);
GT_API gt_status gt_emitter_name_task(gt_emitter *emitter, uint64_t task, gt_string name,
                                      int64_t place);
GT_API gt_status gt_emitter_event(gt_emitter *emitter, const gt_viewer_event *event, int required)
    GT_NONNULL((1));
GT_API gt_status gt_emitter_follow_go(gt_emitter *emitter);
GT_API gt_status gt_emitter_flush(gt_emitter *emitter);
GT_API gt_status gt_emitter_error(const gt_emitter *emitter, gt_error *error);
GT_API int gt_emitter_is_consistent(const gt_emitter *emitter);
typedef struct gt_emitter_info {
    size_t size;
    uint64_t events;
    uint64_t frames;
    uint64_t memory;
    uint64_t memory_peak;
} gt_emitter_info;
#define GT_EMITTER_INFO_INIT                                                                       \
    { sizeof(gt_emitter_info), 0, 0, 0, 0 }
GT_API gt_status gt_emitter_get_info(const gt_emitter *emitter, gt_emitter_info *info);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_FORMAT_H
#define GOTRACE_FORMAT_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct gt_reader;
GT_API gt_status gt_event_format(struct gt_reader *reader, const gt_event *event, char *text,
                                 size_t room, size_t *size) GT_NONNULL((2));
GT_API gt_status gt_stack_format(struct gt_reader *reader, gt_stack stack, char *text, size_t room,
                                 size_t *size);
GT_API size_t gt_resource_format(const gt_resource *resource, char *text, size_t room);
GT_API size_t gt_value_format(const gt_value *value, char *text, size_t room);
GT_API size_t gt_range_format_name(const gt_range *range, char *text, size_t room);
typedef struct gt_formatter gt_formatter;
typedef int32_t (*gt_zone_fn)(void *user_data, int64_t seconds);
typedef size_t (*gt_escape_fn)(gt_string *rest, char *to, size_t room);
typedef struct gt_formatter_options {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
    gt_zone_fn zone;
    void *zone_data;
    gt_escape_fn escape;
} gt_formatter_options;
#define GT_FORMATTER_OPTIONS_INIT                                                                  \
    { sizeof(gt_formatter_options), 0, 0, NULL, NULL, NULL, NULL }
GT_API GT_NODISCARD gt_status gt_formatter_open(gt_formatter **formatter, struct gt_reader *reader,
                                                const gt_formatter_options *options,
                                                gt_error *error) GT_NONNULL((1));
GT_API void gt_formatter_close(gt_formatter **formatter);
GT_API gt_status gt_formatter_event(gt_formatter *formatter, const gt_event *event, char *text,
                                    size_t room, size_t *size) GT_NONNULL((1));
GT_API gt_status gt_formatter_write(gt_formatter *formatter, const gt_event *event,
                                    gt_write_fn write, void *user_data);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_LIVE_H
#define GOTRACE_LIVE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct gt_goroutine_info {
    size_t size;
    uint64_t number;
    int64_t id;
    uint32_t state;
    uint32_t since_known;
    int64_t since;
    int64_t previous_since;
    uint32_t previous_state;
    uint32_t previous_known;
    gt_string reason;
    gt_string name;
    int64_t thread;
    int64_t proc;
    gt_stack stack;
    gt_stack start_stack;
    int64_t created;
    int64_t creator;
    gt_stack creator_stack;
} gt_goroutine_info;
#define GT_GOROUTINE_INFO_INIT                                                                     \
    { sizeof(gt_goroutine_info), 0, 0, 0, 0, 0, 0, 0, 0, { NULL, 0 }, { NULL, 0 }, 0, 0, 0, 0, 0,  \
      0, 0 }
typedef struct gt_proc_info {
    size_t size;
    uint64_t number;
    int64_t id;
    uint32_t state;
    uint32_t since_known;
    int64_t since;
    int64_t previous_since;
    uint32_t previous_state;
    uint32_t previous_known;
    int64_t thread;
    int64_t goroutine;
} gt_proc_info;
#define GT_PROC_INFO_INIT                                                                          \
    { sizeof(gt_proc_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
typedef struct gt_thread_info {
    size_t size;
    uint64_t number;
    int64_t id;
    int64_t since;
    int64_t proc;
    int64_t goroutine;
} gt_thread_info;
#define GT_THREAD_INFO_INIT                                                                        \
    { sizeof(gt_thread_info), 0, 0, 0, 0, 0 }
GT_API gt_status gt_reader_goroutine(gt_reader *reader, int64_t id, gt_goroutine_info *info);
GT_API gt_status gt_reader_proc(gt_reader *reader, int64_t id, gt_proc_info *info);
GT_API gt_status gt_reader_thread(gt_reader *reader, int64_t id, gt_thread_info *info);
GT_API gt_status gt_reader_next_goroutine(gt_reader *reader, gt_goroutine_info *info);
GT_API gt_status gt_reader_next_proc(gt_reader *reader, gt_proc_info *info);
GT_API gt_status gt_reader_next_thread(gt_reader *reader, gt_thread_info *info);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_MAKE_H
#define GOTRACE_MAKE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define GT_EVENT_MAKE_MAX_FRAMES 1000
typedef struct gt_event_make_options {
    size_t size;
    uint64_t flags;
    const gt_allocator *allocator;
    uint32_t kind;
    uint32_t reserved;
    int64_t time;
    int64_t thread;
    int64_t proc;
    int64_t goroutine;
    gt_stack stack;
    const gt_frame *frames;
    size_t frame_count;
    const gt_metric *metric;
    const gt_label *label;
    const gt_range *range;
    const gt_task *task;
    const gt_region *region;
    const gt_log *log;
    const gt_transition *transition;
    const gt_frame *transition_frames;
    size_t transition_frame_count;
    const gt_sync *sync;
    const gt_experimental_batch *batches;
    const gt_experimental *experimental;
    const gt_value *values;
} gt_event_make_options;
#define GT_EVENT_MAKE_OPTIONS_INIT                                                                 \
    {                                                                                              \
        sizeof(gt_event_make_options), 0, NULL, 0, 0, 0, GT_NO_THREAD, GT_NO_PROC,                 \
            GT_NO_GOROUTINE, GT_STACK_NONE, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,     \
            NULL, 0, NULL, NULL, NULL, NULL                                                        \
    }
GT_API GT_NODISCARD gt_status gt_event_make(gt_event **event, const gt_event_make_options *options,
                                            gt_error *error) GT_NONNULL((1, 2));
GT_API gt_stack gt_stack_make(uint32_t generation, uint32_t number);
GT_API gt_status gt_goroutine_transition_make(int64_t id, uint32_t from, uint32_t to,
                                              gt_transition *transition);
GT_API gt_status gt_proc_transition_make(int64_t id, uint32_t from, uint32_t to,
                                         gt_transition *transition);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_MMU_H
#define GOTRACE_MMU_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define GT_MMU_STW (UINT64_C(1) << 0)
#define GT_MMU_BACKGROUND (UINT64_C(1) << 1)
#define GT_MMU_ASSIST (UINT64_C(1) << 2)
#define GT_MMU_SWEEP (UINT64_C(1) << 3)
#define GT_MMU_PER_PROC (UINT64_C(1) << 4)
#define GT_MMU_EXACT (UINT64_C(1) << 5)
GT_API const char *gt_mmu_flag_name(uint64_t flag);
GT_API uint64_t gt_mmu_flag_find(gt_string name);
typedef struct gt_mmu_options {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_mmu_options;
#define GT_MMU_OPTIONS_INIT                                                                        \
    { sizeof(gt_mmu_options), GT_MMU_STW | GT_MMU_BACKGROUND | GT_MMU_ASSIST, 0, NULL }
typedef struct gt_mmu gt_mmu;
GT_API GT_NODISCARD gt_status gt_mmu_open(gt_mmu **mmu, const gt_mmu_options *options,
                                          gt_error *error) GT_NONNULL((1));
GT_API void gt_mmu_close(gt_mmu **mmu);
GT_API gt_status gt_mmu_event(gt_mmu *mmu, const gt_event *event) GT_NONNULL((1));
GT_API gt_status gt_mmu_finish(gt_mmu *mmu) GT_NONNULL((1));
GT_API gt_status gt_mmu_range(gt_mmu *mmu, int64_t *start, int64_t *end);
typedef struct gt_utilization {
    int64_t time;
    double value;
} gt_utilization;
GT_API gt_status gt_mmu_series(gt_mmu *mmu, size_t series, const gt_utilization **points,
                               size_t *count);
GT_API gt_status gt_mmu_minimum(gt_mmu *mmu, int64_t window, double *minimum);
GT_API gt_status gt_mmu_quantiles(gt_mmu *mmu, int64_t window, const double *quantiles,
                                  size_t count, double *values);
GT_API gt_status gt_mmu_worst(gt_mmu *mmu, int64_t window, gt_utilization *windows,
                              size_t *count);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_PATH_H
#define GOTRACE_PATH_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct gt_reader;
typedef uint32_t gt_path_state;
enum {
    GT_PATH_RUNNING = 1,
    GT_PATH_SYSCALL = 2,
    GT_PATH_SCHED_BUSY = 3,
    GT_PATH_SCHED_IDLE = 4,
    GT_PATH_WAITING = 5,
    GT_PATH_UNKNOWN = 6,
    GT_PATH_CUT = 7
};
GT_API const char *gt_path_state_name(uint32_t state);
#define GT_PATH_TASKS (UINT64_C(1) << 0)
#define GT_PATH_REGIONS (UINT64_C(1) << 1)
#define GT_PATH_GOROUTINES (UINT64_C(1) << 2)
typedef struct gt_path_options {
    size_t size;
    uint64_t flags;
    gt_string name;
    uint64_t history;
    uint64_t steps;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_path_options;
#define GT_PATH_OPTIONS_INIT                                                                       \
    { sizeof(gt_path_options), 0, { NULL, 0 }, 0, 64, 0, NULL }
typedef struct gt_path gt_path;
GT_API GT_NODISCARD gt_status gt_path_open(gt_path **path, const gt_path_options *options,
                                           gt_error *error) GT_NONNULL((1));
GT_API gt_status gt_path_event(gt_path *path, struct gt_reader *reader, const gt_event *event)
    GT_NONNULL((1));
GT_API gt_status gt_path_finish(gt_path *path) GT_NONNULL((1));
typedef struct gt_path_interval {
    size_t size;
    uint64_t task;
    int64_t goroutine;
    int64_t start;
    int64_t end;
    gt_string name;
} gt_path_interval;
#define GT_PATH_INTERVAL_INIT                                                                      \
    { sizeof(gt_path_interval), 0, 0, 0, 0, { NULL, 0 } }
GT_API size_t gt_path_interval_count(const gt_path *path);
GT_API gt_status gt_path_get_interval(const gt_path *path, size_t index,
                                      gt_path_interval *interval);
GT_API gt_status gt_path_quantile(gt_path *path, double part, int64_t *duration);
GT_API gt_status gt_path_select(gt_path *path, int64_t from, int64_t to);
typedef struct gt_path_row {
    size_t size;
    uint64_t id;
    gt_string group;
    gt_string reason;
    uint32_t state;
    uint32_t reserved;
    uint64_t count;
    int64_t time;
} gt_path_row;
#define GT_PATH_ROW_INIT                                                                           \
    { sizeof(gt_path_row), 0, { NULL, 0 }, { NULL, 0 }, 0, 0, 0, 0 }
GT_API size_t gt_path_selected_count(const gt_path *path);
GT_API size_t gt_path_row_count(const gt_path *path);
GT_API gt_status gt_path_get_row(const gt_path *path, size_t index, gt_path_row *row);
GT_API gt_status gt_path_row_frames(const gt_path *path, size_t index, gt_frame *frames,
                                    size_t capacity, size_t *count);
GT_API gt_status gt_path_follow(gt_path *path, int64_t goroutine, int64_t start, int64_t end);
typedef struct gt_path_part {
    size_t size;
    int64_t start;
    int64_t end;
    int64_t goroutine;
    gt_string group;
    gt_string reason;
    uint32_t state;
    uint32_t reserved;
} gt_path_part;
#define GT_PATH_PART_INIT                                                                          \
    { sizeof(gt_path_part), 0, 0, 0, { NULL, 0 }, { NULL, 0 }, 0, 0 }
GT_API size_t gt_path_part_count(const gt_path *path);
GT_API gt_status gt_path_get_part(const gt_path *path, size_t index, gt_path_part *part);
GT_API gt_status gt_path_part_frames(const gt_path *path, size_t index, gt_frame *frames,
                                     size_t capacity, size_t *count);
typedef struct gt_path_info {
    size_t size;
    uint64_t events;
    uint64_t changes;
    uint64_t forgotten;
    uint64_t cut;
    uint64_t memory;
    uint64_t memory_peak;
    int64_t start;
    int64_t end;
} gt_path_info;
#define GT_PATH_INFO_INIT                                                                          \
    { sizeof(gt_path_info), 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_path_get_info(const gt_path *path, gt_path_info *info);
GT_API void gt_path_close(gt_path **path);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_PROFILE_H
#define GOTRACE_PROFILE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct gt_reader;
typedef uint32_t gt_profile_kind;
enum {
    GT_PROFILE_NET = 1,
    GT_PROFILE_SYNC = 2,
    GT_PROFILE_SYSCALL = 3,
    GT_PROFILE_SCHED = 4,
    GT_PROFILE_CPU = 5,
    GT_PROFILE_OFFCPU = 6,
    GT_PROFILE_WALL = 7
};
GT_API const char *gt_profile_kind_name(uint32_t kind);
#define GT_PROFILE_BIT(kind) (UINT64_C(1) << (kind))
#define GT_PROFILE_REGIONS (UINT64_C(1) << 0)
#define GT_PROFILE_ALL (UINT64_C(1) << 1)
typedef struct gt_profile_options {
    size_t size;
    uint64_t flags;
    uint64_t kinds;
    gt_string goroutine;
    gt_string region_type;
    int64_t latency_min;
    int64_t latency_max;
    uint64_t cpu_period;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_profile_options;
#define GT_PROFILE_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(gt_profile_options), 0, 0, { NULL, 0 }, { NULL, 0 }, 0, INT64_MAX, 10000000, 0,     \
            NULL                                                                                   \
    }
typedef struct gt_profile gt_profile;
GT_API GT_NODISCARD gt_status gt_profile_open(gt_profile **profile,
                                              const gt_profile_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API gt_status gt_profile_event(gt_profile *profile, struct gt_reader *reader,
                                  const gt_event *event) GT_NONNULL((1));
GT_API gt_status gt_profile_events(gt_profile *profile, struct gt_reader *reader,
                                   const gt_event *const *events, size_t count) GT_NONNULL((1));
GT_API gt_status gt_profile_finish(gt_profile *profile) GT_NONNULL((1));
GT_API gt_status gt_profile_snapshot(gt_profile *profile);
typedef struct gt_profile_sample {
    size_t size;
    const gt_frame *frames;
    size_t frame_count;
    uint64_t count;
    uint64_t nanoseconds;
    uint32_t state;
    uint32_t reserved;
} gt_profile_sample;
#define GT_PROFILE_SAMPLE_INIT                                                                     \
    { sizeof(gt_profile_sample), NULL, 0, 0, 0, 0, 0 }
GT_API size_t gt_profile_count(const gt_profile *profile, uint32_t kind);
GT_API gt_status gt_profile_get_sample(gt_profile *profile, uint32_t kind, size_t index,
                                       gt_profile_sample *sample);
typedef struct gt_profile_info {
    size_t size;
    uint64_t selected;
    uint64_t stacks;
    int64_t first_time;
    int64_t last_time;
    uint64_t memory;
    uint64_t memory_peak;
} gt_profile_info;
#define GT_PROFILE_INFO_INIT                                                                       \
    { sizeof(gt_profile_info), 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_profile_get_info(const gt_profile *profile, gt_profile_info *info);
GT_API gt_status gt_profile_write_pprof(gt_profile *profile, uint32_t kind, gt_write_fn write,
                                        void *user_data);
GT_API void gt_profile_close(gt_profile **profile);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_WIRE_H
#define GOTRACE_WIRE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef uint32_t gt_wire_type;
enum {
    GT_WIRE_EVENT_BATCH = 1,
    GT_WIRE_STACKS = 2,
    GT_WIRE_STACK = 3,
    GT_WIRE_STRINGS = 4,
    GT_WIRE_STRING = 5,
    GT_WIRE_CPU_SAMPLES = 6,
    GT_WIRE_CPU_SAMPLE = 7,
    GT_WIRE_FREQUENCY = 8,
    GT_WIRE_PROCS_CHANGE = 9,
    GT_WIRE_PROC_START = 10,
    GT_WIRE_PROC_STOP = 11,
    GT_WIRE_PROC_STEAL = 12,
    GT_WIRE_PROC_STATUS = 13,
    GT_WIRE_GO_CREATE = 14,
    GT_WIRE_GO_CREATE_SYSCALL = 15,
    GT_WIRE_GO_START = 16,
    GT_WIRE_GO_DESTROY = 17,
    GT_WIRE_GO_DESTROY_SYSCALL = 18,
    GT_WIRE_GO_STOP = 19,
    GT_WIRE_GO_BLOCK = 20,
    GT_WIRE_GO_UNBLOCK = 21,
    GT_WIRE_GO_SYSCALL_BEGIN = 22,
    GT_WIRE_GO_SYSCALL_END = 23,
    GT_WIRE_GO_SYSCALL_END_BLOCKED = 24,
    GT_WIRE_GO_STATUS = 25,
    GT_WIRE_STW_BEGIN = 26,
    GT_WIRE_STW_END = 27,
    GT_WIRE_GC_ACTIVE = 28,
    GT_WIRE_GC_BEGIN = 29,
    GT_WIRE_GC_END = 30,
    GT_WIRE_GC_SWEEP_ACTIVE = 31,
    GT_WIRE_GC_SWEEP_BEGIN = 32,
    GT_WIRE_GC_SWEEP_END = 33,
    GT_WIRE_GC_MARK_ASSIST_ACTIVE = 34,
    GT_WIRE_GC_MARK_ASSIST_BEGIN = 35,
    GT_WIRE_GC_MARK_ASSIST_END = 36,
    GT_WIRE_HEAP_ALLOC = 37,
    GT_WIRE_HEAP_GOAL = 38,
    GT_WIRE_GO_LABEL = 39,
    GT_WIRE_USER_TASK_BEGIN = 40,
    GT_WIRE_USER_TASK_END = 41,
    GT_WIRE_USER_REGION_BEGIN = 42,
    GT_WIRE_USER_REGION_END = 43,
    GT_WIRE_USER_LOG = 44,
    GT_WIRE_GO_SWITCH = 45,
    GT_WIRE_GO_SWITCH_DESTROY = 46,
    GT_WIRE_GO_CREATE_BLOCKED = 47,
    GT_WIRE_GO_STATUS_STACK = 48,
    GT_WIRE_EXPERIMENTAL_BATCH = 49,
    GT_WIRE_SYNC = 50,
    GT_WIRE_CLOCK_SNAPSHOT = 51,
    GT_WIRE_END_OF_GENERATION = 52,
    GT_WIRE_SPAN = 128,
    GT_WIRE_SPAN_ALLOC = 129,
    GT_WIRE_SPAN_FREE = 130,
    GT_WIRE_HEAP_OBJECT = 131,
    GT_WIRE_HEAP_OBJECT_ALLOC = 132,
    GT_WIRE_HEAP_OBJECT_FREE = 133,
    GT_WIRE_GOROUTINE_STACK = 134,
    GT_WIRE_GOROUTINE_STACK_ALLOC = 135,
    GT_WIRE_GOROUTINE_STACK_FREE = 136
};
typedef uint32_t gt_v1_type;
enum {
    GT_V1_BATCH = 1,
    GT_V1_FREQUENCY = 2,
    GT_V1_STACK = 3,
    GT_V1_GOMAXPROCS = 4,
    GT_V1_PROC_START = 5,
    GT_V1_PROC_STOP = 6,
    GT_V1_GC_START = 7,
    GT_V1_GC_DONE = 8,
    GT_V1_STW_START = 9,
    GT_V1_STW_DONE = 10,
    GT_V1_SWEEP_START = 11,
    GT_V1_SWEEP_DONE = 12,
    GT_V1_GO_CREATE = 13,
    GT_V1_GO_START = 14,
    GT_V1_GO_END = 15,
    GT_V1_GO_STOP = 16,
    GT_V1_GO_SCHED = 17,
    GT_V1_GO_PREEMPT = 18,
    GT_V1_GO_SLEEP = 19,
    GT_V1_GO_BLOCK = 20,
    GT_V1_GO_UNBLOCK = 21,
    GT_V1_GO_BLOCK_SEND = 22,
    GT_V1_GO_BLOCK_RECV = 23,
    GT_V1_GO_BLOCK_SELECT = 24,
    GT_V1_GO_BLOCK_SYNC = 25,
    GT_V1_GO_BLOCK_COND = 26,
    GT_V1_GO_BLOCK_NET = 27,
    GT_V1_GO_SYS_CALL = 28,
    GT_V1_GO_SYS_EXIT = 29,
    GT_V1_GO_SYS_BLOCK = 30,
    GT_V1_GO_WAITING = 31,
    GT_V1_GO_IN_SYSCALL = 32,
    GT_V1_HEAP_ALLOC = 33,
    GT_V1_HEAP_GOAL = 34,
    GT_V1_TIMER_GOROUTINE = 35,
    GT_V1_FUTILE_WAKEUP = 36,
    GT_V1_STRING = 37,
    GT_V1_GO_START_LOCAL = 38,
    GT_V1_GO_UNBLOCK_LOCAL = 39,
    GT_V1_GO_SYS_EXIT_LOCAL = 40,
    GT_V1_GO_START_LABEL = 41,
    GT_V1_GO_BLOCK_GC = 42,
    GT_V1_MARK_ASSIST_START = 43,
    GT_V1_MARK_ASSIST_DONE = 44,
    GT_V1_USER_TASK_CREATE = 45,
    GT_V1_USER_TASK_END = 46,
    GT_V1_USER_REGION = 47,
    GT_V1_USER_LOG = 48,
    GT_V1_CPU_SAMPLE = 49
};
typedef uint32_t gt_wire_kind;
enum {
    GT_WIRE_NUMBER = 0,
    GT_WIRE_TIME_DELTA = 1,
    GT_WIRE_TIME = 2,
    GT_WIRE_SEQUENCE = 3,
    GT_WIRE_THREAD = 4,
    GT_WIRE_PROC = 5,
    GT_WIRE_GOROUTINE = 6,
    GT_WIRE_TASK = 7,
    GT_WIRE_STRING_ID = 8,
    GT_WIRE_STACK_ID = 9,
    GT_WIRE_NEW_STACK_ID = 10,
    GT_WIRE_PROC_STATUS_CODE = 11,
    GT_WIRE_GO_STATUS_CODE = 12,
    GT_WIRE_COUNT = 13
};
typedef struct gt_wire_argument {
    const char *name;
    uint32_t kind;
    uint32_t reserved;
} gt_wire_argument;
#define GT_WIRE_TIMED (UINT32_C(1) << 0)
#define GT_WIRE_HAS_DATA (UINT32_C(1) << 1)
#define GT_WIRE_HAS_FRAMES (UINT32_C(1) << 2)
#define GT_WIRE_BARE_FRAMES (UINT32_C(1) << 3)
typedef struct gt_wire_spec {
    uint32_t type;
    uint32_t flags;
    const char *name;
    const gt_wire_argument *arguments;
    uint32_t argument_count;
    uint32_t experiment;
    uint32_t begin_type;
    uint32_t reserved;
} gt_wire_spec;
GT_API const gt_wire_spec *gt_wire_spec_get(uint32_t version, uint32_t type);
GT_API const gt_wire_spec *gt_wire_spec_find(uint32_t version, const char *name, size_t size);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_RAW_H
#define GOTRACE_RAW_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct gt_raw_frame {
    uint64_t pc;
    uint64_t function;
    uint64_t file;
    uint64_t line;
} gt_raw_frame;
typedef struct gt_raw_event {
    size_t size;
    uint32_t type;
    uint32_t argument_count;
    const uint64_t *arguments;
    const gt_raw_frame *frames;
    size_t frame_count;
    gt_string data;
    const uint8_t *widths;
    size_t width_count;
    uint64_t offset;
    uint64_t length;
} gt_raw_event;
#define GT_RAW_EVENT_INIT                                                                          \
    { sizeof(gt_raw_event), 0, 0, NULL, NULL, 0, { "", 0 }, NULL, 0, 0, 0 }
typedef uint32_t gt_raw_form;
enum {
    GT_RAW_BYTES = 1,
    GT_RAW_TEXT = 2
};
#define GT_RAW_KNOWN_VERSIONS (UINT64_C(1) << 0)
#define GT_RAW_SET_SIZES (UINT64_C(1) << 1)
#define GT_RAW_AS_GO (UINT64_C(1) << 2)
typedef struct gt_raw_options {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
    gt_progress_fn on_progress;
    void *progress_data;
} gt_raw_options;
#define GT_RAW_OPTIONS_INIT                                                                        \
    { sizeof(gt_raw_options), 0, 0, NULL, NULL, NULL }
typedef struct gt_raw_reader gt_raw_reader;
GT_API GT_NODISCARD gt_status gt_raw_reader_open_memory(gt_raw_reader **reader, const void *data,
                                                        size_t size, const gt_raw_options *options,
                                                        gt_error *error) GT_NONNULL((1));
GT_API GT_NODISCARD gt_status gt_raw_reader_open_file(gt_raw_reader **reader, const char *path,
                                                      const gt_raw_options *options,
                                                      gt_error *error) GT_NONNULL((1, 2));
GT_API GT_NODISCARD gt_status gt_raw_reader_open_fd(gt_raw_reader **reader, int fd,
                                                    const gt_raw_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API GT_NODISCARD gt_status gt_raw_reader_open_callback(gt_raw_reader **reader, gt_read_fn read,
                                                          void *user_data,
                                                          const gt_raw_options *options,
                                                          gt_error *error) GT_NONNULL((1, 2));
GT_API GT_NODISCARD gt_status gt_raw_reader_open_push(gt_raw_reader **reader,
                                                      const gt_raw_options *options,
                                                      gt_error *error) GT_NONNULL((1));
GT_API GT_NODISCARD gt_status gt_raw_reader_feed(gt_raw_reader *reader, const void *data,
                                                 size_t size) GT_NONNULL((1));
GT_API gt_status gt_raw_reader_finish(gt_raw_reader *reader) GT_NONNULL((1));
GT_API void gt_raw_reader_cancel(gt_raw_reader *reader);
GT_API void gt_raw_reader_close(gt_raw_reader **reader);
GT_API GT_NODISCARD gt_status gt_raw_reader_next_event(gt_raw_reader *reader,
                                                       const gt_raw_event **event)
    GT_NONNULL((1, 2));
GT_API gt_status gt_raw_reader_error(const gt_raw_reader *reader, gt_error *error);
typedef struct gt_raw_info {
    size_t size;
    uint32_t version;
    uint32_t newer;
    uint32_t form;
    uint32_t reserved;
    uint64_t bytes;
    uint64_t events;
    uint64_t memory;
    uint64_t memory_peak;
} gt_raw_info;
#define GT_RAW_INFO_INIT                                                                           \
    { sizeof(gt_raw_info), 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_raw_reader_get_info(const gt_raw_reader *reader, gt_raw_info *info);
typedef struct gt_raw_writer gt_raw_writer;
GT_API GT_NODISCARD gt_status gt_raw_writer_open(gt_raw_writer **writer, uint32_t version,
                                                 uint32_t form, gt_write_fn write, void *user_data,
                                                 const gt_raw_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API gt_status gt_raw_writer_write_event(gt_raw_writer *writer, const gt_raw_event *event)
    GT_NONNULL((1));
GT_API gt_status gt_raw_writer_flush(gt_raw_writer *writer);
GT_API gt_status gt_raw_writer_error(const gt_raw_writer *writer, gt_error *error);
GT_API void gt_raw_writer_close(gt_raw_writer **writer);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_REPORT_H
#define GOTRACE_REPORT_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct gt_reader;
typedef uint32_t gt_report_unit;
enum {
    GT_REPORT_COUNT = 1,
    GT_REPORT_NANOSECONDS = 2,
    GT_REPORT_PERCENT = 3,
    GT_REPORT_PER_SECOND = 4,
    GT_REPORT_BYTES = 5,
    GT_REPORT_TIMES = 6
};
GT_API const char *gt_report_unit_name(uint32_t unit);
typedef struct gt_report_kind {
    size_t size;
    gt_string name;
    gt_string sentence;
    gt_string measure;
    gt_string whole;
    gt_string advice;
    uint32_t unit;
    uint32_t reserved;
} gt_report_kind;
#define GT_REPORT_KIND_INIT                                                                        \
    {                                                                                              \
        sizeof(gt_report_kind), { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 },   \
            0, 0                                                                                   \
    }
GT_API size_t gt_report_kind_count(void);
GT_API gt_status gt_report_get_kind(size_t index, gt_report_kind *kind);
typedef struct gt_report_options {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_report_options;
#define GT_REPORT_OPTIONS_INIT                                                                     \
    { sizeof(gt_report_options), 0, 0, NULL }
typedef struct gt_report gt_report;
GT_API GT_NODISCARD gt_status gt_report_open(gt_report **report, const gt_report_options *options,
                                             gt_error *error) GT_NONNULL((1));
typedef struct gt_report_threshold {
    size_t size;
    gt_string name;
    gt_string reason;
    double usual;
    double value;
    uint32_t unit;
    uint32_t reserved;
} gt_report_threshold;
#define GT_REPORT_THRESHOLD_INIT                                                                   \
    { sizeof(gt_report_threshold), { NULL, 0 }, { NULL, 0 }, 0, 0, 0, 0 }
GT_API size_t gt_report_threshold_count(void);
GT_API gt_status gt_report_get_threshold(const gt_report *report, size_t index,
                                         gt_report_threshold *threshold);
GT_API gt_status gt_report_set(gt_report *report, gt_string name, double value);
GT_API gt_status gt_report_event(gt_report *report, struct gt_reader *reader,
                                 const gt_event *event) GT_NONNULL((1));
GT_API gt_status gt_report_finish(gt_report *report) GT_NONNULL((1));
typedef struct gt_report_finding {
    size_t size;
    gt_string name;
    uint64_t kind;
    uint64_t subject_count;
    double figure;
    double share;
    double excess;
    int64_t goroutine;
    int64_t start;
    int64_t end;
} gt_report_finding;
#define GT_REPORT_FINDING_INIT                                                                     \
    { sizeof(gt_report_finding), { NULL, 0 }, 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API size_t gt_report_finding_count(const gt_report *report);
GT_API gt_status gt_report_get_finding(const gt_report *report, size_t index,
                                       gt_report_finding *finding);
typedef struct gt_report_subject {
    size_t size;
    gt_string group;
    gt_string detail;
    double figure;
    uint64_t count;
} gt_report_subject;
#define GT_REPORT_SUBJECT_INIT                                                                     \
    { sizeof(gt_report_subject), { NULL, 0 }, { NULL, 0 }, 0, 0 }
GT_API gt_status gt_report_get_subject(const gt_report *report, size_t finding, size_t index,
                                       gt_report_subject *subject);
typedef uint32_t gt_report_stack;
enum {
    GT_REPORT_STACK_OWN = 0,
    GT_REPORT_STACK_OTHER = 1
};
GT_API gt_status gt_report_subject_frames(const gt_report *report, size_t finding, size_t index,
                                          uint32_t which, gt_frame *frames, size_t capacity,
                                          size_t *count);
typedef struct gt_report_info {
    size_t size;
    uint64_t events;
    uint64_t goroutines;
    uint64_t stacks;
    uint64_t procs;
    uint64_t memory;
    uint64_t memory_peak;
    int64_t start;
    int64_t end;
} gt_report_info;
#define GT_REPORT_INFO_INIT                                                                        \
    { sizeof(gt_report_info), 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_report_get_info(const gt_report *report, gt_report_info *info);
GT_API void gt_report_close(gt_report **report);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_SUMMARY_H
#define GOTRACE_SUMMARY_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct gt_reader;
typedef struct gt_summary_time {
    gt_string name;
    int64_t time;
} gt_summary_time;
#define GT_SUMMARY_MAX_NAMES 128
#define GT_SUMMARY_OTHER "(other)"
typedef struct gt_summary_times {
    size_t size;
    int64_t execution;
    int64_t sched_wait;
    int64_t syscall;
    int64_t syscall_block;
    int64_t block;
    int64_t unknown;
    int64_t total;
    const gt_summary_time *blocks;
    size_t block_count;
    const gt_summary_time *ranges;
    size_t range_count;
} gt_summary_times;
GT_API int64_t gt_summary_time_sum(int64_t a, int64_t b);
typedef struct gt_region_summary {
    size_t size;
    gt_string type;
    uint64_t task;
    int64_t goroutine;
    uint32_t has_begin;
    uint32_t has_end;
    int64_t begin;
    int64_t end;
    uint32_t inherited;
    uint32_t reserved;
    gt_frame frame;
    const gt_summary_times *times;
} gt_region_summary;
typedef struct gt_goroutine_summary {
    size_t size;
    int64_t id;
    gt_string name;
    uint64_t pc;
    int64_t created;
    int64_t started;
    int64_t ended;
    const gt_summary_times *times;
    const gt_region_summary *const *regions;
    size_t region_count;
} gt_goroutine_summary;
typedef struct gt_task_log {
    int64_t time;
    int64_t goroutine;
    gt_string category;
    gt_string message;
} gt_task_log;
typedef struct gt_task_summary {
    size_t size;
    uint64_t id;
    uint64_t parent;
    gt_string name;
    uint32_t has_begin;
    uint32_t has_end;
    int64_t begin;
    int64_t end;
    const uint64_t *children;
    size_t child_count;
    const gt_task_log *logs;
    size_t log_count;
    const gt_region_summary *const *regions;
    size_t region_count;
    const int64_t *goroutines;
    size_t goroutine_count;
} gt_task_summary;
#define GT_SUMMARY_DROP (UINT64_C(1) << 0)
typedef void (*gt_goroutine_summary_fn)(void *user_data, const gt_goroutine_summary *goroutine);
typedef void (*gt_region_summary_fn)(void *user_data, const gt_region_summary *region);
typedef void (*gt_task_summary_fn)(void *user_data, const gt_task_summary *task);
typedef struct gt_summary_options {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
    gt_goroutine_summary_fn on_goroutine;
    gt_region_summary_fn on_region;
    gt_task_summary_fn on_task;
    void *user_data;
} gt_summary_options;
#define GT_SUMMARY_OPTIONS_INIT                                                                    \
    { sizeof(gt_summary_options), 0, 0, NULL, NULL, NULL, NULL, NULL }
typedef struct gt_summary gt_summary;
GT_API GT_NODISCARD gt_status gt_summary_open(gt_summary **summary,
                                              const gt_summary_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API gt_status gt_summary_event(gt_summary *summary, struct gt_reader *reader,
                                  const gt_event *event) GT_NONNULL((1));
GT_API gt_status gt_summary_finish(gt_summary *summary) GT_NONNULL((1));
GT_API gt_status gt_summary_snapshot(gt_summary *summary);
GT_API const gt_goroutine_summary *const *gt_summary_goroutines(const gt_summary *summary,
                                                                size_t *count);
GT_API const gt_task_summary *const *gt_summary_tasks(const gt_summary *summary, size_t *count);
GT_API const gt_goroutine_summary *gt_summary_find_goroutine(const gt_summary *summary, int64_t id);
GT_API const gt_task_summary *gt_summary_find_task(const gt_summary *summary, uint64_t id);
typedef struct gt_summary_info {
    size_t size;
    uint64_t events;
    int64_t first_time;
    int64_t last_time;
    uint64_t goroutines;
    uint64_t regions;
    uint64_t tasks;
    uint64_t memory;
    uint64_t memory_peak;
} gt_summary_info;
#define GT_SUMMARY_INFO_INIT                                                                       \
    { sizeof(gt_summary_info), 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_summary_get_info(const gt_summary *summary, gt_summary_info *info);
GT_API void gt_summary_close(gt_summary **summary);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_TIME_H
#define GOTRACE_TIME_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define GT_DURATION_TEXT_SIZE 40
GT_API size_t gt_duration_format(int64_t nanoseconds, char *text, size_t room);
GT_API GT_NODISCARD gt_status gt_duration_parse(const char *text, int64_t *nanoseconds);
#define GT_WALL_CLOCK_TEXT_SIZE 64
GT_API size_t gt_wall_clock_format(int64_t seconds, uint32_t nanoseconds, int32_t zone, char *text,
                                   size_t room);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_VALIDATE_H
#define GOTRACE_VALIDATE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct gt_reader;
typedef uint32_t gt_rule;
enum {
    GT_RULE_TIME = 1,
    GT_RULE_FRAME = 2,
    GT_RULE_SYNC_NUMBER = 3,
    GT_RULE_SYNC_CLOCK = 4,
    GT_RULE_CLOCK_ORDER = 5,
    GT_RULE_METRIC = 6,
    GT_RULE_LABEL = 7,
    GT_RULE_UNDETERMINED = 8,
    GT_RULE_OLD_STATE = 9,
    GT_RULE_FIRST_STATE = 10,
    GT_RULE_NO_THREAD = 11,
    GT_RULE_THREAD_TAKEN = 12,
    GT_RULE_NOT_RUNNING = 13,
    GT_RULE_OPEN_RANGE = 14,
    GT_RULE_STOP_STACK = 15,
    GT_RULE_RANGE_BEGIN = 16,
    GT_RULE_RANGE_END = 17,
    GT_RULE_TASK_ID = 18,
    GT_RULE_TASK_TYPE = 19,
    GT_RULE_GETTER = 20
};
GT_API const char *gt_rule_text(uint32_t rule);
#define GT_FINDING_MESSAGE_SIZE 200
typedef struct gt_finding {
    size_t size;
    uint32_t rule;
    uint32_t kind;
    uint64_t number;
    int64_t time;
    int64_t thread;
    int64_t proc;
    int64_t goroutine;
    char message[GT_FINDING_MESSAGE_SIZE];
} gt_finding;
#define GT_FINDING_INIT                                                                            \
    { sizeof(gt_finding), 0, 0, 0, 0, 0, 0, 0, { 0 } }
typedef void (*gt_finding_fn)(void *user_data, const gt_finding *finding);
#define GT_VALIDATOR_COARSE_CLOCK (UINT64_C(1) << 0)
typedef struct gt_validator_options {
    size_t size;
    uint64_t flags;
    uint32_t version;
    uint32_t reserved;
    uint64_t memory_limit;
    const gt_allocator *allocator;
    gt_finding_fn on_finding;
    void *user_data;
    uint64_t keep;
} gt_validator_options;
#define GT_VALIDATOR_OPTIONS_INIT                                                                  \
    { sizeof(gt_validator_options), 0, 0, 0, 0, NULL, NULL, NULL, 1000 }
typedef struct gt_validator gt_validator;
GT_API GT_NODISCARD gt_status gt_validator_open(gt_validator **validator,
                                                const gt_validator_options *options,
                                                gt_error *error) GT_NONNULL((1));
GT_API gt_status gt_validator_event(gt_validator *validator, struct gt_reader *reader,
                                    const gt_event *event) GT_NONNULL((1));
GT_API uint64_t gt_validator_count(const gt_validator *validator);
GT_API gt_status gt_validator_finding(const gt_validator *validator, uint64_t index,
                                      gt_finding *finding);
GT_API void gt_validator_close(gt_validator **validator);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_WRITER_H
#define GOTRACE_WRITER_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
enum {
    GT_WRITER_ANONYMOUS = 1 << 0,
    GT_WRITER_TASKS = 1 << 1,
    GT_WRITER_LENIENT = 1 << 2
};
typedef uint32_t gt_text_kind;
enum {
    GT_TEXT_FUNCTION = 1,
    GT_TEXT_FILE = 2,
    GT_TEXT_TASK = 3,
    GT_TEXT_REGION = 4,
    GT_TEXT_CATEGORY = 5,
    GT_TEXT_MESSAGE = 6,
    GT_TEXT_LABEL = 7,
    GT_TEXT_REASON = 8,
    GT_TEXT_CAUSE = 9
};
typedef int (*gt_text_fn)(void *user_data, gt_text_kind kind, gt_string *text);
typedef struct gt_writer_options {
    size_t size;
    uint64_t flags;
    uint32_t version;
    uint32_t reserved;
    int64_t offset;
    uint64_t wall_seconds;
    uint64_t memory_limit;
    const gt_allocator *allocator;
    uint64_t generation_bytes;
    gt_text_fn text;
    void *text_data;
} gt_writer_options;
#define GT_WRITER_V1_OFFSET (1 << 20)
#define GT_WRITER_V1_GENERATION (64 << 20)
#define GT_WRITER_OPTIONS_INIT                                                                     \
    { sizeof(gt_writer_options), 0, 0, 0, 0, 0, 0, NULL, 0, NULL, NULL }
typedef struct gt_writer gt_writer;
GT_API GT_NODISCARD gt_status gt_writer_open(gt_writer **writer, gt_reader *reader,
                                             gt_write_fn write, void *user_data,
                                             const gt_writer_options *options, gt_error *error)
    GT_NONNULL((1, 2, 3));
GT_API gt_status gt_writer_event(gt_writer *writer, const gt_event *event) GT_NONNULL((1, 2));
GT_API gt_status gt_writer_skip(gt_writer *writer, const gt_event *event) GT_NONNULL((1, 2));
GT_API gt_status gt_writer_finish(gt_writer *writer) GT_NONNULL((1));
GT_API gt_status gt_writer_restart(gt_writer *writer) GT_NONNULL((1));
GT_API gt_status gt_writer_join(gt_writer *writer, gt_reader *reader) GT_NONNULL((1, 2));
GT_API gt_status gt_writer_error(const gt_writer *writer, gt_error *error);
typedef struct gt_writer_info {
    size_t size;
    uint32_t version;
    uint32_t reserved;
    uint64_t events;
    uint64_t made_up;
    uint64_t left_out;
    uint64_t delayed;
    uint64_t generations;
    uint64_t bytes;
    uint64_t memory;
    uint64_t memory_peak;
    uint64_t moved;
    uint64_t handed_over;
} gt_writer_info;
#define GT_WRITER_INFO_INIT                                                                        \
    { sizeof(gt_writer_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_writer_get_info(const gt_writer *writer, gt_writer_info *info);
GT_API void gt_writer_close(gt_writer **writer);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_GOTRACE_H
#define GOTRACE_GOTRACE_H
#endif
#ifndef GOTRACE_PARQUET_H
#define GOTRACE_PARQUET_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define GT_PARQUET_PLAIN (UINT64_C(1) << 0)
typedef struct gt_parquet_options {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_parquet_options;
#define GT_PARQUET_OPTIONS_INIT                                                                    \
    { sizeof(gt_parquet_options), 0, 0, NULL }
typedef struct gt_parquet gt_parquet;
GT_API GT_NODISCARD gt_status gt_parquet_open(gt_parquet **parquet, uint32_t table,
                                              gt_write_fn write, void *user_data,
                                              const gt_parquet_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API gt_status gt_parquet_batch(gt_parquet *parquet, const gt_batch *batch) GT_NONNULL((1, 2));
GT_API gt_status gt_parquet_finish(gt_parquet *parquet) GT_NONNULL((1));
GT_API void gt_parquet_close(gt_parquet **parquet);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_RECORDER_H
#define GOTRACE_RECORDER_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct gt_recorder gt_recorder;
typedef struct gt_rec_thread gt_rec_thread;
typedef struct gt_rec_proc gt_rec_proc;
typedef struct gt_rec_go gt_rec_go;
typedef uint32_t gt_rec_text;
enum {
    GT_REC_UNSPECIFIED = 1,
    GT_REC_FOREVER = 2,
    GT_REC_NETWORK = 3,
    GT_REC_SELECT = 4,
    GT_REC_COND = 5,
    GT_REC_SYNC = 6,
    GT_REC_CHAN_SEND = 7,
    GT_REC_CHAN_RECEIVE = 8,
    GT_REC_PREEMPTED = 12,
    GT_REC_SLEEP = 15,
    GT_REC_YIELD = 18
};
#define GT_RECORDER_NO_THREAD (UINT64_C(1) << 0)
#define GT_RECORDER_IMPLICIT (UINT64_C(1) << 1)
#define GT_RECORDER_KEEP_PROCS (UINT64_C(1) << 2)
#define GT_RECORDER_TSC (UINT64_C(1) << 6)
#define GT_RECORDER_SAMPLES (UINT64_C(1) << 7)
#define GT_RECORDER_UNWIND (UINT64_C(1) << 4)
#define GT_RECORDER_WAIT (UINT64_C(1) << 3)
#define GT_REC_STACK_DEPTH_MAX UINT64_C(127)
typedef size_t (*gt_rec_unwind_fn)(void *user_data, uint64_t *pcs, size_t room);
typedef struct gt_rec_name {
    size_t size;
    const char *function;
    const char *file;
    uint64_t line;
} gt_rec_name;
#define GT_REC_NAME_INIT                                                                           \
    {                                                                                              \
        sizeof(gt_rec_name), NULL, NULL, 0                                                         \
    }
typedef void (*gt_rec_name_fn)(void *user_data, uint64_t pc, gt_rec_name *name);
typedef uint64_t (*gt_rec_clock_fn)(void *user_data);
#define GT_REC_CLOCK_HZ_MIN UINT64_C(1000)
#define GT_REC_CLOCK_HZ_MAX UINT64_C(10000000000)
#define GT_REC_SAMPLE_HZ_MAX UINT64_C(1000)
typedef struct gt_recorder_options {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    uint64_t period;
    const gt_allocator *allocator;
    uint64_t stack_depth;
    gt_rec_unwind_fn unwind;
    gt_rec_name_fn name;
    void *user_data;
    uint64_t clock_hz;
    gt_rec_clock_fn clock;
    uint64_t version;
    uint64_t sample_hz;
} gt_recorder_options;
#define GT_RECORDER_OPTIONS_INIT                                                                   \
    {                                                                                              \
        sizeof(gt_recorder_options), 0, 0, 0, NULL, 0, NULL, NULL, NULL, 0, NULL, 0, 0             \
    }
GT_API GT_NODISCARD gt_status gt_recorder_open(gt_recorder **recorder,
                                               const gt_recorder_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API void gt_recorder_close(gt_recorder **recorder);
GT_API gt_status gt_recorder_start(gt_recorder *recorder, gt_write_fn write, void *user_data,
                                   gt_error *error) GT_NONNULL((1, 2));
GT_API gt_status gt_recorder_start_fd(gt_recorder *recorder, int fd, gt_error *error)
    GT_NONNULL((1));
GT_API gt_status gt_recorder_advance(gt_recorder *recorder) GT_NONNULL((1));
GT_API gt_status gt_recorder_stop(gt_recorder *recorder, gt_error *error) GT_NONNULL((1));
typedef struct gt_recorder_window_options {
    size_t size;
    uint64_t flags;
    uint64_t min_age;
    uint64_t max_bytes;
    void (*on_request)(void *user_data);
    void *user_data;
} gt_recorder_window_options;
#define GT_RECORDER_WINDOW_OPTIONS_INIT                                                            \
    {                                                                                              \
        sizeof(gt_recorder_window_options), 0, 0, 0, NULL, NULL                                    \
    }
GT_API gt_status gt_recorder_window_start(gt_recorder *recorder,
                                          const gt_recorder_window_options *options,
                                          gt_error *error) GT_NONNULL((1));
GT_API gt_status gt_recorder_window_write(gt_recorder *recorder, gt_write_fn write, void *user_data,
                                          gt_error *error) GT_NONNULL((1, 2));
GT_API gt_status gt_recorder_window_write_fd(gt_recorder *recorder, int fd, gt_error *error)
    GT_NONNULL((1));
GT_API gt_status gt_recorder_window_stop(gt_recorder *recorder) GT_NONNULL((1));
GT_API void gt_recorder_window_request(gt_recorder *recorder) GT_NONNULL((1));
typedef struct gt_recorder_info {
    size_t size;
    uint64_t generations;
    uint64_t bytes;
    uint64_t memory;
    uint64_t memory_peak;
    uint64_t window_bytes;
    uint64_t lost_samples;
    uint64_t conflicts;
} gt_recorder_info;
#define GT_RECORDER_INFO_INIT                                                                      \
    {                                                                                              \
        sizeof(gt_recorder_info), 0, 0, 0, 0, 0, 0, 0                                              \
    }
GT_API gt_status gt_recorder_get_info(const gt_recorder *recorder, gt_recorder_info *info);
GT_API gt_status gt_recorder_text(gt_recorder *recorder, const char *text, size_t size,
                                  gt_rec_text *id) GT_NONNULL((1, 2, 4));
GT_API gt_status gt_rec_thread_attach(gt_recorder *recorder, gt_rec_thread **thread)
    GT_NONNULL((1, 2));
GT_API gt_status gt_rec_thread_attach_as(gt_recorder *recorder, gt_rec_text name,
                                         gt_rec_thread **thread) GT_NONNULL((1, 3));
GT_API gt_status gt_rec_thread_attach_go(gt_recorder *recorder, gt_rec_go *go,
                                         gt_rec_thread **thread) GT_NONNULL((1, 2, 3));
GT_API gt_rec_go *gt_rec_thread_go(gt_rec_thread *thread);
GT_API void gt_rec_thread_detach(gt_rec_thread **thread);
GT_API gt_rec_thread *gt_rec_thread_self(gt_recorder *recorder) GT_NONNULL((1));
#define GT_REC_PROC_MAX INT64_C(2147483647)
GT_API gt_status gt_rec_proc_create(gt_recorder *recorder, uint64_t id, gt_rec_proc **proc)
    GT_NONNULL((1, 3));
GT_API gt_status gt_rec_proc_release(gt_rec_proc **proc) GT_NONNULL((1));
GT_API gt_status gt_rec_proc_start(gt_rec_thread *thread, gt_rec_proc *proc) GT_NONNULL((1, 2));
GT_API gt_status gt_rec_proc_stop(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_proc_steal(gt_rec_thread *thread, gt_rec_proc *proc) GT_NONNULL((1, 2));
#define GT_REC_BLOCKED (UINT64_C(1) << 0)
GT_API gt_status gt_rec_go_create(gt_rec_thread *thread, gt_rec_text name, uint64_t flags,
                                  gt_rec_go **go) GT_NONNULL((1, 4));
GT_API gt_status gt_rec_go_adopt(gt_recorder *recorder, gt_rec_text name, uint64_t flags,
                                 gt_rec_go **go) GT_NONNULL((1, 4));
GT_API uint64_t gt_rec_go_id(const gt_rec_go *go);
GT_API gt_status gt_rec_go_stack(gt_rec_go *go, const void *low, size_t size) GT_NONNULL((1));
GT_API gt_status gt_rec_go_release(gt_rec_go **go) GT_NONNULL((1));
GT_API gt_status gt_rec_go_start(gt_rec_thread *thread, gt_rec_go *go) GT_NONNULL((1, 2));
GT_API gt_status gt_rec_go_stop(gt_rec_thread *thread, gt_rec_text reason) GT_NONNULL((1));
GT_API gt_status gt_rec_go_block(gt_rec_thread *thread, gt_rec_text reason) GT_NONNULL((1));
GT_API gt_status gt_rec_go_unblock(gt_rec_thread *thread, gt_rec_go *go) GT_NONNULL((1, 2));
GT_API gt_status gt_rec_go_resume(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_go_switch(gt_rec_thread *thread, gt_rec_go *go) GT_NONNULL((1, 2));
GT_API gt_status gt_rec_go_switch_end(gt_rec_thread *thread, gt_rec_go *go) GT_NONNULL((1, 2));
GT_API gt_status gt_rec_go_end(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_go_label(gt_rec_thread *thread, gt_rec_text label) GT_NONNULL((1));
GT_API gt_status gt_rec_syscall_begin(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_syscall_end(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_task_begin(gt_rec_thread *thread, uint64_t parent, gt_rec_text type,
                                   uint64_t *task) GT_NONNULL((1, 4));
GT_API gt_status gt_rec_task_end(gt_rec_thread *thread, uint64_t task) GT_NONNULL((1));
GT_API gt_status gt_rec_region_begin(gt_rec_thread *thread, uint64_t task, gt_rec_text type)
    GT_NONNULL((1));
GT_API gt_status gt_rec_region_end(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_log(gt_rec_thread *thread, uint64_t task, gt_rec_text key, const char *text,
                            size_t size) GT_NONNULL((1));
GT_API gt_status gt_rec_gc_begin(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_gc_end(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_stw_begin(gt_rec_thread *thread, gt_rec_text kind) GT_NONNULL((1));
GT_API gt_status gt_rec_stw_end(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_sweep_begin(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_sweep_end(gt_rec_thread *thread, uint64_t swept, uint64_t reclaimed)
    GT_NONNULL((1));
GT_API gt_status gt_rec_assist_begin(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_assist_end(gt_rec_thread *thread) GT_NONNULL((1));
GT_API gt_status gt_rec_heap(gt_rec_thread *thread, uint64_t bytes) GT_NONNULL((1));
GT_API gt_status gt_rec_heap_goal(gt_rec_thread *thread, uint64_t bytes) GT_NONNULL((1));
GT_API gt_status gt_rec_procs(gt_rec_thread *thread, uint64_t count) GT_NONNULL((1));
GT_API void gt_rec_sample(gt_rec_thread *thread, const void *ucontext);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_TIMELINE_H
#define GOTRACE_TIMELINE_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef uint32_t gt_view;
enum {
    GT_VIEW_PROC = 0,
    GT_VIEW_THREAD = 1,
    GT_VIEW_GOROUTINE = 2
};
typedef uint32_t gt_selection;
enum {
    GT_SELECT_GOROUTINE = 1,
    GT_SELECT_TASK = 2,
    GT_SELECT_FOCUS_TASK = 3
};
typedef struct gt_selector_options {
    size_t size;
    uint64_t flags;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_selector_options;
#define GT_SELECTOR_OPTIONS_INIT                                                                   \
    { sizeof(gt_selector_options), 0, 0, NULL }
typedef struct gt_selector gt_selector;
GT_API GT_NODISCARD gt_status gt_selector_open(gt_selector **selector, uint32_t selection,
                                               uint64_t id, const gt_selector_options *options,
                                               gt_error *error) GT_NONNULL((1));
GT_API void gt_selector_close(gt_selector **selector);
GT_API gt_status gt_selector_event(gt_selector *selector, const gt_event *event) GT_NONNULL((1));
GT_API gt_status gt_selector_finish(gt_selector *selector) GT_NONNULL((1));
GT_API gt_status gt_selector_apply(const gt_selector *selector, gt_emitter_options *options);
#define GT_TIMELINE_EXACT (UINT64_C(1) << 0)
#define GT_TIMELINE_STATES (UINT64_C(1) << 1)
typedef struct gt_timeline_options {
    size_t size;
    uint64_t flags;
    uint32_t view;
    uint32_t reserved;
    const gt_selector *selector;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_timeline_options;
#define GT_TIMELINE_OPTIONS_INIT                                                                   \
    { sizeof(gt_timeline_options), 0, GT_VIEW_PROC, 0, NULL, 0, NULL }
typedef struct gt_timeline gt_timeline;
GT_API GT_NODISCARD gt_status gt_timeline_open(gt_timeline **timeline, gt_reader *reader,
                                               gt_emitter *emitter,
                                               const gt_timeline_options *options,
                                               gt_error *error) GT_NONNULL((1, 2, 3));
GT_API void gt_timeline_close(gt_timeline **timeline);
GT_API gt_status gt_timeline_event(gt_timeline *timeline, const gt_event *event) GT_NONNULL((1));
GT_API gt_status gt_timeline_finish(gt_timeline *timeline) GT_NONNULL((1));
typedef struct gt_timeline_info {
    size_t size;
    uint64_t events;
    uint64_t memory;
    uint64_t memory_peak;
} gt_timeline_info;
#define GT_TIMELINE_INFO_INIT                                                                      \
    { sizeof(gt_timeline_info), 0, 0, 0 }
GT_API gt_status gt_timeline_get_info(const gt_timeline *timeline, gt_timeline_info *info);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_VIEWER_JSON_H
#define GOTRACE_VIEWER_JSON_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct gt_json_options {
    size_t size;
    uint64_t flags;
    uint64_t first;
    uint64_t last;
    uint64_t memory_limit;
    const gt_allocator *allocator;
} gt_json_options;
#define GT_JSON_OPTIONS_INIT                                                                       \
    { sizeof(gt_json_options), 0, 0, UINT64_MAX, 0, NULL }
typedef struct gt_json_writer gt_json_writer;
GT_API GT_NODISCARD gt_status gt_json_writer_open(gt_json_writer **writer, gt_write_fn write,
                                                  void *user_data, const gt_json_options *options,
                                                  gt_error *error) GT_NONNULL((1));
GT_API gt_status gt_json_writer_consumer(gt_json_writer *writer, gt_consumer *consumer);
GT_API gt_status gt_json_writer_status(const gt_json_writer *writer);
GT_API void gt_json_writer_close(gt_json_writer **writer);
typedef struct gt_part {
    uint64_t first;
    uint64_t last;
    int64_t start_time;
    int64_t end_time;
} gt_part;
typedef struct gt_splitter gt_splitter;
#define GT_SPLITTER_BYTES (UINT64_C(100) << 20)
GT_API GT_NODISCARD gt_status gt_splitter_open(gt_splitter **splitter, uint64_t part_bytes,
                                               const gt_allocator *allocator, gt_error *error)
    GT_NONNULL((1));
GT_API gt_status gt_splitter_consumer(gt_splitter *splitter, gt_consumer *consumer);
GT_API gt_status gt_splitter_status(const gt_splitter *splitter);
GT_API const gt_part *gt_splitter_parts(const gt_splitter *splitter, size_t *count);
GT_API void gt_splitter_close(gt_splitter **splitter);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_VIEWER_PERFETTO_H
#define GOTRACE_VIEWER_PERFETTO_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef uint32_t gt_perfetto_rows;
enum {
    GT_PERFETTO_PLAIN = 0,
    GT_PERFETTO_PROCS = 1,
    GT_PERFETTO_THREADS = 2,
    GT_PERFETTO_GOROUTINES = 3
};
#define GT_PERFETTO_NO_WAKES (UINT64_C(1) << 0)
#define GT_PERFETTO_STACK_SAMPLES (UINT64_C(1) << 1)
#define GT_PERFETTO_NO_CLOCKS (UINT64_C(1) << 2)
typedef struct gt_perfetto_options {
    size_t size;
    uint64_t flags;
    int64_t start_time;
    uint64_t uuid_base;
    uint64_t memory_limit;
    uint32_t pid;
    uint32_t sequence;
    gt_string name;
    const gt_allocator *allocator;
} gt_perfetto_options;
#define GT_PERFETTO_OPTIONS_INIT                                                                   \
    { sizeof(gt_perfetto_options), 0, 0, 0, 0, 0, 0, { "", 0 }, NULL }
typedef struct gt_perfetto_writer gt_perfetto_writer;
GT_API GT_NODISCARD gt_status gt_perfetto_writer_open(gt_perfetto_writer **writer,
                                                      gt_write_fn write, void *user_data,
                                                      const gt_perfetto_options *options,
                                                      gt_error *error) GT_NONNULL((1));
GT_API gt_status gt_perfetto_writer_consumer(gt_perfetto_writer *writer, uint32_t rows,
                                             gt_consumer *consumer);
typedef struct gt_perfetto_clock {
    size_t size;
    int64_t time;
    int64_t wall;
} gt_perfetto_clock;
#define GT_PERFETTO_CLOCK_INIT                                                                     \
    { sizeof(gt_perfetto_clock), 0, 0 }
GT_API gt_status gt_perfetto_writer_clock(gt_perfetto_writer *writer,
                                          const gt_perfetto_clock *clock);
typedef struct gt_perfetto_sample {
    size_t size;
    int64_t time;
    uint64_t weight;
    uint64_t resource;
    uint32_t thread;
    uint32_t rows;
    uint32_t stack;
    uint32_t reserved;
} gt_perfetto_sample;
#define GT_PERFETTO_SAMPLE_INIT                                                                    \
    { sizeof(gt_perfetto_sample), 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_perfetto_writer_sample(gt_perfetto_writer *writer,
                                           const gt_perfetto_sample *sample);
GT_API gt_status gt_perfetto_writer_set_pid(gt_perfetto_writer *writer, uint32_t pid);
GT_API gt_status gt_perfetto_writer_finish(gt_perfetto_writer *writer);
GT_API gt_status gt_perfetto_writer_status(const gt_perfetto_writer *writer);
typedef struct gt_perfetto_info {
    size_t size;
    uint64_t bytes;
    uint64_t packets;
    uint64_t slices;
    uint64_t instants;
    uint64_t values;
    uint64_t flows;
    uint64_t stacks;
    uint64_t frames;
    uint64_t memory;
    uint64_t memory_peak;
} gt_perfetto_info;
#define GT_PERFETTO_INFO_INIT                                                                      \
    { sizeof(gt_perfetto_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_perfetto_writer_get_info(const gt_perfetto_writer *writer,
                                             gt_perfetto_info *info);
GT_API void gt_perfetto_writer_close(gt_perfetto_writer **writer);
#ifdef __cplusplus
}
#endif
#endif
#ifndef GOTRACE_WEB_H
#define GOTRACE_WEB_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct gt_web gt_web;
#define GT_WEB_NO_THREADS (UINT64_C(1) << 0)
#define GT_WEB_MAP_FD (UINT64_C(1) << 1)
typedef void (*gt_web_loaded_fn)(void *user_data, gt_error *error, uint64_t repairs);
typedef uint64_t (*gt_web_memory_fn)(void *user_data);
#define GT_WEB_NOTES_MAX ((size_t) 1 << 20)
typedef gt_status (*gt_web_load_notes_fn)(void *user_data, void *buffer, size_t capacity,
                                          size_t *size, gt_error *error);
typedef gt_status (*gt_web_store_notes_fn)(void *user_data, const void *data, size_t size,
                                           gt_error *error);
typedef void (*gt_web_stop_fn)(void *user_data);
typedef struct gt_web_options {
    size_t size;
    uint64_t flags;
    uint64_t reader_flags;
    const char *name;
    const char *page_directory;
    void *user_data;
    gt_repair_fn on_repair;
    gt_symbolize_fn symbolize;
    gt_web_loaded_fn on_loaded;
    const gt_allocator *allocator;
    const char *frame_ancestors;
    gt_web_memory_fn process_memory;
    const char *source_url;
    const char *traces_url;
    const char *notes_name;
    gt_web_load_notes_fn load_notes;
    gt_web_store_notes_fn store_notes;
    gt_web_stop_fn stop_recording;
    const char *perfetto_url;
    uint64_t epoch;
    int64_t dropped;
    const char *comparison_url;
} gt_web_options;
#define GT_WEB_OPTIONS_INIT                                                                        \
    { sizeof(gt_web_options), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,    \
      NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL }
typedef gt_status (*gt_web_open_fn)(void *user_data, const gt_reader_options *options,
                                    gt_reader **reader, gt_error *error);
GT_API GT_NODISCARD gt_status gt_web_open_file(gt_web **web, const char *path,
                                               const gt_web_options *options, gt_error *error)
    GT_NONNULL((1, 2));
GT_API GT_NODISCARD gt_status gt_web_open_fd(gt_web **web, int fd, const gt_web_options *options,
                                             gt_error *error) GT_NONNULL((1));
GT_API GT_NODISCARD gt_status gt_web_open_memory(gt_web **web, const void *data, size_t size,
                                                 const gt_web_options *options, gt_error *error)
    GT_NONNULL((1));
GT_API GT_NODISCARD gt_status gt_web_open_callback(gt_web **web, gt_web_open_fn open,
                                                   void *user_data, uint64_t total,
                                                   const gt_web_options *options, gt_error *error)
    GT_NONNULL((1, 2));
GT_API void gt_web_close(gt_web **web);
GT_API gt_status gt_web_step(gt_web *web, uint64_t max_ns);
typedef struct gt_web_progress {
    size_t size;
    uint64_t bytes;
    uint64_t total;
    uint64_t events;
    uint64_t repairs;
    uint32_t done;
    int32_t status;
    uint32_t live;
    uint32_t reserved;
} gt_web_progress;
#define GT_WEB_PROGRESS_INIT                                                                       \
    { sizeof(gt_web_progress), 0, 0, 0, 0, 0, 0, 0, 0 }
GT_API gt_status gt_web_get_progress(gt_web *web, gt_web_progress *progress);
GT_API gt_status gt_web_error(gt_web *web, gt_error *error);
#define GT_WEB_MAY_CHANGE (UINT64_C(1) << 0)
typedef struct gt_web_request {
    size_t size;
    const char *method;
    const char *path;
    const char *query;
    const void *body;
    size_t body_size;
    uint64_t flags;
} gt_web_request;
#define GT_WEB_REQUEST_INIT                                                                        \
    { sizeof(gt_web_request), "GET", "/", NULL, NULL, 0, 0 }
typedef struct gt_web_header {
    const char *name;
    const char *value;
} gt_web_header;
#define GT_WEB_LENGTH_UNKNOWN UINT64_MAX
typedef struct gt_web_client {
    size_t size;
    void *user_data;
    int (*begin)(void *user_data, uint32_t status, const gt_web_header *headers, size_t count,
                 uint64_t length);
    int (*write)(void *user_data, const void *data, size_t size);
    int (*is_gone)(void *user_data);
} gt_web_client;
#define GT_WEB_CLIENT_INIT                                                                         \
    { sizeof(gt_web_client), NULL, NULL, NULL, NULL }
GT_API gt_status gt_web_answer(gt_web *web, const gt_web_request *request,
                               const gt_web_client *client);
#ifdef __cplusplus
}
#endif
#endif
