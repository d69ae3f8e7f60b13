// SPDX-License-Identifier: BSD-3-Clause
//
// Recording, with objects whose ends are those of blocks: libgotrace-recorder.
//
// What opens, starts and stops throws, or returns a result or status if its name begins with try_.
// The guards never throw, and need no check: where nothing is recorded, or the calling thread is
// not attached, they do nothing. A guard is used by the thread that made it.
#ifndef GOTRACE_RECORDER_HPP
#define GOTRACE_RECORDER_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include <gotrace/recorder.h>

#include <gotrace/error.hpp>
#include <gotrace/lifetime.hpp>

namespace gotrace
{
inline namespace GOTRACE_HPP_VERSION
{

// Owns a gt_recorder. Its options are those of C; their callbacks must not throw.
class recorder
{
  public:
    static result<recorder> try_open(const gt_recorder_options &options = GT_RECORDER_OPTIONS_INIT)
    {
        gt_recorder *opened;
        fault why;
        if (gt_recorder_open(&opened, &options, why.get()) != GT_OK)
            return why;
        return recorder(opened);
    }

    // The number of a text, for types, reasons and names.
    result<gt_rec_text> try_text(std::string_view text)
    {
        gt_rec_text id;
        const gt_status status = gt_recorder_text(get(), text.data(), text.size(), &id);
        if (status != GT_OK)
            return fault(status);
        return id;
    }

    // Starts to record to a descriptor, which remains the caller's.
    fault try_start(int fd)
    {
        fault why;
        gt_recorder_start_fd(get(), fd, why.get());
        return why;
    }

    fault try_start(gt_write_fn write, void *user_data)
    {
        fault why;
        gt_recorder_start(get(), write, user_data, why.get());
        return why;
    }

    fault try_stop()
    {
        fault why;
        gt_recorder_stop(get(), why.get());
        return why;
    }

    // Keeps the newest part in memory, and writes it.
    fault
    try_start_window(const gt_recorder_window_options &options = GT_RECORDER_WINDOW_OPTIONS_INIT)
    {
        fault why;
        gt_recorder_window_start(get(), &options, why.get());
        return why;
    }

    // The status is GT_STALE, which is no error, if there is nothing to write.
    fault try_write_window(int fd)
    {
        fault why;
        const gt_status status = gt_recorder_window_write_fd(get(), fd, why.get());
        return status == GT_STALE ? fault(status) : why;
    }

#if GOTRACE_HPP_THROWS
    static recorder open(const gt_recorder_options &options = GT_RECORDER_OPTIONS_INIT)
    {
        return try_open(options).value();
    }

    gt_rec_text text(std::string_view text)
    {
        return try_text(text).value();
    }

    void start(int fd)
    {
        check(try_start(fd));
    }

    void start(gt_write_fn write, void *user_data)
    {
        check(try_start(write, user_data));
    }

    void stop()
    {
        check(try_stop());
    }

    void start_window(const gt_recorder_window_options &options = GT_RECORDER_WINDOW_OPTIONS_INIT)
    {
        check(try_start_window(options));
    }

    // Returns false if there is nothing to write.
    bool write_window(int fd)
    {
        const fault why = try_write_window(fd);
        check(why);
        return why.status() == GT_OK;
    }
#endif

    // The handle of the calling thread, or NULL if that is not attached.
    gt_rec_thread *self() const noexcept
    {
        return gt_rec_thread_self(get());
    }

    // For calls that are not here.
    gt_recorder *get() const noexcept
    {
        return recorder_.get();
    }

    // Until it is closed: for what refers to it.
    detail::lease life() const noexcept
    {
        return detail::lease::of_life(turn_.at());
    }

  private:
    explicit recorder(gt_recorder *opened) : recorder_(opened)
    {
    }

#if GOTRACE_HPP_THROWS
    static void check(const fault &why)
    {
        if (why.status() < 0)
            detail::fail(why);
    }
#endif

    std::unique_ptr<gt_recorder, detail::closer<gt_recorder_close>> recorder_;
    detail::turns turn_;
};

namespace detail
{

// Detaches a thread, unless its recorder is closed, which has done that.
struct detacher {
    lease life;

    void operator()(gt_rec_thread *thread) const noexcept
    {
        if (!life.is_over())
            gt_rec_thread_detach(&thread);
    }
};

} // namespace detail

// The calling thread is attached until the end of the object, or until the recorder is closed.
class recorded_thread
{
  public:
    static result<recorded_thread> try_attach(const recorder &to)
    {
        gt_rec_thread *thread;
        const gt_status status = gt_rec_thread_attach(to.get(), &thread);
        return made(to, status, thread);
    }

    // With GT_RECORDER_IMPLICIT: the goroutine of the thread has a name.
    static result<recorded_thread> try_attach(const recorder &to, gt_rec_text name)
    {
        gt_rec_thread *thread;
        const gt_status status = gt_rec_thread_attach_as(to.get(), name, &thread);
        return made(to, status, thread);
    }

    // With GT_RECORDER_IMPLICIT: the goroutine is one that the creator of the thread made.
    static result<recorded_thread> try_attach(const recorder &to, gt_rec_go *go)
    {
        gt_rec_thread *thread;
        const gt_status status = gt_rec_thread_attach_go(to.get(), go, &thread);
        return made(to, status, thread);
    }

#if GOTRACE_HPP_THROWS
    template <typename... As> static recorded_thread attach(const recorder &to, As... as)
    {
        return try_attach(to, as...).value();
    }
#endif

    // NULL if the recorder is closed.
    gt_rec_thread *get() const noexcept
    {
        return thread_.get_deleter().life.is_over() ? nullptr : thread_.get();
    }

  private:
    recorded_thread(gt_rec_thread *thread, const detail::lease &life) noexcept
        : thread_(thread, detail::detacher{life})
    {
    }

    static result<recorded_thread> made(const recorder &to, gt_status status, gt_rec_thread *thread)
    {
        if (status != GT_OK)
            return fault(status);
        return recorded_thread(thread, to.life());
    }

    std::unique_ptr<gt_rec_thread, detail::detacher> thread_;
};

// A task. It begins and ends on any threads, so it can be moved. Once the recorder is closed, it
// does nothing.
class task
{
  public:
    // `parent` is the id of the task of which it is a part, or 0.
    task(const recorder &to, gt_rec_text type, std::uint64_t parent = 0) noexcept
        : recorder_(to.get()), life_(to.life())
    {
        gt_rec_thread *thread = to.self();
        if (thread)
            static_cast<void>(gt_rec_task_begin(thread, parent, type, &id_));
    }

    task(task &&other) noexcept
        : recorder_(other.recorder_), life_(other.life_),
          id_(std::exchange(other.id_, std::uint64_t(0)))
    {
    }

    task &operator=(task &&other) noexcept
    {
        std::swap(recorder_, other.recorder_);
        std::swap(life_, other.life_);
        std::swap(id_, other.id_);
        return *this;
    }

    ~task()
    {
        gt_rec_thread *thread = self();
        if (thread)
            static_cast<void>(gt_rec_task_end(thread, id_));
    }

    // 0 if it was not begun.
    std::uint64_t id() const noexcept
    {
        return id_;
    }

    void log(gt_rec_text key, std::string_view text) const noexcept
    {
        gt_rec_thread *thread = self();
        if (thread)
            static_cast<void>(gt_rec_log(thread, id_, key, text.data(), text.size()));
    }

  private:
    gt_rec_thread *self() const noexcept
    {
        return id_ != 0 && !life_.is_over() ? gt_rec_thread_self(recorder_) : nullptr;
    }

    gt_recorder *recorder_;
    // Until the recorder is closed.
    detail::lease life_;
    std::uint64_t id_ = 0;
};

namespace detail
{

// What is common to the guards: the thread in which something began, or NULL. They can be neither
// copied nor moved, so that they end with their block, in which the thread is attached.
class guarded
{
  public:
    guarded(const guarded &) = delete;
    guarded &operator=(const guarded &) = delete;

  protected:
    explicit guarded(gt_rec_thread *thread) noexcept : thread_(thread)
    {
    }

    ~guarded() = default;

    void begun(gt_status status) noexcept
    {
        if (status != GT_OK)
            thread_ = nullptr;
    }

    gt_rec_thread *thread_;
};

} // namespace detail

// A region of the goroutine that runs on the thread. Regions end in the order of their blocks.
class region : detail::guarded
{
  public:
    region(const recorder &to, gt_rec_text type, std::uint64_t task = 0) noexcept
        : region(to.self(), type, task)
    {
    }

    region(const recorder &to, gt_rec_text type, const task &of) noexcept
        : region(to.self(), type, of.id())
    {
    }

    region(gt_rec_thread *thread, gt_rec_text type, std::uint64_t task = 0) noexcept
        : guarded(thread)
    {
        if (thread_)
            begun(gt_rec_region_begin(thread_, task, type));
    }

    ~region()
    {
        if (thread_)
            static_cast<void>(gt_rec_region_end(thread_));
    }
};

// A system call, or something else in which the thread does not use its proc. A scheduler that lets
// procs be stolen calls gt_rec_syscall_end itself, which tells it.
class system_call : detail::guarded
{
  public:
    explicit system_call(const recorder &to) noexcept : system_call(to.self())
    {
    }

    explicit system_call(gt_rec_thread *thread) noexcept : guarded(thread)
    {
        if (thread_)
            begun(gt_rec_syscall_begin(thread_));
    }

    ~system_call()
    {
        if (thread_)
            static_cast<void>(gt_rec_syscall_end(thread_));
    }
};

// With GT_RECORDER_IMPLICIT: the goroutine that is the thread's own, and runs, waits. Whoever wakes
// it may tell that by gt_rec_go_unblock.
class waiting : detail::guarded
{
  public:
    explicit waiting(const recorder &to, gt_rec_text reason = GT_REC_SYNC) noexcept
        : waiting(to.self(), reason)
    {
    }

    explicit waiting(gt_rec_thread *thread, gt_rec_text reason = GT_REC_SYNC) noexcept
        : guarded(thread && gt_rec_thread_go(thread) ? thread : nullptr)
    {
        if (thread_)
            begun(gt_rec_go_block(thread_, reason));
    }

    ~waiting()
    {
        if (thread_)
            static_cast<void>(gt_rec_go_resume(thread_));
    }
};

// Locks a mutex as std::lock_guard does. Only if it has to wait, that is recorded, as `waiting`.
template <typename Mutex> class recorded_lock
{
  public:
    recorded_lock(const recorder &to, Mutex &mutex, gt_rec_text reason = GT_REC_SYNC)
        : mutex_(mutex)
    {
        if (mutex_.try_lock())
            return;
        const waiting until(to, reason);
        mutex_.lock();
    }

    recorded_lock(const recorded_lock &) = delete;
    recorded_lock &operator=(const recorded_lock &) = delete;

    ~recorded_lock()
    {
        mutex_.unlock();
    }

  private:
    Mutex &mutex_;
};

} // namespace GOTRACE_HPP_VERSION
} // namespace gotrace

#endif
