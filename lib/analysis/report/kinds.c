/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/report/kinds.h"

#include <gotrace/report.h>

#include "analysis/report/report.h"
#include "base/sized.h"
#include "base/text.h"

struct report_kind_text {
    const char *name;
    const char *sentence;
    const char *measure;
    const char *whole;
    const char *advice;
    gt_report_unit unit;
};

static const struct report_kind_text kind_texts[GT_KINDS] = {
    [GT_KIND_BLOCKED_ON_LOCK] =
        {"blocked-on-lock", "Goroutines spend much of their time waiting for locks.",
         "waited for locks", "of the time of these goroutines",
         "Do less while the lock is held, above all no input or output; use a lock for each part "
         "of "
         "the data, sync.RWMutex or atomic values; or give each goroutine data of its own.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_LOCK_CONVOY] =
        {"lock-convoy", "Goroutines queue for a lock, and the queue does not get empty.",
         "for which the longest queue lasted", "of the trace, where there was one for longest",
         "Hold the lock for a shorter time, or split it, so that goroutines do not run one after "
         "the other.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_GOROUTINE_STUCK] =
        {"goroutine-stuck",
         "Goroutines wait all the time for a lock or to send, and nobody ends that.",
         "goroutines wait at the same place all the time", "of the goroutines at the end",
         "Look for what should have ended the wait: who holds the lock and does not release it, or "
         "should receive from the channel and has gone, as behind a timeout.",
         GT_REPORT_COUNT},
    [GT_KIND_GOROUTINE_GROWTH] =
        {"goroutine-growth", "There are more and more goroutines, which do not end.",
         "more goroutines at the end than at the beginning", "of the goroutines created there",
         "Find out why they do not end, often a channel without a reader or a request without a "
         "timeout, or limit how many there can be at a time.",
         GT_REPORT_COUNT},
    [GT_KIND_SCHEDULER_LATENCY] =
        {"scheduler-latency", "Goroutines that are ready to run have to wait for a processor.",
         "is the 99th percentile of the time from ready to running",
         "of the time of these goroutines",
         "Use fewer goroutines that compute at the same time, give the program more processors "
         "(GOMAXPROCS and the quota of its container), or let long computations yield.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_CPU_SATURATED] =
        {"cpu-saturated", "All processors are in use while goroutines wait for one.",
         "in which all were in use and goroutines waited", "of the trace",
         "Make the functions cheaper that run most (gotrace pprof cpu), or give the program more "
         "processors.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_GC_CPU] =
        {"gc-cpu", "The garbage collector takes much of the processors' time.",
         "spent by the collector, its assists and sweeping", "of the time of all procs",
         "Allocate less: reuse buffers, avoid pointers and conversions of strings; or allow a "
         "larger heap by GOGC or GOMEMLIMIT.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_GC_ASSIST] =
        {"gc-assist", "Goroutines that allocate have to help the garbage collector.",
         "spent on helping", "of the running time of these goroutines",
         "Allocate less in these goroutines, or allow a larger heap by GOGC or GOMEMLIMIT, so that "
         "the collector starts earlier.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_GC_STOP_THE_WORLD] =
        {"gc-stop-the-world", "The whole program is stopped for a long time, or often.",
         "for which it was stopped in sum", "of the trace",
         "A goroutine that ran on has code that cannot be interrupted, such as a loop in assembly: "
         "do such work in smaller pieces. For the garbage collector, allocate less or allow a "
         "larger "
         "heap. Other causes are calls, such as runtime.ReadMemStats and dumps of all stacks: make "
         "fewer, or use package runtime/metrics.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_GC_TOO_OFTEN] =
        {"gc-too-often", "The garbage collector runs again and again on a small heap.",
         "cycles a second", "",
         "Set GOMEMLIMIT and a larger GOGC so that the heap may grow, do not call runtime.GC, and "
         "allocate less.",
         GT_REPORT_PER_SECOND},
    [GT_KIND_SLOW_SYSCALL] =
        {"slow-syscall", "System calls take long.", "is the 99th percentile of their duration",
         "of the time of all goroutines",
         "Each call needs a thread as long as it lasts. Use files and sockets that the poller of "
         "the runtime can wait for, give the calls a timeout, or limit how many there are at a "
         "time.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_LONG_RUN] =
        {"long-run", "Goroutines run for long without a break while others wait.",
         "is the longest time for which others waited", "of the time of all procs, in such runs",
         "The runtime cannot interrupt code in assembly or between certain calls: do such work in "
         "smaller pieces.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_GOROUTINE_CHURN] =
        {"goroutine-churn", "Very many goroutines are created that have hardly anything to do.",
         "goroutines a second that end at once", "of all goroutines",
         "Give each goroutine more to do, by a pool of workers or by batches, or call the function "
         "without go.",
         GT_REPORT_PER_SECOND},
    [GT_KIND_WAKE_STORM] =
        {"wake-storm", "One goroutine wakes many others at the same time, again and again.",
         "times many were woken at once", "",
         "Wake only as many as can do something: sync.Cond.Signal instead of Broadcast, one value "
         "sent instead of a channel closed, or a limit of how many wait.",
         GT_REPORT_COUNT},
    [GT_KIND_BLOCKED_ON_CHANNEL] =
        {"blocked-on-channel",
         "Goroutines that serve tasks or requests wait for channels, and now and then for long.",
         "waited for channels", "of the time of these goroutines",
         "Look at what the goroutine at the other end does meanwhile (gotrace why), use more of "
         "them, or give the channel a buffer or the wait a timeout.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_NETWORK_WAKEUP] =
        {"network-wakeup", "Goroutines run late when the network has something for them.",
         "is the 99th percentile of the time from ready to running",
         "of the time of all goroutines",
         "Do less in the goroutines that compute, give the program more processors, or spread "
         "requests that come at the same time.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_TASK_OUTLIER] =
        {"task-outlier", "Some tasks take far longer than most of the same type.",
         "is the 99th percentile of their duration", "",
         "gotrace why --task=TYPE --percentile=99 says what the slow ones do instead.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_REGION_OUTLIER] =
        {"region-outlier", "Some regions take far longer than most of the same type.",
         "is the 99th percentile of their duration", "",
         "gotrace why --region=TYPE --percentile=99 says what the slow ones do instead.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_CPU_IDLE_WITH_WORK] =
        {"cpu-idle-with-work", "Goroutines are ready to run, and processors are idle.",
         "in which a proc was idle and a goroutine had waited", "of the trace",
         "The system does not run the threads of the program: other programs take the processors, "
         "or GOMAXPROCS is more than the program may use.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_THROTTLED] =
        {"throttled",
         "Nothing happens for a while, again and again at distances near multiples of 100 ms. This "
         "is a guess: the program has perhaps used up its quota of time, or the machine is "
         "suspended.",
         "without an event although goroutines were running", "of the trace",
         "Look at nr_throttled in the file cpu.stat of the control group; set GOMAXPROCS to the "
         "quota, or raise that.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_SUSPENDED] =
        {"suspended",
         "Nothing happens for a while although goroutines run. This is a guess: the program was "
         "perhaps stopped by a signal or a debugger, or the machine was suspended.",
         "without an event although goroutines were running", "of the trace",
         "Compare the time with the logs of the system. Code that the runtime cannot interrupt, "
         "such as a long loop in assembly, looks the same.",
         GT_REPORT_NANOSECONDS},
    [GT_KIND_TRACE_HEALTH] =
        {"trace-health", "How good the trace is, and what it took to record it.", "events a second",
         "of the time of all procs for tracing itself, at about 100 ns an event",
         "If there are very many events, they slow the program down and change what it does. What "
         "was repaired may be wrong, and the wall-clock time is wrong around a step of the clock.",
         GT_REPORT_PER_SECOND},
};

struct report_limit_text {
    const char *name;
    const char *reason;
    double usual;
    gt_report_unit unit;
};

static const struct report_limit_text limit_texts[GT_LIMITS] = {
    [GT_LIMIT_LOCK_SHARE] = {"blocked-on-lock.share",
                             "less of the time of a group of goroutines is hardly felt", 5,
                             GT_REPORT_PERCENT},
    [GT_LIMIT_LOCK_TIME] = {"blocked-on-lock.time",
                            "a group that waits less in sum costs nobody anything", 10e6,
                            GT_REPORT_NANOSECONDS},
    [GT_LIMIT_CONVOY_TIME] = {"lock-convoy.time",
                              "shorter queues empty themselves before anybody notices", 10e6,
                              GT_REPORT_NANOSECONDS},
    [GT_LIMIT_CONVOY_WAITERS] = {"lock-convoy.waiters",
                                 "fewer that follow each other are chance, not a convoy", 10,
                                 GT_REPORT_COUNT},
    [GT_LIMIT_STUCK_COUNT] = {"goroutine-stuck.count",
                              "programs have a few goroutines that wait for their end", 10,
                              GT_REPORT_COUNT},
    [GT_LIMIT_STUCK_START] = {"goroutine-stuck.start",
                              "waits from this first part of the trace to its end count", 10,
                              GT_REPORT_PERCENT},
    [GT_LIMIT_GROWTH_COUNT] = {"goroutine-growth.count",
                               "pools and bursts of requests add fewer goroutines", 100,
                               GT_REPORT_COUNT},
    [GT_LIMIT_GROWTH_LEFT] = {"goroutine-growth.left",
                              "so many that have waited to send, or for a lock, since before the "
                              "last quarter are enough",
                              10, GT_REPORT_COUNT},
    [GT_LIMIT_LATENCY_P99] = {"scheduler-latency.p99",
                              "an idle processor takes microseconds, so this is a queue", 1e6,
                              GT_REPORT_NANOSECONDS},
    [GT_LIMIT_LATENCY_SHARE] = {"scheduler-latency.share",
                                "a group that is rarely ready loses little by it", 1,
                                GT_REPORT_PERCENT},
    [GT_LIMIT_LATENCY_COUNT] = {"scheduler-latency.count", "fewer times have no 99th percentile",
                                20, GT_REPORT_COUNT},
    [GT_LIMIT_SATURATED_SHARE] = {"cpu-saturated.share",
                                  "short bursts use all processors in any program", 20,
                                  GT_REPORT_PERCENT},
    [GT_LIMIT_SATURATED_TIME] =
        {"cpu-saturated.time",
         "less in sum costs nobody anything, whatever part of a short trace it is", 10e6,
         GT_REPORT_NANOSECONDS},
    [GT_LIMIT_GC_CPU_SHARE] = {"gc-cpu.share",
                               "the runtime aims at this share while it marks, so more of the "
                               "whole trace means that it hardly does anything else",
                               25, GT_REPORT_PERCENT},
    [GT_LIMIT_GC_CPU_TIME] =
        {"gc-cpu.time", "less in sum costs nobody anything, whatever part of a short trace it is",
         5e6, GT_REPORT_NANOSECONDS},
    [GT_LIMIT_ASSIST_SHARE] =
        {"gc-assist.share",
         "the runtime aims at assists that are rare, but now and then they add up", 10,
         GT_REPORT_PERCENT},
    [GT_LIMIT_ASSIST_TIME] = {"gc-assist.time", "less in sum costs nobody anything", 10e6,
                              GT_REPORT_NANOSECONDS},
    [GT_LIMIT_STOP_LONGEST] = {"gc-stop-the-world.longest",
                               "the stops of the collector take 10 to 100 microseconds", 1e6,
                               GT_REPORT_NANOSECONDS},
    [GT_LIMIT_STOP_SHARE] = {"gc-stop-the-world.share", "what the collector needs stays far below",
                             1, GT_REPORT_PERCENT},
    [GT_LIMIT_STOP_TIME] = {"gc-stop-the-world.time",
                            "a share is not felt where less in sum was stopped", 1e6,
                            GT_REPORT_NANOSECONDS},
    [GT_LIMIT_GC_RATE] = {"gc-too-often.rate",
                          "each cycle has costs that do not depend on the heap", 10,
                          GT_REPORT_PER_SECOND},
    [GT_LIMIT_GC_COUNT] = {"gc-too-often.count", "fewer cycles have no rate", 5, GT_REPORT_COUNT},
    [GT_LIMIT_GC_HEAP] = {"gc-too-often.heap",
                          "a goal of the heap above this is not small: such a program allocates "
                          "too much instead",
                          64 << 20, GT_REPORT_BYTES},
    [GT_LIMIT_SYSCALL_P99] = {"slow-syscall.p99",
                              "the runtime takes the proc from any call that lasts so long", 10e6,
                              GT_REPORT_NANOSECONDS},
    [GT_LIMIT_SYSCALL_COUNT] = {"slow-syscall.count",
                                "fewer calls have no 99th percentile, or wait for a signal or for "
                                "the end of another program",
                                20, GT_REPORT_COUNT},
    [GT_LIMIT_RUN_TIME] = {"long-run.time",
                           "the runtime interrupts a goroutine after 10 ms if it can", 20e6,
                           GT_REPORT_NANOSECONDS},
    [GT_LIMIT_CHURN_RATE] = {"goroutine-churn.rate",
                             "each costs about a microsecond, so fewer cost less than 1 % of a "
                             "processor",
                             10000, GT_REPORT_PER_SECOND},
    [GT_LIMIT_CHURN_LIFE] = {"goroutine-churn.life",
                             "a goroutine that runs longer is worth what it costs", 10e3,
                             GT_REPORT_NANOSECONDS},
    [GT_LIMIT_CHURN_COUNT] = {"goroutine-churn.count", "fewer goroutines have no rate", 100,
                              GT_REPORT_COUNT},
    [GT_LIMIT_STORM_COUNT] = {"wake-storm.count", "programs wake all when they start or end", 10,
                              GT_REPORT_COUNT},
    [GT_LIMIT_STORM_TIMES] = {"wake-storm.times",
                              "of what one goroutine wakes, so many times GOMAXPROCS has to queue",
                              4, GT_REPORT_TIMES},
    [GT_LIMIT_STORM_TIME] = {"wake-storm.time",
                             "it takes about a microsecond to wake one, so they are woken at once",
                             100e3, GT_REPORT_NANOSECONDS},
    [GT_LIMIT_CHANNEL_SHARE] = {"blocked-on-channel.share",
                                "requests wait for others by design, so less is usual", 20,
                                GT_REPORT_PERCENT},
    [GT_LIMIT_CHANNEL_TIME] =
        {"blocked-on-channel.time",
         "less in sum costs nobody anything, whatever part of a short trace it is", 10e6,
         GT_REPORT_NANOSECONDS},
    [GT_LIMIT_CHANNEL_TIMES] = {"blocked-on-channel.times",
                                "if the 99th percentile is so many times the median, it is not "
                                "what the wait takes by design",
                                10, GT_REPORT_TIMES},
    [GT_LIMIT_CHANNEL_COUNT] = {"blocked-on-channel.count", "fewer waits have no 99th percentile",
                                20, GT_REPORT_COUNT},
    [GT_LIMIT_NETWORK_P99] = {"network-wakeup.p99",
                              "an idle processor takes microseconds, so this is a queue", 1e6,
                              GT_REPORT_NANOSECONDS},
    [GT_LIMIT_NETWORK_COUNT] = {"network-wakeup.count", "fewer times have no 99th percentile", 20,
                                GT_REPORT_COUNT},
    [GT_LIMIT_TASK_TIMES] = {"task-outlier.times",
                             "so many times the median is another path, not chance", 20,
                             GT_REPORT_TIMES},
    [GT_LIMIT_TASK_TIME] = {"task-outlier.time", "nobody notices tasks that are faster", 1e6,
                            GT_REPORT_NANOSECONDS},
    [GT_LIMIT_TASK_COUNT] = {"task-outlier.count", "fewer tasks have no 99th percentile", 100,
                             GT_REPORT_COUNT},
    [GT_LIMIT_REGION_TIMES] = {"region-outlier.times",
                               "so many times the median is another path, not chance", 20,
                               GT_REPORT_TIMES},
    [GT_LIMIT_REGION_TIME] = {"region-outlier.time", "nobody notices regions that are faster", 1e6,
                              GT_REPORT_NANOSECONDS},
    [GT_LIMIT_REGION_COUNT] = {"region-outlier.count", "fewer regions have no 99th percentile", 100,
                               GT_REPORT_COUNT},
    [GT_LIMIT_IDLE_SHARE] = {"cpu-idle-with-work.share",
                             "waking a thread now and then takes longer on any machine", 1,
                             GT_REPORT_PERCENT},
    [GT_LIMIT_IDLE_SUM] =
        {"cpu-idle-with-work.sum",
         "less in sum costs nobody anything, whatever part of a short trace it is", 5e6,
         GT_REPORT_NANOSECONDS},
    [GT_LIMIT_IDLE_TIME] = {"cpu-idle-with-work.time",
                            "it takes up to so long to wake a thread, and this part of each wait "
                            "does not count",
                            100e3, GT_REPORT_NANOSECONDS},
    [GT_LIMIT_IDLE_COUNT] = {"cpu-idle-with-work.count",
                             "fewer are chance, as when the program starts", 10, GT_REPORT_COUNT},
    [GT_LIMIT_THROTTLED_COUNT] = {"throttled.count", "fewer gaps have no period", 3,
                                  GT_REPORT_COUNT},
    [GT_LIMIT_THROTTLED_GAP] = {"throttled.gap",
                                "the runtime interrupts goroutines that compute after 10 to 20 ms, "
                                "which is an event",
                                25e6, GT_REPORT_NANOSECONDS},
    [GT_LIMIT_THROTTLED_SHARE] = {"throttled.share",
                                  "if more of the gaps end at another time within 100 ms, they "
                                  "have no period",
                                  66, GT_REPORT_PERCENT},
    [GT_LIMIT_THROTTLED_ORDER] = {"throttled.order",
                                  "by chance gaps are so much in order in one trace of a thousand",
                                  7, GT_REPORT_TIMES},
    [GT_LIMIT_SUSPENDED_GAP] =
        {"suspended.gap", "a machine that is busy lets a thread wait for tens of milliseconds",
         200e6, GT_REPORT_NANOSECONDS},
    [GT_LIMIT_HEALTH_RATE] =
        {"trace-health.rate",
         "recording an event takes about 100 ns, so so many take 5 % of a processor", 500000,
         GT_REPORT_PER_SECOND},
    [GT_LIMIT_HEALTH_COUNT] = {"trace-health.count", "fewer events have no rate", 1000,
                               GT_REPORT_COUNT},
    [GT_LIMIT_HEALTH_STEP] = {"trace-health.step",
                              "clocks that are adjusted in small steps differ less in a second",
                              10e6, GT_REPORT_NANOSECONDS},
};

static gt_string report_static(const char *text)
{
    return (gt_string){text, strlen(text)};
}

const char *gt_report_unit_name(uint32_t unit)
{
    static const char *const names[] = {"bad", "count", "ns", "%", "/s", "bytes", "times"};
    return unit < sizeof(names) / sizeof(names[0]) ? names[unit] : names[0];
}

size_t gt_report_kind_count(void)
{
    return GT_KINDS;
}

gt_status gt_report_get_kind(size_t index, gt_report_kind *kind)
{
    if (!gt_struct_fits(kind, GT_UP_TO(gt_report_kind, reserved)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= GT_KINDS)
        return GT_ERR_NOT_AVAILABLE;
    const struct report_kind_text *texts = &kind_texts[index];
    const gt_report_kind all = {
        .size = sizeof(all),
        .name = report_static(texts->name),
        .sentence = report_static(texts->sentence),
        .measure = report_static(texts->measure),
        .whole = report_static(texts->whole),
        .advice = report_static(texts->advice),
        .unit = texts->unit,
    };
    gt_struct_give(kind, &all, sizeof(all));
    return GT_OK;
}

double gt_report_limit_usual(unsigned limit)
{
    return limit_texts[limit].usual;
}

size_t gt_report_threshold_count(void)
{
    return GT_LIMITS;
}

gt_status gt_report_get_threshold(const gt_report *report, size_t index,
                                  gt_report_threshold *threshold)
{
    if (!gt_struct_fits(threshold, GT_UP_TO(gt_report_threshold, reserved)))
        return GT_ERR_INVALID_ARGUMENT;
    if (index >= GT_LIMITS)
        return GT_ERR_NOT_AVAILABLE;
    const struct report_limit_text *texts = &limit_texts[index];
    const gt_report_threshold all = {
        .size = sizeof(all),
        .name = report_static(texts->name),
        .reason = report_static(texts->reason),
        .usual = texts->usual,
        .value = report ? report->limits[index] : texts->usual,
        .unit = texts->unit,
    };
    gt_struct_give(threshold, &all, sizeof(all));
    return GT_OK;
}

gt_status gt_report_set(gt_report *report, gt_string name, double value)
{
    const double most = 1e18;
    if (!report || report->busy || report->events > 0 || report->finished || !name.data ||
        !(value >= 0 && value <= most))
        return GT_ERR_INVALID_ARGUMENT;
    for (size_t i = 0; i < GT_LIMITS; i++) {
        if (!gt_text_is(name, limit_texts[i].name))
            continue;
        report->limits[i] = value;
        return GT_OK;
    }
    return GT_ERR_NOT_AVAILABLE;
}
