// SPDX-License-Identifier: BSD-3-Clause
//
// Drawing for trace viewers: libgotrace-viewer and libgotrace-timeline.
//
// The functions of a consumer take the structures of C and return false to stop emitting.
// Their exceptions are rethrown by the function of the emitter that called them.
#ifndef GOTRACE_VIEWER_HPP
#define GOTRACE_VIEWER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gotrace/emitter.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>

#include <gotrace/analysis.hpp>
#include <gotrace/lifetime.hpp>

namespace gotrace
{
inline namespace GOTRACE_HPP_VERSION
{

// Receives the events of an emitter. Each function may be left out.
struct consumer {
    std::function<bool(std::string_view)> time_unit = nullptr;
    std::function<bool(const gt_viewer_event &, bool)> event = nullptr;
    std::function<bool(const gt_viewer_frame &)> frame = nullptr;
    std::function<bool()> flush = nullptr;
};

namespace detail
{

// Calls a consumer. Its address is stable when the owner of the emitter moves.
struct consumer_calls {
    gotrace::consumer consumer;
    detail::pending pending;

    gt_consumer c_consumer() noexcept
    {
        gt_consumer c = GT_CONSUMER_INIT;
        c.user_data = this;
        if (consumer.time_unit)
            c.time_unit = time_unit;
        if (consumer.event)
            c.event = event;
        if (consumer.frame)
            c.frame = frame;
        if (consumer.flush)
            c.flush = flush;
        return c;
    }

    template <typename F> static int call(void *data, const F &function) noexcept
    {
        auto *self = static_cast<consumer_calls *>(data);
        return self->pending.guard(-1, [&] { return function(self->consumer) ? 0 : -1; });
    }

    static int time_unit(void *data, const char *unit) noexcept
    {
        return call(data, [&](const auto &to) { return to.time_unit(unit); });
    }

    static int event(void *data, const gt_viewer_event *of, int required) noexcept
    {
        return call(data, [&](const auto &to) { return to.event(*of, required != 0); });
    }

    static int frame(void *data, const gt_viewer_frame *of) noexcept
    {
        return call(data, [&](const auto &to) { return to.frame(*of); });
    }

    static int flush(void *data) noexcept
    {
        return call(data, [&](const auto &to) { return to.flush(); });
    }
};

} // namespace detail

GOTRACE_HPP_LOCAL inline gt_viewer_argument argument(std::string_view key,
                                                     std::uint64_t number) noexcept
{
    return {as_gt_string(key), GT_VIEWER_UNSIGNED, 0, number, as_gt_string(""), 0};
}

GOTRACE_HPP_LOCAL inline gt_viewer_argument argument(std::string_view key,
                                                     std::string_view text) noexcept
{
    return {as_gt_string(key), GT_VIEWER_STRING, 0, 0, as_gt_string(text), 0};
}

// A template, so that an integer is none of its arguments.
template <typename Real, std::enable_if_t<std::is_floating_point_v<Real>, int> = 0>
GOTRACE_HPP_LOCAL gt_viewer_argument argument(std::string_view key, Real real) noexcept
{
    return {as_gt_string(key), GT_VIEWER_DOUBLE, 0, 0, as_gt_string(""), static_cast<double>(real)};
}

// Writes the events of an emitter to a function, as one object of Chrome's JSON format.
class json_writer
{
  public:
    static result<json_writer> try_open(write_function write,
                                        const gt_json_options &options = GT_JSON_OPTIONS_INIT)
    {
        auto to = std::make_unique<detail::writing>();
        to->function = std::move(write);
        gt_json_writer *writer;
        fault why;
        if (gt_json_writer_open(&writer, to->write, to.get(), &options, why.get()) != GT_OK)
            return why;
        return json_writer(std::move(to), writer);
    }
#if GOTRACE_HPP_THROWS
    static json_writer open(write_function write,
                            const gt_json_options &options = GT_JSON_OPTIONS_INIT)
    {
        return try_open(std::move(write), options).value();
    }

    // Rethrows what the function has thrown.
    void raise()
    {
        to_->pending.raise();
    }
#endif
    gt_json_writer *get() const noexcept
    {
        return writer_.get();
    }

    // The reason for which an emitter ended with GT_ERR_CALLBACK.
    gt_status status() const noexcept
    {
        return gt_json_writer_status(get());
    }

    // Until it is closed: for what refers to it.
    detail::lease life() const noexcept
    {
        return detail::lease::of_life(turn_.at());
    }

  private:
    json_writer(std::unique_ptr<detail::writing> to, gt_json_writer *writer)
        : to_(std::move(to)), writer_(writer)
    {
    }

    std::unique_ptr<detail::writing> to_;
    std::unique_ptr<gt_json_writer, detail::closer<gt_json_writer_close>> writer_;
    detail::turns turn_;
};

// Produces events for a trace viewer. Arguments are used only during the call. Once its json_writer
// is closed, the functions return GT_ERR_EXPIRED, or throw an error with it.
class emitter
{
  public:
    static result<emitter> try_open(consumer to,
                                    const gt_emitter_options &options = GT_EMITTER_OPTIONS_INIT)
    {
        auto made = std::make_unique<calls>();
        made->consumer = std::move(to);
        const gt_consumer c = made->c_consumer();
        return make(std::move(made), c, options, detail::lease());
    }

    static result<emitter> try_open(const json_writer &writer,
                                    const gt_emitter_options &options = GT_EMITTER_OPTIONS_INIT)
    {
        gt_consumer c = GT_CONSUMER_INIT;
        const gt_status status = gt_json_writer_consumer(writer.get(), &c);
        if (status != GT_OK)
            return fault(status);
        return make(std::make_unique<calls>(), c, options, writer.life());
    }
#if GOTRACE_HPP_THROWS
    template <typename To>
    static emitter open(To &&to, const gt_emitter_options &options = GT_EMITTER_OPTIONS_INIT)
    {
        return try_open(std::forward<To>(to), options).value();
    }

    // Throws if a gt_emitter_ function failed: check(gt_emitter_slice(e.get(), &slice)).
    void check(gt_status status)
    {
        if (status == GT_ERR_CALLBACK)
            calls_->pending.raise();
        detail::check(status);
    }

    void slice(const gt_slice &of)
    {
        check(try_slice(of));
    }

    void instant(const gt_instant &of)
    {
        check(try_instant(of));
    }

    void arrow(const gt_arrow &of)
    {
        check(try_arrow(of));
    }

    std::uint32_t stack(const std::vector<frame> &frames)
    {
        std::uint32_t id = 0;
        check(try_stack(frames, id));
        return id;
    }

    void name_resource(std::uint64_t resource, std::string_view name)
    {
        check(try_name_resource(resource, name));
    }

    void flush()
    {
        check(try_flush());
    }
#endif
    gt_emitter *get() const noexcept
    {
        return emitter_.get();
    }

    // Until it is closed: for what refers to it.
    detail::lease life() const noexcept
    {
        return detail::lease::of_life(turn_.at());
    }

    // Until its json_writer is closed.
    const detail::lease &writer_life() const noexcept
    {
        return writer_life_;
    }

    gt_status try_slice(const gt_slice &of) noexcept
    {
        return call(gt_emitter_slice, &of);
    }

    gt_status try_instant(const gt_instant &of) noexcept
    {
        return call(gt_emitter_instant, &of);
    }

    gt_status try_arrow(const gt_arrow &of) noexcept
    {
        return call(gt_emitter_arrow, &of);
    }

    // Sets `id` to the id of a stack, leaf first.
    gt_status try_stack(const std::vector<frame> &frames, std::uint32_t &id)
    {
        std::vector<gt_emitter_frame> c;
        c.reserve(frames.size());
        for (const auto &f : frames)
            c.push_back({f.pc, f.line, as_gt_string(f.function), as_gt_string(f.file)});
        return call(gt_emitter_stack, c.data(), c.size(), &id);
    }

    gt_status try_counter(const gt_counter &of) noexcept
    {
        return call(gt_emitter_counter, &of);
    }

    gt_status try_name_section(std::uint32_t section, std::string_view name) noexcept
    {
        return call(gt_emitter_name_section, section, as_gt_string(name));
    }

    gt_status try_name_resource(std::uint64_t resource, std::string_view name) noexcept
    {
        return call(gt_emitter_name_resource, resource, as_gt_string(name));
    }

    // Emits the names and positions of all rows and ends the emitter.
    gt_status try_flush() noexcept
    {
        return call(gt_emitter_flush);
    }

  private:
    using calls = detail::consumer_calls;

    emitter(std::unique_ptr<calls> made, gt_emitter *opened, const detail::lease &writer_life)
        : calls_(std::move(made)), emitter_(opened), writer_life_(writer_life)
    {
    }

    template <typename Function, typename... Arguments>
    gt_status call(Function function, const Arguments &...arguments) noexcept
    {
        return writer_life_.is_over() ? GT_ERR_EXPIRED : function(get(), arguments...);
    }

    static result<emitter> make(std::unique_ptr<calls> made, const gt_consumer &c,
                                const gt_emitter_options &options, const detail::lease &writer_life)
    {
        gt_emitter *opened;
        fault why;
        if (gt_emitter_open(&opened, &c, &options, why.get()) != GT_OK)
            return why;
        return emitter(std::move(made), opened, writer_life);
    }

    std::unique_ptr<calls> calls_;
    std::unique_ptr<gt_emitter, detail::closer<gt_emitter_close>> emitter_;
    detail::turns turn_;
    detail::lease writer_life_;
};

namespace detail
{

inline gt_status timeline_event(gt_timeline *timeline, gt_reader *, const gt_event *event) noexcept
{
    return gt_timeline_event(timeline, event);
}

} // namespace detail

// Draws the trace whose events it is fed. Once its reader, its emitter or the json_writer of that
// is closed, the functions return GT_ERR_EXPIRED, or throw an error with it.
class timeline : public detail::analysis<gt_timeline, gt_timeline_close, detail::timeline_event,
                                         gt_timeline_finish>
{
  public:
    // What a timeline uses is not checked.
    explicit timeline(gt_timeline *object) noexcept : analysis(object)
    {
    }

    static result<timeline> try_open(reader &from, emitter &to,
                                     const gt_timeline_options &options = GT_TIMELINE_OPTIONS_INIT)
    {
        auto made = make<timeline>(gt_timeline_open, from.get(), to.get(), &options);
        if (made)
            made->used_ = {from.life(), to.life(), to.writer_life()};
        return made;
    }

    gt_status try_add(const event &next)
    {
        return is_expired() ? GT_ERR_EXPIRED : analysis::try_add(next);
    }

    gt_status try_finish() noexcept
    {
        return is_expired() ? GT_ERR_EXPIRED : analysis::try_finish();
    }
#if GOTRACE_HPP_THROWS
    static timeline open(reader &from, emitter &to,
                         const gt_timeline_options &options = GT_TIMELINE_OPTIONS_INIT)
    {
        return try_open(from, to, options).value();
    }

    void add(const event &next)
    {
        detail::check(try_add(next));
    }

    void finish()
    {
        detail::check(try_finish());
    }
#endif

  private:
    bool is_expired() const noexcept
    {
        return used_[0].is_over() || used_[1].is_over() || used_[2].is_over();
    }

    // Of what it uses.
    std::array<detail::lease, 3> used_;
};

} // namespace GOTRACE_HPP_VERSION
} // namespace gotrace

#endif
