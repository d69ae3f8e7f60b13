/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/source.h"

#include <errno.h>

#include "base/error.h"
#include "web/sourcefile.h"
#include "web/symbolcache.h"

gt_status gt_web_source_fail(gt_error *error, const char *what)
{
    int code = errno;
    gt_error_set(error, GT_ERR_IO, GT_NO_OFFSET, 0, "%s", what);
    return gt_error_set_system(error, code);
}

void gt_web_source_from_memory(struct gt_web_source *source, const void *data, size_t size)
{
    source->fd = -1;
    source->data = data;
    source->size = size;
    source->total = size;
}

void gt_web_source_from_callback(struct gt_web_source *source, gt_web_open_fn open_fn,
                                 void *open_data, uint64_t total)
{
    source->fd = -1;
    source->open = open_fn;
    source->open_data = open_data;
    source->total = total;
}

void gt_web_source_close(struct gt_web_source *source)
{
    gt_web_symbols_free(source->symbols);
    source->symbols = NULL;
    gt_web_source_file_close(source);
}

/* Opens the trace with the options that depend on the reading. */
static gt_status source_open(const struct gt_web_source *source, gt_reader_options *options,
                             gt_reader **reader, gt_error *error)
{
    options->allocator = &source->mem->allocator;
    if (source->symbols) {
        options->symbolize = gt_web_symbols_find;
        options->symbolize_data = source->symbols;
    }
    *reader = NULL;
    if (source->open) {
        gt_status status = source->open(source->open_data, options, reader, error);
        /* The host's function may not have filled the error. */
        if (status != GT_OK && error->status == GT_OK)
            gt_error_plain(error, status);
        return status;
    }
    if (gt_web_source_file_is_unchanged(source))
        return gt_reader_open_memory(reader, source->data, source->size, options, error);
    errno = 0;
    return gt_web_source_fail(error, "the file has changed since it was opened");
}

gt_status gt_web_source_open_told(const struct gt_web_source *source, gt_repair_fn on_repair,
                                  void *repair_data, gt_reader **reader, gt_error *error)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.flags = source->reader_flags;
    options.on_repair = on_repair;
    options.repair_data = repair_data;
    return source_open(source, &options, reader, error);
}

gt_status gt_web_source_open_as(const struct gt_web_source *source, uint64_t reader_flags,
                                gt_reader **reader, gt_error *error)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.flags = reader_flags;
    return source_open(source, &options, reader, error);
}

gt_status gt_web_source_open(const struct gt_web_source *source, gt_reader **reader,
                             gt_error *error)
{
    return gt_web_source_open_told(source, NULL, NULL, reader, error);
}

void gt_web_source_error(const struct gt_web_source *source, const gt_reader *reader,
                         gt_status status, gt_error *error)
{
    *error = (gt_error) GT_ERROR_INIT;
    gt_reader_error(reader, error);
    if (error->status == GT_ERR_SYMBOLS && source->symbols)
        gt_web_symbols_explain(source->symbols, error);
    /*
     * Only gt_reader_next_event stores its error in the reader; other calls only return a status.
     */
    if (error->status == GT_OK && status < 0)
        gt_error_plain(error, status);
}
