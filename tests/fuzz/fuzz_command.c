/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * All subcommands of gotrace, in this process, with any trace as their file. The commands and
 * their options are those of the table that the help is made from, so that new ones are tried
 * without a change here. Left out is view, whose engine and server have targets of their own.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "fuzz/input.h"
#include "fuzz/json.h"
#include "support/temporary.h"
#include "support/test.h"

#define OPTIONS_MAX  64
#define WORDS_MAX    40
#define WORD_SIZE    1024
#define COMMANDS_RUN 3
/* More output than this for an input of some kilobytes is a fault. */
#define OUTPUT_MAX (64u << 20)

/* Set by the sanitizers: where they write, which is not the standard error of the commands. */
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

static const char *const values[] = {
    "",
    "0",
    "1",
    "-1",
    "2",
    "7",
    "100",
    "4096",
    "100000",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e9",
    "0.5",
    "1ns",
    "10ms",
    "1000000h",
    "300y",
    "a",
    "main",
    ".*",
    "\xff\xfe",
    "\x1b[2J",
    "a,b,,c",
    "sched",
    "net",
    "sync",
    "syscall",
};

static const struct option *options[OPTIONS_MAX];
static char *trace_path;
static int trace_file = -1, output_file, error_file, real_error;
static struct output output;

struct words {
    char text[WORDS_MAX][WORD_SIZE];
    size_t count;
};

/* Returns a file without a name. */
static int temporary_file(void)
{
    char *path;
    int file = temporary_new_file(&path);

    unlink(path);
    free(path);
    return file;
}

static void files_forget(void)
{
    free(trace_path);
}

/* Only the trace has a name in the file system. */
static void files_make(void)
{
    atexit(files_forget);
    trace_file = temporary_new_file(&trace_path);
    output_file = temporary_file();
    error_file = temporary_file();
    real_error = dup(STDERR_FILENO);
    assert_true(real_error >= 0);
    if (__sanitizer_set_report_fd)
        __sanitizer_set_report_fd((void *) (intptr_t) real_error);
}

/* Removes the files that `gotrace split` has made. */
static void pieces_remove(void)
{
    char path[WORD_SIZE + 16];
    int number = 0;

    do
        snprintf(path, sizeof(path), "%s.%03d", trace_path, number++);
    while (unlink(path) == 0);
}

static void file_fill(int file, const uint8_t *data, size_t size)
{
    assert_int_equal(ftruncate(file, 0), 0);
    assert_int_equal(pwrite(file, data, size, 0), (ssize_t) size);
    assert_int_equal(lseek(file, 0, SEEK_SET), 0);
}

static char *file_take(int file, size_t *size)
{
    struct stat about;

    assert_int_equal(fstat(file, &about), 0);
    assert_true(about.st_size <= (off_t) OUTPUT_MAX);
    *size = (size_t) about.st_size;
    char *data = malloc(*size + 1);
    assert_non_null(data);
    assert_int_equal(pread(file, data, *size, 0), about.st_size);
    data[*size] = '\0';
    return data;
}

/* Whether a command would wait for ever with the option: for more of a trace, or for requests. */
static bool option_waits(const struct option *option)
{
    return strcmp(option->name, "follow") == 0 || strcmp(option->name, "http") == 0;
}

/* Whether a command serves, or runs another program, whose exit status it has. */
static bool command_is_left_out(const struct command *command)
{
    return command == &command_view || command == &command_record || command == &command_symbolize;
}

/* Returns how many options the command has, which it puts into `options`, but for some. */
static size_t options_list(const struct command *command)
{
    size_t count = 0;

    for (size_t i = 0; i < command->option_count; i++) {
        if (!option_waits(&command->options[i]))
            options[count++] = &command->options[i];
    }
    for (const struct option_group *group = command->shared; group && group->count > 0; group++) {
        for (size_t i = 0; i < group->count; i++) {
            if (!option_waits(&group->list[i]))
                options[count++] = &group->list[i];
        }
    }
    assert_true(count <= OPTIONS_MAX);
    return count;
}

static void words_add(struct words *words, const char *text)
{
    assert_true(words->count < WORDS_MAX && strlen(text) < WORD_SIZE);
    strcpy(words->text[words->count++], text);
}

/* Copies a random one of the words in a list with spaces in between. */
static void word_choose(const char *list, char word[WORD_SIZE], uint64_t random)
{
    size_t count = 1;

    for (const char *at = list; (at = strchr(at, ' ')); at++)
        count++;
    for (size_t skip = random % count; skip > 0; skip--)
        list = strchr(list, ' ') + 1;
    size_t size = strcspn(list, " ");
    snprintf(word, WORD_SIZE, "%.*s", (int) size, list);
}

/* Adds an option with a value that it offers, or with any. */
static void words_add_option(struct words *words, const struct option *option, uint64_t *seed)
{
    uint64_t random = test_random(seed);
    char word[WORD_SIZE], text[WORD_SIZE];

    snprintf(text, sizeof(text), "--%s", option->name);
    words_add(words, text);
    if (!option->value)
        return;
    if (option->words && option->words[0] == '<') {
        /* No program but the trace itself is offered, and no file is made. */
        words_add(words, strcmp(option->words, OPTION_FILE) == 0 ? trace_path : "/dev/null");
        return;
    }
    if (option->words && option->words[0] != '\0' && random % 8 != 0)
        word_choose(option->words, word, random >> 8);
    else
        snprintf(word, sizeof(word), "%s",
                 values[(random >> 8) % (sizeof(values) / sizeof(*values))]);
    words_add(words, word);
}

static void words_make(struct words *words, const struct command *command, uint64_t *seed)
{
    uint64_t random = test_random(seed), chosen = test_random(seed) & test_random(seed);
    size_t count = options_list(command);
    char word[WORD_SIZE];

    words->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (chosen >> i & 1 && words->count + 4 < WORDS_MAX)
            words_add_option(words, options[i], seed);
    }
    if (command->operand_words && command->operand_words[0] != '<' &&
        command->operand_words[0] != '\0' && random % 16 != 0) {
        word_choose(command->operand_words, word, random >> 16);
        words_add(words, word);
    }
    if (random >> 4 & 15)
        words_add(words, random >> 8 & 7 ? trace_path : "-");
}

static bool words_have(const struct words *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->text[i], word) == 0)
            return true;
    }
    return false;
}

/* Asserts that each line, or the whole if it is one value, is JSON. */
static void check_json(char *text, size_t size)
{
    if (json_is_good(text, size))
        return;
    for (char *at = text, *end; at < text + size; at = end + 1) {
        end = memchr(at, '\n', (size_t) (text + size - at));
        assert_non_null(end);
        assert_true(json_is_good(at, (size_t) (end - at)));
    }
}

static void run_command(const struct command *command, uint64_t *seed)
{
    char *arguments[WORDS_MAX + 1] = {NULL}, *text;
    struct words words;
    size_t size;

    words_make(&words, command, seed);
    for (size_t i = 0; i < words.count; i++)
        arguments[i] = words.text[i];
    assert_int_equal(ftruncate(output_file, 0), 0);
    assert_int_equal(lseek(output_file, 0, SEEK_SET), 0);
    assert_int_equal(lseek(trace_file, 0, SEEK_SET), 0);
    assert_true(dup2(trace_file, STDIN_FILENO) == STDIN_FILENO);
    assert_true(dup2(error_file, STDERR_FILENO) == STDERR_FILENO);
    output_open(&output, output_file);
    int code = command->run(command, &output, arguments);
    bool is_written = output_flush(&output);
    dup2(real_error, STDERR_FILENO);
    assert_true(is_written);
    assert_true(code == COMMAND_GOOD || code == COMMAND_BAD || code == COMMAND_MISUSED);
    text = file_take(output_file, &size);
    if (code == COMMAND_GOOD && size > 0 &&
        (strcmp(command->name, "json") == 0 || words_have(&words, "--json")) &&
        !words_have(&words, "--parts") && !words_have(&words, "--part-size"))
        check_json(text, size);
    free(text);
    assert_int_equal(ftruncate(error_file, 0), 0);
    lseek(error_file, 0, SEEK_SET);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input;
    uint64_t seed = 1 + size;
    size_t count = 0;

    if (trace_file < 0)
        files_make();
    if (!input_take(&input, data, size, 0))
        return 0;
    for (size_t i = size - INPUT_CHOICES; i < size; i++)
        seed = seed * 257 + data[i];
    file_fill(trace_file, input.data, input.size);
    while (command_table[count])
        count++;
    for (size_t i = 0; i < COMMANDS_RUN; i++) {
        const struct command *command = command_table[test_random(&seed) % count];
        if (!command_is_left_out(command))
            run_command(command, &seed);
    }
    pieces_remove();
    input_free(&input);
    return 0;
}
