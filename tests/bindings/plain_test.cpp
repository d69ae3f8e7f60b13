// SPDX-License-Identifier: BSD-3-Clause
//
// The C++ headers with -fno-exceptions: all that is named try_, and what fails.
//
//     bindings_plain_test TESTDATA
#include <cstdio>
#include <string>

#include <gotrace/gotrace.hpp>
#include <gotrace/viewer.hpp>

static_assert(GOTRACE_HPP_THROWS == 0);

// Programs may use both namespaces.
namespace both
{

using namespace std;
using namespace gotrace;

static string copied(const gt_string &from)
{
    return string(text(from));
}

} // namespace both

namespace
{

int failures = 0;

void expect(bool is_good, const char *what, int line)
{
    if (is_good)
        return;
    std::fprintf(stderr, "plain_test.cpp:%d: %s\n", line, what);
    failures++;
}

#define EXPECT(condition) expect((condition), #condition, __LINE__)

void test_reading(const std::string &testdata)
{
    auto opened = gotrace::reader::try_open(testdata + "/v2/go1.27-cut.trace");
    EXPECT(bool(opened));
    std::uint64_t count = 0, frames = 0;
    for (const auto event : opened->try_events()) {
        count++;
        auto stack = event.stack().try_frames();
        EXPECT(bool(stack));
        frames += stack->size();
    }
    EXPECT(count == opened->info().events && frames > 0);
    EXPECT(opened->last_fault().status() == GT_ERR_TRUNCATED);
    EXPECT(opened->last_fault().offset() == std::uint64_t(11182));

    const auto missing = gotrace::reader::try_open("/no/such/file");
    EXPECT(!missing && missing.why().status() == GT_ERR_IO);
    const auto failing = gotrace::reader::try_open_function([](void *, std::size_t) { return -1; });
    EXPECT(!failing && failing.why().status() == GT_ERR_IO);
}

void test_strings()
{
    EXPECT(both::copied(gotrace::as_gt_string("one")) == "one");
}

void test_making(const std::string &testdata)
{
    auto reader = gotrace::reader::try_open(testdata + "/v2/go1.27-tasks.trace");
    auto summary = gotrace::summary::try_open();
    auto profile = gotrace::profile::try_open(GT_PROFILE_BIT(GT_PROFILE_NET));
    auto validator = gotrace::validator::try_open();
    auto mmu = gotrace::mmu::try_open();
    std::size_t size = 0;
    auto writer = gotrace::json_writer::try_open(
        [&](std::string_view piece) { return size += piece.size(), true; });
    auto emitter = gotrace::emitter::try_open(*writer);
    auto timeline = gotrace::timeline::try_open(*reader, *emitter);
    EXPECT(!gotrace::try_feed(*reader, *summary, *profile, *validator, *mmu, *timeline));
    EXPECT(emitter->try_flush() == GT_OK && size > 1000);
    EXPECT(summary->goroutines().size() == 15);
    EXPECT(validator->count() == 0);
    EXPECT(*mmu->try_minimum(1000) == 1.0);
    EXPECT(emitter->try_flush() == GT_ERR_INVALID_ARGUMENT);
}

// Whether nothing was opened, and `opened` says why.
template <typename T> bool says(const gotrace::result<T> &opened, std::string_view why)
{
    return !opened && opened.why().status() == GT_ERR_INVALID_ARGUMENT &&
           opened.why().message() == why;
}

// Options with a flag that no release knows.
template <typename Options> Options wrong(Options options)
{
    options.flags = UINT64_C(1) << 60;
    return options;
}

void test_wrong_options_are_named(const std::string &testdata)
{
    const auto unknown = "options.flags has unknown bits 0x1000000000000000";
    auto reader = gotrace::reader::try_open(testdata + "/v2/go1.27-tasks.trace");
    const auto write = [](std::string_view) { return true; };
    auto emitter = gotrace::emitter::try_open(gotrace::consumer());
    EXPECT(says(gotrace::profile::try_open(0), "options.kinds is 0, which asks for no profile"));
    EXPECT(says(gotrace::summary::try_open(wrong<gt_summary_options>(GT_SUMMARY_OPTIONS_INIT)),
                unknown));
    EXPECT(says(gotrace::latency::try_open(wrong<gt_latency_options>(GT_LATENCY_OPTIONS_INIT)),
                unknown));
    EXPECT(says(gotrace::mmu::try_open(wrong<gt_mmu_options>(GT_MMU_OPTIONS_INIT)), unknown));
    EXPECT(
        says(gotrace::validator::try_open(wrong<gt_validator_options>(GT_VALIDATOR_OPTIONS_INIT)),
             unknown));
    EXPECT(says(gotrace::formatter::try_open(
                    *reader, wrong<gt_formatter_options>(GT_FORMATTER_OPTIONS_INIT)),
                unknown));
    EXPECT(says(gotrace::json_writer::try_open(write, wrong<gt_json_options>(GT_JSON_OPTIONS_INIT)),
                unknown));
    EXPECT(says(gotrace::emitter::try_open(gotrace::consumer(),
                                           wrong<gt_emitter_options>(GT_EMITTER_OPTIONS_INIT)),
                unknown));
    EXPECT(says(gotrace::timeline::try_open(*reader, *emitter,
                                            wrong<gt_timeline_options>(GT_TIMELINE_OPTIONS_INIT)),
                unknown));
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    test_strings();
    test_reading(argv[1]);
    test_making(argv[1]);
    test_wrong_options_are_named(argv[1]);
    return failures == 0 ? 0 : 1;
}
