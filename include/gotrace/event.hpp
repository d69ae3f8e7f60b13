// SPDX-License-Identifier: BSD-3-Clause
//
// Events and their stacks.
#ifndef GOTRACE_EVENT_HPP
#define GOTRACE_EVENT_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <gotrace/event.h>
#include <gotrace/format.h>
#include <gotrace/stack.h>

#include <gotrace/error.hpp>
#include <gotrace/lifetime.hpp>

namespace gotrace
{
inline namespace GOTRACE_HPP_VERSION
{

struct frame {
    std::uint64_t pc;
    std::uint64_t line;
    std::string_view function;
    std::string_view file;
};

GOTRACE_HPP_LOCAL inline frame make_frame(const gt_frame &from) noexcept
{
    return {from.pc, from.line, text(from.function), text(from.file)};
}

GOTRACE_HPP_LOCAL inline std::vector<frame> make_frames(const gt_frame *from, std::size_t count)
{
    std::vector<frame> frames;
    frames.reserve(count);
    for (std::size_t i = 0; i < count; i++)
        frames.push_back(make_frame(from[i]));
    return frames;
}

namespace detail
{

// The text that a C function formats, which is called with a buffer, its size, and where the size
// of the text goes.
template <typename Format> GOTRACE_HPP_LOCAL result<std::string> formatted(const Format &format)
{
    std::string printed(256, '\0');
    for (;;) {
        std::size_t size = 0;
        const gt_status status = format(&printed[0], printed.size(), &size);
        if (status != GT_OK)
            return fault(status);
        const bool is_whole = size < printed.size();
        printed.resize(is_whole ? size : size + 1);
        if (is_whole)
            return printed;
    }
}

} // namespace detail

// A stack of a reader or of a copied event; false for none. Its frames are decoded on demand. Those
// of a reader's are available until the reader advances from the next Sync, with
// reader_options::keep until it is closed; after that there is an error with GT_ERR_EXPIRED. A
// stack of a copy keeps the memory of the copy.
class call_stack
{
  public:
    // A stack of a reader that is not checked.
    call_stack(gt_reader *reader, gt_stack handle) noexcept : reader_(reader), handle_(handle)
    {
    }

    call_stack(gt_reader *reader, gt_stack handle, const detail::lease &life) noexcept
        : reader_(reader), life_(life), handle_(handle)
    {
    }

    // A stack of `copy`, which gt_event_copy has made.
    call_stack(std::shared_ptr<const gt_event> copy, gt_stack handle) noexcept
        : copy_(std::move(copy)), handle_(handle)
    {
    }

    explicit operator bool() const noexcept
    {
        return handle_ != GT_STACK_NONE;
    }

    // Remains valid as a key without limit.
    gt_stack handle() const noexcept
    {
        return handle_;
    }

    // The frames, leaf first.
    result<std::vector<frame>> try_frames() const
    {
        if (life_.is_over())
            return expired();
        const gt_frame *from;
        std::size_t count;
        const gt_status status = copy_
                                     ? gt_event_frames(nullptr, copy_.get(), handle_, &from, &count)
                                     : gt_stack_view(reader_, handle_, &from, &count);
        if (status != GT_OK)
            return fault(status);
        return make_frames(from, count);
    }

    // A number for these frames that holds for the whole trace, see gt_stack_intern. A stack of a
    // copy has none.
    result<std::uint32_t> try_id() const
    {
        if (life_.is_over())
            return expired();
        std::uint32_t id = 0;
        const gt_status status = gt_stack_intern(reader_, handle_, &id);
        if (status != GT_OK)
            return fault(status);
        return id;
    }

    // The frames as `gotrace dump` prints them. That of a copy is part of the copy's string().
    result<std::string> try_string() const
    {
        if (life_.is_over())
            return expired();
        return detail::formatted([this](char *to, std::size_t room, std::size_t *size) {
            return gt_stack_format(reader_, handle_, to, room, size);
        });
    }
#if GOTRACE_HPP_THROWS
    std::vector<frame> frames() const
    {
        return try_frames().value();
    }

    std::uint32_t id() const
    {
        return try_id().value();
    }

    std::string string() const
    {
        return try_string().value();
    }
#endif

  private:
    static fault expired() noexcept
    {
        return fault(GT_ERR_EXPIRED, "the reader of this stack was closed");
    }

    gt_reader *reader_ = nullptr;
    // Until the reader is closed.
    detail::lease life_;
    std::shared_ptr<const gt_event> copy_;
    gt_stack handle_;
};

using value = std::variant<std::monostate, std::uint64_t, std::string_view>;

GOTRACE_HPP_LOCAL inline value make_value(const gt_value &from) noexcept
{
    if (from.kind == GT_VALUE_UINT64)
        return from.number;
    if (from.kind == GT_VALUE_STRING)
        return text(from.string);
    return std::monostate();
}

// The content of events, by kind; gotrace/event.h documents the members.

struct metric_info {
    std::string_view name;
    gotrace::value value;
};

struct label_info {
    std::string_view label;
    gt_resource resource;
};

struct range_info {
    std::string_view name;
    // Why the world was stopped; empty for other ranges.
    std::optional<std::string_view> cause;
    gt_resource scope;
    std::uint32_t attribute_count;
};

struct task_info {
    std::uint64_t id;
    std::uint64_t parent;
    std::string_view type;
};

struct region_info {
    std::uint64_t task;
    std::string_view type;
};

struct log_info {
    std::uint64_t task;
    std::string_view category;
    std::string_view message;
};

struct transition_info {
    gt_resource resource;
    std::uint32_t from;
    std::uint32_t to;
    std::string_view reason;
    call_stack stack;
};

struct experimental_info {
    std::string_view name;
    std::string_view experiment;
    std::uint32_t argument_count;
};

struct named_value {
    std::string_view name;
    gotrace::value value;
};

using wall_time = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

// What events and copies, which are the `Of`, have in common. A getter returns nothing if the event
// is of another kind.
template <typename Of> class event_getters
{
  public:
    const gt_event *get() const
    {
        if (at_ != nullptr)
            detail::lease(&at_->number, number_)
                .check("the reader has gone on since this event, or was closed");
        return event_;
    }

    // The text that `gotrace dump` prints, with wall-clock times in UTC.
    result<std::string> try_string() const
    {
        const gt_event *of = get();
        return detail::formatted([&](char *to, std::size_t room, std::size_t *size) {
            return gt_event_format(reader_, of, to, room, size);
        });
    }
#if GOTRACE_HPP_THROWS
    std::string string() const
    {
        return try_string().value();
    }
#endif

    // A gt_event_kind, or a value that a newer library added.
    std::uint32_t kind() const
    {
        return get()->kind;
    }

    std::int64_t time() const
    {
        return get()->time;
    }

    std::int64_t thread() const
    {
        return get()->thread;
    }

    std::int64_t proc() const
    {
        return get()->proc;
    }

    std::int64_t goroutine() const
    {
        return get()->goroutine;
    }

    call_stack stack() const
    {
        return stack_of(gt_event_stack(get()));
    }

    using wall_time = gotrace::wall_time;

    std::optional<wall_time> wall_clock() const
    {
        std::int64_t seconds;
        std::uint32_t nanoseconds;
        if (gt_event_wall_clock(get(), &seconds, &nanoseconds) != GT_OK)
            return std::nullopt;
        return wall_time(std::chrono::seconds(seconds) + std::chrono::nanoseconds(nanoseconds));
    }

    std::optional<metric_info> metric() const
    {
        gt_metric m = GT_METRIC_INIT;
        if (gt_event_metric(get(), &m) != GT_OK)
            return std::nullopt;
        return metric_info{text(m.name), make_value(m.value)};
    }

    std::optional<label_info> label() const
    {
        gt_label l = GT_LABEL_INIT;
        if (gt_event_label(get(), &l) != GT_OK)
            return std::nullopt;
        return label_info{text(l.label), l.resource};
    }

    std::optional<range_info> range() const
    {
        gt_range r = GT_RANGE_INIT;
        if (gt_event_range(get(), &r) != GT_OK)
            return std::nullopt;
        std::optional<std::string_view> cause;
        if (r.has_cause)
            cause = text(r.cause);
        return range_info{text(r.name), cause, r.scope, r.attribute_count};
    }

    // Returns one of range_info::attribute_count attributes.
    std::optional<named_value> range_attribute(std::uint32_t index) const
    {
        return named<gt_event_range_attribute>(index);
    }

    std::optional<task_info> task() const
    {
        gt_task t = GT_TASK_INIT;
        if (gt_event_task(get(), &t) != GT_OK)
            return std::nullopt;
        return task_info{t.id, t.parent, text(t.type)};
    }

    std::optional<region_info> region() const
    {
        gt_region r = GT_REGION_INIT;
        if (gt_event_region(get(), &r) != GT_OK)
            return std::nullopt;
        return region_info{r.task, text(r.type)};
    }

    std::optional<log_info> log() const
    {
        gt_log l = GT_LOG_INIT;
        if (gt_event_log(get(), &l) != GT_OK)
            return std::nullopt;
        return log_info{l.task, text(l.category), text(l.message)};
    }

    // The states of goroutines and procs overlap, so look at the kind of the resource first, or
    // ask for the transitions of one kind by the two functions below.
    std::optional<transition_info> transition() const
    {
        return transition_of<gt_event_transition>();
    }

    std::optional<transition_info> goroutine_transition() const
    {
        return transition_of<gt_event_goroutine_transition>();
    }

    std::optional<transition_info> proc_transition() const
    {
        return transition_of<gt_event_proc_transition>();
    }

    std::optional<gt_sync> sync() const
    {
        gt_sync s = GT_SYNC_INIT;
        if (gt_event_sync(get(), &s) != GT_OK)
            return std::nullopt;
        return s;
    }

    // Returns one of gt_sync::batch_count batches.
    std::optional<gt_experimental_batch> experimental_batch(std::uint32_t index) const
    {
        gt_experimental_batch b = GT_EXPERIMENTAL_BATCH_INIT;
        if (gt_event_experimental_batch(get(), index, &b) != GT_OK)
            return std::nullopt;
        return b;
    }

    std::optional<experimental_info> experimental() const
    {
        gt_experimental e = GT_EXPERIMENTAL_INIT;
        if (gt_event_experimental(get(), &e) != GT_OK)
            return std::nullopt;
        return experimental_info{text(e.name), text(e.experiment), e.argument_count};
    }

    // Returns one of experimental_info::argument_count arguments.
    std::optional<named_value> experimental_argument(std::uint32_t index) const
    {
        return named<gt_event_experimental_argument>(index);
    }

  protected:
    event_getters(const event_getters &) noexcept = default;
    event_getters &operator=(const event_getters &) noexcept = default;

    // An event of a reader, which is valid as long as the reader that counts `at` a place has
    // advanced `number` times; without limit if `at` is NULL.
    event_getters(gt_reader *reader, const gt_event *from, const detail::turns::place *at,
                  std::uint64_t number) noexcept
        : reader_(reader), event_(from), at_(at), number_(number)
    {
    }

    // NULL for a copy.
    gt_reader *reader_;
    const gt_event *event_;
    const detail::turns::place *at_;

  private:
    call_stack stack_of(gt_stack handle) const noexcept
    {
        return static_cast<const Of *>(this)->own_stack(handle);
    }

    template <auto Getter> std::optional<transition_info> transition_of() const
    {
        gt_transition t = GT_TRANSITION_INIT;
        if (Getter(get(), &t) != GT_OK)
            return std::nullopt;
        return transition_info{t.resource, t.from, t.to, text(t.reason), stack_of(t.stack)};
    }

    template <auto Getter> std::optional<named_value> named(std::uint32_t index) const
    {
        gt_string name;
        gt_value held;
        if (Getter(get(), index, &name, &held) != GT_OK)
            return std::nullopt;
        return named_value{text(name), make_value(held)};
    }

    std::uint64_t number_;
};

// A copy of an event with everything that it refers to. It may outlive the reader, and may be kept
// in containers and read by several threads at once. Copies of it and its stacks share their
// memory, which never changes.
class event_copy : public event_getters<event_copy>
{
  public:
    // Takes what gt_event_copy has made.
    explicit event_copy(gt_event *owned)
        : event_getters(nullptr, owned, nullptr, 0), owner_(owned, detail::closer<gt_event_free>())
    {
    }

    // A move leaves the other one as it was, so that none is ever empty.
    event_copy(const event_copy &) noexcept = default;
    event_copy &operator=(const event_copy &) noexcept = default;

  private:
    friend class event_getters<event_copy>;

    call_stack own_stack(gt_stack handle) const noexcept
    {
        return {owner_, handle};
    }

    std::shared_ptr<gt_event> owner_;
};

// An event of a reader, to be passed by value. It is valid until its reader advances; after that
// all functions throw an error with GT_ERR_EXPIRED, or end the program if there are no exceptions.
// To keep one, copy() it.
class event : public event_getters<event>
{
  public:
    // An event whose validity is not checked.
    event(gt_reader *reader, const gt_event *from) noexcept
        : event_getters(reader, from, nullptr, 0)
    {
    }

    // An event that is valid as long as its reader, which counts `at` a place, has advanced
    // `number` times.
    event(gt_reader *reader, const gt_event *from, const detail::turns::place *at,
          std::uint64_t number) noexcept
        : event_getters(reader, from, at, number)
    {
    }

    gt_reader *reader() const noexcept
    {
        return reader_;
    }

    result<event_copy> try_copy() const
    {
        gt_event *made;
        const gt_status status = gt_event_copy(reader_, get(), nullptr, &made);
        if (status != GT_OK)
            return fault(status);
        return event_copy(made);
    }
#if GOTRACE_HPP_THROWS
    event_copy copy() const
    {
        return try_copy().value();
    }
#endif

  private:
    friend class event_getters<event>;

    call_stack own_stack(gt_stack handle) const noexcept
    {
        return {reader_, handle, detail::lease::of_life(at_)};
    }
};

// Converts a time to wall-clock time by the clock of a Sync. That of the last Sync, which has no
// clock, is the end of the trace: convert it by the clock of the Sync before.
GOTRACE_HPP_LOCAL inline std::optional<wall_time> wall_clock(const gt_sync &sync,
                                                             std::int64_t time) noexcept
{
    std::int64_t seconds;
    std::uint32_t nanoseconds;
    if (gt_sync_wall_clock(&sync, time, &seconds, &nanoseconds) != GT_OK)
        return std::nullopt;
    return wall_time(std::chrono::seconds(seconds) + std::chrono::nanoseconds(nanoseconds));
}

} // namespace GOTRACE_HPP_VERSION
} // namespace gotrace

#endif
