/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The viewer as a WebAssembly module, for programs without sockets and threads: a page, or Node.
 * engine.js calls it. The host keeps the bytes of the trace and passes pieces of them on request,
 * so a trace of Go 1.22 or later never lies in the module's memory as a whole. A module shows one
 * trace; the next one gets a new instance.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/gotrace.h>
#include <gotrace/web.h>

#define EXPORTED(name) __attribute__((export_name(name)))

enum {
    PAGE_RESERVE = 64 << 20,
    PAGE_WASM_BYTES = 65536 /* the size of a page of a memory, which the standard fixes */
};

/* The host's function: reads up to `capacity` bytes at `offset`. Returns their number, or -1. */
__attribute__((import_module("gotrace"), import_name("read"))) int
host_read(double offset, void *buffer, size_t capacity);

/* Where a reader is in the trace. */
struct position {
    struct position *next;
    uint64_t offset;
};

/* Bytes that grow at their end. */
struct bytes {
    char *data;
    size_t size;
    size_t room;
};

/* Everything that the module holds. */
static struct {
    gt_web *web;
    /* The positions of all readers so far, which are as many as there were analyses. */
    struct position *positions;
    /* Memory that is free for answers after the trace has used up all other. */
    void *reserve;
    gt_error error;
    /* The last answer. */
    uint32_t status;
    struct bytes headers;
    struct bytes body;
} page;

static int bytes_add(struct bytes *bytes, const void *data, size_t size)
{
    if (bytes->room - bytes->size < size) {
        size_t room = (bytes->size + size) * 2;
        char *grown = room > size ? realloc(bytes->data, room) : NULL;
        if (!grown)
            return -1;
        bytes->data = grown;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return 0;
}

static int64_t trace_read(void *user_data, void *buffer, size_t capacity)
{
    struct position *position = user_data;
    int size = host_read((double) position->offset, buffer, capacity);
    if (size > 0)
        position->offset += (uint64_t) size;
    return size;
}

static gt_status trace_open(void *user_data, const gt_reader_options *options, gt_reader **reader,
                            gt_error *error)
{
    struct position *position = calloc(1, sizeof(*position));
    (void) user_data;
    if (!position)
        return GT_ERR_NO_MEMORY;
    position->next = page.positions;
    page.positions = position;
    return gt_reader_open_callback(reader, trace_read, position, options, error);
}

/* Tells the user of a trace that is too large what to do. What was read of it is shown. */
static void trace_loaded(void *user_data, gt_error *error, uint64_t repairs)
{
    (void) user_data, (void) repairs;
    free(page.reserve);
    page.reserve = NULL;
    if (error->status != GT_ERR_NO_MEMORY)
        return;
    snprintf(error->message, sizeof(error->message),
             "it is too large for the memory of a browser; 'gotrace view' shows all of it, and "
             "'gotrace cut' saves a part of it as a trace");
}

static uint64_t page_memory(void *user_data)
{
    (void) user_data;
    return (uint64_t) __builtin_wasm_memory_size(0) * PAGE_WASM_BYTES;
}

/* Memory of `size` bytes, in which the host passes texts; NULL if there is none. */
EXPORTED("page_alloc") void *page_alloc(size_t size)
{
    return malloc(size);
}

EXPORTED("page_free") void page_free(void *memory)
{
    free(memory);
}

/* Opens the trace of `size` bytes that host_read reads. Returns a gt_status; see page_error. */
EXPORTED("page_open") int page_open(const char *name, double size)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    options.flags = GT_WEB_NO_THREADS;
    options.name = name;
    options.on_loaded = trace_loaded;
    options.process_memory = page_memory;
    page.error = (gt_error) GT_ERROR_INIT;
    /* malloc takes addresses for this, but the host provides no memory that was never written. */
    page.reserve = malloc(PAGE_RESERVE);
    return gt_web_open_callback(&page.web, trace_open, NULL, (uint64_t) size, &options,
                                &page.error);
}

/* The message of the error of page_open. */
EXPORTED("page_error") const char *page_error(void)
{
    return page.error.message;
}

/* Loads and analyses for about as many milliseconds. Returns 1 if there is more to do, else 0. */
EXPORTED("page_step") int page_step(double milliseconds)
{
    return gt_web_step(page.web, (uint64_t) (milliseconds * 1e6)) == GT_OK;
}

static int answer_begin(void *user_data, uint32_t status, const gt_web_header *headers,
                        size_t count, uint64_t length)
{
    int failed = 0;
    (void) user_data, (void) length;
    page.status = status;
    for (size_t i = 0; i < count; i++) {
        failed |= bytes_add(&page.headers, headers[i].name, strlen(headers[i].name));
        failed |= bytes_add(&page.headers, ": ", 2);
        failed |= bytes_add(&page.headers, headers[i].value, strlen(headers[i].value));
        failed |= bytes_add(&page.headers, "\n", 1);
    }
    return failed;
}

static int answer_write(void *user_data, const void *data, size_t size)
{
    (void) user_data;
    return bytes_add(&page.body, data, size);
}

/* Whether there is no memory any more for what an answer may need. */
static bool page_is_full(void)
{
    void *volatile room = malloc(PAGE_RESERVE);
    free(room);
    return !room;
}

/* Says what to do about an answer for which there is not enough memory. */
static void answer_explain(void)
{
    static const char text[] =
        "{\"error\":\"there is not enough memory in a browser: 'gotrace view' "
        "has no such limit, and 'gotrace cut' saves a part of the trace\"}";
    if (page.status != 503 || !page_is_full())
        return;
    page.body.size = 0;
    bytes_add(&page.body, text, strlen(text));
}

/*
 * Answers a GET of a decoded path with a query as it was sent. Returns the status of HTTP, or 0 if
 * the answer broke off. page_headers and page_body then have the rest until the next call.
 */
EXPORTED("page_ask") unsigned int page_ask(const char *path, const char *query)
{
    gt_web_request request = GT_WEB_REQUEST_INIT;
    gt_web_client client = {sizeof(client), NULL, answer_begin, answer_write, NULL};
    page.status = 0;
    page.headers.size = 0;
    page.body.size = 0;
    request.path = path;
    request.query = query;
    if (gt_web_answer(page.web, &request, &client) != GT_OK)
        return 0;
    answer_explain();
    return page.status;
}

/* The headers of the answer: lines of a name, ": " and a value. */
EXPORTED("page_headers") const char *page_headers(void)
{
    return page.headers.data;
}

EXPORTED("page_headers_size") size_t page_headers_size(void)
{
    return page.headers.size;
}

EXPORTED("page_body") const char *page_body(void)
{
    return page.body.data;
}

EXPORTED("page_body_size") size_t page_body_size(void)
{
    return page.body.size;
}
