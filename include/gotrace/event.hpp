// SPDX-License-Identifier: BSD-3-Clause
//
// Events and their stacks.
#ifndef GOTRACE_EVENT_HPP
#define GOTRACE_EVENT_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gotrace/event.h>
#include <gotrace/format.h>
#include <gotrace/stack.h>

#include <gotrace/error.hpp>

namespace gotrace
{

struct frame {
    std::uint64_t pc;
    std::uint64_t line;
    std::string_view function;
    std::string_view file;
};

inline frame make_frame(const gt_frame &from) noexcept
{
    return {from.pc, from.line, text(from.function), text(from.file)};
}

// A stack of a reader; false for none. Its frames are decoded on demand, which is possible
// until the next Sync, or with reader_options::keep until the reader is closed.
class call_stack
{
  public:
    call_stack(gt_reader *reader, gt_stack handle) noexcept : reader_(reader), handle_(handle)
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
        const gt_frame *from;
        std::size_t count;
        gt_status status = gt_stack_view(reader_, handle_, &from, &count);
        if (status != GT_OK)
            return fault(status);
        std::vector<frame> frames;
        frames.reserve(count);
        for (std::size_t i = 0; i < count; i++)
            frames.push_back(make_frame(from[i]));
        return frames;
    }
#if GOTRACE_HPP_THROWS
    std::vector<frame> frames() const
    {
        return try_frames().value();
    }
#endif

  private:
    gt_reader *reader_;
    gt_stack handle_;
};

using value = std::variant<std::monostate, std::uint64_t, std::string_view>;

inline value make_value(const gt_value &from) noexcept
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

// An event of a reader, to be passed by value. It is valid until its reader advances; after that
// all functions throw an error with GT_ERR_EXPIRED, or end the program if there are no exceptions.
// A getter returns nothing if the event is of another kind.
class event
{
  public:
    // An event whose validity is not checked.
    event(gt_reader *reader, const gt_event *from) noexcept : reader_(reader), event_(from)
    {
    }

    // An event that is valid as long as `*now`, which belongs to its reader, is `number`.
    event(gt_reader *reader, const gt_event *from, const std::uint64_t *now,
          std::uint64_t number) noexcept
        : reader_(reader), event_(from), now_(now), number_(number)
    {
    }

    const gt_event *get() const
    {
        if (now_ != nullptr && *now_ != number_)
            expired();
        return event_;
    }

    // The text that `gotrace dump` prints, with wall-clock times in UTC.
    result<std::string> try_string() const
    {
        std::size_t size = 0;
        gt_status status = gt_event_format(reader_, get(), nullptr, 0, &size);
        std::string printed(size + 1, '\0');
        if (status == GT_OK)
            status = gt_event_format(reader_, get(), &printed[0], size + 1, &size);
        if (status != GT_OK)
            return fault(status);
        printed.resize(size);
        return printed;
    }
#if GOTRACE_HPP_THROWS
    std::string string() const
    {
        return try_string().value();
    }
#endif

    gt_reader *reader() const noexcept
    {
        return reader_;
    }

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
        return {reader_, gt_event_stack(get())};
    }

    using wall_time = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

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

    std::optional<transition_info> transition() const
    {
        gt_transition t = GT_TRANSITION_INIT;
        if (gt_event_transition(get(), &t) != GT_OK)
            return std::nullopt;
        return transition_info{t.resource, t.from, t.to, text(t.reason), {reader_, t.stack}};
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

  private:
    template <auto Getter> std::optional<named_value> named(std::uint32_t index) const
    {
        gt_string name;
        gt_value held;
        if (Getter(get(), index, &name, &held) != GT_OK)
            return std::nullopt;
        return named_value{text(name), make_value(held)};
    }

    [[noreturn]] static void expired()
    {
        detail::fail(fault(GT_ERR_EXPIRED, "the reader has gone on since this event"));
    }

    gt_reader *reader_;
    const gt_event *event_;
    const std::uint64_t *now_ = nullptr;
    std::uint64_t number_ = 0;
};

} // namespace gotrace

#endif
