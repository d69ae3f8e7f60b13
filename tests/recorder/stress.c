/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/stress.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void log_add(struct log *log, char letter)
{
    if (log->size + 1 >= log->capacity) {
        log->capacity = 2 * log->capacity + 64;
        log->text = realloc(log->text, log->capacity);
        if (!log->text)
            abort();
    }
    log->text[log->size++] = letter;
    log->text[log->size] = '\0';
}

void log_add_change(struct log *log, uint64_t go, char state)
{
    char digits[24];
    snprintf(digits, sizeof(digits), "%u", (unsigned) go);
    for (const char *digit = digits; *digit; digit++)
        log_add(log, *digit);
    log_add(log, state);
}

const char *log_text(const struct log *log)
{
    return log->text ? log->text : "";
}

void stress_require(bool is_so, const char *what)
{
    if (!is_so) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

void stress_nap(unsigned microseconds)
{
    struct timespec time = {0, (long) microseconds * 1000};
    nanosleep(&time, NULL);
}

static uint64_t number_of(const char *variable, uint64_t standard)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : standard;
}

uint64_t stress_rounds(uint64_t standard)
{
    return number_of("GT_RECORDER_ROUNDS", standard);
}

uint64_t stress_seed(void)
{
    return number_of("GT_RECORDER_SEED", 0);
}
