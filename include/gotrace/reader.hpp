// SPDX-License-Identifier: BSD-3-Clause
//
// Readers, and the ranges of events that they deliver.
#ifndef GOTRACE_READER_HPP
#define GOTRACE_READER_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gotrace/reader.h>

#include <gotrace/event.hpp>
#include <gotrace/lifetime.hpp>
#include <gotrace/live.hpp>

namespace gotrace
{
inline namespace GOTRACE_HPP_VERSION
{

struct reader_options {
    bool keep = false;
    bool known_versions = false;
    bool lenient = false;
    bool as_recorded = false;
    // Read ahead in a second thread, which calls only the allocator.
    bool ahead = false;
    // Keep a table of what exists: see reader::goroutine() and the functions after it.
    bool track = false;
    // With lenient: leave out threads that wait for what is lost; see GT_READER_UNFORCED.
    bool unforced = false;
    std::uint64_t memory_limit = 0;
    // Threads that read ahead, which call only the allocator, and the most bytes for their events.
    std::uint64_t workers = 0;
    std::uint64_t ahead_bytes = 0;
    // Runs a job of the workers in a thread of the program instead of one of the library; works as
    // gt_execute_fn. Returns false to refuse it. An exception refuses it too, and is rethrown by
    // what reads.
    std::function<bool(std::function<void()>)> execute = nullptr;
    const gt_allocator *allocator = nullptr;
    // Its exceptions are rethrown after the last event.
    std::function<void(const fault &)> on_repair = nullptr;
    // For Go 1.5 and 1.6: sets everything but the addresses; returns false on failure.
    std::function<bool(gt_symbol *, std::size_t)> symbolize = nullptr;
    // Told how far the reading has come; returns false to cancel it. An exception cancels it too,
    // and is rethrown by what reads.
    std::function<bool(const gt_progress &)> on_progress = nullptr;
};

// Works as gt_read_fn: supplies the next bytes; returns 0 at the end, and a negative value on
// failure.
using read_function = std::function<std::int64_t(void *, std::size_t)>;

namespace detail
{

// The functions that a reader calls. Their address is stable when the owner of the reader moves.
struct reader_calls {
    reader_options options;
    read_function read;
    detail::pending pending;
    turns turn;
    // What the last call returned that delivered no event.
    gt_status stopped = GT_OK;

    gt_reader_options c_options() noexcept
    {
        gt_reader_options c = GT_READER_OPTIONS_INIT;
        c.flags = bit(options.keep, GT_READER_KEEP) |
                  bit(options.known_versions, GT_READER_KNOWN_VERSIONS) |
                  bit(options.lenient, GT_READER_LENIENT) |
                  bit(options.as_recorded, GT_READER_AS_RECORDED) |
                  bit(options.ahead, GT_READER_AHEAD) | bit(options.track, GT_READER_TRACK) |
                  bit(options.unforced, GT_READER_UNFORCED);
        c.memory_limit = options.memory_limit;
        c.allocator = options.allocator;
        c.workers = options.workers;
        c.ahead_bytes = options.ahead_bytes;
        if (options.execute) {
            c.execute = execute;
            c.execute_data = this;
        }
        if (options.on_repair) {
            c.on_repair = repair;
            c.repair_data = this;
        }
        if (options.symbolize) {
            c.symbolize = find;
            c.symbolize_data = this;
        }
        if (options.on_progress) {
            c.on_progress = progress;
            c.progress_data = this;
        }
        return c;
    }

    static std::uint64_t bit(bool is_set, std::uint64_t bit) noexcept
    {
        return is_set ? bit : 0;
    }

    static int progress(void *data, const gt_progress *so_far) noexcept
    {
        auto *self = static_cast<reader_calls *>(data);
        return self->pending.guard(1, [&] { return self->options.on_progress(*so_far) ? 0 : 1; });
    }

    static int execute(void *data, gt_job_fn run, void *job) noexcept
    {
        auto *self = static_cast<reader_calls *>(data);
        return self->pending.guard(
            -1, [&] { return self->options.execute([run, job] { run(job); }) ? 0 : -1; });
    }

    static void repair(void *data, const gt_error *error) noexcept
    {
        auto *self = static_cast<reader_calls *>(data);
        self->pending.guard(0, [&] { return self->options.on_repair(fault(*error)), 0; });
    }

    static int find(void *data, gt_symbol *symbols, std::size_t count) noexcept
    {
        auto *self = static_cast<reader_calls *>(data);
        return self->pending.guard(
            -1, [&] { return self->options.symbolize(symbols, count) ? 0 : -1; });
    }

    static std::int64_t fill(void *data, void *buffer, std::size_t capacity) noexcept
    {
        auto *self = static_cast<reader_calls *>(data);
        return self->pending.guard(std::int64_t(-1), [&] { return self->read(buffer, capacity); });
    }
};

} // namespace detail

// The remaining events of a reader, which can be traversed once: an input range. Once the reader is
// closed, it and its iterators throw an error with GT_ERR_EXPIRED, or end the program if there are
// no exceptions.
template <bool Throws> class event_range
{
  public:
    class iterator
    {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = event;
        using difference_type = std::ptrdiff_t;
        using reference = event;
        using pointer = void;

        iterator() noexcept = default;

        explicit iterator(const event_range &of)
            : reader_(of.reader_), calls_(of.calls_), at_(of.at_), life_(of.life_)
        {
            // A reader that was moved from has neither events nor calls.
            if (calls_ != nullptr)
                ++*this;
            else
                stop(reader_, calls_, GT_ERR_INVALID_ARGUMENT);
        }

        event operator*() const noexcept
        {
            return {reader_, event_, at_, number_};
        }

        iterator &operator++()
        {
            // Only the event is tested, because the loop that follows tests it too. No pointer
            // to the iterator escapes, so it can be kept in registers.
            const gt_event *next;
            life_.check("the reader was closed");
            // Incremented before the call, so that no event is valid while the reader works.
            number_ = calls_->turn.advance();
            const gt_status status = gt_reader_next_event(reader_, &next);
            event_ = next;
            if (next == nullptr)
                stop(reader_, calls_, status);
            return *this;
        }

        void operator++(int)
        {
            ++*this;
        }

        GOTRACE_HPP_LOCAL friend bool operator==(const iterator &a, const iterator &b) noexcept
        {
            return a.event_ == b.event_;
        }

        GOTRACE_HPP_LOCAL friend bool operator!=(const iterator &a, const iterator &b) noexcept
        {
            return a.event_ != b.event_;
        }

      private:
        static void stop([[maybe_unused]] gt_reader *reader, detail::reader_calls *calls,
                         gt_status status)
        {
            if (calls != nullptr)
                calls->stopped = status;
            if constexpr (Throws) {
                if (calls != nullptr)
                    calls->pending.raise();
                if (status == GT_END || status == GT_AGAIN)
                    return;
                fault why;
                gt_reader_error(reader, why.get());
                detail::fail(why ? why : fault(status));
            }
        }

        gt_reader *reader_ = nullptr;
        detail::reader_calls *calls_ = nullptr;
        const detail::turns::place *at_ = nullptr;
        // Until the reader is closed.
        detail::lease life_;
        const gt_event *event_ = nullptr;
        std::uint64_t number_ = 0;
    };

    event_range(gt_reader *reader, detail::reader_calls *calls) noexcept
        : reader_(reader), calls_(calls), at_(calls != nullptr ? calls->turn.at() : nullptr),
          life_(detail::lease::of_life(at_))
    {
    }

    iterator begin() const
    {
        return iterator(*this);
    }

    iterator end() const noexcept
    {
        return iterator();
    }

  private:
    gt_reader *reader_;
    detail::reader_calls *calls_;
    const detail::turns::place *at_;
    detail::lease life_;
};

// Reads one trace; owns a gt_reader. Can be moved; iterators remain valid.
class reader
{
    using calls = detail::reader_calls;

    reader(std::unique_ptr<calls> made, gt_reader *opened) noexcept
        : calls_(std::move(made)), reader_(opened)
    {
    }

    // The open functions of C, in one form.
    static auto file(const std::string &path)
    {
        return [&path](auto *to, void *, auto *options, auto *why) {
            return gt_reader_open_file(to, path.c_str(), options, why);
        };
    }

    static auto memory(std::string_view bytes)
    {
        return [bytes](auto *to, void *, auto *options, auto *why) {
            return gt_reader_open_memory(to, bytes.data(), bytes.size(), options, why);
        };
    }

    static auto descriptor(int fd)
    {
        return [fd](auto *to, void *, auto *options, auto *why) {
            return gt_reader_open_fd(to, fd, options, why);
        };
    }

    static auto function()
    {
        return [](auto *to, void *data, auto *options, auto *why) {
            return gt_reader_open_callback(to, calls::fill, data, options, why);
        };
    }

    static auto push()
    {
        return [](auto *to, void *, auto *options, auto *why) {
            return gt_reader_open_push(to, options, why);
        };
    }

    template <typename Open>
    static result<reader> make(reader_options given, read_function read, const Open &open,
                               detail::pending *problem = nullptr)
    {
        auto made = std::make_unique<calls>();
        made->options = std::move(given);
        made->read = std::move(read);
        const gt_reader_options options = made->c_options();
        gt_reader *opened;
        fault why;
        if (open(&opened, made.get(), &options, why.get()) == GT_OK)
            return reader(std::move(made), opened);
        if (problem != nullptr)
            *problem = std::move(made->pending);
        return why;
    }

  public:
    static result<reader> try_open(const std::string &path, reader_options options = {})
    {
        return make(std::move(options), nullptr, file(path));
    }

    // The bytes are used in place and must remain valid until the reader is closed.
    static result<reader> try_open_memory(std::string_view bytes, reader_options options = {})
    {
        return make(std::move(options), nullptr, memory(bytes));
    }

    static result<reader> try_open_fd(int fd, reader_options options = {})
    {
        return make(std::move(options), nullptr, descriptor(fd));
    }

    static result<reader> try_open_function(read_function read, reader_options options = {})
    {
        return make(std::move(options), std::move(read), function());
    }

    // A reader that is fed with the bytes as they come; see feed().
    static result<reader> try_open_push(reader_options options = {})
    {
        return make(std::move(options), nullptr, push());
    }

#if GOTRACE_HPP_THROWS
    static reader open(const std::string &path, reader_options options = {})
    {
        return try_open(path, std::move(options)).value();
    }

    static reader open_memory(std::string_view bytes, reader_options options = {})
    {
        return try_open_memory(bytes, std::move(options)).value();
    }

    static reader open_fd(int fd, reader_options options = {})
    {
        return try_open_fd(fd, std::move(options)).value();
    }

    static reader open_push(reader_options options = {})
    {
        return try_open_push(std::move(options)).value();
    }

    // Rethrows what `read` throws.
    static reader open_function(read_function read, reader_options options = {})
    {
        detail::pending problem;
        auto opened = make(std::move(options), std::move(read), function(), &problem);
        problem.raise();
        return std::move(opened).value();
    }
#endif

    gt_reader *get() const noexcept
    {
        return reader_.get();
    }

    // Until it is closed: for what refers to it.
    detail::lease life() const noexcept
    {
        return calls_ ? detail::lease::of_life(calls_->turn.at()) : detail::lease();
    }

    // For any thread and for signal handlers: ends the reading with GT_CANCELLED.
    void cancel() noexcept
    {
        gt_reader_cancel(get());
    }

    // Appends a copy of the next bytes to the input of a reader that open_push has opened. An
    // iteration ends when it has delivered all events of the bytes so far; again() tells that from
    // the end of the trace.
    gt_status try_feed(std::string_view bytes) noexcept
    {
        return gt_reader_feed(get(), bytes.data(), bytes.size());
    }

    // Ends that input.
    gt_status try_finish() noexcept
    {
        return gt_reader_finish(get());
    }

    // Whether the last iteration has ended because the next bytes have not come yet.
    bool again() const noexcept
    {
        return calls_ && calls_->stopped == GT_AGAIN;
    }
#if GOTRACE_HPP_THROWS
    void feed(std::string_view bytes)
    {
        detail::check(try_feed(bytes));
    }

    void finish()
    {
        detail::check(try_finish());
    }
#endif

    // How the recording has ended, which is known once there are no more events.
    gt_ending ending() const noexcept
    {
        return gt_reader_get_ending(get());
    }

    // The value of GOMAXPROCS with which a trace of Go 1.21 or earlier begins, which no event
    // tells, or 0.
    std::uint64_t first_procs() const noexcept
    {
        return gt_reader_get_first_procs(get());
    }

    gt_reader_info info() const noexcept
    {
        gt_reader_info info = GT_READER_INFO_INIT;
        gt_reader_get_info(get(), &info);
        return info;
    }

    // The reason for which there are no more events; false at the end of the trace and before.
    fault last_fault() const noexcept
    {
        fault why;
        const gt_status status = gt_reader_error(get(), why.get());
        return status == GT_OK ? why : fault(status);
    }

    // What a goroutine, proc or thread does after the last event; nothing if there is none with
    // this id. Needs reader_options::track. Strings are valid until the reader advances.
    result<std::optional<gt_goroutine_info>> try_goroutine(std::int64_t id) const
    {
        return detail::find_live<gt_goroutine_info, gt_reader_goroutine>(get(), id);
    }

    result<std::optional<gt_proc_info>> try_proc(std::int64_t id) const
    {
        return detail::find_live<gt_proc_info, gt_reader_proc>(get(), id);
    }

    result<std::optional<gt_thread_info>> try_thread(std::int64_t id) const
    {
        return detail::find_live<gt_thread_info, gt_reader_thread>(get(), id);
    }

    // All that exist. The range just ends if it cannot go on; check its status().
    auto try_goroutines() const noexcept
    {
        return live_range<gt_goroutine_info, gt_reader_next_goroutine, false>(get(), life());
    }

    auto try_procs() const noexcept
    {
        return live_range<gt_proc_info, gt_reader_next_proc, false>(get(), life());
    }

    auto try_threads() const noexcept
    {
        return live_range<gt_thread_info, gt_reader_next_thread, false>(get(), life());
    }

    // A stack by its handle, such as that of a goroutine.
    call_stack stack(gt_stack handle) const noexcept
    {
        return {get(), handle, life()};
    }

    // The frames of the stack with an id of call_stack::id(), valid until the reader is closed.
    result<std::vector<frame>> try_interned(std::uint32_t id) const
    {
        const gt_frame *from;
        std::size_t count;
        const gt_status status = gt_stack_interned(get(), id, &from, &count);
        if (status != GT_OK)
            return fault(status);
        return make_frames(from, count);
    }

    // The highest id so far.
    std::uint32_t interned_count() const noexcept
    {
        return gt_stack_interned_count(get());
    }
#if GOTRACE_HPP_THROWS
    std::optional<gt_goroutine_info> goroutine(std::int64_t id) const
    {
        return try_goroutine(id).value();
    }

    std::optional<gt_proc_info> proc(std::int64_t id) const
    {
        return try_proc(id).value();
    }

    std::optional<gt_thread_info> thread(std::int64_t id) const
    {
        return try_thread(id).value();
    }

    auto goroutines() const noexcept
    {
        return live_range<gt_goroutine_info, gt_reader_next_goroutine, true>(get(), life());
    }

    auto procs() const noexcept
    {
        return live_range<gt_proc_info, gt_reader_next_proc, true>(get(), life());
    }

    auto threads() const noexcept
    {
        return live_range<gt_thread_info, gt_reader_next_thread, true>(get(), life());
    }

    std::vector<frame> interned(std::uint32_t id) const
    {
        return try_interned(id).value();
    }

    // Rethrows what a function called by the reader has thrown.
    void raise()
    {
        if (calls_)
            calls_->pending.raise();
    }
#endif

    // Just ends after the last good event; check last_fault().
    event_range<false> try_events() &noexcept
    {
        return {get(), calls_.get()};
    }
#if GOTRACE_HPP_THROWS
    // Throws after the last good event if that is not the end of the trace.
    event_range<true> events() &noexcept
    {
        return {get(), calls_.get()};
    }
#endif

  private:
    // The order matters: the reader is closed first.
    std::unique_ptr<calls> calls_;
    std::unique_ptr<gt_reader, detail::closer<gt_reader_close>> reader_;
};

} // namespace GOTRACE_HPP_VERSION
} // namespace gotrace

#endif
