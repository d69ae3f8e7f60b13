// SPDX-License-Identifier: BSD-3-Clause
//
// How objects that refer to another one know whether it still exists.
#ifndef GOTRACE_LIFETIME_HPP
#define GOTRACE_LIFETIME_HPP

#include <atomic>
#include <cstdint>
#include <utility>

#include <gotrace/error.hpp>

namespace gotrace
{
inline namespace GOTRACE_HPP_VERSION
{

namespace detail
{

// How often an object has advanced, by which what refers to it knows whether it is still valid.
// That is looked at also when the object is gone, so its memory is never returned: later objects go
// on counting there. The object that reuses it may be that of another thread.
class turns
{
  public:
    using count = std::atomic<std::uint64_t>;

    struct place {
        count number{0};
        // How many objects that have counted here are gone.
        count ended{0};
        place *next = nullptr;
    };

    turns() : own_(take())
    {
    }

    ~turns()
    {
        end();
    }

    turns(turns &&other) noexcept : own_(std::exchange(other.own_, nullptr))
    {
    }

    turns &operator=(turns &&other) noexcept
    {
        if (this == &other)
            return *this;
        end();
        own_ = std::exchange(other.own_, nullptr);
        return *this;
    }

    std::uint64_t advance() noexcept
    {
        return own_ != nullptr ? increment(own_->number) : 0;
    }

    // NULL if the object was moved from.
    const place *at() const noexcept
    {
        return own_;
    }

  private:
    // Those that no object has.
    struct places {
        std::atomic_flag is_busy = ATOMIC_FLAG_INIT;
        place *first = nullptr;
    };

    static std::uint64_t increment(count &of) noexcept
    {
        const std::uint64_t number = of.load(std::memory_order_relaxed) + 1;
        of.store(number, std::memory_order_relaxed);
        return number;
    }

    void end() noexcept
    {
        if (own_ == nullptr)
            return;
        increment(own_->number);
        increment(own_->ended);
        give(own_);
    }

    static places &spare() noexcept
    {
        static places all;
        return all;
    }

    static void lock(places &all) noexcept
    {
        while (all.is_busy.test_and_set(std::memory_order_acquire))
            continue;
    }

    static place *take()
    {
        places &all = spare();
        lock(all);
        place *found = all.first;
        if (found != nullptr)
            all.first = found->next;
        all.is_busy.clear(std::memory_order_release);
        return found != nullptr ? found : new place;
    }

    static void give(place *from) noexcept
    {
        places &all = spare();
        lock(all);
        from->next = all.first;
        all.first = from;
        all.is_busy.clear(std::memory_order_release);
    }

    place *own_;
};

// What refers to an object has one: it is over once the number with which it was made is no longer
// that of the object.
class lease
{
  public:
    // Never over: of an object that does not count.
    lease() noexcept = default;

    lease(const turns::count *now, std::uint64_t number) noexcept : now_(now), number_(number)
    {
    }

    // Until the object is gone.
    static lease of_life(const turns::place *at) noexcept
    {
        return at != nullptr ? lease(&at->ended, now(at->ended)) : lease();
    }

    // Until the object advances.
    static lease of_turn(const turns::place *at) noexcept
    {
        return at != nullptr ? lease(&at->number, now(at->number)) : lease();
    }

    bool is_over() const noexcept
    {
        return now_ != nullptr && now(*now_) != number_;
    }

    gt_status status() const noexcept
    {
        return is_over() ? GT_ERR_EXPIRED : GT_OK;
    }

    void check(const char *message) const
    {
        if (is_over())
            fail(fault(GT_ERR_EXPIRED, message));
    }

  private:
    static std::uint64_t now(const turns::count &of) noexcept
    {
        return of.load(std::memory_order_relaxed);
    }

    const turns::count *now_ = nullptr;
    std::uint64_t number_ = 0;
};

} // namespace detail

} // namespace GOTRACE_HPP_VERSION
} // namespace gotrace

#endif
