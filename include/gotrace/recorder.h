/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GOTRACE_RECORDER_H
#define GOTRACE_RECORDER_H

/**
 * @file
 * Recording: a program in C or C++ with a scheduler of its own, such as one for fibers, coroutines
 * or tasks, tells what its scheduler does, and gets a Go execution trace, which `gotrace view`,
 * `go tool trace` and any other reader of such traces show. Part of libgotrace-recorder, which
 * needs no other library.
 *
 * The words are those of Go. A **goroutine** (G) is what the scheduler runs: a fiber or task. A
 * **proc** (P) is the right to run goroutines; there are as many as may run at once. A **thread**
 * (M) is one of the system, which attaches itself, starts a proc, and then starts and stops
 * goroutines. A goroutine in a system call keeps the thread; another thread may steal its proc
 * meanwhile.
 *
 * This records a goroutine that runs for some time on one thread:
 *
 * @code
 * gt_recorder_open(&recorder, NULL, NULL);
 * gt_recorder_text(recorder, "parse", 5, &name);
 * gt_recorder_start_fd(recorder, fd, NULL);
 * gt_rec_thread_attach(recorder, &thread);
 * gt_rec_proc_create(recorder, 0, &proc);
 * gt_rec_proc_start(thread, proc);
 * gt_rec_go_create(thread, name, 0, &go);
 * gt_rec_go_start(thread, go);
 * parse(input);
 * gt_rec_go_end(thread);
 * gt_rec_go_release(&go);
 * gt_rec_proc_stop(thread);
 * gt_rec_thread_detach(&thread);
 * gt_recorder_stop(recorder, NULL);
 * gt_recorder_close(&recorder);
 * @endcode
 *
 * **Threads without a scheduler.** A program whose threads do the work themselves, such as a thread
 * pool, opens the recorder with GT_RECORDER_IMPLICIT. Then each thread that is attached has a
 * goroutine of its own, which runs, and a proc of its own:
 *
 * @code
 * options.flags = GT_RECORDER_IMPLICIT;
 * gt_recorder_open(&recorder, &options, NULL);
 * gt_rec_thread_attach_as(recorder, name, &thread);
 * gt_rec_go_block(thread, GT_REC_SYNC);
 * sem_wait(&semaphore);
 * gt_rec_go_resume(thread);
 * gt_rec_thread_detach(&thread);
 * @endcode
 *
 * Whoever wakes a thread may tell that by gt_rec_go_unblock with gt_rec_thread_go of the thread.
 *
 * **No call makes a trace that readers refuse.** Each call first checks the state, and returns
 * GT_ERR_STATE or GT_STALE for what cannot happen in it; then nothing was recorded and no state has
 * changed. States are kept up to date while nothing is recorded, so recording can start and stop at
 * any time, and calls return the same. What the program must do: changes of one goroutine or proc
 * are ordered by the program's own synchronisation, and gt_rec_go_block comes before another thread
 * can find out that the goroutine waits. If two threads start one goroutine at once while nothing
 * is recorded, which is a mistake, both may get GT_OK. When recording starts, one of them keeps it;
 * the other has none any more, so that its next call about the goroutine returns GT_ERR_STATE, and
 * a proc with which it is in a system call becomes idle.
 *
 * **Threads.** A gt_rec_thread is used by its own thread only. All other functions may be called by
 * any number of threads at once, but not by signal handlers, except gt_recorder_window_request.
 * gt_rec_ functions do not wait for each other, except for short
 * moments in which memory is allocated, or in gt_rec_gc_begin and gt_rec_gc_end, and when memory of
 * handles that were released or detached is freed: then they wait until no other thread is in a
 * call. What ends a generation waits likewise: gt_recorder_advance, gt_recorder_stop, and the
 * functions that start, write and stop a window. A thread that is attached must not be ending while
 * the recorder is closed.
 *
 * **Processes.** A child that a program makes by fork is not recorded, and does not touch the trace
 * of its parent: there gt_rec_thread_detach does nothing, functions that start, stop, write or end
 * a generation return GT_ERR_STATE, and gt_recorder_close closes the descriptors of the recorder,
 * but frees nothing, as other threads may have held its locks. No other function may be called
 * there. A child can open a recorder of its own. If the program executes another one, or is killed,
 * the trace has the generations that were written until then, and maybe a part of one more, which
 * readers can leave out; call gt_recorder_advance before exec to have all that is recorded.
 *
 * **Loss.** A trace has whole generations only. If there is no memory for events within the limit,
 * because it is too small or writing is too slow (unless GT_RECORDER_WAIT is set), or if writing
 * fails, recording ends after the last generation that was written whole; the program is not
 * disturbed, and gt_recorder_stop returns the error. A failed write can leave part of a generation
 * at the end of the output. A window goes on in both cases; without memory it begins anew.
 *
 * In the functions below GT_ERR_INVALID_ARGUMENT is returned for a pointer that is NULL, a handle
 * of another recorder, a text that is not registered, or an unknown flag.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/status.h>
#include <gotrace/version.h>
#include <gotrace/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Records one program. Opaque. It owns all its threads, procs, goroutines and texts. Several
 * recorders in one program are independent.
 * @since 0.1.0
 */
typedef struct gt_recorder gt_recorder;

/** A thread that is attached to a recorder. Opaque. @since 0.1.0 */
typedef struct gt_rec_thread gt_rec_thread;

/** A proc. Opaque. @since 0.1.0 */
typedef struct gt_rec_proc gt_rec_proc;

/** A goroutine. Opaque. @since 0.1.0 */
typedef struct gt_rec_go gt_rec_go;

/** The number of a text that was registered, or 0 for the empty text. @since 0.1.0 */
typedef uint32_t gt_rec_text;

/**
 * Texts that are always registered: the reasons that Go has for waiting and stopping, by which
 * tools sort waits into kinds.
 * @since 0.1.0
 */
enum {
    /** "unspecified". */
    GT_REC_UNSPECIFIED = 1,
    /** "forever": nothing will wake it. */
    GT_REC_FOREVER = 2,
    /** "network". */
    GT_REC_NETWORK = 3,
    /** "select": it waits for several things. */
    GT_REC_SELECT = 4,
    /** "sync.(*Cond).Wait": it waits for a condition variable. */
    GT_REC_COND = 5,
    /** "sync": it waits for a mutex, a semaphore, or another goroutine's end. */
    GT_REC_SYNC = 6,
    /** "chan send": it waits until a channel or queue has room. */
    GT_REC_CHAN_SEND = 7,
    /** "chan receive": it waits until a channel or queue has an element. */
    GT_REC_CHAN_RECEIVE = 8,
    /** "preempted": of gt_rec_go_stop. */
    GT_REC_PREEMPTED = 12,
    /** "sleep". */
    GT_REC_SLEEP = 15,
    /** "runtime.Gosched": it yields, of gt_rec_go_stop. */
    GT_REC_YIELD = 18
};

/**
 * A bit of gt_recorder_options.flags. The library starts no thread; generations end when the
 * program calls gt_recorder_advance, which it should do about every second.
 * @since 0.1.0
 */
#define GT_RECORDER_NO_THREAD (UINT64_C(1) << 0)

/**
 * A bit of gt_recorder_options.flags. Each thread that is attached has a goroutine and a proc of
 * its own: see gt_rec_thread_attach. More goroutines can be created, and run on any thread. The
 * trace tells that as many procs may run at once as there are processors on which the thread that
 * opens the recorder may run, unless gt_rec_procs tells another number. gt_rec_proc_create,
 * gt_rec_proc_start and gt_rec_proc_steal return GT_ERR_STATE.
 * @since 0.1.0
 */
#define GT_RECORDER_IMPLICIT (UINT64_C(1) << 1)

/**
 * A bit of gt_recorder_options.flags, with GT_RECORDER_IMPLICIT. The proc of a thread runs as long
 * as the thread is attached. Without this it is stopped while the thread is in a system call, or
 * while the goroutine of its own waits and no other one runs there. A trace with it is smaller.
 * @since 0.1.0
 */
#define GT_RECORDER_KEEP_PROCS (UINT64_C(1) << 2)

/**
 * A bit of gt_recorder_options.flags. On x86-64 times come from the counter of the processor (TSC)
 * even if the kernel uses another clock, as it does on many virtual machines; the program knows
 * that the counter is steady, and the same on all processors. Without this bit the counter is used
 * where Linux uses it itself, and CLOCK_MONOTONIC, which takes longer, elsewhere. Has no effect on
 * other processors.
 * @since 0.1.0
 */
#define GT_RECORDER_TSC (UINT64_C(1) << 6)

/**
 * A bit of gt_recorder_options.flags. Each thread has 17 KiB more, in which gt_rec_sample stores
 * samples until the generation ends.
 * @since 0.1.0
 */
#define GT_RECORDER_SAMPLES (UINT64_C(1) << 7)

/**
 * A bit of gt_recorder_options.flags. Stacks are found by the tables that compilers write for
 * exceptions (.eh_frame), so that the program and its libraries need no frame pointers. The tables
 * are read when recording starts, and those of libraries that are loaded later at the end of a
 * generation; they take up to an eighth of the memory limit. Where there is none, as for code that
 * was made at run time, frame pointers are followed. Only on x86-64 with Linux: elsewhere stacks
 * are found by frame pointers as without it.
 * @since 0.1.0
 */
#define GT_RECORDER_UNWIND (UINT64_C(1) << 4)

/**
 * A bit of gt_recorder_options.flags. No event is lost because it comes before older ones are
 * written: when three quarters of the memory for events are taken, functions that record end the
 * generation, and wait until it is written, before they do what they are called for. So the program
 * becomes as slow as its output. `write` of gt_recorder_start is called within any gt_rec_ function
 * then, while the program has the locks that it has there: it must not wait for such a lock, or
 * record with the handle of its thread; gt_rec_thread_self returns NULL there. With
 * gt_recorder_start_fd the output must not be read by a thread that records. A trace still ends
 * early if the host has no memory, or if a quarter of memory_limit does not suffice for what all
 * threads record at once, at 64 KiB each.
 * @since 0.1.0
 */
#define GT_RECORDER_WAIT (UINT64_C(1) << 3)

/** The largest gt_recorder_options.stack_depth. @since 0.1.0 */
#define GT_REC_STACK_DEPTH_MAX UINT64_C(127)

/**
 * Stores the return addresses on the calling thread's stack, innermost first, in `pcs`, at most
 * `room`, and returns how many there are. It is called within functions of the recorder by the
 * threads that record, and must not call such functions. Addresses before that in the caller of the
 * recorder are left out, if that is among them.
 * @since 0.1.0
 */
typedef size_t (*gt_rec_unwind_fn)(void *user_data, uint64_t *pcs, size_t room);

/** What an address in the program is. @since 0.1.0 */
typedef struct gt_rec_name {
    /** sizeof(gt_rec_name), set by the library. */
    size_t size;
    /** The name of the function, or NULL. Valid until the next call. */
    const char *function;
    /** The path of the source file, or NULL. Valid until the next call. */
    const char *file;
    /** The line in the file, or 0. */
    uint64_t line;
} gt_rec_name;

/** Initialiser of gt_rec_name. @since 0.1.0 */
#define GT_REC_NAME_INIT                                                                           \
    {                                                                                              \
        sizeof(gt_rec_name), NULL, NULL, 0                                                         \
    }

/**
 * Says what the address `pc`, in an instruction that calls a function, is, as far as it is known.
 * It is called while a generation is written, mostly by the library's thread, once for each
 * address, or again if there was no memory to keep the name, and must not call functions of the
 * recorder. It sets the members of `*name` that it knows of, one by one: an older library has no
 * room for the members of a newer header.
 * @since 0.1.0
 */
typedef void (*gt_rec_name_fn)(void *user_data, uint64_t pc, gt_rec_name *name);

/**
 * Returns the time, in ticks of which gt_recorder_options.clock_hz are a second. Times never fall,
 * whichever thread asks. It is called within functions of the recorder by the threads that record,
 * and in signal handlers, so it must be async-signal-safe, and must not call functions of the
 * recorder.
 * @since 0.1.0
 */
typedef uint64_t (*gt_rec_clock_fn)(void *user_data);

/** The range of gt_recorder_options.clock_hz. @since 0.1.0 */
#define GT_REC_CLOCK_HZ_MIN UINT64_C(1000)
/** @copydoc GT_REC_CLOCK_HZ_MIN @since 0.1.0 */
#define GT_REC_CLOCK_HZ_MAX UINT64_C(10000000000)

/** The largest gt_recorder_options.sample_hz. @since 0.1.0 */
#define GT_REC_SAMPLE_HZ_MAX UINT64_C(1000)

/**
 * Options of a recorder. The structure belongs to the caller and is copied.
 * @since 0.1.0
 */
typedef struct gt_recorder_options {
    /** sizeof(gt_recorder_options), set by the caller. */
    size_t size;
    /** GT_RECORDER_ bits. */
    uint64_t flags;
    /**
     * The most bytes to hold at any time, or 0 for 64 MiB, of which events and the window leave an
     * eighth to what is created: threads, procs, goroutines, regions and texts.
     */
    uint64_t memory_limit;
    /**
     * After how many nanoseconds a generation ends: from 1 ms to an hour, or 0 for a second. Events
     * are held in memory until their generation ends.
     */
    uint64_t period;
    /**
     * The allocator, or NULL for malloc. Its context must live as long as the recorder. It is
     * called by any thread that calls a function of the recorder, and by the library's own thread,
     * but never by two at once. It must not call functions of the recorder.
     */
    const gt_allocator *allocator;
    /**
     * The most frames of the stacks that events have, up to GT_REC_STACK_DEPTH_MAX, or 0 for no
     * stacks. One more frame, the outermost, is the name of the goroutine, if it has one. Frames
     * are found by frame pointers, so the program must be compiled with -fno-omit-frame-pointer
     * unless GT_RECORDER_UNWIND is set, and only within the bounds of the thread's stack, or of
     * those that gt_rec_go_stack gives, so that code without frame pointers can end a stack early,
     * but not crash. Elsewhere than on x86-64 and AArch64 with Linux only `unwind` finds more than
     * the caller.
     */
    uint64_t stack_depth;
    /** Finds stacks instead, or NULL. */
    gt_rec_unwind_fn unwind;
    /**
     * Names functions, or NULL. Those that it does not name have the names of the symbols in the
     * files of the program and its libraries, as they are there: those of C++ are not demangled.
     * Functions without a symbol are named by the file and the offset in it, or by their addresses.
     * Where there is no name of a source file, a frame has that of the program or library. The
     * names become registered texts, of which they may take 32767; after that new ones are "??".
     */
    gt_rec_name_fn name;
    /** Passed unchanged to these functions, and to `clock`. */
    void *user_data;
    /** How many ticks of `clock` a second has, from GT_REC_CLOCK_HZ_MIN; 0 without `clock`. */
    uint64_t clock_hz;
    /**
     * The clock, or NULL for that of the processor or the system: see GT_RECORDER_TSC. A trace has
     * times in units of 64 ns.
     */
    gt_rec_clock_fn clock;
    /**
     * The N of the header "go 1.N trace" to write: 26, which the tools of Go 1.26 and later read;
     * 23, which those of Go 1.23 and later read, and which has no times of the wall clock; or 0
     * for 26.
     */
    uint64_t version;
    /**
     * How many CPU samples to take in a second of the processor time of each thread, up to
     * GT_REC_SAMPLE_HZ_MAX, or 0 for none. Tools that show profiles count a sample as 10 ms, which
     * is right for 100. Needs Linux, and has no effect elsewhere. See gt_rec_sample for what a
     * sample is.
     *
     * Each thread that is attached has a timer then, which runs while something is recorded, and
     * sends SIGPROF to the thread. A thread for which the system has no timer has no samples. More
     * samples than the kernel has ticks, 100 to 1000 a second, are not taken. The recorder handles
     * SIGPROF from gt_recorder_open to gt_recorder_close, and calls the handler that was there for
     * signals that none of its timers has sent. A program that replaces the handler later gets the
     * signals of the timers. System calls that the signal interrupts are restarted, but for those
     * that never are; since the thread works when its timer expires, that is rare. Each thread
     * takes 17 to 65 KiB more, for what it may have of samples until the generation ends.
     */
    uint64_t sample_hz;
} gt_recorder_options;

/** Initialiser of gt_recorder_options: the defaults. @since 0.1.0 */
#define GT_RECORDER_OPTIONS_INIT                                                                   \
    {                                                                                              \
        sizeof(gt_recorder_options), 0, 0, 0, NULL, 0, NULL, NULL, NULL, 0, NULL, 0, 0             \
    }

/**
 * Opens a recorder. Nothing is recorded yet. `options` may be NULL for the defaults. On failure
 * `*recorder` is NULL, and the details are stored in `*error` unless `error` is NULL. Close the
 * recorder with gt_recorder_close.
 *
 * A recorder has two file descriptors, those of a pipe that wakes the library's thread, with
 * numbers from 900 on if the limit of the process permits that. They are closed when the program
 * executes another one. A program that closes descriptors which it did not open should spare them;
 * without them a request or a stop takes up to 10 ms longer.
 *
 * @retval GT_ERR_INVALID_ARGUMENT `recorder` is NULL, or options, allocator or error has a wrong
 *         size, unknown bits or a member that is out of range. The message names it.
 * @retval GT_ERR_NO_MEMORY there is not enough memory for the recorder.
 * @retval GT_ERR_LIMIT the memory limit is too low for it, or 16 recorders of the process take
 *         samples by timers already.
 * @since 0.1.0
 */
GT_API GT_NODISCARD gt_status gt_recorder_open(gt_recorder **recorder,
                                               const gt_recorder_options *options, gt_error *error)
    GT_NONNULL((1));

/**
 * Stops recording, frees everything that the recorder owns, and sets `*recorder` to NULL. Threads
 * that are attached are detached without an event; no thread may be in a call of the recorder, and
 * all handles become invalid. Does nothing if `recorder` or `*recorder` is NULL, or if the caller
 * is `on_request` of a window or `write` of gt_recorder_start, whose thread still uses the
 * recorder.
 * @since 0.1.0
 */
GT_API void gt_recorder_close(gt_recorder **recorder);

/**
 * Starts recording. The trace goes to `write` in pieces of up to 128 KiB, one call at a time;
 * `user_data` is passed unchanged to it. The first call, with the header of the trace, comes from
 * within this function, so each start needs an output of its own. Later ones come from the
 * library's thread, and from within functions that end a generation: gt_recorder_advance,
 * gt_recorder_stop, gt_recorder_window_start and gt_recorder_window_write, and those that record
 * with GT_RECORDER_WAIT. `write` may call gt_rec_ functions. While it is called the thread cannot
 * be cancelled.
 *
 * @retval GT_ERR_STATE recording was started already, and not stopped since.
 * @retval GT_ERR_BUSY the caller is `write` of gt_recorder_start, or a callback that the library's
 *         thread calls.
 * @retval GT_ERR_IO the header could not be written.
 * @retval GT_ERR_NO_MEMORY the library's thread could not be started.
 * @retval GT_ERR_LIMIT 268 million generations have been recorded.
 * @since 0.1.0
 */
GT_API gt_status gt_recorder_start(gt_recorder *recorder, gt_write_fn write, void *user_data,
                                   gt_error *error) GT_NONNULL((1, 2));

/**
 * Starts recording to the file descriptor `fd`, which remains the caller's and must stay open until
 * recording was stopped. It must be one whose writes wait until they can be done. Nobody who reads
 * a pipe or a socket any more is an error like others, without SIGPIPE. The error of a failed write
 * has its errno. Otherwise works as gt_recorder_start.
 * @since 0.1.0
 */
GT_API gt_status gt_recorder_start_fd(gt_recorder *recorder, int fd, gt_error *error)
    GT_NONNULL((1));

/**
 * Ends the current generation, and returns when it is written. The library's thread does this after
 * each period.
 *
 * @retval GT_ERR_STATE nothing is recorded.
 * @retval GT_ERR_BUSY the caller is `write` of gt_recorder_start.
 * @retval GT_ERR_IO, GT_ERR_NO_MEMORY, GT_ERR_LIMIT the recording of gt_recorder_start has ended
 *         with this error, now or before. A window goes on, and its generation has ended.
 * @since 0.1.0
 */
GT_API gt_status gt_recorder_advance(gt_recorder *recorder) GT_NONNULL((1));

/**
 * Stops recording, and writes what is left of the trace. Afterwards recording can be started again.
 *
 * @retval GT_OK the whole trace was written.
 * @retval GT_ERR_STATE recording was not started.
 * @retval GT_ERR_BUSY the caller is `write` of gt_recorder_start, or a callback that the library's
 *         thread calls.
 * @retval GT_ERR_IO, GT_ERR_NO_MEMORY, GT_ERR_LIMIT recording ended before with this error; the
 *         trace ends after the last generation that was written whole. Recording is stopped.
 * @since 0.1.0
 */
GT_API gt_status gt_recorder_stop(gt_recorder *recorder, gt_error *error) GT_NONNULL((1));

/**
 * Options of a window. The structure belongs to the caller and is copied.
 * @since 0.1.0
 */
typedef struct gt_recorder_window_options {
    /** sizeof(gt_recorder_window_options), set by the caller. */
    size_t size;
    /** Must be 0. */
    uint64_t flags;
    /** How many nanoseconds the window reaches back, or 0 for 10 s. */
    uint64_t min_age;
    /** How many bytes of the window suffice, even if it is younger, or 0 for 10 MiB. */
    uint64_t max_bytes;
    /**
     * Called with `user_data` some time after gt_recorder_window_request, or NULL. It is called by
     * the library's thread, or, with GT_RECORDER_NO_THREAD, by the next gt_recorder_advance. It may
     * call gt_recorder_window_write. The library's thread ends no generation meanwhile, so that the
     * current one grows until there is no memory for it, which empties the window: where writing
     * may take long, wake a thread of the program that writes the window instead.
     */
    void (*on_request)(void *user_data);
    /** Passed unchanged to `on_request`. */
    void *user_data;
} gt_recorder_window_options;

/** Initialiser of gt_recorder_window_options: the defaults. @since 0.1.0 */
#define GT_RECORDER_WINDOW_OPTIONS_INIT                                                            \
    {                                                                                              \
        sizeof(gt_recorder_window_options), 0, 0, 0, NULL, NULL                                    \
    }

/**
 * Starts to record to a window: the newest generations are kept in memory, as
 * runtime/trace.FlightRecorder of Go does, for the time when something has gone wrong. After each
 * generation the newest one is kept, and older ones until the window is larger or older than
 * `options` say, so that it mostly is a bit more than that; less, if there is not enough memory
 * within the limit of the recorder. A generation ends after a quarter of `min_age`, if that is less
 * than the period. `options` may be NULL for the defaults.
 *
 * A recorder can have a window and gt_recorder_start at the same time, which start and stop
 * independently. A generation that could not be kept for lack of memory empties the window, which
 * goes on with the next one.
 *
 * @retval GT_ERR_INVALID_ARGUMENT besides, `options` or `error` has a wrong size, or `options` has
 *         an unknown flag. The message names it.
 * @retval GT_ERR_STATE there is a window already.
 * @retval GT_ERR_BUSY the caller is `write` of gt_recorder_start, or a callback that the library's
 *         thread calls.
 * @retval GT_ERR_NO_MEMORY the library's thread could not be started.
 * @retval GT_ERR_LIMIT 268 million generations have been recorded.
 * @since 0.1.0
 */
GT_API gt_status gt_recorder_window_start(gt_recorder *recorder,
                                          const gt_recorder_window_options *options,
                                          gt_error *error) GT_NONNULL((1));

/**
 * Ends the generation, and writes the window as a whole trace to `write` in pieces of up to 128
 * KiB, with `user_data`. Recording goes on meanwhile, and the window stays. The memory of
 * generations that leave the window before they are written is freed as they are written. While
 * `write` is called the thread cannot be cancelled.
 *
 * @retval GT_STALE the window has no generation, because memory was lacking or because nobody can
 *         begin to read within a stop of the world that lasts; nothing was written.
 * @retval GT_ERR_STATE there is no window.
 * @retval GT_ERR_BUSY the window is being written, by another thread or by the caller, or the
 *         caller is `write` of gt_recorder_start.
 * @retval GT_ERR_IO the window could not be written.
 * @since 0.1.0
 */
GT_API gt_status gt_recorder_window_write(gt_recorder *recorder, gt_write_fn write, void *user_data,
                                          gt_error *error) GT_NONNULL((1, 2));

/**
 * Writes the window to the file descriptor `fd`, which must be one whose writes wait until they can
 * be done. Otherwise works as gt_recorder_window_write, without SIGPIPE as gt_recorder_start_fd.
 * @since 0.1.0
 */
GT_API gt_status gt_recorder_window_write_fd(gt_recorder *recorder, int fd, gt_error *error)
    GT_NONNULL((1));

/**
 * Stops to record to the window, and frees it. When it returns, `on_request` of the window does not
 * run and is not called any more, unless the caller is `on_request` itself.
 * @retval GT_ERR_STATE there is no window.
 * @retval GT_ERR_BUSY the caller is `write` of gt_recorder_start, or a callback that the library's
 *         thread calls.
 * @since 0.1.0
 */
GT_API gt_status gt_recorder_window_stop(gt_recorder *recorder) GT_NONNULL((1));

/**
 * Asks for a call of gt_recorder_window_options.on_request. Several requests before that are one.
 * This function may be called by signal handlers, too, and changes errno never. Does nothing if
 * there is no window.
 * @since 0.1.0
 */
GT_API void gt_recorder_window_request(gt_recorder *recorder) GT_NONNULL((1));

/** Information about a recorder. @since 0.1.0 */
typedef struct gt_recorder_info {
    /** sizeof(gt_recorder_info), set by the caller. */
    size_t size;
    /** The number of generations that were written whole since recording was last started. */
    uint64_t generations;
    /** The number of bytes that were written since then. */
    uint64_t bytes;
    /** The number of bytes of memory that the recorder holds now. */
    uint64_t memory;
    /** The highest value that `memory` has had. */
    uint64_t memory_peak;
    /** The number of bytes of the generations that the window has. */
    uint64_t window_bytes;
    /** The number of samples that were lost, because there was no room for them. */
    uint64_t lost_samples;
    /**
     * How often a thread has lost its goroutine, because another thread had started that at the
     * same time: a mistake of the program.
     */
    uint64_t conflicts;
} gt_recorder_info;

/** Initialiser of gt_recorder_info. @since 0.1.0 */
#define GT_RECORDER_INFO_INIT                                                                      \
    {                                                                                              \
        sizeof(gt_recorder_info), 0, 0, 0, 0, 0, 0, 0                                              \
    }

/**
 * Fills `*info`.
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or info->size is wrong.
 * @since 0.1.0
 */
GT_API gt_status gt_recorder_get_info(const gt_recorder *recorder, gt_recorder_info *info);

/**
 * Registers a text of `size` bytes, in UTF-8, and sets `*id` to its number, which is good for as
 * long as the recorder lives. A text that is registered already has the same number. Of a longer
 * text only the first 1024 bytes are kept. Every generation contains all registered texts: what
 * changes with each event is not for registering.
 *
 * @retval GT_ERR_LIMIT 65535 texts are registered, with those of stacks, or the memory limit is
 *         reached.
 * @retval GT_ERR_NO_MEMORY there is not enough memory.
 * @since 0.1.0
 */
GT_API gt_status gt_recorder_text(gt_recorder *recorder, const char *text, size_t size,
                                  gt_rec_text *id) GT_NONNULL((1, 2, 4));

/**
 * Attaches the calling thread. A thread that ends is detached, unless the recorder was closed.
 *
 * With GT_RECORDER_IMPLICIT the thread appears as one that calls into a Go program from outside:
 * with a proc, and a goroutine, which runs, and which gt_rec_thread_go returns. They are its own
 * until it is detached; no other thread runs them.
 *
 * @retval GT_ERR_STATE the thread is attached to the recorder already.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory, or there are too many procs.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_thread_attach(gt_recorder *recorder, gt_rec_thread **thread)
    GT_NONNULL((1, 2));

/**
 * Works as gt_rec_thread_attach with GT_RECORDER_IMPLICIT, and gives the goroutine of the thread a
 * name, by which tools group goroutines, as that of gt_rec_go_create. A trace has the name from the
 * first event on that has a stack, such as gt_rec_go_block or gt_rec_region_begin.
 *
 * @retval GT_ERR_STATE the thread is attached to the recorder already, or the recorder was opened
 *         without GT_RECORDER_IMPLICIT.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory, or there are too many procs.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_thread_attach_as(gt_recorder *recorder, gt_rec_text name,
                                         gt_rec_thread **thread) GT_NONNULL((1, 3));

/**
 * Works as gt_rec_thread_attach with GT_RECORDER_IMPLICIT, but the goroutine of the thread is `go`,
 * which is runnable: whoever starts a thread creates it before by gt_rec_go_create, so that the
 * trace tells who created the thread and how long it took to start. On success the handle is the
 * thread's, and becomes invalid when the thread is detached; it need not be released.
 *
 * @retval GT_ERR_STATE besides, `go` is not runnable, or is the own one of another thread.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory, or there are too many procs.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_thread_attach_go(gt_recorder *recorder, gt_rec_go *go,
                                         gt_rec_thread **thread) GT_NONNULL((1, 2, 3));

/**
 * Returns the goroutine that is the thread's own, or NULL if it has none, because the recorder was
 * opened without GT_RECORDER_IMPLICIT. It is valid until the thread is detached, and cannot be
 * released. Other threads may get it from this one to wake it: they must not use it later.
 * @since 0.1.0
 */
GT_API gt_rec_go *gt_rec_thread_go(gt_rec_thread *thread);

/**
 * Detaches the calling thread, whose handle `*thread` is, and sets that to NULL. If the thread is
 * in a system call, that ends; if it runs a goroutine, that ends, too, with its ranges; if it has a
 * proc, a sweep on it ends, with 0 bytes, and then the thread stops the proc. The goroutine that is
 * the thread's own ends in any case. Does nothing if `thread` or `*thread` is NULL.
 * @since 0.1.0
 */
GT_API void gt_rec_thread_detach(gt_rec_thread **thread);

/** Returns the handle of the calling thread, or NULL if it is not attached. @since 0.1.0 */
GT_API gt_rec_thread *gt_rec_thread_self(gt_recorder *recorder) GT_NONNULL((1));

/** The largest id of a proc. @since 0.1.0 */
#define GT_REC_PROC_MAX INT64_C(2147483647)

/**
 * Creates a proc, which is idle. Its id is usually a small number.
 *
 * @retval GT_ERR_INVALID_ARGUMENT a pointer is NULL, or `id` is larger than GT_REC_PROC_MAX.
 * @retval GT_ERR_STATE there is a proc with this id, or threads have procs of their own
 *         (GT_RECORDER_IMPLICIT).
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_proc_create(gt_recorder *recorder, uint64_t id, gt_rec_proc **proc)
    GT_NONNULL((1, 3));

/**
 * Releases an idle proc, and sets `*proc` to NULL. Its id can then be used again. About 100 bytes
 * remain for each id until the recorder is closed.
 *
 * @retval GT_ERR_STATE the proc is not idle, or a sweep on it has begun and not ended.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_proc_release(gt_rec_proc **proc) GT_NONNULL((1));

/**
 * The thread takes an idle proc.
 * @retval GT_ERR_STATE the proc is not idle, or the thread has a proc, if only one of its own that
 *         is stopped, or a goroutine.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_proc_start(gt_rec_thread *thread, gt_rec_proc *proc) GT_NONNULL((1, 2));

/**
 * The thread lets go of its proc, which becomes idle. A sweep that has begun on it goes on, and can
 * be ended by a thread that starts the proc again. A proc that is the thread's own starts again
 * when the thread starts a goroutine.
 * @retval GT_ERR_STATE the thread has no proc, or has a goroutine.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_proc_stop(gt_rec_thread *thread) GT_NONNULL((1));

/**
 * Takes the proc of another thread that is in a system call. The proc becomes idle, and can be
 * started by any thread. The other thread learns of it from gt_rec_syscall_end.
 *
 * @retval GT_OK the proc is idle.
 * @retval GT_STALE no thread is in a system call with the proc; nothing was done.
 * @retval GT_ERR_STATE the calling thread is in a system call, or has a proc of its own.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_proc_steal(gt_rec_thread *thread, gt_rec_proc *proc) GT_NONNULL((1, 2));

/** A flag of gt_rec_go_create and gt_rec_go_adopt: the goroutine waits at first. @since 0.1.0 */
#define GT_REC_BLOCKED (UINT64_C(1) << 0)

/**
 * Creates a goroutine, which is runnable, or waits if `flags` contains GT_REC_BLOCKED. `name` is
 * the name of the function that it runs, by which tools group goroutines, or 0 for none. The
 * creator is the goroutine that runs on the thread, if there is one.
 *
 * @retval GT_ERR_STATE the thread has no proc, or is in a system call.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_create(gt_rec_thread *thread, gt_rec_text name, uint64_t flags,
                                  gt_rec_go **go) GT_NONNULL((1, 4));

/**
 * Creates a goroutine outside of all threads while nothing is recorded: a trace shows it as one
 * that was there at the beginning. Otherwise works as gt_rec_go_create.
 *
 * @retval GT_ERR_STATE recording is on.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_adopt(gt_recorder *recorder, gt_rec_text name, uint64_t flags,
                                 gt_rec_go **go) GT_NONNULL((1, 4));

/** Returns the id that the goroutine has in the trace, or 0 if `go` is NULL. @since 0.1.0 */
GT_API uint64_t gt_rec_go_id(const gt_rec_go *go);

/**
 * Says where the stack of a goroutine lies, so that its frames can be found: `size` bytes from
 * `low`. A `size` of 0 takes this back. Without it the goroutine is taken to run on the stack of
 * its thread; if it does not, stacks of its events have only the caller. Must not be called while
 * another thread runs the goroutine.
 *
 * @retval GT_ERR_INVALID_ARGUMENT `go` is NULL, or there is no such stack.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_stack(gt_rec_go *go, const void *low, size_t size) GT_NONNULL((1));

/**
 * Releases a goroutine that has ended, and sets `*go` to NULL. No other thread may use the handle.
 * A goroutine that is not released keeps its memory until the recorder is closed.
 *
 * @retval GT_ERR_STATE the goroutine has not ended, or is a thread's own.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_release(gt_rec_go **go) GT_NONNULL((1));

/**
 * Runs a goroutine that is runnable. A proc that is the thread's own starts, if it is stopped.
 * @retval GT_ERR_STATE the goroutine is not runnable, or is another thread's own, or the thread has
 *         no proc, or has a goroutine.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_start(gt_rec_thread *thread, gt_rec_go *go) GT_NONNULL((1, 2));

/**
 * The goroutine that runs on the thread stops, but remains runnable, for a reason such as
 * GT_REC_YIELD.
 * @retval GT_ERR_STATE no goroutine runs on the thread.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_stop(gt_rec_thread *thread, gt_rec_text reason) GT_NONNULL((1));

/**
 * The goroutine that runs on the thread begins to wait, for a reason such as GT_REC_SYNC. This must
 * be called before another thread can wake the goroutine. If the goroutine is the thread's own, its
 * proc stops (without GT_RECORDER_KEEP_PROCS).
 * @retval GT_ERR_STATE no goroutine runs on the thread.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_block(gt_rec_thread *thread, gt_rec_text reason) GT_NONNULL((1));

/**
 * Makes a goroutine that waits runnable. The thread needs neither a proc nor a goroutine.
 *
 * @retval GT_STALE the goroutine does not wait, because another thread was faster; nothing was
 * done.
 * @retval GT_ERR_STATE the thread is in a system call.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_unblock(gt_rec_thread *thread, gt_rec_go *go) GT_NONNULL((1, 2));

/**
 * The goroutine that is the thread's own runs again after gt_rec_go_block or gt_rec_go_stop. If it
 * still waits, because nobody who woke it has called gt_rec_go_unblock, it is made runnable first.
 *
 * @retval GT_ERR_STATE the thread has no goroutine of its own, or that has ended, or a goroutine
 *         runs on the thread.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_resume(gt_rec_thread *thread) GT_NONNULL((1));

/**
 * The goroutine that runs on the thread begins to wait, and `go`, which waits, runs instead, as
 * when a coroutine passes control.
 *
 * @retval GT_STALE `go` does not wait; nothing was done.
 * @retval GT_ERR_STATE no goroutine runs on the thread, or `go` is another thread's own.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_switch(gt_rec_thread *thread, gt_rec_go *go) GT_NONNULL((1, 2));

/**
 * Works as gt_rec_go_switch, but the goroutine that runs on the thread ends, as by gt_rec_go_end.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_switch_end(gt_rec_thread *thread, gt_rec_go *go) GT_NONNULL((1, 2));

/**
 * The goroutine that runs on the thread ends.
 * @retval GT_ERR_STATE no goroutine runs on the thread, or it has stopped the world or helps a
 *         collector.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_end(gt_rec_thread *thread) GT_NONNULL((1));

/**
 * Gives the goroutine that runs on the thread a label, which tools show from then on. It is not 0.
 * @retval GT_ERR_STATE no goroutine runs on the thread.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_go_label(gt_rec_thread *thread, gt_rec_text label) GT_NONNULL((1));

/**
 * The goroutine that runs on the thread begins a system call, or something else in which it keeps
 * the thread without using the proc. Until gt_rec_syscall_end all other calls for the thread but
 * gt_rec_thread_detach return GT_ERR_STATE. A proc that is the thread's own stops meanwhile
 * (without GT_RECORDER_KEEP_PROCS).
 * @retval GT_ERR_STATE no goroutine runs on the thread.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_syscall_begin(gt_rec_thread *thread) GT_NONNULL((1));

/**
 * The system call ends.
 *
 * @retval GT_OK the goroutine runs on with the same proc.
 * @retval GT_STALE the proc was stolen: the goroutine is runnable, and the thread has neither a
 * proc nor a goroutine.
 * @retval GT_ERR_STATE the thread is not in a system call.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_syscall_end(gt_rec_thread *thread) GT_NONNULL((1));

/**
 * Begins a task, a piece of work in which any goroutines may take part, such as a request, and sets
 * `*task` to its id, which is never 0. `type` is its kind, by which tools group tasks, and `parent`
 * the task that it is a part of, or 0. In a trace that does not have its begin, a task has no type.
 *
 * @retval GT_ERR_INVALID_ARGUMENT besides, `parent` is not the id of a task.
 * @retval GT_ERR_STATE no goroutine runs on the thread.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_task_begin(gt_rec_thread *thread, uint64_t parent, gt_rec_text type,
                                   uint64_t *task) GT_NONNULL((1, 4));

/**
 * Ends a task, on any thread. It should be ended once; tools ignore what comes after.
 *
 * @retval GT_ERR_INVALID_ARGUMENT besides, `task` is not the id of a task.
 * @retval GT_ERR_STATE no goroutine runs on the thread.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_task_end(gt_rec_thread *thread, uint64_t task) GT_NONNULL((1));

/**
 * The goroutine that runs on the thread begins a region: a stretch of its own time. Regions of a
 * goroutine are nested, and may last while it waits. `task` is the task that the goroutine works
 * for there, or 0, and `type` says what it does. Of a region that began before the trace only the
 * end is recorded.
 *
 * @retval GT_ERR_INVALID_ARGUMENT besides, `task` is neither 0 nor the id of a task.
 * @retval GT_ERR_STATE no goroutine runs on the thread.
 * @retval GT_ERR_NO_MEMORY, GT_ERR_LIMIT there is not enough memory for one more region.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_region_begin(gt_rec_thread *thread, uint64_t task, gt_rec_text type)
    GT_NONNULL((1));

/**
 * Ends the innermost region of the goroutine that runs on the thread.
 * @retval GT_ERR_STATE no goroutine runs on the thread, or it has no region.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_region_end(gt_rec_thread *thread) GT_NONNULL((1));

/**
 * Records a message of `size` bytes, in UTF-8, which need not end with a NUL, of the goroutine that
 * runs on the thread. Of a longer one only the first 1024 bytes are kept. `task` is the task that
 * it is about, or 0, and `key` its kind, or 0 for none. Only this generation contains the message.
 *
 * @retval GT_ERR_INVALID_ARGUMENT besides, `task` is neither 0 nor the id of a task. `text` may be
 *         NULL if `size` is 0.
 * @retval GT_ERR_STATE no goroutine runs on the thread.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_log(gt_rec_thread *thread, uint64_t task, gt_rec_text key, const char *text,
                            size_t size) GT_NONNULL((1));

/**
 * A cycle of a garbage collector, or of what is like one, begins or ends, on any threads.
 *
 * A trace that begins later shows a range, such as this cycle, from its own begin on. But of a stop
 * of the world (gt_rec_stw_begin) such a trace has nothing.
 *
 * @retval GT_ERR_STATE no goroutine runs on the thread, or a cycle has begun already, or none has.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_gc_begin(gt_rec_thread *thread) GT_NONNULL((1));
/** @copydoc gt_rec_gc_begin @since 0.1.0 */
GT_API gt_status gt_rec_gc_end(gt_rec_thread *thread) GT_NONNULL((1));

/**
 * The goroutine that runs on the thread begins or ends to stop the world: until the end no other
 * goroutine runs. `kind` is the reason; tools show it as "stop-the-world (`kind`)".
 *
 * @retval GT_ERR_STATE no goroutine runs on the thread, or it has stopped the others already, or
 *         has not.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_stw_begin(gt_rec_thread *thread, gt_rec_text kind) GT_NONNULL((1));
/** @copydoc gt_rec_stw_begin @since 0.1.0 */
GT_API gt_status gt_rec_stw_end(gt_rec_thread *thread) GT_NONNULL((1));

/**
 * The thread begins or ends to sweep on its proc: to free what a collector has found to be unused.
 * `swept` bytes were looked at, of which `reclaimed` were freed. No goroutine need run.
 *
 * @retval GT_ERR_STATE the thread has no proc, is in a system call, or the proc is swept already,
 *         or is not.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_sweep_begin(gt_rec_thread *thread) GT_NONNULL((1));
/** @copydoc gt_rec_sweep_begin @since 0.1.0 */
GT_API gt_status gt_rec_sweep_end(gt_rec_thread *thread, uint64_t swept, uint64_t reclaimed)
    GT_NONNULL((1));

/**
 * The goroutine that runs on the thread begins or ends to help a collector, because it allocates.
 * @retval GT_ERR_STATE no goroutine runs on the thread, or it helps already, or does not.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_assist_begin(gt_rec_thread *thread) GT_NONNULL((1));
/** @copydoc gt_rec_assist_begin @since 0.1.0 */
GT_API gt_status gt_rec_assist_end(gt_rec_thread *thread) GT_NONNULL((1));

/**
 * Records how many bytes the heap has, and at which size a collector will begin.
 * @retval GT_ERR_STATE the thread has no proc, or is in a system call.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_heap(gt_rec_thread *thread, uint64_t bytes) GT_NONNULL((1));
/** @copydoc gt_rec_heap @since 0.1.0 */
GT_API gt_status gt_rec_heap_goal(gt_rec_thread *thread, uint64_t bytes) GT_NONNULL((1));

/**
 * Records how many procs may run at once, `count`. Later generations tell it again.
 * @retval GT_ERR_STATE no goroutine runs on the thread.
 * @since 0.1.0
 */
GT_API gt_status gt_rec_procs(gt_rec_thread *thread, uint64_t count) GT_NONNULL((1));

/**
 * Takes a sample of what the thread does: its stack, goroutine and proc, at this time, of which
 * profiles are made. It is for handlers of signals, such as SIGPROF of a timer, that run on the
 * thread itself; `ucontext` is the third argument of the handler. Then the stack is that of the
 * interrupted code; otherwise, if `ucontext` is NULL, that of the caller. Stacks are found by frame
 * pointers, or by tables with GT_RECORDER_UNWIND, also if gt_recorder_options.unwind is set, and
 * have up to stack_depth frames, or 32 if that is 0. With gt_recorder_options.sample_hz the library
 * calls this itself.
 *
 * This function is async-signal-safe, and may interrupt any function of the recorder, but not
 * gt_rec_thread_attach, _detach and what comes after that. Samples are lost, which gt_recorder_info
 * counts, if a thread has no more room for them before its generation ends, at about 50 samples of
 * 32 frames, or as many as sample_hz needs for a period, but at most 200; or if one interrupts
 * another. Does nothing if `thread` is NULL, if nothing is recorded, or without GT_RECORDER_SAMPLES
 * and sample_hz.
 * @since 0.1.0
 */
GT_API void gt_rec_sample(gt_rec_thread *thread, const void *ucontext);

#ifdef __cplusplus
}
#endif

#endif
