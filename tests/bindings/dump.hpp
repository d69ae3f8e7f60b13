// SPDX-License-Identifier: BSD-3-Clause
//
// Events as `gotrace dump` prints them with TZ=UTC.
#ifndef DUMP_HPP
#define DUMP_HPP

#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include <gotrace/event.hpp>

inline std::string join(std::initializer_list<std::string_view> pieces)
{
    std::string joined;
    for (const auto piece : pieces)
        joined.append(piece);
    return joined;
}

inline std::string quote(std::string_view text)
{
    gt_string rest = gotrace::as_gt_string(text);
    std::string quoted = "\"";
    char piece[100];
    while (rest.size > 0)
        quoted.append(piece, gt_string_quote(&rest, piece, sizeof(piece)));
    return join({quoted, "\""});
}

inline std::string dump_value(const gotrace::value &value)
{
    if (const auto *number = std::get_if<std::uint64_t>(&value))
        return join({"Value{Uint64(", std::to_string(*number), ")}"});
    if (const auto *text = std::get_if<std::string_view>(&value))
        return std::string(*text);
    return "Value{Bad}";
}

inline std::string dump_resource(const gt_resource &resource)
{
    const char *name = gt_resource_kind_name(resource.kind);
    if (resource.kind == GT_RESOURCE_NONE)
        return name;
    return join({name, "(", std::to_string(resource.id), ")"});
}

inline std::string dump_stack(const char *title, const gotrace::call_stack &stack)
{
    std::string dumped;
    if (!stack)
        return dumped;
    dumped += title;
    for (const auto &frame : stack.frames()) {
        char pc[32];
        std::snprintf(pc, sizeof(pc), " @ 0x%" PRIx64 "\n\t\t", frame.pc);
        dumped.append("\t").append(frame.function).append(pc).append(frame.file);
        dumped += join({":", std::to_string(frame.line), "\n"});
    }
    return dumped;
}

inline std::string dump_clock(const gt_sync &sync)
{
    char text[64], fraction[16] = "";
    const std::time_t seconds = sync.clock_seconds;
    std::tm parts;
    gmtime_r(&seconds, &parts);
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
    std::snprintf(fraction, sizeof(fraction), ".%09u",
                  static_cast<unsigned>(sync.clock_nanoseconds));
    std::string digits = fraction;
    digits.erase(digits.find_last_not_of('0') + 1);
    return join({text, digits == "." ? "" : digits, "Z"});
}

inline std::string dump_transition(const gotrace::transition_info &change)
{
    std::string dumped;
    if (change.resource.kind == GT_RESOURCE_GOROUTINE)
        dumped = join({" GoID=", std::to_string(change.resource.id), " ",
                       gt_go_state_name(change.from), "->", gt_go_state_name(change.to)});
    else
        dumped = join({" ProcID=", std::to_string(change.resource.id), " ",
                       gt_proc_state_name(change.from), "->", gt_proc_state_name(change.to)});
    return join({dumped, " Reason=", quote(change.reason),
                 dump_stack("\nTransitionStack=\n", change.stack)});
}

inline std::string dump_range(const gotrace::event &event, const gotrace::range_info &range)
{
    std::string name(range.name), attributes;
    if (range.cause)
        name.append(" (").append(*range.cause).append(")");
    for (std::uint32_t i = 0; i < range.attribute_count; i++) {
        const auto attribute = event.range_attribute(i);
        attributes +=
            join({i ? " " : "", quote(attribute->name), "=", dump_value(attribute->value)});
    }
    const std::string dumped = join({" Name=", quote(name), " Scope=", dump_resource(range.scope)});
    if (event.kind() != GT_EVENT_RANGE_END)
        return dumped;
    return join({dumped, " Attributes=[", attributes, "]"});
}

inline std::string dump_experimental(const gotrace::event &event,
                                     const gotrace::experimental_info &what)
{
    std::string dumped = join({" Name=", what.name, " Args=["});
    for (std::uint32_t i = 0; i < what.argument_count; i++) {
        const auto argument = event.experimental_argument(i);
        dumped += join({i ? ", " : "", argument->name, "=", dump_value(argument->value)});
    }
    return join({dumped, "]"});
}

inline std::string dump_details(const gotrace::event &event)
{
    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    if (const auto change = event.transition())
        return dump_transition(*change);
    if (const auto metric = event.metric())
        return join({" Name=", quote(metric->name), " Value=", dump_value(metric->value)});
    if (const auto label = event.label())
        return join({" Label=", quote(label->label), " Resource=", dump_resource(label->resource)});
    if (const auto range = event.range())
        return dump_range(event, *range);
    if (const auto task = event.task())
        return join({" ID=", number(task->id), " Parent=", number(task->parent),
                     " Type=", quote(task->type)});
    if (const auto region = event.region())
        return join({" Task=", number(region->task), " Type=", quote(region->type)});
    if (const auto log = event.log())
        return join({" Task=", number(log->task), " Category=", quote(log->category),
                     " Message=", quote(log->message)});
    if (const auto what = event.experimental())
        return dump_experimental(event, *what);
    const auto sync = event.sync();
    if (!sync)
        return "";
    if (!sync->has_clock)
        return join({" N=", number(sync->number)});
    return join({" N=", number(sync->number), " Trace=", std::to_string(sync->clock_trace),
                 " Mono=", number(sync->clock_monotonic), " Wall=", dump_clock(*sync)});
}

template <typename Range> std::string dump(const Range &events)
{
    std::string dumped;
    for (const gotrace::event event : events) {
        dumped += join({"M=", std::to_string(event.thread()), " P=", std::to_string(event.proc()),
                        " G=", std::to_string(event.goroutine()), " ",
                        gt_event_kind_name(event.kind()), " Time=", std::to_string(event.time()),
                        dump_details(event), dump_stack("\nStack=\n", event.stack()), "\n"});
    }
    return dumped;
}

#endif
