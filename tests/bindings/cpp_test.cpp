// SPDX-License-Identifier: BSD-3-Clause
//
// The C++ headers of examples/cpp: every event of every trace in testdata printed as
// `gotrace dump` does, and lifetimes, moves, errors and callbacks.
//
//     bindings_cpp_test TESTDATA GOTRACE
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <thread>
#include <type_traits>
#include <vector>

#include "dump.hpp"
#include <gotrace/gotrace.hpp>
#include <gotrace/viewer.hpp>

namespace
{

int failures = 0;

void expect(bool is_good, const char *what, int line)
{
    if (is_good)
        return;
    std::cerr << "cpp_test.cpp:" << line << ": " << what << '\n';
    failures++;
}

#define EXPECT(condition) expect((condition), #condition, __LINE__)

// The error that `function` throws; none where it throws none.
template <typename F> gotrace::fault fault_of(const F &function)
{
    try {
        function();
    } catch (const gotrace::error &error) {
        return error.why();
    }
    return gotrace::fault();
}

std::filesystem::path testdata;
std::string command;

std::string path_of(const char *name)
{
    return (testdata / name).string();
}

std::string bytes_of(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string output_of(const std::string &what)
{
    std::string output;
    FILE *pipe = popen(what.c_str(), "r");
    char buffer[65536];
    std::size_t size;
    while (pipe != nullptr && (size = fread(buffer, 1, sizeof(buffer), pipe)) > 0)
        output.append(buffer, size);
    if (pipe != nullptr)
        pclose(pipe);
    return output;
}

std::size_t compare_dumps(const char *folder)
{
    std::size_t count = 0;
    for (const auto &entry : std::filesystem::directory_iterator(testdata / folder)) {
        if (entry.path().extension() != ".trace")
            continue;
        const std::string path = entry.path().string();
        auto reader = gotrace::reader::open(path);
        const std::string ours = dump(reader.try_events());
        const std::string theirs =
            output_of(join({"'", command, "' dump '", path, "' 2>/dev/null"}));
        if (ours != theirs) {
            std::cerr << path << ": the dumps differ\n";
            failures++;
        }
        count++;
    }
    return count;
}

// The hostile traces are left out: the calendar of this test ends before some of their times.
void test_dumps()
{
    EXPECT(compare_dumps("v1") + compare_dumps("v2") > 50);
}

void test_ranges()
{
    static_assert(!std::is_copy_constructible_v<gotrace::reader>);
    static_assert(std::is_nothrow_move_constructible_v<gotrace::reader>);
    static_assert(std::is_trivially_copyable_v<gotrace::event>);
#if __cplusplus >= 202002L
    static_assert(std::input_iterator<gotrace::event_range<true>::iterator>);
    static_assert(std::ranges::input_range<gotrace::event_range<true>>);
#endif
    auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    auto events = reader.events();
    const auto logs = std::count_if(events.begin(), events.end(), [](gotrace::event event) {
        return event.kind() == GT_EVENT_LOG;
    });
    EXPECT(logs == 7);
    EXPECT(reader.info().events == 124);
    EXPECT(reader.info().version == 26);
    EXPECT(reader.ending() == GT_ENDING_STOPPED);
    EXPECT(reader.first_procs() == 0);
    auto old = gotrace::reader::open(path_of("v1/go1.21-many.trace"));
    auto old_events = old.events();
    EXPECT(std::distance(old_events.begin(), old_events.end()) > 0);
    EXPECT(old.first_procs() == 2);
    // There are no more, and no error.
    EXPECT(reader.events().begin() == reader.events().end());
    EXPECT(!reader.last_fault());
}

void test_events_of_the_past_throw()
{
    auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    std::vector<gotrace::event> events;
    for (const auto event : reader.events())
        events.push_back(event);
    EXPECT(events.size() == 124);
    std::size_t expired = 0;
    for (const auto &event : events) {
        expired += fault_of([&] { event.kind(); }).status() == GT_ERR_EXPIRED;
        expired += fault_of([&] { event.transition(); }).status() == GT_ERR_EXPIRED;
        expired += fault_of([&] { event.stack(); }).status() == GT_ERR_EXPIRED;
    }
    EXPECT(expired == 3 * events.size());
    auto again = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    auto it = again.events().begin();
    const gotrace::event first = *it;
    EXPECT(first.kind() == GT_EVENT_SYNC);
    ++it;
    EXPECT(fault_of([&] { first.time(); }).status() == GT_ERR_EXPIRED);
    EXPECT((*it).time() > 0);
}

// Their readers may have been closed, and others may count where these did.
void test_events_of_a_reader_that_is_closed_throw()
{
    std::vector<gotrace::event> events;
    for (int i = 0; i < 3; i++) {
        auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
        for (const auto event : reader.events()) {
            EXPECT(event.kind() != 0);
            events.push_back(event);
        }
    }
    auto next = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    const auto first = next.events().begin();
    for (const auto &event : events)
        EXPECT(fault_of([&] { event.time(); }).status() == GT_ERR_EXPIRED);
    EXPECT((*first).kind() == GT_EVENT_SYNC);
}

// What was asked of an object that refers to one which is gone.
template <typename F> bool has_expired(const F &function)
{
    return fault_of(function).status() == GT_ERR_EXPIRED;
}

void test_stacks_outlive_their_reader()
{
    std::vector<gotrace::call_stack> stacks;
    {
        auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
        for (const auto event : reader.events()) {
            if (event.stack())
                stacks.push_back(event.stack());
            if (const auto change = event.transition(); change && change->stack)
                stacks.push_back(change->stack);
        }
        stacks.push_back(reader.stack(stacks[0].handle()));
        EXPECT(!stacks.back().frames().empty());
    }
    // Others may count where that reader did.
    auto next = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    EXPECT(stacks.size() > 60);
    for (const auto &stack : stacks) {
        EXPECT(has_expired([&] { stack.frames(); }));
        EXPECT(has_expired([&] { stack.id(); }));
        EXPECT(has_expired([&] { stack.string(); }));
        EXPECT(stack.try_frames().why().status() == GT_ERR_EXPIRED);
        EXPECT(stack.handle() != GT_STACK_NONE);
    }
}

void test_stacks_outlive_their_copies()
{
    std::vector<gotrace::call_stack> stacks;
    auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    for (const auto event : reader.events()) {
        if (event.stack())
            stacks.push_back(event.copy().stack());
    }
    EXPECT(!stacks.empty());
    for (const auto &stack : stacks)
        EXPECT(!stack.frames().empty() && !stack.frames()[0].function.empty());
}

// Makes something that refers to a reader, and closes that.
template <typename Make> auto made_of_closed_reader(const Make &make)
{
    gotrace::reader_options options;
    options.track = true;
    auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"), options);
    auto events = reader.events();
    auto at = events.begin();
    for (int i = 0; i < 60; i++)
        ++at;
    return make(reader);
}

void test_ranges_outlive_their_reader()
{
    auto events = made_of_closed_reader([](auto &of) { return of.events(); });
    auto it = made_of_closed_reader([](auto &of) { return of.events().begin(); });
    auto quiet = made_of_closed_reader([](auto &of) { return of.try_events(); });
    EXPECT(has_expired([&] { events.begin(); }));
    EXPECT(has_expired([&] { quiet.begin(); }));
    EXPECT(has_expired([&] { ++it; }));
    EXPECT(has_expired([&] { (*it).kind(); }));
    auto goroutines = made_of_closed_reader([](auto &of) { return of.goroutines(); });
    auto procs = made_of_closed_reader([](auto &of) { return of.try_procs(); });
    EXPECT(has_expired([&] { goroutines.begin(); }));
    EXPECT(procs.begin() == procs.end() && procs.status() == GT_ERR_EXPIRED);
    // The iterator of a range that lives may outlive the reader, too.
    std::optional<gotrace::reader> reader(
        made_of_closed_reader([](auto &of) { return std::move(of); }));
    auto living = reader->threads();
    auto thread = living.begin();
    EXPECT(thread != living.end());
    reader.reset();
    EXPECT(has_expired([&] { ++thread; }));
}

void test_formatter_outlives_its_reader()
{
    auto formatter = made_of_closed_reader([](auto &of) { return gotrace::formatter::open(of); });
    auto other = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    const auto it = other.events().begin();
    EXPECT(has_expired([&] { formatter.string(*it); }));
    EXPECT((*it).kind() == GT_EVENT_SYNC);
}

void test_results_of_an_analysis_that_is_gone_throw()
{
    auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    std::optional<gotrace::summary> summary(gotrace::summary::open());
    auto events = reader.events();
    auto it = events.begin();
    for (int i = 0; i < 60; i++, ++it)
        summary->add(*it);
    const gotrace::event last = *it;
    summary->snapshot();
    const auto before = summary->goroutines();
    EXPECT(before.size() > 0 && before[0].id == (*before.begin()).id);
    summary->add(*it);
    EXPECT(has_expired([&] { before[0]; }));
    EXPECT(has_expired([&] { before.begin(); }));
    ++it;
    EXPECT(has_expired([&] { summary->add(last); }));
    summary->snapshot();
    gotrace::summary moved = std::move(*summary);
    const auto goroutines = moved.goroutines();
    const auto tasks = moved.tasks();
    summary.reset();
    EXPECT(goroutines[0].id == (*goroutines.begin()).id);
    moved = gotrace::summary::open();
    EXPECT(has_expired([&] { goroutines[0]; }));
    EXPECT(has_expired([&] { tasks.begin(); }));
}

void test_text_of_events()
{
    const std::string path = path_of("v2/go1.27-mix.trace");
    auto reader = gotrace::reader::open(path);
    std::string text;
    for (const auto event : reader.events())
        text.append(event.string()).push_back('\n');
    EXPECT(text == output_of(join({"TZ=UTC '", command, "' dump '", path, "'"})));
}

void test_feeding()
{
    const std::string path = path_of("v2/go1.27-mix.trace"), bytes = bytes_of(path);
    auto whole = gotrace::reader::open(path);
    const std::string expected = dump(whole.events());
    auto reader = gotrace::reader::open_push();
    auto latency = gotrace::latency::open();
    std::string text;
    std::size_t waits = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 1000) {
        reader.feed(std::string_view(bytes).substr(at, 1000));
        text += dump(reader.events());
        waits += reader.again();
    }
    EXPECT(waits > bytes.size() / 1000 - 2);
    reader.finish();
    text += dump(reader.events());
    EXPECT(!reader.again());
    EXPECT(text == expected);
    EXPECT(fault_of([&] { reader.feed("x"); }).status() == GT_ERR_INVALID_ARGUMENT);
}

// The analyses take a trace that is fed as they take the same trace from a file.
void test_latencies()
{
    const std::string path = path_of("v2/go1.27-mix.trace"), bytes = bytes_of(path);
    auto whole = gotrace::latency::open(), fed = gotrace::latency::open();
    auto file = gotrace::reader::open(path);
    gotrace::feed(file, whole);
    auto push = gotrace::reader::open_push();
    for (std::size_t at = 0; at < bytes.size(); at += 4096) {
        push.feed(std::string_view(bytes).substr(at, 4096));
        gotrace::feed(push, fed);
    }
    push.finish();
    gotrace::feed(push, fed);
    EXPECT(whole.count() > 4 && fed.count() == whole.count());
    for (std::size_t i = 0; i < whole.count(); i++) {
        const auto series = whole.series(i), again = fed.series(i);
        EXPECT(series && again && series->sum == again->sum && series->count == again->count);
        EXPECT(*whole.quantile(i, 1.0) <= series->maximum);
        std::uint64_t count = 0;
        for (const auto &bucket : whole.buckets(i))
            count += bucket.count;
        EXPECT(count == series->count);
    }
    EXPECT(!whole.series(whole.count()) && !whole.quantile(0, 2.0));
    EXPECT(whole.pair_count() > 0 && whole.pair(0)->count > 0);
    EXPECT(!whole.pair_frames(0, GT_LATENCY_WAITER).empty());
}

void test_moves()
{
    auto first = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    auto it = first.events().begin();
    gotrace::reader second = std::move(first);
    // The iterator goes on with the same trace.
    std::size_t count = 1;
    const auto end = second.events().end();
    while (++it != end)
        count++;
    EXPECT(count == 124 && count == second.info().events);
    EXPECT(first.get() == nullptr);
    EXPECT(first.last_fault().status() == GT_ERR_INVALID_ARGUMENT);
    auto none = gotrace::summary::open();
    EXPECT(fault_of([&] { gotrace::feed(first, none); }).status() == GT_ERR_INVALID_ARGUMENT);
    EXPECT(fault_of([&] { first.events().begin(); }).status() == GT_ERR_INVALID_ARGUMENT);
    second = gotrace::reader::open(path_of("v2/go1.27-chan.trace"));
    EXPECT(second.info().events == 0);
    gotrace::reader third = std::move(second);
    third = std::move(first);
    EXPECT(third.get() == nullptr);
}

void test_errors()
{
    EXPECT(fault_of([] { gotrace::reader::open("/no/such/file"); }).status() == GT_ERR_IO);
    EXPECT(fault_of([] { gotrace::reader::open("/no/such/file"); }).system_error() == ENOENT);
    EXPECT(fault_of([] { gotrace::reader::open_memory("not a trace at all"); }).status() ==
           GT_ERR_NOT_A_TRACE);
    const auto opened = gotrace::reader::try_open_memory("go 9.99 trace\0\0\0");
    EXPECT(!opened && opened.why().status() != GT_OK);

    auto cut = gotrace::reader::open(path_of("v2/go1.27-cut.trace"));
    std::uint64_t before = 0;
    const gotrace::fault why = fault_of([&] {
        for (const auto event : cut.events())
            before += event.time() > 0;
    });
    EXPECT(why.status() == GT_ERR_TRUNCATED);
    EXPECT(why.offset() == std::uint64_t(11182));
    EXPECT(why.generation() == 5);
    EXPECT(std::strcmp(why.message(), "batch is cut off: 791 of 1459 bytes") == 0);
    EXPECT(before > 100 && before == cut.info().events);
    // The same again, and the same without exceptions.
    EXPECT(fault_of([&] { cut.events().begin(); }).offset() == std::uint64_t(11182));
    auto quiet = gotrace::reader::open(path_of("v2/go1.27-cut.trace"));
    auto events = quiet.try_events();
    EXPECT(std::uint64_t(std::distance(events.begin(), events.end())) == before);
    EXPECT(quiet.last_fault().offset() == std::uint64_t(11182));
}

void test_options()
{
    std::vector<std::uint64_t> places;
    gotrace::reader_options options;
    options.lenient = true;
    options.on_repair = [&](const gotrace::fault &repair) {
        places.push_back(repair.offset().value_or(0));
    };
    auto lenient = gotrace::reader::open(path_of("v2/go1.27-cut.trace"), options);
    for (const auto event : lenient.events())
        static_cast<void>(event);
    EXPECT(!places.empty() && places.size() == lenient.info().repairs);

    // A thread waits there for what is lost.
    std::uint64_t forced = 0;
    for (const bool unforced : {false, true}) {
        gotrace::reader_options repairs;
        repairs.lenient = true;
        repairs.unforced = unforced;
        auto cut = gotrace::reader::open(path_of("v2/go1.23-cut.trace"), repairs);
        for (const auto event : cut.events())
            static_cast<void>(event);
        EXPECT(unforced ? cut.info().events < forced : cut.info().events > 0);
        forced = cut.info().events;
    }

    gotrace::reader_options limit;
    limit.memory_limit = 2000;
    const auto small = gotrace::reader::try_open(path_of("v2/go1.27-cut.trace"), limit);
    EXPECT(!small && small.why().status() == GT_ERR_LIMIT);
    limit.memory_limit = 25000;
    auto some = gotrace::reader::open(path_of("v2/go1.27-mix.trace"), limit);
    EXPECT(fault_of([&] { dump(some.events()); }).status() == GT_ERR_LIMIT);
    EXPECT(some.info().memory_peak <= 25000);
}

void test_stack_lifetime()
{
    for (const bool keep : {false, true}) {
        gotrace::reader_options options;
        options.keep = keep;
        auto reader = gotrace::reader::open(path_of("v2/go1.27-gens.trace"), options);
        std::optional<gotrace::call_stack> first;
        std::size_t frames = 0;
        int syncs = 0;
        for (const auto event : reader.events()) {
            syncs += event.kind() == GT_EVENT_SYNC;
            if (syncs == 1 && !first && event.stack()) {
                first = event.stack();
                frames = first->frames().size();
                EXPECT(frames > 0);
            }
            if (syncs == 3)
                break;
        }
        if (keep)
            EXPECT(first->frames().size() == frames);
        else
            EXPECT(fault_of([&] { first->frames(); }).status() == GT_ERR_EXPIRED);
    }
}

void test_getters()
{
    auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    for (const auto event : reader.events()) {
        EXPECT(event.transition().has_value() == (event.kind() == GT_EVENT_STATE_TRANSITION));
        EXPECT(event.log().has_value() == (event.kind() == GT_EVENT_LOG));
        EXPECT(event.sync().has_value() == (event.kind() == GT_EVENT_SYNC));
        EXPECT(event.range().has_value() ==
               (event.kind() >= GT_EVENT_RANGE_BEGIN && event.kind() <= GT_EVENT_RANGE_END));
        EXPECT(!event.experimental() && !event.experimental_argument(0));
        // The last Sync is of no generation, so there is no clock to go by.
        EXPECT(event.wall_clock().has_value() == (!event.sync() || event.sync()->generation != 0));
    }
}

// A reader that gets its bytes from a function, some at a time; it throws after `good`.
gotrace::read_function feeder(const std::string &bytes, std::size_t good)
{
    return [&bytes, good, at = std::size_t(0)](void *to, std::size_t room) mutable {
        if (at >= good && good < bytes.size())
            throw std::length_error("no more");
        const std::size_t size = std::min({room, bytes.size() - at, std::size_t(100)});
        std::memcpy(to, bytes.data() + at, size);
        at += size;
        return std::int64_t(size);
    };
}

void test_function()
{
    const std::string path = path_of("v2/go1.27-tasks.trace"), bytes = bytes_of(path);
    auto reader = gotrace::reader::open_function(feeder(bytes, bytes.size()));
    auto other = gotrace::reader::open_memory(bytes);
    EXPECT(dump(reader.events()) == dump(other.events()));

    bool thrown = false;
    try {
        gotrace::reader::open_function(feeder(bytes, 0));
    } catch (const std::length_error &) {
        thrown = true;
    }
    EXPECT(thrown);
    thrown = false;
    try {
        auto broken = gotrace::reader::open_function(feeder(bytes, 1000));
        dump(broken.events());
    } catch (const std::length_error &) {
        thrown = true;
    }
    EXPECT(thrown);
}

void test_analyses()
{
    auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    auto summary = gotrace::summary::open();
    auto profile = gotrace::profile::open(GT_PROFILE_BIT(GT_PROFILE_SYNC));
    auto mmu = gotrace::mmu::open();
    auto validator = gotrace::validator::open();
    gotrace::feed(reader, summary, profile, mmu, validator);
    EXPECT(summary.goroutines().size() == 15);
    EXPECT(std::any_of(summary.tasks().begin(), summary.tasks().end(), [](const auto &task) {
        return gotrace::text(task.name) == "sub" && task.has_begin;
    }));
    EXPECT(summary.goroutine(1)->id == 1 && summary.goroutine(-5) == nullptr);
    EXPECT(profile.count(GT_PROFILE_SYNC) > 0);
    EXPECT(profile.sample(GT_PROFILE_SYNC, 0)->count > 0);
    EXPECT(!profile.sample(GT_PROFILE_SYNC, 10000));
    EXPECT(validator.count() == 0 && !validator.finding(0));
    EXPECT(mmu.minimum(1000) == 1.0);

    std::string written;
    const auto keep = [&](std::string_view piece) { return written.append(piece), true; };
    profile.write_pprof(GT_PROFILE_SYNC, keep);
    EXPECT(written.size() > 100);
    EXPECT(profile.try_write_pprof(GT_PROFILE_SYNC, [](auto) { return false; }) == GT_ERR_IO);
    EXPECT(fault_of([&] { profile.write_pprof(GT_PROFILE_NET, keep); }).status() ==
           GT_ERR_INVALID_ARGUMENT);

    // A bad trace is fed as far as it is good.
    auto cut = gotrace::reader::open(path_of("v2/go1.27-cut.trace"));
    auto part = gotrace::summary::open();
    EXPECT(fault_of([&] { gotrace::feed(cut, part); }).status() == GT_ERR_TRUNCATED);
    EXPECT(part.goroutines().size() > 0);
}

// A copy may be kept in containers, outlives its reader, and is read by several threads.
void test_copies_outlive_the_reader()
{
    static_assert(!std::is_convertible_v<gotrace::event_copy, gotrace::event>);
    static_assert(!std::is_constructible_v<gotrace::event, gotrace::event_copy>);
    static_assert(std::is_nothrow_move_constructible_v<gotrace::event_copy>);
    const std::string path = path_of("v2/go1.27-gens.trace");
    std::vector<gotrace::event_copy> copies;
    std::vector<std::size_t> frames;
    {
        auto reader = gotrace::reader::open(path);
        for (const auto event : reader.events()) {
            copies.push_back(event.copy());
            const auto change = event.transition();
            frames.push_back(event.stack().frames().size() +
                             (change ? change->stack.frames().size() : 0));
        }
    }
    std::string texts[2];
    const auto read = [&copies](std::string &text) {
        for (const auto &copy : copies)
            text.append(copy.string()).push_back('\n');
    };
    std::thread other(read, std::ref(texts[1]));
    read(texts[0]);
    other.join();
    EXPECT(texts[0] == output_of(join({"TZ=UTC '", command, "' dump '", path, "'"})));
    EXPECT(texts[0] == texts[1]);
    for (std::size_t i = 0; i < copies.size(); i++) {
        const auto change = copies[i].transition();
        EXPECT(copies[i].stack().frames().size() + (change ? change->stack.frames().size() : 0) ==
               frames[i]);
    }
    gotrace::event_copy first = copies.front(), moved = std::move(first);
    copies.clear();
    EXPECT(first.time() == moved.time() && moved.sync()->number == 1);
    first = moved;
}

void test_only_the_current_event_is_copied()
{
    auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    auto it = reader.events().begin();
    const gotrace::event first = *it;
    ++it;
    EXPECT(fault_of([&] { first.copy(); }).status() == GT_ERR_EXPIRED);
    EXPECT(bool((*it).try_copy()));
}

void test_transitions_of_one_kind()
{
    auto reader = gotrace::reader::open(path_of("v2/go1.27-mix.trace"));
    std::size_t goroutines = 0, procs = 0, all = 0;
    for (const auto event : reader.events()) {
        goroutines += event.goroutine_transition().has_value();
        procs += event.proc_transition().has_value();
        all += event.transition().has_value();
        EXPECT(!event.proc_transition() ||
               event.proc_transition()->resource.kind == GT_RESOURCE_PROC);
    }
    EXPECT(goroutines > 0 && procs > 0 && goroutines + procs == all);
}

void test_formatter()
{
    const std::string path = path_of("v2/go1.27-mix.trace");
    auto reader = gotrace::reader::open(path);
    std::string text;
    {
        auto formatter = gotrace::formatter::open(reader);
        for (const auto event : reader.events())
            text.append(formatter.string(event)).push_back('\n');
    }
    EXPECT(text == output_of(join({"TZ=UTC '", command, "' dump '", path, "'"})));
    EXPECT(gotrace::to_string(gt_resource{GT_RESOURCE_GOROUTINE, 0, 7}) == "Goroutine(7)");
}

// Equal frames of different generations have one id, and its frames remain.
void test_interned_stacks()
{
    auto reader = gotrace::reader::open(path_of("v2/go1.27-gens.trace"));
    std::map<std::string, std::uint32_t> ids;
    std::set<gt_stack> handles;
    for (const auto event : reader.events()) {
        if (!event.stack() || event.stack().frames().empty())
            continue;
        const std::uint32_t id = event.stack().id();
        EXPECT(ids.emplace(event.stack().string(), id).first->second == id);
        handles.insert(event.stack().handle());
    }
    EXPECT(ids.size() > 2 && handles.size() > ids.size());
    EXPECT(reader.interned_count() == ids.size());
    for (const auto &[text, id] : ids)
        EXPECT(text.find(reader.interned(id).front().function) != std::string::npos);
    EXPECT(fault_of([&] { reader.interned(1000); }).status() == GT_ERR_INVALID_ARGUMENT);
}

void test_sync_clock()
{
    auto reader = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    std::optional<gt_sync> clock;
    std::optional<gotrace::event::wall_time> last;
    for (const auto event : reader.events()) {
        if (event.sync() && event.sync()->has_clock)
            clock = event.sync();
        const auto wall = gotrace::wall_clock(*clock, event.time());
        EXPECT(wall && (!event.wall_clock() || wall == event.wall_clock()));
        EXPECT(!last || *last <= *wall);
        last = wall;
    }
    EXPECT(!gotrace::wall_clock(GT_SYNC_INIT, 0));
}

// What a snapshot shows in the middle is what a trace that ends there gives, and a snapshot does
// not change what is found at the end.
void test_snapshots()
{
    auto reader = gotrace::reader::open(path_of("v2/go1.27-mix.trace"));
    auto latency = gotrace::latency::open();
    auto summary = gotrace::summary::open();
    auto profile = gotrace::profile::open(GT_PROFILE_BIT(GT_PROFILE_SYNC));
    std::uint64_t waits = 0, samples = 0;
    std::size_t goroutines = 0, number = 0;
    for (const auto event : reader.events()) {
        latency.add(event);
        summary.add(event);
        profile.add(event);
        if (++number % 5000 != 0)
            continue;
        latency.snapshot();
        summary.snapshot();
        profile.snapshot();
        EXPECT(latency.series(0)->count > waits);
        EXPECT(summary.goroutines().size() >= goroutines);
        EXPECT(profile.count(GT_PROFILE_SYNC) >= samples);
        waits = latency.series(0)->count;
        goroutines = summary.goroutines().size();
        samples = profile.count(GT_PROFILE_SYNC);
    }
    EXPECT(waits > 0 && goroutines > 0);
    profile.snapshot();
    samples = profile.count(GT_PROFILE_SYNC);
    profile.finish();
    EXPECT(samples > 0 && profile.count(GT_PROFILE_SYNC) == samples);
    latency.finish();
    auto again = gotrace::reader::open(path_of("v2/go1.27-mix.trace"));
    auto plain = gotrace::latency::open();
    gotrace::feed(again, plain);
    EXPECT(latency.count() == plain.count());
    for (std::size_t i = 0; i < plain.count(); i++)
        EXPECT(latency.series(i)->sum == plain.series(i)->sum);
}

// The table is what the transitions of the trace say.
void test_what_lives()
{
    gotrace::reader_options options;
    options.track = true;
    auto reader = gotrace::reader::open(path_of("v2/go1.27-mix.trace"), options);
    std::map<std::int64_t, std::uint32_t> states;
    std::size_t number = 0;
    for (const auto event : reader.events()) {
        if (const auto change = event.goroutine_transition())
            states[change->resource.id] = change->to;
        if (++number % 1000 != 0)
            continue;
        std::size_t found = 0;
        for (const auto &goroutine : reader.goroutines()) {
            EXPECT(states.at(goroutine.id) == goroutine.state);
            EXPECT(reader.goroutine(goroutine.id)->number == goroutine.number);
            reader.stack(goroutine.stack).frames();
            found += goroutine.state != GT_GO_NOT_EXIST;
        }
        const auto is_alive = [](const auto &of) { return of.second != GT_GO_NOT_EXIST; };
        EXPECT(found == std::size_t(std::count_if(states.begin(), states.end(), is_alive)));
        for (const auto &proc : reader.procs())
            EXPECT(reader.proc(proc.id)->state == proc.state);
        for (const auto &thread : reader.threads())
            EXPECT(reader.thread(thread.id)->proc == thread.proc);
    }
    EXPECT(number > 1000 && !states.empty());
    EXPECT(!reader.goroutine(-5) && !reader.proc(-5) && !reader.thread(-5));
    auto plain = gotrace::reader::open(path_of("v2/go1.27-mix.trace"));
    EXPECT(fault_of([&] { plain.goroutine(1); }).status() == GT_ERR_INVALID_ARGUMENT);
    EXPECT(fault_of([&] { plain.procs().begin(); }).status() == GT_ERR_INVALID_ARGUMENT);
    auto quiet = plain.try_threads();
    EXPECT(quiet.begin() == quiet.end() && quiet.status() == GT_ERR_INVALID_ARGUMENT);
}

// A trace of Go 1.5 with 80003 events in 640 KB, enough to be told of progress.
const std::string &long_trace()
{
    static std::string bytes;
    if (!bytes.empty())
        return bytes;
    const auto path = std::filesystem::temp_directory_path() /
                      ("gotrace-cpp-test-" + std::to_string(std::random_device()()));
    std::ofstream text(path);
    text << "Trace Go1.5\nBatch p=0 seq=0 ticks=0\nProcStart seq=1 dt=1 m=5\n"
            "GoCreate seq=1 dt=1 new_g=1 new_pc=33 stack=0\nGoStart seq=1 dt=1 g=1\n";
    for (int i = 0; i < 80000; i++)
        text << "GoSched seq=1 dt=1 stack=0\nGoStart seq=1 dt=1 g=1\n";
    text << "Frequency freq=1000000000 unused=0\nTimerGoroutine g=0 unused=0\n";
    text.close();
    bytes = output_of(join({"'", command, "' encode '", path.string(), "'"}));
    std::filesystem::remove(path);
    return bytes;
}

// Reads the long trace with a function that is told of the progress.
gotrace::fault read_with(std::function<bool(const gt_progress &)> on_progress)
{
    gotrace::reader_options options;
    options.on_progress = std::move(on_progress);
    auto reader = gotrace::reader::open_memory(long_trace(), options);
    for (const auto event : reader.events())
        static_cast<void>(event);
    return reader.last_fault();
}

void test_progress()
{
    std::vector<gt_progress> told;
    EXPECT(!read_with([&](const gt_progress &so_far) { return told.push_back(so_far), true; }));
    EXPECT(!told.empty() && told.back().bytes_total == long_trace().size());
    EXPECT(fault_of([] { read_with([](const auto &) { return false; }); }).status() ==
           GT_CANCELLED);
    // The exception ends the reading at once.
    int calls = 0;
    bool is_thrown = false;
    try {
        read_with([&](const auto &) -> bool {
            calls++;
            throw std::length_error("enough");
        });
    } catch (const std::length_error &) {
        is_thrown = calls == 1;
    }
    EXPECT(is_thrown);
}

std::size_t count_with(gotrace::reader_options options)
{
    std::size_t count = 0;
    auto reader = gotrace::reader::open(path_of("v2/go1.27-gens.trace"), std::move(options));
    for (const auto event : reader.events()) {
        static_cast<void>(event);
        count++;
    }
    return count;
}

// The program runs the reader's jobs in threads of its own.
void test_executor()
{
    std::vector<std::thread> threads;
    gotrace::reader_options options;
    const std::size_t count = count_with(options);
    options.workers = 2;
    options.execute = [&](std::function<void()> job) {
        return threads.emplace_back(std::move(job)), true;
    };
    EXPECT(count_with(options) == count);
    EXPECT(!threads.empty());
    for (auto &thread : threads)
        thread.join();
    options.execute = [](const std::function<void()> &) { return false; };
    EXPECT(count_with(options) == count);
    bool is_thrown = false;
    options.execute = [](const std::function<void()> &) -> bool {
        throw std::length_error("no thread");
    };
    try {
        count_with(options);
    } catch (const std::length_error &) {
        is_thrown = true;
    }
    EXPECT(is_thrown);
}

// Another thread cancels while the reader waits for bytes.
void test_cancelling()
{
    const std::string bytes = bytes_of(path_of("v2/go1.27-gens.trace"));
    std::promise<void> is_waiting, is_cancelled;
    std::size_t at = 0;
    auto reader = gotrace::reader::open_function([&](void *to, std::size_t room) {
        if (at == 5000) {
            is_waiting.set_value();
            is_cancelled.get_future().wait();
        }
        const std::size_t size = std::min({room, std::size_t(1000), bytes.size() - at});
        std::memcpy(to, bytes.data() + at, size);
        at += size;
        return std::int64_t(size);
    });
    std::thread other([&] {
        is_waiting.get_future().wait();
        reader.cancel();
        is_cancelled.set_value();
    });
    EXPECT(fault_of([&] { dump(reader.events()); }).status() == GT_CANCELLED);
    EXPECT(reader.last_fault().status() == GT_CANCELLED);
    other.join();
}

gt_slice make_slice(std::string_view name, std::int64_t time, std::int64_t duration)
{
    gt_slice slice = GT_SLICE_INIT;
    slice.name = gotrace::as_gt_string(name);
    slice.time = time;
    slice.duration = duration;
    return slice;
}

void test_emitter()
{
    std::map<char, int> phases;
    std::vector<std::string> frames;
    bool flushed = false;
    gotrace::consumer to;
    to.event = [&](const gt_viewer_event &event, bool) {
        return phases[static_cast<char>(event.phase)]++, true;
    };
    to.frame = [&](const gt_viewer_frame &frame) {
        return frames.emplace_back(gotrace::text(frame.function)), true;
    };
    to.flush = [&] { return flushed = true; };
    auto first = gotrace::emitter::open(to);
    gotrace::emitter emitter = std::move(first);
    gt_slice slice = make_slice("work", 10, 20);
    const gt_viewer_argument arguments[] = {gotrace::argument("n", 7),
                                            gotrace::argument("s", "text")};
    slice.arguments = arguments;
    slice.argument_count = 2;
    slice.stack = emitter.stack({{1, 2, "main.leaf", "a.go"}, {3, 4, "main.main", "a.go"}});
    emitter.slice(slice);
    emitter.name_resource(0, "row");
    emitter.flush();
    EXPECT(flushed && phases['X'] == 1 && phases['M'] > 1);
    EXPECT(frames == std::vector<std::string>({"main.main", "main.leaf"}));
    EXPECT(fault_of([&] { emitter.slice(slice); }).status() == GT_ERR_INVALID_ARGUMENT);

    to.event = [](const gt_viewer_event &, bool) -> bool { throw std::length_error("full"); };
    auto full = gotrace::emitter::open(to);
    bool thrown = false;
    try {
        full.slice(make_slice("work", 10, 20));
    } catch (const std::length_error &) {
        thrown = true;
    }
    EXPECT(thrown);
    EXPECT(full.try_slice(make_slice("work", 10, 20)) == GT_ERR_CALLBACK);
}

// Each part of a drawing may be the first that is closed.
template <typename Part> void expect_drawing_expires(const Part &part)
{
    std::string json;
    const auto keep = [&](std::string_view piece) { return json.append(piece), true; };
    std::optional<gotrace::reader> reader(gotrace::reader::open(path_of("v2/go1.27-tasks.trace")));
    std::optional<gotrace::json_writer> writer(gotrace::json_writer::open(keep));
    std::optional<gotrace::emitter> emitter(gotrace::emitter::open(*writer));
    auto timeline = gotrace::timeline::open(*reader, *emitter);
    auto other = gotrace::reader::open(path_of("v2/go1.27-tasks.trace"));
    const auto it = other.events().begin();
    part(reader, writer, emitter);
    EXPECT(has_expired([&] { timeline.add(*it); }));
    EXPECT(has_expired([&] { timeline.finish(); }));
    if (!emitter || writer)
        return;
    EXPECT(has_expired([&] { emitter->slice(make_slice("work", 10, 20)); }));
    EXPECT(has_expired([&] { emitter->stack({}); }));
    EXPECT(emitter->try_flush() == GT_ERR_EXPIRED);
}

void test_drawings_outlive_what_they_use()
{
    expect_drawing_expires([](auto &reader, auto &, auto &) { reader.reset(); });
    expect_drawing_expires([](auto &, auto &writer, auto &) { writer.reset(); });
    expect_drawing_expires([](auto &, auto &, auto &emitter) { emitter.reset(); });
}

void test_drawing()
{
    const std::string path = path_of("v2/go1.27-tasks.trace");
    auto reader = gotrace::reader::open(path);
    std::string json;
    const auto keep = [&](std::string_view piece) { return json.append(piece), true; };
    auto writer = gotrace::json_writer::open(keep);
    auto emitter = gotrace::emitter::open(writer);
    auto timeline = gotrace::timeline::open(reader, emitter);
    gotrace::feed(reader, timeline);
    emitter.flush();
    EXPECT(json == output_of(join({"'", command, "' json '", path, "'"})));
    EXPECT(writer.status() == GT_OK);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: bindings_cpp_test TESTDATA GOTRACE\n";
        return 2;
    }
    testdata = argv[1];
    command = argv[2];
    test_dumps();
    test_ranges();
    test_events_of_the_past_throw();
    test_events_of_a_reader_that_is_closed_throw();
    test_stacks_outlive_their_reader();
    test_stacks_outlive_their_copies();
    test_ranges_outlive_their_reader();
    test_formatter_outlives_its_reader();
    test_results_of_an_analysis_that_is_gone_throw();
    test_text_of_events();
    test_feeding();
    test_latencies();
    test_moves();
    test_errors();
    test_options();
    test_stack_lifetime();
    test_getters();
    test_function();
    test_analyses();
    test_copies_outlive_the_reader();
    test_only_the_current_event_is_copied();
    test_transitions_of_one_kind();
    test_formatter();
    test_interned_stacks();
    test_sync_clock();
    test_snapshots();
    test_what_lives();
    test_progress();
    test_executor();
    test_cancelling();
    test_emitter();
    test_drawings_outlive_what_they_use();
    test_drawing();
    return failures == 0 ? 0 : 1;
}
