/* SPDX-License-Identifier: BSD-3-Clause */
/* Records a program that knows nothing of traces, with the agent of lib/agent. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gotrace/gotrace.h>
#include <gotrace/recorder.h>

#include "child.h"
#include "command.h"
#include "installed.h"
#include "terminal.h"

enum {
    RECORD_PATH = 4096,
    RECORD_STACK = 32,
    RECORD_SAMPLE = 100,
    RECORD_MEMORY = 64, /* MiB */
    RECORD_MEMORY_MOST = 1 << 20,
    /* As shells have it. */
    RECORD_CANNOT_RUN = 126,
    RECORD_NOT_FOUND = 127
};

struct record {
    const char *output;
    const char *stack;
    const char *sample;
    const char *unwind;
    const char *only;
    const char *memory;
    const char *flight, *dump_on;
    const char *start_on, *stop_on;
    const char *delay, *duration;
    const char *agent;
    bool no_children, wait;
    char **program; /* and its arguments */
    uint64_t frames, sample_hz, megabytes, kinds;
    int64_t flight_ns, delay_ns, duration_ns;
    int dump_signal, start_signal, stop_signal;
    bool has_tables;
    size_t literal; /* how many bytes of the path are taken as they are, without %p and %n */
    char path[RECORD_PATH], found[RECORD_PATH], report[RECORD_PATH];
};

/* The kinds of waits, in the order of the bits that the agent has for them. */
static const char *const record_kinds[] = {"sync", "net", "sleep", "syscall"};

static const struct option record_options[] = {
    {OPTION_VALUE(
         struct record, output, "output", "FILE",
         "the trace; %p stands for the id of the process, and %n for the number of the trace, "
         "which otherwise comes before the end .trace of all but the first; the default is "
         "PROGRAM.trace"),
     .summary = "the file that is written", .letter = 'o', .words = OPTION_FILE},
    {OPTION_VALUE(struct record, stack, "stack", "N",
                  "the most frames of the stacks of waits, up to 127; 0 for no stacks; the default "
                  "is 32"),
     .summary = "the most frames of stacks"},
    {OPTION_VALUE(struct record, sample, "sample", "HZ",
                  "take that many samples of the stack in a second of the processor time of each "
                  "thread, up to 1000; 0 for none; the default is 100"),
     .summary = "CPU samples in a second of processor time"},
    {OPTION_VALUE(struct record, unwind, "unwind", "HOW",
                  "find stacks by the tables that compilers write for exceptions, which is the "
                  "default, or by frame pointers, which programs and libraries of most systems do "
                  "not have"),
     .summary = "how stacks are found", .words = "tables pointers"},
    {OPTION_VALUE(struct record, only, "only", "LIST",
                  "record only these kinds of waits, with commas between them: sync for locks, "
                  "conditions, semaphores and the ends of threads, net for sockets and what is "
                  "polled, sleep, and syscall for files, pipes and processes"),
     .summary = "the kinds of waits that are recorded", .words = "sync net sleep syscall",
     .is_list = true},
    {OPTION_FLAG(struct record, no_children, "no-children",
                 "record only the process that is started, not those that it forks and programs "
                 "that these execute")},
    {OPTION_VALUE(struct record, memory, "memory", "MIB",
                  "the most memory that is taken in each process, in MiB; the default is 64"),
     .summary = "the most memory in MiB"},
    {OPTION_FLAG(
        struct record, wait, "wait",
        "let the program wait until events are written where memory becomes scarce, instead "
        "of ending the recording")},
    {OPTION_VALUE(struct record, flight, "flight", "TIME",
                  "keep only what happened in about the newest TIME, such as 10s, in memory, of "
                  "which that takes half, and write it when a signal comes and when the program "
                  "ends, each time to another trace"),
     .summary = "keep only the newest TIME"},
    {OPTION_VALUE(struct record, dump_on, "dump-on", "SIGNAL",
                  "with --flight: write a trace when the program gets this signal, which is USR1, "
                  "USR2 or HUP; the default is USR2"),
     .summary = "with --flight: write a trace at this signal", .words = "USR1 USR2 HUP"},
    {OPTION_VALUE(struct record, delay, "delay", "TIME", "record nothing in the first TIME")},
    {OPTION_VALUE(struct record, duration, "duration", "TIME",
                  "record for that long, and let the program go on without it"),
     .summary = "record for TIME"},
    {OPTION_VALUE(struct record, start_on, "start-on", "SIGNAL",
                  "begin to record when the program gets this signal; each time is another trace"),
     .summary = "begin to record at this signal", .words = "USR1 USR2 HUP"},
    {OPTION_VALUE(struct record, stop_on, "stop-on", "SIGNAL",
                  "stop recording when the program gets this signal"),
     .summary = "stop recording at this signal", .words = "USR1 USR2 HUP"},
    {OPTION_VALUE(struct record, agent, "agent", "FILE",
                  "the agent that is loaded into the program; the default is the one that was "
                  "installed with this command"),
     .summary = "the agent", .words = OPTION_FILE},
};

static int record_parse_number(const struct command *self, const char *text, uint64_t most,
                               uint64_t *number)
{
    if (!text || options_number(text, most, number))
        return COMMAND_GO_ON;
    return command_misused(self, "not a number in the range:", text);
}

static int record_parse_unwind(struct record *c, const struct command *self)
{
    c->has_tables = !c->unwind || strcmp(c->unwind, "tables") == 0;
    if (c->has_tables || strcmp(c->unwind, "pointers") == 0)
        return COMMAND_GO_ON;
    return command_misused(self, "not a way to find stacks:", c->unwind);
}

static int record_parse_kinds(struct record *c, const struct command *self)
{
    const size_t count = sizeof(record_kinds) / sizeof(record_kinds[0]);
    const char *at = c->only;
    if (!at) {
        c->kinds = (UINT64_C(1) << count) - 1;
        return COMMAND_GO_ON;
    }
    for (;;) {
        size_t size = strcspn(at, ","), kind = 0;
        while (kind < count &&
               (strlen(record_kinds[kind]) != size || strncmp(at, record_kinds[kind], size) != 0))
            kind++;
        if (kind == count)
            return command_misused(self, "not a kind of waits:", at);
        c->kinds |= UINT64_C(1) << kind;
        if (at[size] == '\0')
            return COMMAND_GO_ON;
        at += size + 1;
    }
}

static int record_parse_time(const struct command *self, const char *text, int64_t *time)
{
    if (!text || (gt_duration_parse(text, time) == GT_OK && *time > 0))
        return COMMAND_GO_ON;
    return command_misused(self, "not a time:", text);
}

/* Signals that the command passes on, and that end a program which does not expect them: so nobody
 * sends them for another reason. */
static int record_parse_signal(const struct command *self, const char *text, int *number)
{
    static const struct {
        const char *name;
        int number;
    } list[] = {{"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"HUP", SIGHUP}};

    if (!text)
        return COMMAND_GO_ON;
    const char *name = strncmp(text, "SIG", 3) == 0 ? text + 3 : text;
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        if (strcmp(name, list[i].name) == 0) {
            *number = list[i].number;
            return COMMAND_GO_ON;
        }
    }
    return command_misused(self, "not a signal of USR1, USR2 and HUP:", text);
}

/* When it is recorded. */
static int record_parse_times(struct record *c, const struct command *self)
{
    int code = record_parse_time(self, c->flight, &c->flight_ns);
    if (code == COMMAND_GO_ON)
        code = record_parse_time(self, c->delay, &c->delay_ns);
    if (code == COMMAND_GO_ON)
        code = record_parse_time(self, c->duration, &c->duration_ns);
    if (code == COMMAND_GO_ON)
        code = record_parse_signal(self, c->dump_on, &c->dump_signal);
    if (code == COMMAND_GO_ON)
        code = record_parse_signal(self, c->start_on, &c->start_signal);
    if (code == COMMAND_GO_ON)
        code = record_parse_signal(self, c->stop_on, &c->stop_signal);
    if (code != COMMAND_GO_ON)
        return code;
    if (c->dump_on && !c->flight)
        return command_misused(self, "--dump-on without --flight", NULL);
    if (c->flight && !c->dump_on)
        c->dump_signal = SIGUSR2;
    int number = c->dump_signal;
    if (number != 0 && (number == c->start_signal || number == c->stop_signal))
        return command_misused(self, "one signal with two meanings", NULL);
    if (c->start_signal != 0 && c->start_signal == c->stop_signal)
        return command_misused(self, "one signal with two meanings", NULL);
    return COMMAND_GO_ON;
}

static int record_parse(struct record *c, const struct command *self, struct output *out,
                        char **arguments)
{
    int code = options_parse_program(self, out, arguments, c, &c->program);
    if (code == COMMAND_GO_ON && c->output && strcmp(c->output, "-") == 0)
        return command_misused(self,
                               "standard output is that of the program: --output must be a "
                               "file, and ./- names one",
                               NULL);
    c->frames = RECORD_STACK;
    c->sample_hz = RECORD_SAMPLE;
    c->megabytes = RECORD_MEMORY;
    if (code == COMMAND_GO_ON)
        code = record_parse_number(self, c->stack, GT_REC_STACK_DEPTH_MAX, &c->frames);
    if (code == COMMAND_GO_ON)
        code = record_parse_number(self, c->sample, GT_REC_SAMPLE_HZ_MAX, &c->sample_hz);
    if (code == COMMAND_GO_ON)
        code = record_parse_number(self, c->memory, RECORD_MEMORY_MOST, &c->megabytes);
    if (code == COMMAND_GO_ON)
        code = record_parse_unwind(c, self);
    if (code == COMMAND_GO_ON)
        code = record_parse_times(c, self);
    return code == COMMAND_GO_ON ? record_parse_kinds(c, self) : code;
}

static int record_fail(const char *what, const char *why)
{
    terminal_report("%s: %s", what, why);
    return COMMAND_BAD;
}

/* Whether a path is that of a program that may be executed. */
static bool record_is_program(const char *path, struct stat *about)
{
    return stat(path, about) == 0 && S_ISREG(about->st_mode) && access(path, X_OK) == 0;
}

/* Finds a program as execvp does: by PATH if its name has no slash. */
static bool record_find(struct record *c, struct stat *about)
{
    const char *name = c->program[0], *at = getenv("PATH");
    if (strchr(name, '/') || !at)
        return record_is_program(name, about);
    for (;; at++) {
        size_t size = strcspn(at, ":");
        int written = snprintf(c->found, sizeof(c->found), "%.*s%s%s", (int) size, at,
                               size > 0 ? "/" : "", name);
        if (written > 0 && (size_t) written < sizeof(c->found) &&
            record_is_program(c->found, about))
            return true;
        at += size;
        if (*at == '\0')
            return false;
    }
}

/* The system loads no agent into a program that gets other rights than its user has. */
static int record_check(struct record *c)
{
    struct stat about;
    if (!record_find(c, &about)) {
        record_fail(c->program[0], "cannot be run");
        return RECORD_NOT_FOUND;
    }
    if (about.st_mode & (S_ISUID | S_ISGID))
        return record_fail(c->program[0],
                           "runs with the rights of another user or group, and cannot be recorded");
    if (access(c->agent, R_OK) != 0)
        return record_fail(c->agent, errno == ENOENT
                                         ? "there is no agent, which is made on Linux with glibc"
                                         : strerror(errno));
    if (strpbrk(c->agent, " :\n"))
        return record_fail(c->agent, "the path of the agent must have no space and no colon");
    return COMMAND_GO_ON;
}

/* The trace goes to the folder in which the command runs, wherever the program goes. */
static int record_make_path(struct record *c)
{
    char folder[RECORD_PATH] = "";
    const char *slash = strrchr(c->program[0], '/');
    const char *name = c->output ? c->output : slash ? slash + 1 : c->program[0];
    if (name[0] != '/' && !getcwd(folder, sizeof(folder) - 1))
        return record_fail(name, strerror(errno));
    int written = snprintf(c->path, sizeof(c->path), "%s%s%s%s", folder, folder[0] ? "/" : "", name,
                           c->output ? "" : ".trace");
    if (written < 0 || (size_t) written >= sizeof(c->path))
        return record_fail(name, "the path is too long");
    c->literal = c->output ? (size_t) written - strlen(name) : (size_t) written;
    return COMMAND_GO_ON;
}

/* The file to which each process adds a line. */
static int record_make_report(struct record *c)
{
    const char *folder = getenv("TMPDIR");
    int written = snprintf(c->report, sizeof(c->report), "%s/gotrace-XXXXXX",
                           folder && folder[0] == '/' ? folder : "/tmp");
    if (written < 0 || (size_t) written >= sizeof(c->report) || strchr(c->report, '\n'))
        return record_fail("TMPDIR", "the path is not good");
    int fd = mkstemp(c->report);
    if (fd < 0)
        return record_fail(c->report, strerror(errno));
    close(fd);
    return COMMAND_GO_ON;
}

/* Sets what the agent reads, in the process that will be the program. */
static bool record_set_environment(const struct record *c)
{
    static char settings[3 * RECORD_PATH], preload[3 * RECORD_PATH];
    const char *others = getenv("LD_PRELOAD");
    unsigned long long bytes = (unsigned long long) c->megabytes << 20;
    int written =
        snprintf(settings, sizeof(settings),
                 "%ld:%llu:%llu:%llu:%llu:%d:%d:%d:%d:%llu:%llu:%d:%d:%d:%llu:%llu:%zu:%s\n%s",
                 (long) getpid(), (unsigned long long) c->kinds, (unsigned long long) c->frames,
                 (unsigned long long) c->sample_hz, bytes, c->wait, c->has_tables, !c->no_children,
                 c->flight_ns > 0, (unsigned long long) c->flight_ns, bytes / 2, c->dump_signal,
                 c->start_signal, c->stop_signal, (unsigned long long) c->delay_ns,
                 (unsigned long long) c->duration_ns, c->literal, c->report, c->path);
    if (written < 0 || (size_t) written >= sizeof(settings))
        return false;
    written = snprintf(preload, sizeof(preload), "%s%s%s", c->agent, others ? ":" : "",
                       others ? others : "");
    return written > 0 && (size_t) written < sizeof(preload) &&
           setenv("GOTRACE_RECORD", settings, 1) == 0 && setenv("LD_PRELOAD", preload, 1) == 0;
}

/* Becomes the program. */
static void record_execute(const struct record *c)
{
    signal(SIGPIPE, SIG_DFL);
    if (record_set_environment(c))
        execvp(c->program[0], c->program);
    record_fail(c->program[0], strerror(errno));
    _exit(RECORD_CANNOT_RUN);
}

static volatile pid_t record_child;

static void record_pass_on(int number)
{
    int error = errno;
    kill(record_child, number);
    errno = error;
}

/* What a terminal sends, it sends to the program, too. Other signals are passed on to it, one after
 * the other, as they come. */
static void record_prepare_signals(void)
{
    static const int passed[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    struct sigaction action;
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    memset(&action, 0, sizeof(action));
    action.sa_handler = record_pass_on;
    sigfillset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
        sigaction(passed[i], &action, NULL);
}

/* What the agents have reported, in lines: "= PROCESS" for each trace that begins, which gives it a
 * number from 1, "> NUMBER PATH" when its file is there, "+ NUMBER BYTES STATUS PATH" at its end,
 * and "- REASON" if there is none. */
struct record_report {
    unsigned long long count; /* of the traces that have begun */
    bool *ended;              /* by number, from 0 */
};

/* The number at the beginning of a text, which is moved on to what follows. */
static unsigned long long record_take_number(char **text)
{
    unsigned long long number = strtoull(*text, text, 10);
    *text += strspn(*text, " ");
    return number;
}

/* Takes note of which traces have begun and ended. */
static void record_note(struct record_report *report, char *line)
{
    if (line[0] == '=')
        report->count++;
    if (line[0] != '+')
        return;
    line++;
    unsigned long long number = record_take_number(&line);
    if (number > 0 && number <= report->count)
        report->ended[number - 1] = true;
}

static void record_tell(struct record_report *report, char *line)
{
    char kind = line[0];
    line += kind != '\0';
    line += strspn(line, " ");
    if (kind == '-')
        terminal_report("%s", line);
    if (kind != '+' && kind != '>')
        return;
    unsigned long long number = record_take_number(&line);
    if (kind == '+') {
        unsigned long long bytes = record_take_number(&line);
        unsigned long long status = record_take_number(&line);
        terminal_report("%s: %llu bytes", line, bytes);
        if (status != 0)
            terminal_report("recording ended early: %s", gt_status_text(-(int) status));
    } else if (number > 0 && number <= report->count && !report->ended[number - 1]) {
        terminal_report("%s: up to the last second before a signal or another program ended it",
                        line);
    }
}

/* Calls `take` for each line, which ends in NUL meanwhile. */
static void record_for_lines(char *text, struct record_report *report,
                             void (*take)(struct record_report *, char *))
{
    for (char *line = text, *end; *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        bool has_end = *end != '\0';
        *end = '\0';
        take(report, line);
        if (has_end)
            *end++ = '\n';
    }
}

static void record_tell_all(char *text)
{
    struct record_report report = {0, calloc(strlen(text) + 1, sizeof(bool))};
    if (!report.ended)
        return;
    record_for_lines(text, &report, record_note);
    record_for_lines(text, &report, record_tell);
    free(report.ended);
}

static void record_summarize(const struct record *c)
{
    FILE *file = fopen(c->report, "r");
    char *text = file ? child_read_file(file) : NULL;
    if (!text || text[0] == '\0') {
        record_fail(c->program[0], "left no trace: perhaps it is linked statically");
    } else {
        record_tell_all(text);
        terminal_report("'gotrace view FILE' shows a trace");
    }
    free(text);
    if (file)
        fclose(file);
}

/* Ends as the program has ended. */
static int record_end(int status)
{
    static const struct rlimit none = {0, 0};
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    int number = WTERMSIG(status);
    sigset_t all;
    /* One core is enough. */
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    raise(number);
    return RECORD_CANNOT_RUN + 2 + number;
}

static int record_start(struct record *c)
{
    int status;
    pid_t child = fork();
    if (child < 0)
        return record_fail(c->program[0], strerror(errno));
    if (child == 0)
        record_execute(c);
    record_child = child;
    record_prepare_signals();
    if (!child_wait(child, &status))
        return record_fail(c->program[0], strerror(errno));
    record_summarize(c);
    unlink(c->report);
    return record_end(status);
}

static void record_find_agent(struct record *c)
{
    static const char *const places[] = {
        INSTALLED_AGENT, "../../lib/agent/libgotrace-agent.so", /* in a build */
    };
    static char name[INSTALLED_NAME_SIZE];
    if (c->agent)
        return;
    installed_find(name, places, sizeof(places) / sizeof(*places));
    c->agent = name;
}

static int record_run(const struct command *self, struct output *out, char **arguments)
{
    static struct record c;
    memset(&c, 0, sizeof(c));
    int code = record_parse(&c, self, out, arguments);
    record_find_agent(&c);
    if (code == COMMAND_GO_ON)
        code = record_check(&c);
    if (code == COMMAND_GO_ON)
        code = record_make_path(&c);
    if (code == COMMAND_GO_ON)
        code = record_make_report(&c);
    if (code == COMMAND_GO_ON)
        code = record_start(&c);
    return code;
}

const struct command command_record = {
    .name = "record",
    .usage = "record [options] PROGRAM [ARGUMENT...]",
    .summary = "record a program in C or C++",
    .help = "Runs a program, and records where its threads wait, who wakes them, and their\n"
            "system calls, with stacks. The program need not be changed; it must use the\n"
            "shared libc of Linux, as most do that are not written in Go. Its output, its\n"
            "exit status and signals are those of the program. Each process has a trace of\n"
            "its own, which only its user can read, and a line on standard error in the end.\n",
    COMMAND_OPTIONS(record_options),
    .operand_words = OPTION_FILE,
    .run = record_run,
};
