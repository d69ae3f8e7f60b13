/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parser is strict on purpose: it refuses anything that two programs could read in different
 * ways. It also refuses every body, except that of a POST whose length is stated once. After a
 * refusal the connection ends, so that nothing that follows is taken for a request.
 */
#include "head.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "target.h"

enum {
    /* The most digits of the length of a body: no uint64_t overflows. */
    HEAD_LENGTH_DIGITS = 18
};

size_t http_head_find(const char *data, size_t size, int *status)
{
    size_t line = 0, lines = 0;
    *status = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '\0' || (data[i] == '\n' && (i == 0 || data[i - 1] != '\r'))) {
            *status = 400;
            return 0;
        }
        if (data[i] != '\n')
            continue;
        if (i - line == 1 && lines > 0)
            return i + 1;
        line = i + 1;
        lines++;
    }
    if (lines > HTTP_HEADERS_MAX + 1)
        *status = 431;
    else if (size >= HTTP_HEAD_MAX)
        *status = lines == 0 ? 414 : 431;
    return 0;
}

char *http_head_take_line(char **at)
{
    char *line = *at, *end = strstr(line, "\r\n");
    *end = '\0';
    *at = end + 2;
    return line;
}

static bool token_is_valid(const char *text, size_t size)
{
    static const char token[] = "!#$%&'*+-.^_`|~0123456789"
                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return size != 0 && strspn(text, token) >= size;
}

/* Parses the version. Any later version 1.x is treated as HTTP/1.1. */
static int head_parse_version(const char *text, struct http_head *head)
{
    if (strncmp(text, "HTTP/", 5) != 0 || text[5] < '0' || text[5] > '9' || text[6] != '.' ||
        text[7] < '0' || text[7] > '9' || text[8] != '\0')
        return 400;
    if (text[5] != '1')
        return 505;
    head->is_newer = text[7] != '0';
    head->keep_alive = head->is_newer;
    return 0;
}

static bool head_parse_method(const char *name, size_t size, struct http_head *head)
{
    static const struct {
        const char *name;
        enum http_method method;
    } methods[] = {
        {"GET", HTTP_GET}, {"HEAD", HTTP_HEAD}, {"POST", HTTP_POST}, {"DELETE", HTTP_DELETE}};

    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        head->request.method = methods[i].method;
        if (strlen(methods[i].name) == size && memcmp(methods[i].name, name, size) == 0)
            return true;
    }
    return false;
}

static int head_parse_request_line(char *line, struct http_head *head)
{
    size_t method = strcspn(line, " ");
    char *target = line + method + (line[method] == ' ');
    size_t target_size = strcspn(target, " ");
    if (!token_is_valid(line, method) || target[target_size] != ' ')
        return 400;
    target[target_size] = '\0';
    int status = head_parse_version(target + target_size + 1, head);
    if (status != 0)
        return status;
    if (!head_parse_method(line, method, head))
        return 405;
    return http_target_parse(target, &head->request, &head->host) ? 0 : 400;
}

/* Returns whether a list of words, separated by commas, contains `word`, whatever its case. */
static bool header_has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (*list != '\0') {
        list += strspn(list, ", \t");
        size_t size = strcspn(list, ", \t");
        if (size == length && strncasecmp(list, word, length) == 0)
            return true;
        list += size;
    }
    return false;
}

static int head_parse_length(const char *text, struct http_head *head)
{
    size_t digits = strspn(text, "0123456789");
    if (head->request.method != HTTP_POST)
        return strcmp(text, "0") == 0 ? 0 : 413;
    if (head->has_length || digits == 0 || text[digits] != '\0')
        return 400;
    if (digits > HEAD_LENGTH_DIGITS)
        return 413;
    head->has_length = true;
    head->length = strtoull(text, NULL, 10);
    return 0;
}

/* Sets the value of a header that may occur once. */
static int head_set_once(const char **to, const char *value)
{
    if (*to)
        return 400;
    *to = value;
    return 0;
}

static int head_apply_header(struct http_head *head, const char *name, const char *value,
                             const char **host)
{
    if (strcasecmp(name, "Host") == 0)
        return head_set_once(host, value);
    if (strcasecmp(name, "Origin") == 0)
        return head_set_once(&head->origin, value);
    if (strcasecmp(name, "Content-Type") == 0)
        return head_set_once(&head->type, value);
    if (strcasecmp(name, "Expect") == 0)
        head->waits_to_continue = strcasecmp(value, "100-continue") == 0;
    if (strcasecmp(name, "Connection") == 0)
        head->keep_alive = head->keep_alive && !header_has_word(value, "close");
    if (strcasecmp(name, "Transfer-Encoding") == 0)
        return 501;
    if (strcasecmp(name, "Content-Length") == 0)
        return head_parse_length(value, head);
    return 0;
}

char *http_head_split(char *line)
{
    size_t name = strcspn(line, ":");
    if (line[name] != ':' || !token_is_valid(line, name))
        return NULL;
    line[name] = '\0';
    char *value = line + name + 1;
    value += strspn(value, " \t");
    size_t size = strlen(value);
    while (size > 0 && (value[size - 1] == ' ' || value[size - 1] == '\t'))
        value[--size] = '\0';
    for (const char *c = value; *c != '\0'; c++) {
        if (((unsigned char) *c < ' ' && *c != '\t') || *c == 0x7f)
            return NULL;
    }
    return value;
}

static int head_parse_header(char *line, struct http_head *head, const char **host)
{
    const char *value = http_head_split(line);
    return value ? head_apply_header(head, line, value, host) : 400;
}

int http_head_parse(char *data, size_t size, struct http_head *head)
{
    char *at = data;
    const char *host = NULL;
    int headers = 0;
    *head = (struct http_head){0};
    /*
     * The last line is empty. A NUL in its place ends the head, so that the data behind it is not
     * parsed.
     */
    data[size - 2] = '\0';
    int status = head_parse_request_line(http_head_take_line(&at), head);
    while (status == 0 && at < data + size - 2) {
        if (headers++ == HTTP_HEADERS_MAX)
            return 431;
        status = head_parse_header(http_head_take_line(&at), head, &host);
    }
    if (status == 0 && !host && head->is_newer)
        return 400;
    /* RFC 9112, 3.2.2: the host of a URL in the request line takes precedence over the header. */
    if (!head->host)
        head->host = host;
    return status;
}
