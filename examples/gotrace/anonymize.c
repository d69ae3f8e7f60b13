/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a trace without what it tells of a program and of where that ran. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/event.h>

#include "alias.h"
#include "command.h"
#include "input.h"
#include "rewrite.h"
#include "terminal.h"

struct anonymize {
    struct input in;
    const char *key;
    const char *logs;
    const char *output;
    bool drops_logs;
    uint64_t dropped_logs;
    uint64_t dropped_experimental;
    struct alias alias;
    struct rewrite rewrite;
};

static const struct option anonymize_options[] = {
    {OPTION_VALUE(struct anonymize, key, "key", "HEX",
                  "the key of the hashes, as 32 hexadecimal digits: with the same key a name has "
                  "the same hash in several traces; the default is a random one, which nobody "
                  "learns"),
     .summary = "the key of the hashes"},
    {OPTION_VALUE(struct anonymize, logs, "logs", "MODE",
                  "what becomes of log messages and their categories: drop, hash or keep; the "
                  "default is drop"),
     .summary = "what becomes of log messages", .words = "drop hash keep"},
    REWRITE_OUTPUT_OPTION(struct anonymize, output),
};

static gt_status anonymize_event(void *user_data, const gt_event *event)
{
    struct anonymize *anonymize = user_data;
    bool is_dropped_log = event->kind == GT_EVENT_LOG && anonymize->drops_logs;
    bool is_experimental = event->kind == GT_EVENT_EXPERIMENTAL;
    anonymize->dropped_logs += is_dropped_log;
    anonymize->dropped_experimental += is_experimental;
    return is_dropped_log || is_experimental ? gt_writer_skip(anonymize->rewrite.writer, event)
                                             : gt_writer_event(anonymize->rewrite.writer, event);
}

static void anonymize_reset(void *user_data)
{
    struct anonymize *anonymize = user_data;
    anonymize->dropped_logs = anonymize->dropped_experimental = 0;
}

static void anonymize_report(void *user_data, const gt_writer_info *info)
{
    const struct anonymize *anonymize = user_data;
    (void) info;
    rewrite_report_count(&anonymize->in, "left out", anonymize->dropped_logs, "log message",
                         "log messages");
    rewrite_report_count(&anonymize->in, "left out", anonymize->dropped_experimental,
                         "experimental event, which has addresses",
                         "experimental events, which have addresses");
}

/* Returns the value of a hexadecimal digit, or -1 if it is none. */
static int anonymize_digit(char digit)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = digit ? strchr(digits, digit) : NULL;
    return at ? (int) ((at - digits) % 16) : -1;
}

static bool anonymize_parse_key(const char *text, uint8_t *key)
{
    if (strlen(text) != 2 * SIPHASH_KEY_SIZE)
        return false;
    for (size_t i = 0; i < SIPHASH_KEY_SIZE; i++) {
        int high = anonymize_digit(text[2 * i]);
        int low = anonymize_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        key[i] = (uint8_t) (high * 16 + low);
    }
    return true;
}

/* Makes a random key. Reports a failure, and returns false. */
static bool anonymize_make_key(uint8_t *key)
{
    static const char source[] = "/dev/urandom";
    int fd = open(source, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, key, SIPHASH_KEY_SIZE);
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (size == SIPHASH_KEY_SIZE)
        return true;
    terminal_report("%s: no random key: %s; --key gives one", source,
                    size < 0 ? strerror(error) : "too few bytes");
    return false;
}

static int anonymize_check(struct anonymize *anonymize, const struct command *self,
                           const struct output *out)
{
    const char *logs = anonymize->logs ? anonymize->logs : "drop";
    if (strcmp(logs, "drop") != 0 && strcmp(logs, "hash") != 0 && strcmp(logs, "keep") != 0)
        return command_misused(self, "--logs is drop, hash or keep, and not", logs);
    anonymize->drops_logs = strcmp(logs, "drop") == 0;
    anonymize->alias.keeps_logs = strcmp(logs, "keep") == 0;
    if (anonymize->key && !anonymize_parse_key(anonymize->key, anonymize->alias.key))
        return command_misused(self, "not a key of 32 hexadecimal digits:", anonymize->key);
    int code = rewrite_check(&anonymize->output, self, out);
    if (code == COMMAND_GO_ON && !anonymize->key && !anonymize_make_key(anonymize->alias.key))
        return COMMAND_BAD;
    return code;
}

static int anonymize_run(const struct command *self, struct output *out, char **arguments)
{
    struct anonymize anonymize = {.key = NULL};
    int code = input_parse(&anonymize.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = anonymize_check(&anonymize, self, out);
    if (code == COMMAND_GO_ON)
        code = rewrite_start(&anonymize.in);
    if (code != COMMAND_GO_ON)
        return code;
    gt_writer_options options = GT_WRITER_OPTIONS_INIT;
    options.flags = GT_WRITER_ANONYMOUS;
    options.text = alias_of;
    options.text_data = &anonymize.alias;
    anonymize.rewrite = (struct rewrite){.in = &anonymize.in,
                                         .output = anonymize.output,
                                         .options = options,
                                         .take = anonymize_event,
                                         .reset = anonymize_reset,
                                         .report = anonymize_report,
                                         .user_data = &anonymize};
    return rewrite_run(&anonymize.rewrite, out);
}

const struct command command_anonymize = {
    .name = "anonymize",
    .usage = "anonymize [OPTION...] FILE",
    .summary = "write a trace without names of the program",
    .help = "Writes a trace that can be passed on. Names of functions and files are replaced\n"
            "by hashes, except for those of Go's own packages and main.main; so are those of\n"
            "tasks, regions and labels. Threads and program counters are numbered, and the\n"
            "wall clock begins one second after 1970. Times, ids of goroutines and sizes of\n"
            "the heap stay, and with them what the program did and when.\n",
    COMMAND_OPTIONS(anonymize_options),
    .shared = rewrite_lenient_shared,
    .run = anonymize_run,
};
