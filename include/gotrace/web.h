/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_WEB_H
#define GOTRACE_WEB_H

/**
 * @file
 * The viewer as a library, for embedding into other HTTP servers. It produces every answer of
 * the page and the interface of `gotrace view`, but uses no sockets: the host passes in the
 * method, path and query of a request, and receives the status, headers and body through
 * callbacks. A program with its own HTTP server can therefore mount the viewer below any path.
 * Part of libgotrace-web, which needs libgotrace, libgotrace-viewer and libgotrace-timeline.
 *
 * A gt_web loads the trace into memory, either in its own thread or in steps that the host
 * makes. It answers from the beginning on, with what has been loaded so far.
 *
 * Whoever can make requests can read the trace: function names, file paths, and what the
 * program logged. The library checks neither the identity of the client nor the Host header of
 * the request; both are up to the host.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/reader.h>
#include <gotrace/status.h>
#include <gotrace/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A trace and everything that the viewer shows of it. Opaque.
 *
 * Thread-safety: gt_web_answer, gt_web_get_progress and gt_web_error may be called by several
 * threads at the same time; gt_web_close may be called only while no other call on the object
 * is running. With GT_WEB_NO_THREADS the object may be used by one thread at a time. Different
 * objects are independent.
 * @since 0.1.0
 */
typedef struct gt_web gt_web;

/**
 * A bit of gt_web_options.flags. Never start a thread. The trace is loaded by gt_web_step, and by
 * answers that cannot be given before; GT_READER_AHEAD is ignored. A library that was built without
 * threads requires this flag.
 * @since 0.1.0
 */
#define GT_WEB_NO_THREADS (UINT64_C(1) << 0)

/**
 * A bit of gt_web_options.flags. gt_web_open_fd makes no copy: the descriptor is that of a regular
 * file, which is mapped into memory as a whole, wherever it is positioned. As with
 * gt_web_open_file, the file must not be changed before the gt_web is closed.
 * @since 0.1.0
 */
#define GT_WEB_MAP_FD (UINT64_C(1) << 1)

/**
 * Called once when loading has ended. `error->status` is GT_OK if the trace was read to its end
 * or the gt_web is being closed; otherwise it is the error that ended loading early, and what
 * was loaded before remains available. The function may replace `error->message`, which the
 * page and gt_web_error show. `repairs` is the number of faults of the trace that were
 * repaired. The function is called in the loading thread, at the latest during gt_web_close,
 * and must not use the gt_web.
 * @since 0.1.0
 */
typedef void (*gt_web_loaded_fn)(void *user_data, gt_error *error, uint64_t repairs);

/**
 * Returns how much memory the host's process takes at present, in bytes, or 0 if that is not
 * known. Called in the threads that answer requests, so by several at the same time unless
 * GT_WEB_NO_THREADS is set; must not use the gt_web.
 * @since 0.1.0
 */
typedef uint64_t (*gt_web_memory_fn)(void *user_data);

/** The most bytes that the notes of a trace may have. @since 0.1.0 */
#define GT_WEB_NOTES_MAX ((size_t) 1 << 20)

/**
 * Reads the notes that the host keeps for the trace, which a gt_web_store_notes_fn has stored:
 * copies them to the `capacity` bytes at `buffer`, and sets `*size` to their size. `*size` is 0 at
 * first, and stays so if nothing is kept yet. On failure, also if there is more than `capacity`
 * bytes, the function returns an error and writes the reason, which the page shows, to
 * `error->message`. Called in the threads that answer requests, never by two at the same time; must
 * not use the gt_web.
 * @since 0.1.0
 */
typedef gt_status (*gt_web_load_notes_fn)(void *user_data, void *buffer, size_t capacity,
                                          size_t *size, gt_error *error);

/**
 * Replaces the notes that the host keeps for the trace by the `size` bytes at `data`, which are
 * JSON in UTF-8 and valid only during the call. If that fails, the former notes should remain; the
 * function returns an error and writes the reason, which the page shows, to `error->message`.
 * Called as gt_web_load_notes_fn, and never at the same time as that.
 * @since 0.1.0
 */
typedef gt_status (*gt_web_store_notes_fn)(void *user_data, const void *data, size_t size,
                                           gt_error *error);

/**
 * Ends the recording of a trace that grows while it is viewed, because the user wants that. What
 * was recorded is then read to its end. Called in a thread that answers a request, perhaps by
 * several at the same time and more than once; must not use the gt_web.
 * @since 0.1.0
 */
typedef void (*gt_web_stop_fn)(void *user_data);

/** Options for viewing a trace. The structure belongs to the caller and is copied. @since 0.1.0 */
typedef struct gt_web_options {
    /** sizeof(gt_web_options), set by the caller. */
    size_t size;
    /** GT_WEB_ bits. Unknown bits are refused. */
    uint64_t flags;
    /**
     * GT_READER_ bits with which the trace is read. GT_READER_LENIENT is always added, so that
     * everything good in a damaged trace is shown. GT_READER_KEEP is ignored.
     */
    uint64_t reader_flags;
    /**
     * The name of the trace on the page; copied. NULL means the path with which it was opened,
     * or "".
     */
    const char *name;
    /**
     * A directory from which the page's files are read at each request, for working on the
     * page; copied. NULL means the files that are built into the library.
     */
    const char *page_directory;
    /** Passed unchanged to the functions below. */
    void *user_data;
    /**
     * Called for each repair while the trace is loaded, in the loading thread; may be NULL.
     * Works as gt_reader_options.on_repair.
     */
    gt_repair_fn on_repair;
    /**
     * Finds symbols, as gt_reader_options.symbolize; may be NULL. It is called in the thread of
     * the first reading that needs symbols, never by two threads at the same time, and again
     * only after it has failed. The strings must remain valid until the gt_web is closed.
     */
    gt_symbolize_fn symbolize;
    /** Called when loading has ended; may be NULL. */
    gt_web_loaded_fn on_loaded;
    /**
     * The allocator, or NULL for malloc. It provides all memory of the gt_web, including that of
     * its readers. Its functions are called in the threads that answer requests and in the
     * threads that load and analyse the trace, so several threads may call them at the same time,
     * unless GT_WEB_NO_THREADS is set. They must not use the gt_web.
     */
    const gt_allocator *allocator;
    /**
     * Which sites may show the page in a frame, as the value of frame-ancestors in the
     * Content-Security-Policy: sources with blanks in between, such as "'self'
     * https://tools.example.com"; copied. NULL means "'none'". Up to 1000 characters of printable
     * ASCII without ',' and ';'; anything else is refused.
     */
    const char *frame_ancestors;
    /** Measures the memory of the process, which the page shows; NULL means that it does not. */
    gt_web_memory_fn process_memory;
    /**
     * Where the page finds source files: a URL in which "{file}" stands for the path of a file,
     * "{path}" for the path without slashes at its begin, and "{line}" for the line, such as
     * "vscode://file/{file}:{line}"; copied. NULL means that frames are no links. The scheme must
     * be http, https or that of an editor: cursor, goland, idea, jetbrains, subl, txmt, vscode,
     * vscode-insiders, vscodium, windsurf or zed. Up to 1000 characters of printable ASCII without
     * blanks; anything else is refused.
     */
    const char *source_url;
    /**
     * Where the page finds the other traces of the host, and opens more: an address on this site,
     * relative to that of the page, such as "../traces", which the host itself answers as
     * docs/viewer-api.md describes; copied. NULL means that the page shows only this trace. Up to
     * 1000 characters of printable ASCII without blanks and ':', and not with "//" at the begin;
     * anything else is refused.
     */
    const char *traces_url;
    /** What the page calls the place where the host keeps notes, such as a file's name; copied. */
    const char *notes_name;
    /** Reads the user's notes on the trace. NULL means that the host keeps no notes. */
    gt_web_load_notes_fn load_notes;
    /** Stores them; NULL means that they cannot be changed. Not used without load_notes. */
    gt_web_store_notes_fn store_notes;
    /** Ends the recording of a trace that grows; NULL means that the page cannot do that. */
    gt_web_stop_fn stop_recording;
    /**
     * The address of a page that holds the user interface of Perfetto, in which the page opens
     * timelines: it passes them to that page alone, within the browser. The scheme is http or
     * https; copied. NULL means that the page cannot do that. Up to 1000 characters of printable
     * ASCII without blanks; anything else is refused.
     */
    const char *perfetto_url;
    /**
     * If this gt_web shows the newest part of a recording and takes the place of another one that
     * showed an older part: a number that differs from those of all before. The page learns it, and
     * adds it as the parameter `epoch` to its requests. A request with another number is answered
     * with 410, because the ids in it are those of another gt_web. 0 means that there is no other.
     */
    uint64_t epoch;
    /**
     * How many nanoseconds the begin of this trace is after the begin of the recording, whose first
     * part was let go. The page tells the user, and keeps what it shows when the number grows.
     */
    int64_t dropped;
    /**
     * Where the page finds a comparison of the traces of `traces_url`: an address as that one,
     * which the host itself answers as docs/viewer-api.md describes; copied. NULL means that there
     * is none. The page shows two timelines in frames, so frame_ancestors must include "'self'".
     */
    const char *comparison_url;
} gt_web_options;

/** Initialiser of gt_web_options: the defaults. @since 0.1.0 */
#define GT_WEB_OPTIONS_INIT                                                                        \
    { sizeof(gt_web_options), 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,    \
      NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL }

/**
 * Opens the trace from its start: sets `*reader`, or returns an error with the details in
 * `*error`, as the open functions of reader.h do. `options`, which include the gt_web's allocator,
 * must be passed on to one of these.
 * The function is called for loading and for each analysis, by several threads at the same time
 * unless GT_WEB_NO_THREADS is set. Each reader must deliver the same trace.
 *
 * The trace may grow while it is viewed: a reader returns GT_AGAIN when it has delivered what there
 * is so far. Loading then asks it again from time to time until it returns something else, and the
 * page shows the newest part; an analysis is made of what there is, and made again when it is
 * requested later. With GT_WEB_NO_THREADS gt_web_step returns GT_OK meanwhile, and the host should
 * wait a little before it calls it again.
 * @since 0.1.0
 */
typedef gt_status (*gt_web_open_fn)(void *user_data, const gt_reader_options *options,
                                    gt_reader **reader, gt_error *error);

/**
 * @name Opening
 * Each of these functions reads the header of the trace, sets `*web` to a new object and,
 * unless GT_WEB_NO_THREADS is set, starts loading the trace. On failure it sets `*web` to NULL,
 * returns an error, and stores the details in `*error` unless `error` is NULL. `options` may be
 * NULL for the defaults. Close the object with gt_web_close.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a required pointer is NULL, options, allocator or error has a
 *         wrong size or unknown bits, or frame_ancestors, source_url, traces_url, perfetto_url
 *         or comparison_url is not as described; or GT_WEB_NO_THREADS is not set, and the library
 *         was built without threads.
 * @retval GT_ERR_NO_MEMORY there is not enough memory, or a thread cannot be created.
 * @retval GT_ERR_IO the file cannot be opened, mapped or copied.
 * @retval GT_ERR_NOT_A_TRACE the input does not start like a Go trace.
 * @retval GT_ERR_VERSION the header names a version that is not supported.
 * @{
 */

/**
 * Opens the file at `path`. A regular file is mapped into memory. It must not be changed before
 * the gt_web is closed: answers that read it again would fail, and if another program truncates
 * it, the process receives SIGBUS. Any other file is read as gt_web_open_fd does.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_web_open_file(gt_web **web, const char *path,
                                               const gt_web_options *options, gt_error *error)
    GT_NONNULL((1, 2));

/**
 * Opens everything that can still be read from the file descriptor `fd`, for example a pipe. It
 * is copied to a temporary file before the function returns, because a trace is read more than
 * once, unless GT_WEB_MAP_FD is set. `fd` remains the caller's, who may close it.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_web_open_fd(gt_web **web, int fd, const gt_web_options *options,
                                             gt_error *error) GT_NONNULL((1));

/**
 * Opens a trace in memory. `data` is not copied: it must remain valid and unchanged until the
 * gt_web is closed. `data` may be NULL if `size` is 0.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_web_open_memory(gt_web **web, const void *data, size_t size,
                                                 const gt_web_options *options, gt_error *error)
    GT_NONNULL((1));

/**
 * Opens a trace by means of the caller's function `open`; `user_data` is passed unchanged to
 * it. `total` is the size of the trace in bytes, for reporting the progress, or 0 if it is not
 * known.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_web_open_callback(gt_web **web, gt_web_open_fn open,
                                                   void *user_data, uint64_t total,
                                                   const gt_web_options *options, gt_error *error)
    GT_NONNULL((1, 2));

/** @} */

/**
 * Stops loading and all threads of `*web`, frees everything that belongs to it, and sets it to
 * NULL. Does nothing if `web` or `*web` is NULL.
 * @since 0.1.0
 */
GT_API void gt_web_close(gt_web **web);

/**
 * With GT_WEB_NO_THREADS: loads the trace for about `max_ns` nanoseconds or, once it is loaded,
 * makes an analysis that an answer has reported to be in progress. An analysis is always
 * completed, however long that takes.
 * @retval GT_OK there is more to do.
 * @retval GT_END there is nothing to do until the next answer.
 * @retval GT_ERR_INVALID_ARGUMENT `web` is NULL, or was opened without GT_WEB_NO_THREADS.
 * @since 0.1.0
 */
GT_API gt_status gt_web_step(gt_web *web, uint64_t max_ns);

/** The progress of loading. @since 0.1.0 */
typedef struct gt_web_progress {
    /** sizeof(gt_web_progress), set by the caller. */
    size_t size;
    /** The number of bytes of the trace that were read so far. */
    uint64_t bytes;
    /** The size of the trace in bytes, or 0 if it is not known. */
    uint64_t total;
    /** The number of events that were loaded so far. */
    uint64_t events;
    /** The number of faults of the trace that were repaired so far. */
    uint64_t repairs;
    /** 1 if loading has ended, else 0. */
    uint32_t done;
    /**
     * The error that ended loading early: a gt_status. GT_OK if there was none; see
     * gt_web_error.
     */
    int32_t status;
    /** 1 if all that had come of a trace that grows was loaded at some time, else 0. */
    uint32_t live;
    /** 0. */
    uint32_t reserved;
} gt_web_progress;

/** Initialiser of gt_web_progress. @since 0.1.0 */
#define GT_WEB_PROGRESS_INIT                                                                       \
    { sizeof(gt_web_progress), 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * Fills `*progress`. May be called at any time.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or progress->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_web_get_progress(gt_web *web, gt_web_progress *progress);

/**
 * Fills `*error` with the error that ended loading early. Its `status` is GT_OK if there has
 * been no error.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or error->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_web_error(gt_web *web, gt_error *error);

/**
 * A bit of gt_web_request.flags. This client may change the notes that the host keeps. The host has
 * made sure that the request is the user's own: that a page of another site has not caused it.
 * @since 0.1.0
 */
#define GT_WEB_MAY_CHANGE (UINT64_C(1) << 0)

/** A request of a client. The structure and its strings belong to the caller. @since 0.1.0 */
typedef struct gt_web_request {
    /** sizeof(gt_web_request), set by the caller. */
    size_t size;
    /**
     * The method. "GET" and "HEAD" are answered, and "POST" for notes; any other method gets the
     * status 405.
     */
    const char *method;
    /**
     * The decoded path below the one at which the viewer is mounted, like PATH_INFO of CGI: it
     * begins with '/'. The host should redirect a request for the mount point without a final
     * '/' to the same address with it, because addresses in the page are relative.
     */
    const char *path;
    /**
     * The text after the '?', as it was sent, like QUERY_STRING of CGI. NULL or "" if there is
     * none.
     */
    const char *query;
    /** The body of a POST, or NULL. Of more than GT_WEB_NOTES_MAX bytes nothing is read. */
    const void *body;
    /** The number of its bytes. */
    size_t body_size;
    /** GT_WEB_MAY_ bits. Unknown bits are refused. */
    uint64_t flags;
} gt_web_request;

/** Initialiser of gt_web_request: a request for the page. @since 0.1.0 */
#define GT_WEB_REQUEST_INIT                                                                        \
    { sizeof(gt_web_request), "GET", "/", NULL, NULL, 0, 0 }

/** A header of an answer. Its layout will never change. @since 0.1.0 */
typedef struct gt_web_header {
    /** The name, such as "Content-Type". */
    const char *name;
    /** The value, without control characters. */
    const char *value;
} gt_web_header;

/** The length of a body whose length is not known when it begins. @since 0.1.0 */
#define GT_WEB_LENGTH_UNKNOWN UINT64_MAX

/**
 * The receiver of an answer. The structure belongs to the caller. Its functions are called
 * during gt_web_answer, in the same thread. A function that returns a value other than 0
 * reports that the client has disconnected; the answer then ends soon.
 * @since 0.1.0
 */
typedef struct gt_web_client {
    /** sizeof(gt_web_client), set by the caller. */
    size_t size;
    /** Passed unchanged to each function. */
    void *user_data;
    /**
     * Called once, before the other functions, with the status and `count` headers, which are
     * valid only during the call: Content-Type, Cache-Control, Content-Security-Policy and
     * others that the page needs. The host adds Content-Length and frames the body; `length` is
     * the number of bytes that the body has, or would have with HEAD, or GT_WEB_LENGTH_UNKNOWN.
     */
    int (*begin)(void *user_data, uint32_t status, const gt_web_header *headers, size_t count,
                 uint64_t length);
    /**
     * Receives the next `size` bytes of the body, at least one. They are valid only during the
     * call.
     */
    int (*write)(void *user_data, const void *data, size_t size);
    /**
     * Called from time to time during long work; returns a value other than 0 if the client has
     * disconnected. May be NULL.
     */
    int (*is_gone)(void *user_data);
} gt_web_client;

/** Initialiser of gt_web_client; `begin` and `write` must be set. @since 0.1.0 */
#define GT_WEB_CLIENT_INIT                                                                         \
    { sizeof(gt_web_client), NULL, NULL, NULL, NULL }

/**
 * Answers one request, from path and query to the last byte. Errors of a request are answers as
 * well: an unknown path is answered with 404, another method with 405, and a wrong parameter
 * with 400. An analysis takes a pass over the whole trace: until it is complete the answer is
 * 202 with its progress, and the page asks again. Downloads of profiles, in contrast, wait for
 * the analysis.
 * @retval GT_OK the answer was given, whatever its status.
 * @retval GT_ERR_INVALID_ARGUMENT a required pointer is NULL, a structure has a wrong size or
 *         unknown bits, or the path does not begin with '/'. No callback was called.
 * @retval GT_ERR_CALLBACK a function of `client` reported that the client has disconnected.
 * @retval GT_ERR_NOT_AVAILABLE the answer broke off after it had begun, because memory ran out
 *         or the trace cannot be read any more. The host should close the connection, so that
 *         the client does not take the partial answer for a complete one.
 * @since 0.1.0
 */
GT_API gt_status gt_web_answer(gt_web *web, const gt_web_request *request,
                               const gt_web_client *client);

#ifdef __cplusplus
}
#endif

#endif
