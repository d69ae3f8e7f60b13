// SPDX-License-Identifier: BSD-3-Clause
//
// What exists in the traced program at the position of a reader. The structures are those of C,
// whose strings text() converts to std::string_view.
#ifndef GOTRACE_LIVE_HPP
#define GOTRACE_LIVE_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

#include <gotrace/live.h>

#include <gotrace/error.hpp>
#include <gotrace/lifetime.hpp>

namespace gotrace
{
inline namespace GOTRACE_HPP_VERSION
{

namespace detail
{

GOTRACE_HPP_LOCAL inline gt_goroutine_info first(gt_goroutine_info *) noexcept
{
    return GT_GOROUTINE_INFO_INIT;
}

GOTRACE_HPP_LOCAL inline gt_proc_info first(gt_proc_info *) noexcept
{
    return GT_PROC_INFO_INIT;
}

GOTRACE_HPP_LOCAL inline gt_thread_info first(gt_thread_info *) noexcept
{
    return GT_THREAD_INFO_INIT;
}

// What there is with an id; nothing if there is none.
template <typename Info, auto Find>
GOTRACE_HPP_LOCAL result<std::optional<Info>> find_live(gt_reader *reader, std::int64_t id)
{
    Info info = first(static_cast<Info *>(nullptr));
    const gt_status status = Find(reader, id, &info);
    if (status == GT_ERR_NOT_AVAILABLE)
        return std::optional<Info>();
    if (status != GT_OK)
        return fault(status);
    return std::optional<Info>(info);
}

} // namespace detail

// The goroutines, procs or threads that exist, in the order in which they came: an input range.
// Events may be read in between. It must outlive its iterators.
template <typename Info, auto Next, bool Throws> class live_range
{
  public:
    class iterator
    {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Info;
        using difference_type = std::ptrdiff_t;
        using reference = const Info &;
        using pointer = const Info *;

        iterator() noexcept = default;

        explicit iterator(live_range *of) : of_(of)
        {
            ++*this;
        }

        reference operator*() const noexcept
        {
            return info_;
        }

        pointer operator->() const noexcept
        {
            return &info_;
        }

        iterator &operator++()
        {
            of_->status_ = of_->life_.status();
            if (of_->status_ == GT_OK)
                of_->status_ = Next(of_->reader_, &info_);
            if (of_->status_ != GT_OK)
                stop();
            return *this;
        }

        void operator++(int)
        {
            ++*this;
        }

        GOTRACE_HPP_LOCAL friend bool operator==(const iterator &a, const iterator &b) noexcept
        {
            return a.of_ == b.of_;
        }

        GOTRACE_HPP_LOCAL friend bool operator!=(const iterator &a, const iterator &b) noexcept
        {
            return a.of_ != b.of_;
        }

      private:
        void stop()
        {
            if constexpr (Throws)
                detail::check(of_->status_);
            of_ = nullptr;
        }

        live_range *of_ = nullptr;
        Info info_ = detail::first(static_cast<Info *>(nullptr));
    };

    live_range(gt_reader *reader, const detail::lease &life) noexcept : reader_(reader), life_(life)
    {
    }

    iterator begin()
    {
        return iterator(this);
    }

    iterator end() noexcept
    {
        return iterator();
    }

    // Why an iteration has ended: GT_END if there are no more, GT_ERR_EXPIRED if the reader was
    // closed.
    gt_status status() const noexcept
    {
        return status_;
    }

  private:
    gt_reader *reader_;
    // Until the reader is closed.
    detail::lease life_;
    gt_status status_ = GT_OK;
};

} // namespace GOTRACE_HPP_VERSION
} // namespace gotrace

#endif
