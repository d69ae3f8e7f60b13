/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_WEB_H
#define GOTRACE_WEB_H

/**
 * @file
 * The viewer of `gotrace view` for other HTTP servers: every answer of its page and of its
 * interface, without a socket. The host hands in a request's method, path and query, and gets
 * status, headers and body through callbacks. So a program with an HTTP server of its own can
 * mount the viewer below any path. Of libgotrace-web, which needs libgotrace,
 * libgotrace-viewer and libgotrace-timeline.
 *
 * A gt_web loads the trace into memory, in a thread of its own or in steps that the host makes,
 * and answers from the beginning on with what has been loaded so far.
 *
 * Whoever can ask can read the trace: function names, file paths, and what the program logged.
 * The library checks neither who asks nor the request's Host header; see gotrace_web(3).
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/reader.h>
#include <gotrace/status.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A trace and all that the viewer says of it. Opaque.
 *
 * Thread-safety: gt_web_answer, gt_web_get_progress and gt_web_error may be called by several
 * threads at once; gt_web_close only when no other call on the object is running. With
 * GT_WEB_NO_THREADS one thread at a time may use the object. Different objects are independent.
 * @since 0.1.0
 */
typedef struct gt_web gt_web;

/** Bits of gt_web_options.flags. @since 0.1.0 */
enum {
    /**
     * Start no thread, ever. The trace is loaded by gt_web_step, and by answers that cannot be
     * given before; GT_READER_AHEAD is ignored.
     */
    GT_WEB_NO_THREADS = 1 << 0
};

/**
 * Told once when the loading has ended. `error->status` is GT_OK where the trace was read to
 * its end or the gt_web is being closed, else it says what ended the loading early; what was
 * loaded before stays. The
 * function may replace `error->message`, which the page and gt_web_error show. `repairs` is how
 * many faults of the trace were repaired. Called in the thread that loads, at the latest during
 * gt_web_close; it must not use the gt_web.
 * @since 0.1.0
 */
typedef void (*gt_web_loaded_fn)(void *user_data, gt_error *error, uint64_t repairs);

/** How to view a trace. The caller owns it; it is copied. @since 0.1.0 */
typedef struct gt_web_options {
    /** sizeof(gt_web_options), set by the caller. */
    size_t size;
    /** GT_WEB_ bits. Unknown bits are refused. */
    uint64_t flags;
    /**
     * GT_READER_ bits that the trace is read with. GT_READER_LENIENT is always added, so that of
     * a damaged trace all is shown that is good. GT_READER_KEEP is ignored.
     */
    uint64_t reader_flags;
    /** What the page calls the trace; copied. NULL: the path it was opened with, or "". */
    const char *name;
    /**
     * A directory that the page's files are read from at each request, for those who work on
     * them; copied. NULL: those that the library has inside.
     */
    const char *page_directory;
    /** Passed to the functions below as it is. */
    void *user_data;
    /**
     * Told of each repair while the trace is loaded, in the thread that loads; may be NULL. As
     * gt_reader_options.on_repair.
     */
    gt_repair_fn on_repair;
    /**
     * Finds symbols, as gt_reader_options.symbolize; may be NULL. It is called in the thread of
     * the first reading that needs them, never by two threads at once, and again only
     * after it has failed. The texts must stay until the gt_web is closed.
     */
    gt_symbolize_fn symbolize;
    /** Told of the end of the loading; may be NULL. */
    gt_web_loaded_fn on_loaded;
} gt_web_options;

/** Initialiser of gt_web_options: the defaults. @since 0.1.0 */
#define GT_WEB_OPTIONS_INIT                                                                        \
    { sizeof(gt_web_options), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL }

/**
 * Opens the trace from its start: sets `*reader`, or returns an error with its text in
 * `*error`, as the functions of reader.h that open. `options` are to be passed on to one of
 * them. Called for the loading and for each analysis, by several threads at once unless
 * GT_WEB_NO_THREADS is set. Each reader must give the same trace.
 * @since 0.1.0
 */
typedef gt_status (*gt_web_open_fn)(void *user_data, const gt_reader_options *options,
                                    gt_reader **reader, gt_error *error);

/**
 * @name Opening
 * Each reads the trace's header and begins to load the trace, unless GT_WEB_NO_THREADS is set.
 * Sets `*web`, or sets it to NULL and returns an error, with its text in `*error` where that is
 * not NULL. `options` may be NULL for the defaults. Close the object with gt_web_close.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL that must not be, or options or error has a
 *         wrong size or unknown bits.
 * @retval GT_ERR_NO_MEMORY there is no memory, or no thread.
 * @retval GT_ERR_IO the file cannot be opened, mapped or copied.
 * @retval GT_ERR_NOT_A_TRACE the input does not start like a Go trace.
 * @retval GT_ERR_VERSION the header names a version that is not read.
 * @{
 */

/**
 * The file at `path`. A regular file is mapped into memory. It must not be changed
 * before the gt_web is closed: answers that read it again then fail, and should another program
 * cut it short, the process gets SIGBUS. Any other file is read as gt_web_open_fd does.
 * @since 0.1.0
 */
GT_API gt_status gt_web_open_file(gt_web **web, const char *path, const gt_web_options *options,
                                  gt_error *error);

/**
 * All that can still be read from the file descriptor `fd`, a pipe say. It is copied to a
 * temporary file, as a trace is read more than once, before this returns; `fd` stays the
 * caller's.
 * @since 0.1.0
 */
GT_API gt_status gt_web_open_fd(gt_web **web, int fd, const gt_web_options *options,
                                gt_error *error);

/**
 * A trace in memory. `data` is used where it lies and must stay and not change until the gt_web
 * is closed; `data` may be NULL where `size` is 0.
 * @since 0.1.0
 */
GT_API gt_status gt_web_open_memory(gt_web **web, const void *data, size_t size,
                                    const gt_web_options *options, gt_error *error);

/**
 * A trace that a function of the caller's opens. `user_data` is passed to `open` as it is.
 * `total` is the trace's size in bytes, for telling the progress, or 0 where it is not known.
 * @since 0.1.0
 */
GT_API gt_status gt_web_open_callback(gt_web **web, gt_web_open_fn open, void *user_data,
                                      uint64_t total, const gt_web_options *options,
                                      gt_error *error);

/** @} */

/**
 * Ends the loading and all threads of `*web`, frees all that belongs to it, and sets it to NULL.
 * NULL and a pointer to NULL are fine.
 * @since 0.1.0
 */
GT_API void gt_web_close(gt_web **web);

/**
 * With GT_WEB_NO_THREADS: loads the trace for about `max_ns` nanoseconds, or, once it is loaded,
 * makes an analysis that an answer has said to be in progress. An analysis is made as a whole,
 * however long that takes.
 * @retval GT_OK there is more to do.
 * @retval GT_END there is nothing to do until the next answer.
 * @retval GT_ERR_INVALID_ARGUMENT `web` is NULL, or was opened without GT_WEB_NO_THREADS.
 * @since 0.1.0
 */
GT_API gt_status gt_web_step(gt_web *web, uint64_t max_ns);

/** How far the loading is. @since 0.1.0 */
typedef struct gt_web_progress {
    /** sizeof(gt_web_progress), set by the caller. */
    size_t size;
    /** Bytes of the trace that were read so far. */
    uint64_t bytes;
    /** The trace's size in bytes, or 0 where it is not known. */
    uint64_t total;
    /** Events that were loaded so far. */
    uint64_t events;
    /** Faults of the trace that were repaired so far. */
    uint64_t repairs;
    /** 1 once the loading has ended, else 0. */
    uint32_t done;
    /** What ended it early: a gt_status. GT_OK where nothing did; see gt_web_error. */
    int32_t status;
} gt_web_progress;

/** Initialiser of gt_web_progress. @since 0.1.0 */
#define GT_WEB_PROGRESS_INIT                                                                       \
    { sizeof(gt_web_progress), 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*progress`. May be called at any time.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or progress->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_web_get_progress(gt_web *web, gt_web_progress *progress);

/**
 * Fills `*error` with what ended the loading early; its `status` is GT_OK where nothing did, or
 * has yet.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or error->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_web_error(gt_web *web, gt_error *error);

/** What a client asks for. The caller owns it and its texts. @since 0.1.0 */
typedef struct gt_web_request {
    /** sizeof(gt_web_request), set by the caller. */
    size_t size;
    /** The method. "GET" and "HEAD" are answered, any other gets the status 405. */
    const char *method;
    /**
     * The path below the one that the viewer is mounted at, decoded, as PATH_INFO of CGI: it
     * begins with '/'. A request for the mount point without a '/' at its end is for the host
     * to redirect to the one with it, as addresses in the page are relative.
     */
    const char *path;
    /**
     * What follows the '?', as it was sent, as QUERY_STRING of CGI. NULL or "" where there is
     * none.
     */
    const char *query;
} gt_web_request;

/** Initialiser of gt_web_request: the page. @since 0.1.0 */
#define GT_WEB_REQUEST_INIT                                                                        \
    { sizeof(gt_web_request), "GET", "/", NULL }

/** A header of an answer. Its layout is fixed for ever. @since 0.1.0 */
typedef struct gt_web_header {
    /** The name, such as "Content-Type". */
    const char *name;
    /** The value, without control characters. */
    const char *value;
} gt_web_header;

/** The length of a body that is not known when it begins. @since 0.1.0 */
#define GT_WEB_LENGTH_UNKNOWN UINT64_MAX

/**
 * Where an answer goes. The caller owns it. The functions are called during gt_web_answer, in
 * its thread. A function that returns other than 0 says that the client is gone: the answer ends
 * soon.
 * @since 0.1.0
 */
typedef struct gt_web_client {
    /** sizeof(gt_web_client), set by the caller. */
    size_t size;
    /** Passed to each function as it is. */
    void *user_data;
    /**
     * Called once, first: the status, and `count` headers, which are good for the call only:
     * Content-Type, Cache-Control, Content-Security-Policy and others that the page needs.
     * Content-Length and how the body is framed are the host's; `length` is how many bytes the
     * body has, or would have with HEAD, or GT_WEB_LENGTH_UNKNOWN.
     */
    int (*begin)(void *user_data, uint32_t status, const gt_web_header *headers, size_t count,
                 uint64_t length);
    /** The next `size` bytes of the body, at least one. They are good for the call only. */
    int (*write)(void *user_data, const void *data, size_t size);
    /**
     * Asked from time to time during long work whether the client is gone, which is what
     * other than 0 says; may be NULL.
     */
    int (*is_gone)(void *user_data);
} gt_web_client;

/** Initialiser of gt_web_client; `begin` and `write` must be set. @since 0.1.0 */
#define GT_WEB_CLIENT_INIT                                                                         \
    { sizeof(gt_web_client), NULL, NULL, NULL, NULL }

/**
 * Answers one request, from path and query to the last byte. Errors of a request are answers as
 * well: an unknown path is answered with 404, another method with 405, a wrong parameter
 * with 400. Analyses take a pass over the whole trace: until one is made the answer is 202 with
 * its progress, and the page asks again. Profiles that are downloaded are waited for instead.
 * @retval GT_OK the answer was given, whatever its status.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL that must not be, a structure has a wrong
 *         size, or the path does not begin with '/'. Nothing was called.
 * @retval GT_ERR_CALLBACK a function of `client` said that the client is gone.
 * @retval GT_ERR_NOT_AVAILABLE the answer broke off after it had begun, as memory ran out or the
 *         trace cannot be read any more. The host should end the connection, so that the client
 *         does not take what it has for the whole.
 * @since 0.1.0
 */
GT_API gt_status gt_web_answer(gt_web *web, const gt_web_request *request,
                               const gt_web_client *client);

#ifdef __cplusplus
}
#endif

#endif
