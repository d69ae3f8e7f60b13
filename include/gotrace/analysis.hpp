// SPDX-License-Identifier: BSD-3-Clause
//
// Analyses of a trace's events. Each takes all events of one trace, from feed() or its own
// add(), and after finish() returns its results in the structures of C.
#ifndef GOTRACE_ANALYSIS_HPP
#define GOTRACE_ANALYSIS_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <gotrace/latency.h>
#include <gotrace/mmu.h>
#include <gotrace/profile.h>
#include <gotrace/summary.h>
#include <gotrace/validate.h>

#include <gotrace/lifetime.hpp>
#include <gotrace/reader.hpp>

namespace gotrace
{
inline namespace GOTRACE_HPP_VERSION
{

// Objects of the library, which are returned as an array of pointers. Once the analysis to which
// they belong has gone on, or is gone, begin() and operator[] throw an error with GT_ERR_EXPIRED,
// or end the program if there are no exceptions; references to the objects are not checked.
template <typename T> class things
{
  public:
    class iterator
    {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using reference = const T &;
        using pointer = const T *;

        iterator() noexcept = default;

        explicit iterator(const T *const *at) noexcept : at_(at)
        {
        }

        const T &operator*() const noexcept
        {
            return **at_;
        }

        const T *operator->() const noexcept
        {
            return *at_;
        }

        iterator &operator++() noexcept
        {
            ++at_;
            return *this;
        }

        iterator operator++(int) noexcept
        {
            return iterator(at_++);
        }

        GOTRACE_HPP_LOCAL friend bool operator==(const iterator &a, const iterator &b) noexcept
        {
            return a.at_ == b.at_;
        }

        GOTRACE_HPP_LOCAL friend bool operator!=(const iterator &a, const iterator &b) noexcept
        {
            return a.at_ != b.at_;
        }

      private:
        const T *const *at_ = nullptr;
    };

    things(const T *const *first, std::size_t count, const detail::lease &turn) noexcept
        : first_(first), count_(count), turn_(turn)
    {
    }

    iterator begin() const
    {
        check();
        return iterator(first_);
    }

    iterator end() const noexcept
    {
        return iterator(first_ + count_);
    }

    std::size_t size() const noexcept
    {
        return count_;
    }

    const T &operator[](std::size_t index) const
    {
        check();
        return *first_[index];
    }

  private:
    void check() const
    {
        turn_.check("the analysis has gone on since, or is gone");
    }

    const T *const *first_;
    std::size_t count_;
    detail::lease turn_;
};

namespace detail
{

// Owns a C object and passes events to it. Event takes the object, a reader and an event.
template <typename Object, auto Close, auto Event, auto Finish> class analysis
{
  public:
    Object *get() const noexcept
    {
        return object_.get();
    }

    // Takes the event that its reader has just delivered.
    gt_status try_add(const event &next)
    {
        turn_.advance();
        return Event(get(), next.reader(), next.get());
    }

    // Finishes the analysis after the last event.
    gt_status try_finish() noexcept
    {
        turn_.advance();
        return Finish(get());
    }
#if GOTRACE_HPP_THROWS
    void add(const event &next)
    {
        check(try_add(next));
    }

    void finish()
    {
        check(try_finish());
    }
#endif

  protected:
    explicit analysis(Object *object) : object_(object)
    {
    }

    // Opens an object with the C function and wraps it in a T.
    template <typename T, typename Open, typename... Arguments>
    static result<T> make(Open open, const Arguments &...arguments)
    {
        Object *object;
        fault why;
        if (open(&object, arguments..., why.get()) != GT_OK)
            return why;
        return T(object);
    }

  private:
    std::unique_ptr<Object, closer<Close>> object_;

  protected:
    turns turn_;
};

// An analysis whose results can be asked for while events are taken.
template <typename Object, auto Close, auto Event, auto Finish, auto Snapshot>
class snapped_analysis : public analysis<Object, Close, Event, Finish>
{
  public:
    // Makes the results as they are after the events taken so far. They are there until the next
    // event is taken.
    gt_status try_snapshot() noexcept
    {
        this->turn_.advance();
        return Snapshot(this->get());
    }
#if GOTRACE_HPP_THROWS
    void snapshot()
    {
        check(try_snapshot());
    }
#endif

  protected:
    using analysis<Object, Close, Event, Finish>::analysis;
};

inline gt_status mmu_event(gt_mmu *mmu, gt_reader *, const gt_event *event) noexcept
{
    return gt_mmu_event(mmu, event);
}

inline gt_status no_finish(gt_validator *) noexcept
{
    return GT_OK;
}

} // namespace detail

// What goroutines, regions and tasks spent their time on.
class summary : public detail::snapped_analysis<gt_summary, gt_summary_close, gt_summary_event,
                                                gt_summary_finish, gt_summary_snapshot>
{
  public:
    explicit summary(gt_summary *object) : snapped_analysis(object)
    {
    }

    static result<summary> try_open(const gt_summary_options &options = GT_SUMMARY_OPTIONS_INIT)
    {
        return make<summary>(gt_summary_open, &options);
    }
#if GOTRACE_HPP_THROWS
    static summary open(const gt_summary_options &options = GT_SUMMARY_OPTIONS_INIT)
    {
        return try_open(options).value();
    }
#endif
    // Sorted by id. They and what they refer to belong to the summary.
    things<gt_goroutine_summary> goroutines() const noexcept
    {
        std::size_t count;
        const auto *first = gt_summary_goroutines(get(), &count);
        return {first, count, detail::lease::of_turn(turn_.at())};
    }

    things<gt_task_summary> tasks() const noexcept
    {
        std::size_t count;
        const auto *first = gt_summary_tasks(get(), &count);
        return {first, count, detail::lease::of_turn(turn_.at())};
    }

    // Returns NULL if there is none.
    const gt_goroutine_summary *goroutine(std::int64_t id) const noexcept
    {
        return gt_summary_find_goroutine(get(), id);
    }

    const gt_task_summary *task(std::uint64_t id) const noexcept
    {
        return gt_summary_find_task(get(), id);
    }
};

// Receives what is written; returns false on failure.
using write_function = std::function<bool(std::string_view)>;

namespace detail
{

// A write function, and the exception that it threw.
struct writing {
    write_function function;
    detail::pending pending;

    static int write(void *data, const void *bytes, std::size_t size) noexcept
    {
        auto *self = static_cast<writing *>(data);
        const std::string_view text(static_cast<const char *>(bytes), size);
        return self->pending.guard(-1, [&] { return self->function(text) ? 0 : -1; });
    }
};

} // namespace detail

// Where goroutines spend their time, by stack.
class profile : public detail::snapped_analysis<gt_profile, gt_profile_close, gt_profile_event,
                                                gt_profile_finish, gt_profile_snapshot>
{
  public:
    explicit profile(gt_profile *object) : snapped_analysis(object)
    {
    }

    static result<profile> try_open(const gt_profile_options &options)
    {
        return make<profile>(gt_profile_open, &options);
    }

    // Counts these kinds: GT_PROFILE_BIT(GT_PROFILE_SYNC), or several of them.
    static result<profile> try_open(std::uint64_t kinds)
    {
        gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
        options.kinds = kinds;
        return try_open(options);
    }

    std::size_t count(gt_profile_kind kind) const noexcept
    {
        return gt_profile_count(get(), kind);
    }

    // Samples with the most time come first. Frames are valid until the next call.
    std::optional<gt_profile_sample> sample(gt_profile_kind kind, std::size_t index) noexcept
    {
        gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
        if (gt_profile_get_sample(get(), kind, index, &sample) != GT_OK)
            return std::nullopt;
        return sample;
    }

    gt_status try_write_pprof(gt_profile_kind kind, write_function write)
    {
        detail::writing to{std::move(write), {}};
        return gt_profile_write_pprof(get(), kind, to.write, &to);
    }
#if GOTRACE_HPP_THROWS
    static profile open(const gt_profile_options &options)
    {
        return try_open(options).value();
    }

    static profile open(std::uint64_t kinds)
    {
        return try_open(kinds).value();
    }

    // Rethrows what `write` throws.
    void write_pprof(gt_profile_kind kind, write_function write)
    {
        detail::writing to{std::move(write), {}};
        const gt_status status = gt_profile_write_pprof(get(), kind, to.write, &to);
        to.pending.raise();
        detail::check(status);
    }
#endif
};

// How long goroutines wait, and for whom; how long tasks and regions take.
class latency : public detail::snapped_analysis<gt_latency, gt_latency_close, gt_latency_event,
                                                gt_latency_finish, gt_latency_snapshot>
{
  public:
    explicit latency(gt_latency *object) : snapped_analysis(object)
    {
    }

    static result<latency> try_open(const gt_latency_options &options = GT_LATENCY_OPTIONS_INIT)
    {
        return make<latency>(gt_latency_open, &options);
    }

    std::size_t count() const noexcept
    {
        return gt_latency_series_count(get());
    }

    std::optional<gt_latency_series> series(std::size_t index) const noexcept
    {
        gt_latency_series series = GT_LATENCY_SERIES_INIT;
        if (gt_latency_get_series(get(), index, &series) != GT_OK)
            return std::nullopt;
        return series;
    }

    // The duration that the part, from 0 to 1, of the durations of a series does not exceed.
    std::optional<std::int64_t> quantile(std::size_t index, double part) const noexcept
    {
        return duration<gt_latency_quantile>(index, part);
    }

    std::vector<gt_latency_bucket> buckets(std::size_t index) const
    {
        return all_buckets<gt_latency_next_bucket>(index);
    }

    // Who unblocked whom.
    std::size_t pair_count() const noexcept
    {
        return gt_latency_pair_count(get());
    }

    std::optional<gt_latency_pair> pair(std::size_t index) const noexcept
    {
        gt_latency_pair pair = GT_LATENCY_PAIR_INIT;
        if (gt_latency_get_pair(get(), index, &pair) != GT_OK)
            return std::nullopt;
        return pair;
    }

    // The frames of GT_LATENCY_WAITER or GT_LATENCY_UNBLOCKER, leaf first.
    std::vector<frame> pair_frames(std::size_t index, std::uint32_t side) const
    {
        std::size_t count = 0;
        gt_latency_pair_frames(get(), index, side, nullptr, 0, &count);
        std::vector<gt_frame> from(count);
        gt_latency_pair_frames(get(), index, side, from.data(), count, &count);
        std::vector<frame> frames;
        for (const gt_frame &one : from)
            frames.push_back(make_frame(one));
        return frames;
    }

    std::optional<std::int64_t> pair_quantile(std::size_t index, double part) const noexcept
    {
        return duration<gt_latency_pair_quantile>(index, part);
    }

    std::vector<gt_latency_bucket> pair_buckets(std::size_t index) const
    {
        return all_buckets<gt_latency_next_pair_bucket>(index);
    }
#if GOTRACE_HPP_THROWS
    static latency open(const gt_latency_options &options = GT_LATENCY_OPTIONS_INIT)
    {
        return try_open(options).value();
    }
#endif

  private:
    template <auto Quantile>
    std::optional<std::int64_t> duration(std::size_t index, double part) const noexcept
    {
        std::int64_t nanoseconds;
        if (Quantile(get(), index, part, &nanoseconds) != GT_OK)
            return std::nullopt;
        return nanoseconds;
    }

    template <auto Next> std::vector<gt_latency_bucket> all_buckets(std::size_t index) const
    {
        std::vector<gt_latency_bucket> buckets;
        gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
        while (Next(get(), index, &bucket) == GT_OK)
            buckets.push_back(bucket);
        return buckets;
    }
};

// How much of the processor the garbage collector leaves to the program.
class mmu : public detail::analysis<gt_mmu, gt_mmu_close, detail::mmu_event, gt_mmu_finish>
{
  public:
    explicit mmu(gt_mmu *object) : analysis(object)
    {
    }

    static result<mmu> try_open(const gt_mmu_options &options = GT_MMU_OPTIONS_INIT)
    {
        return make<mmu>(gt_mmu_open, &options);
    }

    result<double> try_minimum(std::int64_t window) noexcept
    {
        double minimum;
        const gt_status status = gt_mmu_minimum(get(), window, &minimum);
        if (status != GT_OK)
            return fault(status);
        return minimum;
    }
#if GOTRACE_HPP_THROWS
    static mmu open(const gt_mmu_options &options = GT_MMU_OPTIONS_INIT)
    {
        return try_open(options).value();
    }

    double minimum(std::int64_t window)
    {
        return try_minimum(window).value();
    }
#endif
};

// Checks events against rules that hold for every trace.
class validator : public detail::analysis<gt_validator, gt_validator_close, gt_validator_event,
                                          detail::no_finish>
{
  public:
    explicit validator(gt_validator *object) : analysis(object)
    {
    }

    static result<validator>
    try_open(const gt_validator_options &options = GT_VALIDATOR_OPTIONS_INIT)
    {
        return make<validator>(gt_validator_open, &options);
    }
#if GOTRACE_HPP_THROWS
    static validator open(const gt_validator_options &options = GT_VALIDATOR_OPTIONS_INIT)
    {
        return try_open(options).value();
    }
#endif
    std::uint64_t count() const noexcept
    {
        return gt_validator_count(get());
    }

    std::optional<gt_finding> finding(std::uint64_t index) const noexcept
    {
        gt_finding finding = GT_FINDING_INIT;
        if (gt_validator_finding(get(), index, &finding) != GT_OK)
            return std::nullopt;
        return finding;
    }
};

// Passes all remaining events to analyses and finishes them, even if the trace is damaged. With a
// reader that is fed, it passes the events so far, and finishes them only at the end of the trace.
// Returns the reason for which it ended, which is false at the end of the trace.
template <typename... Analyses>
GOTRACE_HPP_LOCAL fault try_feed(reader &from, Analyses &...analyses)
{
    gt_status status = GT_OK;
    const auto is_good = [&status](gt_status of) { return status = of, of == GT_OK; };
    for (const auto next : from.try_events()) {
        if (!(is_good(analyses.try_add(next)) && ...))
            return fault(status);
    }
    if (from.again())
        return fault();
    if (!(is_good(analyses.try_finish()) && ...))
        return fault(status);
    return from.last_fault();
}

#if GOTRACE_HPP_THROWS
template <typename... Analyses> GOTRACE_HPP_LOCAL void feed(reader &from, Analyses &...analyses)
{
    const fault why = try_feed(from, analyses...);
    from.raise();
    if (why)
        detail::fail(why);
}
#endif

} // namespace GOTRACE_HPP_VERSION
} // namespace gotrace

#endif
