/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/web.h"

#include <string.h>

#include "base/error.h"
#include "base/sized.h"
#include "store/store.h"
#include "web/analysis.h"
#include "web/endpoints.h"
#include "web/listings.h"
#include "web/minimap.h"
#include "web/sourceurl.h"
#include "web/symbolcache.h"

/* The smallest sizes of the host's structures that are accepted: those of the first release. */
enum {
    REQUEST_LEAST = GT_UP_TO(gt_web_request, flags),
    CLIENT_LEAST = GT_UP_TO(gt_web_client, is_gone),
    PROGRESS_LEAST = GT_UP_TO(gt_web_progress, status)
};

enum {
    FRAME_ANCESTORS_MAX = 1000
};

/* The flags that a reader knows. */
#define WEB_READER_FLAGS                                                                           \
    (GT_READER_KEEP | GT_READER_KNOWN_VERSIONS | GT_READER_LENIENT | GT_READER_AS_RECORDED |       \
     GT_READER_AHEAD | GT_READER_TRACK)

/* Replaces a text by a copy that the viewer owns. Returns false if memory runs out. */
static bool web_text_copy(struct gt_web *web, const char **text)
{
    gt_string copy = {*text, *text ? strlen(*text) + 1 : 0};
    if (!*text)
        return true;
    bool good = gt_arena_copy(&web->texts, &web->mem, &copy) == GT_OK;
    *text = copy.data;
    return good;
}

/* Whether a text can be the value of a directive in a policy. */
static bool web_is_directive(const char *text)
{
    size_t size = 0;
    for (; size <= FRAME_ANCESTORS_MAX && text[size] != '\0'; size++) {
        if (text[size] < ' ' || text[size] > '~' || text[size] == ',' || text[size] == ';')
            return false;
    }
    return size > 0 && size <= FRAME_ANCESTORS_MAX;
}

static gt_status web_make_policy(struct gt_web *web)
{
    char policy[sizeof(GT_RESPONSE_POLICY) + FRAME_ANCESTORS_MAX] = GT_RESPONSE_POLICY;
    const char *frames = web->options.frame_ancestors ? web->options.frame_ancestors : "'none'";
    strcat(policy, frames);
    web->policy = policy;
    return web_text_copy(web, &web->policy) ? GT_OK : GT_ERR_NO_MEMORY;
}

/* Returns a message that names the member that violates its description in gotrace/web.h, or NULL
 * if all members are valid. */
static const char *web_options_fault(const gt_web_options *options)
{
    if (options->reader_flags & ~WEB_READER_FLAGS)
        return "options.reader_flags has unknown bits";
    if (options->frame_ancestors && !web_is_directive(options->frame_ancestors))
        return "options.frame_ancestors is not a list of sources";
    if (options->source_url && !gt_sourceurl_is_good(options->source_url))
        return "options.source_url is not a pattern of URLs with a known scheme";
    if (options->traces_url && !gt_sourceurl_is_local(options->traces_url))
        return "options.traces_url is not an address on this site";
    if (options->perfetto_url && !gt_sourceurl_is_page(options->perfetto_url))
        return "options.perfetto_url is not the address of a page";
    if (options->comparison_url && !gt_sourceurl_is_local(options->comparison_url))
        return "options.comparison_url is not an address on this site";
    if (!GT_HAS_THREADS && (options->flags & GT_WEB_NO_THREADS) == 0)
        return "options.flags lacks GT_WEB_NO_THREADS, and this library was built without threads";
    return NULL;
}

/*
 * Copies the texts of the options, and creates the cache of symbols if the host resolves
 * addresses.
 */
static gt_status web_take_options(struct gt_web *web)
{
    gt_web_options *options = &web->options;
    if (!web_text_copy(web, &options->name) || !web_text_copy(web, &options->page_directory) ||
        !web_text_copy(web, &options->source_url) || !web_text_copy(web, &options->traces_url) ||
        !web_text_copy(web, &options->notes_name) || !web_text_copy(web, &options->perfetto_url) ||
        !web_text_copy(web, &options->comparison_url))
        return GT_ERR_NO_MEMORY;
    web->source.reader_flags = (options->reader_flags & ~(uint64_t) GT_READER_KEEP);
    web->source.reader_flags |= GT_READER_LENIENT;
    if (options->flags & GT_WEB_NO_THREADS)
        web->source.reader_flags &= ~(uint64_t) GT_READER_AHEAD;
    if (options->symbolize) {
        web->source.symbols = gt_web_symbols_new(&web->mem, options->symbolize, options->user_data);
        if (!web->source.symbols)
            return GT_ERR_NO_MEMORY;
    }
    return web_make_policy(web);
}

static void web_free(struct gt_web *web)
{
    gt_web_source_close(&web->source);
    gt_web_notes_free(&web->notes);
    gt_arena_free(&web->texts, &web->mem);
    gt_thread_mutex_destroy(&web->mem_lock);
    web->mem.lock = NULL;
    gt_mem_delete(&web->mem, web, sizeof(*web));
}

/* Allocates a viewer whose memory may be used by several threads at once. */
static struct gt_web *web_create(const gt_allocator *allocator, gt_status *status)
{
    struct gt_web *web =
        gt_mem_create(sizeof(*web), offsetof(struct gt_web, mem), allocator, 0, status);
    if (!web)
        return NULL;
    if (gt_thread_mutex_init(&web->mem_lock)) {
        if (gt_web_notes_init(&web->notes)) {
            web->mem.lock = &web->mem_lock.lock;
            return web;
        }
        gt_thread_mutex_destroy(&web->mem_lock);
    }
    gt_mem_delete(&web->mem, web, sizeof(*web));
    *status = GT_ERR_NO_MEMORY;
    return NULL;
}

/* Copies the options of the caller. If they are not valid, `*reason` says why. */
static gt_status web_options_take(gt_web_options *taken, gt_allocator *allocator,
                                  const gt_web_options *options, gt_error *reason)
{
    static const struct gt_options_layout layout =
        GT_OPTIONS_LAYOUT(gt_web_options, comparison_url, GT_WEB_NO_THREADS | GT_WEB_MAP_FD);
    gt_status status = gt_options_take(taken, allocator, &layout, options, reason);
    if (status != GT_OK)
        return status;
    const char *fault = web_options_fault(taken);
    return fault ? gt_error_refuse(reason, fault) : GT_OK;
}

/* Creates a viewer from the caller's options. */
static gt_status web_new(gt_web **out, const gt_web_options *options, const char *name,
                         gt_error *reason)
{
    gt_web_options taken = GT_WEB_OPTIONS_INIT;
    gt_allocator allocator;
    gt_status status = web_options_take(&taken, &allocator, options, reason);
    struct gt_web *web = status == GT_OK ? web_create(&allocator, &status) : NULL;
    if (!web)
        return status;
    web->options = taken;
    web->source.mem = &web->mem;
    web->source.fd = -1;
    atomic_init(&web->stopping, false);
    if (!web->options.name)
        web->options.name = name;
    status = web_take_options(web);
    if (status == GT_OK)
        *out = web;
    else
        web_free(web);
    return status;
}

/* The source of the trace. Only the members of one of the four ways of opening are set. */
struct web_origin {
    /* The path of a file, or NULL. */
    const char *path;
    int fd;
    const void *data;
    size_t size;
    gt_web_open_fn open;
    void *open_data;
    uint64_t total;
    /* A message about an invalid argument of the caller, or NULL. */
    const char *fault;
};

static gt_status web_open_source(struct gt_web *web, const struct web_origin *origin,
                                 gt_error *error)
{
    struct gt_web_source *source = &web->source;
    gt_reader *reader = NULL;
    gt_status status = GT_OK;
    if (origin->path)
        status = gt_web_source_from_file(source, origin->path, error);
    else if (origin->fd >= 0 && (web->options.flags & GT_WEB_MAP_FD) != 0)
        status = gt_web_source_from_mapped_fd(source, origin->fd, error);
    else if (origin->fd >= 0)
        status = gt_web_source_from_fd(source, origin->fd, error);
    else if (origin->open)
        gt_web_source_from_callback(source, origin->open, origin->open_data, origin->total);
    else
        gt_web_source_from_memory(source, origin->data, origin->size);
    if (status == GT_OK)
        status = gt_web_source_open(source, &reader, error);
    gt_reader_close(&reader);
    return status;
}

static gt_status web_open(gt_web **out, const struct web_origin *origin,
                          const gt_web_options *options, gt_error *error)
{
    gt_error reason = GT_ERROR_INIT;
    struct gt_web *web = NULL;
    if (out)
        *out = NULL;
    if (!gt_error_is_usable(error))
        return GT_ERR_INVALID_ARGUMENT;
    const char *fault = out ? origin->fault : "web is NULL";
    gt_status status = fault ? gt_error_refuse(&reason, fault)
                             : web_new(&web, options, origin->path ? origin->path : "", &reason);
    if (web)
        status = web_open_source(web, origin, &reason);
    if (status == GT_OK)
        status = gt_web_load_start(web);
    if (status != GT_OK && web)
        web_free(web);
    else if (out && status == GT_OK)
        *out = web;
    /* If there is no error message, the text of the status is used. */
    if (status != GT_OK && reason.status == GT_OK)
        gt_error_plain(&reason, status);
    if (error)
        gt_struct_give(error, &reason, sizeof(reason));
    return status;
}

gt_status gt_web_open_file(gt_web **web, const char *path, const gt_web_options *options,
                           gt_error *error)
{
    const struct web_origin origin = {
        .path = path, .fd = -1, .fault = path ? NULL : "path is NULL"};
    return web_open(web, &origin, options, error);
}

gt_status gt_web_open_fd(gt_web **web, int fd, const gt_web_options *options, gt_error *error)
{
    const struct web_origin origin = {.fd = fd, .fault = fd >= 0 ? NULL : "fd is negative"};
    return web_open(web, &origin, options, error);
}

gt_status gt_web_open_memory(gt_web **web, const void *data, size_t size,
                             const gt_web_options *options, gt_error *error)
{
    const struct web_origin origin = {
        .fd = -1, .data = data, .size = size, .fault = data || size == 0 ? NULL : "data is NULL"};
    return web_open(web, &origin, options, error);
}

gt_status gt_web_open_callback(gt_web **web, gt_web_open_fn open, void *user_data, uint64_t total,
                               const gt_web_options *options, gt_error *error)
{
    const struct web_origin origin = {.fd = -1,
                                      .open = open,
                                      .open_data = user_data,
                                      .total = total,
                                      .fault = open ? NULL : "open is NULL"};
    return web_open(web, &origin, options, error);
}

void gt_web_close(gt_web **web)
{
    if (!web || !*web)
        return;
    atomic_store(&(*web)->stopping, true);
    gt_analysis_close(*web);
    gt_listings_close(*web);
    gt_minimap_close(*web);
    gt_web_load_stop(*web);
    web_free(*web);
    *web = NULL;
}

gt_status gt_web_step(gt_web *web, uint64_t max_ns)
{
    if (!web || (web->options.flags & GT_WEB_NO_THREADS) == 0)
        return GT_ERR_INVALID_ARGUMENT;
    bool is_loaded = web->loading.done;
    bool is_loading = !is_loaded && gt_web_load_step(web, max_ns);
    if (is_loaded || (!is_loading && web->loading.is_live))
        gt_analysis_step(web);
    return web->loading.done && !gt_analysis_is_waiting(web) ? GT_END : GT_OK;
}

gt_status gt_web_get_progress(gt_web *web, gt_web_progress *progress)
{
    gt_web_progress out = GT_WEB_PROGRESS_INIT;
    if (!web || !gt_struct_fits(progress, PROGRESS_LEAST))
        return GT_ERR_INVALID_ARGUMENT;
    struct gt_web_loading *loading = &web->loading;
    pthread_mutex_lock(&loading->lock);
    out.bytes = loading->bytes;
    out.events = loading->events;
    out.repairs = loading->repairs_total;
    out.done = loading->done;
    out.live = loading->is_live;
    out.status = loading->error.status;
    pthread_mutex_unlock(&loading->lock);
    out.total = web->source.total;
    gt_struct_give(progress, &out, sizeof(out));
    return GT_OK;
}

gt_status gt_web_error(gt_web *web, gt_error *error)
{
    gt_error out;
    if (!web || !gt_struct_fits(error, GT_UP_TO(gt_error, message)))
        return GT_ERR_INVALID_ARGUMENT;
    pthread_mutex_lock(&web->loading.lock);
    out = web->loading.error;
    pthread_mutex_unlock(&web->loading.lock);
    gt_struct_give(error, &out, sizeof(out));
    return GT_OK;
}

gt_status gt_web_answer(gt_web *web, const gt_web_request *request, const gt_web_client *client)
{
    gt_web_request asked;
    gt_web_client to;
    if (!web || !request || !client ||
        gt_struct_take(&asked, sizeof(asked), REQUEST_LEAST, request) != GT_OK ||
        gt_struct_take(&to, sizeof(to), CLIENT_LEAST, client) != GT_OK)
        return GT_ERR_INVALID_ARGUMENT;
    if (!asked.method || !asked.path || asked.path[0] != '/' || !to.begin || !to.write ||
        (asked.flags & ~GT_WEB_MAY_CHANGE) != 0)
        return GT_ERR_INVALID_ARGUMENT;
    struct gt_web_routes routes = gt_web_routes;
    routes.epoch = web->options.epoch;
    return gt_routes_answer(&routes, web, &web->mem, web->policy, &asked, &to);
}
