// SPDX-License-Identifier: BSD-3-Clause
//
// Events and resources as text. For single events there is event.string().
#ifndef GOTRACE_FORMAT_HPP
#define GOTRACE_FORMAT_HPP

#include <memory>
#include <string>

#include <gotrace/format.h>

#include <gotrace/reader.hpp>

namespace gotrace
{
inline namespace GOTRACE_HPP_VERSION
{

// A resource as Go prints it, such as "Goroutine(7)".
GOTRACE_HPP_LOCAL inline std::string to_string(const gt_resource &resource)
{
    char text[64];
    return {text, gt_resource_format(&resource, text, sizeof(text))};
}

// A formatter prints many events of a reader, several times as fast as event.string(). Once the
// reader is closed, there is an error with GT_ERR_EXPIRED.
class formatter
{
  public:
    static result<formatter>
    try_open(const reader &of, const gt_formatter_options &options = GT_FORMATTER_OPTIONS_INIT)
    {
        gt_formatter *opened;
        fault why;
        if (gt_formatter_open(&opened, of.get(), &options, why.get()) != GT_OK)
            return why;
        return formatter(opened, of.life());
    }

    result<std::string> try_string(const event &of)
    {
        if (life_.is_over())
            return fault(GT_ERR_EXPIRED, "the reader of this formatter was closed");
        const gt_event *from = of.get();
        return detail::formatted([&](char *to, std::size_t room, std::size_t *size) {
            return gt_formatter_event(get(), from, to, room, size);
        });
    }
#if GOTRACE_HPP_THROWS
    static formatter open(const reader &of,
                          const gt_formatter_options &options = GT_FORMATTER_OPTIONS_INIT)
    {
        return try_open(of, options).value();
    }

    std::string string(const event &of)
    {
        return try_string(of).value();
    }
#endif

    gt_formatter *get() const noexcept
    {
        return formatter_.get();
    }

  private:
    formatter(gt_formatter *opened, const detail::lease &life) noexcept
        : formatter_(opened), life_(life)
    {
    }

    std::unique_ptr<gt_formatter, detail::closer<gt_formatter_close>> formatter_;
    // Until the reader is closed.
    detail::lease life_;
};

} // namespace GOTRACE_HPP_VERSION
} // namespace gotrace

#endif
