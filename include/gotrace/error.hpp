// SPDX-License-Identifier: BSD-3-Clause
//
// Strings and errors.
#ifndef GOTRACE_ERROR_HPP
#define GOTRACE_ERROR_HPP

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gotrace/status.h>
#include <gotrace/types.h>
#include <gotrace/version.h>

#if defined(__cpp_exceptions)
#define GOTRACE_HPP_THROWS 1
#include <exception>
#include <stdexcept>
#else
#define GOTRACE_HPP_THROWS 0
#endif

// Each version of these headers, with and without exceptions, has names of its own, so that
// libraries in one process that were compiled with different ones do not call each other's
// functions. Programs write gotrace::reader all the same.
#define GOTRACE_HPP_JOIN(major, minor, patch, throws) v##major##_##minor##_##patch##_##throws
#define GOTRACE_HPP_NAME(major, minor, patch, throws) GOTRACE_HPP_JOIN(major, minor, patch, throws)
#define GOTRACE_HPP_VERSION                                                                        \
    GOTRACE_HPP_NAME(GT_VERSION_MAJOR, GT_VERSION_MINOR, GT_VERSION_PATCH, GOTRACE_HPP_THROWS)

// Functions of no class belong to the library that was compiled with them, which does not export
// them, whatever its options are. Classes are the same in all libraries, so that what one throws
// another catches.
#if defined(__GNUC__)
#define GOTRACE_HPP_LOCAL __attribute__((visibility("hidden")))
#else
#define GOTRACE_HPP_LOCAL
#endif

namespace gotrace
{
inline namespace GOTRACE_HPP_VERSION
{

GOTRACE_HPP_LOCAL inline std::string_view text(const gt_string &string) noexcept
{
    return {string.data, string.size};
}

GOTRACE_HPP_LOCAL inline gt_string as_gt_string(std::string_view text) noexcept
{
    return {text.data(), text.size()};
}

// An error and its position. False if there is none.
class fault
{
  public:
    fault() noexcept = default;

    explicit fault(gt_status status) noexcept : fault(status, gt_status_text(status))
    {
    }

    fault(gt_status status, std::string_view message) noexcept
    {
        error_.status = status;
        message.copy(error_.message, sizeof(error_.message) - 1);
    }

    explicit fault(const gt_error &error) noexcept : error_(error)
    {
    }

    explicit operator bool() const noexcept
    {
        return error_.status != GT_OK;
    }

    // A gt_status; a library that is newer than the headers may return further values.
    std::int32_t status() const noexcept
    {
        return error_.status;
    }

    // The position in the input, in bytes from its start.
    std::optional<std::uint64_t> offset() const noexcept
    {
        if (error_.offset == GT_NO_OFFSET)
            return std::nullopt;
        return error_.offset;
    }

    std::uint64_t generation() const noexcept
    {
        return error_.generation;
    }

    // An errno, or 0.
    int system_error() const noexcept
    {
        return error_.system_error;
    }

    const char *message() const noexcept
    {
        return error_.message;
    }

    // The message with the position: "malformed batch (offset 12, generation 3)".
    std::string string() const
    {
        char text[GT_ERROR_TEXT_SIZE];
        return {text, gt_error_format(&error_, text, sizeof(text))};
    }

    gt_error *get() noexcept
    {
        return &error_;
    }

  private:
    gt_error error_ = GT_ERROR_INIT;
};

#if GOTRACE_HPP_THROWS
// Its what() is the string() of the fault.
class error : public std::runtime_error
{
  public:
    explicit error(const fault &why) : std::runtime_error(why.string()), why_(why)
    {
    }

    const fault &why() const noexcept
    {
        return why_;
    }

  private:
    fault why_;
};
#endif

namespace detail
{

[[noreturn]] GOTRACE_HPP_LOCAL inline void fail(const fault &why)
{
#if GOTRACE_HPP_THROWS
    throw error(why);
#else
    static_cast<void>(why);
    std::abort();
#endif
}

GOTRACE_HPP_LOCAL inline void check(gt_status status)
{
    if (status < 0)
        fail(fault(status));
}

template <auto Close> struct closer {
    template <typename T> void operator()(T *object) const noexcept
    {
        Close(&object);
    }
};

// The first exception of functions that the library calls. Exceptions cannot propagate
// through the library, so it is kept here until the library has returned.
class pending
{
  public:
    template <typename R, typename F> R guard(R failed, F &&function) noexcept
    {
#if GOTRACE_HPP_THROWS
        try {
            return function();
        } catch (...) {
            if (!problem_)
                problem_ = std::current_exception();
            return failed;
        }
#else
        static_cast<void>(failed);
        return function();
#endif
    }

    void raise()
    {
#if GOTRACE_HPP_THROWS
        if (problem_)
            std::rethrow_exception(std::exchange(problem_, nullptr));
#endif
    }

  private:
#if GOTRACE_HPP_THROWS
    std::exception_ptr problem_;
#endif
};

} // namespace detail

// A value, or the reason for which there is none.
template <typename T> class [[nodiscard]] result
{
  public:
    result(T value) : value_(std::move(value))
    {
    }

    result(const fault &why) : why_(why)
    {
    }

    explicit operator bool() const noexcept
    {
        return value_.has_value();
    }

    T &operator*() noexcept
    {
        return *value_;
    }

    T *operator->() noexcept
    {
        return &*value_;
    }

    const gotrace::fault &why() const noexcept
    {
        return why_;
    }

    // Throws if there is none; without exceptions it ends the program.
    T value() &&
    {
        if (!value_)
            detail::fail(why_);
        return std::move(*value_);
    }

  private:
    std::optional<T> value_;
    gotrace::fault why_;
};

} // namespace GOTRACE_HPP_VERSION
} // namespace gotrace

#endif
