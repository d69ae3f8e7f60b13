/* SPDX-License-Identifier: BSD-3-Clause */
#include "agent/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes a number and the colon after it. */
static bool settings_take(char **at, uint64_t *number)
{
    char *end;
    *number = strtoull(*at, &end, 10);
    if (end == *at || *end != ':')
        return false;
    *at = end + 1;
    return true;
}

/* The order of the numbers. */
enum {
    SETTING_FIRST,
    SETTING_KINDS,
    SETTING_STACK,
    SETTING_SAMPLE,
    SETTING_MEMORY,
    SETTING_WAITS,
    SETTING_TABLES,
    SETTING_FOLLOWS,
    SETTING_FLIGHT,
    SETTING_AGE,
    SETTING_BYTES,
    SETTING_DUMP_ON,
    SETTING_START_ON,
    SETTING_STOP_ON,
    SETTING_DELAY,
    SETTING_DURATION,
    SETTING_LITERAL,
    SETTINGS
};

static void settings_set(struct agent_settings *settings, const uint64_t numbers[SETTINGS])
{
    settings->first = (pid_t) numbers[SETTING_FIRST];
    settings->kinds = numbers[SETTING_KINDS];
    settings->stack = numbers[SETTING_STACK];
    settings->sample_hz = numbers[SETTING_SAMPLE];
    settings->memory = numbers[SETTING_MEMORY];
    settings->waits = numbers[SETTING_WAITS] != 0;
    settings->has_tables = numbers[SETTING_TABLES] != 0;
    settings->follows = numbers[SETTING_FOLLOWS] != 0;
    settings->is_flight = numbers[SETTING_FLIGHT] != 0;
    settings->age = numbers[SETTING_AGE];
    settings->bytes = numbers[SETTING_BYTES];
    settings->dump_on = (int) numbers[SETTING_DUMP_ON];
    settings->start_on = (int) numbers[SETTING_START_ON];
    settings->stop_on = (int) numbers[SETTING_STOP_ON];
    settings->delay = numbers[SETTING_DELAY];
    settings->duration = numbers[SETTING_DURATION];
    settings->literal = (size_t) numbers[SETTING_LITERAL];
}

bool agent_settings_read(struct agent_settings *settings)
{
    const char *text = getenv(AGENT_VARIABLE);
    uint64_t numbers[SETTINGS];
    if (!text || strlen(text) >= sizeof(settings->text))
        return false;
    char *at = strcpy(settings->text, text);
    for (size_t i = 0; i < SETTINGS; i++) {
        if (!settings_take(&at, &numbers[i]))
            return false;
    }
    char *newline = strchr(at, '\n');
    if (!newline)
        return false;
    *newline = '\0';
    settings_set(settings, numbers);
    settings->report = at;
    settings->file = newline + 1;
    return settings->literal <= strlen(settings->file);
}

/* Appends to a path. */
static bool path_add(char *path, size_t *size, const char *text, size_t text_size)
{
    if (text_size >= AGENT_PATH - *size)
        return false;
    memcpy(path + *size, text, text_size);
    *size += text_size;
    path[*size] = '\0';
    return true;
}

/* Where the number of a trace goes that is not the first one: before the end ".trace". */
static size_t file_place(const char *file)
{
    static const char end[] = ".trace";
    size_t size = strlen(file), end_size = sizeof(end) - 1;
    return size > end_size && strcmp(file + size - end_size, end) == 0 ? size - end_size : size;
}

/* Whether the name would be that of another trace, too. `file` is what is not literal. */
static bool file_needs_number(const char *file, const struct agent_number *number)
{
    if (strstr(file, "%n"))
        return false;
    return number->own > 1 || (number->trace != 1 && !strstr(file, "%p"));
}

/* Appends a part of the name, with numbers in the place of %p and %n after what is literal. */
static bool path_expand(char *path, size_t *size, const char *part, size_t part_size,
                        size_t literal, const struct agent_number *number)
{
    char text[32];
    size_t i = literal < part_size ? literal : part_size;
    if (!path_add(path, size, part, i))
        return false;
    for (; i < part_size; i++) {
        bool is_process = strncmp(part + i, "%p", 2) == 0;
        if (!is_process && strncmp(part + i, "%n", 2) != 0) {
            if (!path_add(path, size, part + i, 1))
                return false;
            continue;
        }
        int text_size =
            snprintf(text, sizeof(text), "%llu",
                     (unsigned long long) (is_process ? number->process : number->trace));
        if (!path_add(path, size, text, (size_t) text_size))
            return false;
        i++;
    }
    return true;
}

bool agent_settings_file(const struct agent_settings *settings, const struct agent_number *number,
                         char path[AGENT_PATH])
{
    const char *file = settings->file;
    size_t size = 0, whole = strlen(file), place = file_place(file), literal = settings->literal;
    bool needs_number = file_needs_number(file + literal, number);
    return path_expand(path, &size, file, place, literal, number) &&
           (!needs_number || path_expand(path, &size, "-%n", 3, 0, number)) &&
           path_expand(path, &size, file + place, whole - place,
                       literal > place ? literal - place : 0, number);
}
