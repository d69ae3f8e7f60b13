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
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
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

gt_slice make_slice(std::string_view name, std::int64_t time, std::int64_t duration)
{
    gt_slice slice = GT_SLICE_INIT;
    slice.name = gotrace::string(name);
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
    test_emitter();
    test_drawing();
    return failures == 0 ? 0 : 1;
}
