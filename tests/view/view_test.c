/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests gotrace view as a process: what it prints, what it serves, how it ends. */

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"
#include "support/files.h"
#include "support/process.h"
#include "support/sample.h"
#include "support/temporary.h"
#include "support/test.h"
#include "support/waiting.h"

/* In milliseconds. */
#define LOST_SIGNAL_TIME 5000

static const char announcement[] = "Trace viewer is listening on ";

/* A running viewer. */
struct viewer {
    struct process process;
    char url[300];
};

static char *make_trace(unsigned version, unsigned events, size_t cut)
{
    struct wire wire = {0};
    char *path;

    sample_trace(&wire, version, 2, events);
    path = files_temporary(wire.data, wire.size - cut);
    wire_free(&wire);
    return path;
}

static void remove_file(char *path)
{
    unlink(path);
    free(path);
}

/* Starts a program and reads the line that it prints. */
static void start(struct viewer *viewer, const char *const *arguments)
{
    char line[300];

    process_start(&viewer->process, arguments);
    assert_non_null(fgets(line, sizeof(line), viewer->process.output));
    assert_int_equal(strncmp(line, announcement, strlen(announcement)), 0);
    line[strcspn(line, "\n")] = '\0';
    snprintf(viewer->url, sizeof(viewer->url), "%s", line + strlen(announcement));
}

static void view_with(struct viewer *viewer, const char *const *arguments)
{
    const char *all[10] = {getenv("GT_COMMAND")};

    for (size_t i = 0; arguments[i]; i++)
        all[i + 1] = arguments[i];
    start(viewer, all);
}

#define VIEW(viewer, ...) view_with((viewer), (const char *const[]){__VA_ARGS__, NULL})

/*
 * Ends the viewer by a signal. It must not have printed more, and must exit normally. The thread
 * sanitizer of clang 14 loses about one signal in 300 without calling the handler, so that in a
 * build with a sanitizer the other signal is sent after a while.
 */
static void end(struct viewer *viewer, int number)
{
    struct pollfd output = {.fd = fileno(viewer->process.output), .events = POLLIN};

    kill(viewer->process.child, number);
    if (TEST_SANITIZED && poll(&output, 1, LOST_SIGNAL_TIME) == 0)
        kill(viewer->process.child, number == SIGINT ? SIGTERM : SIGINT);
    assert_int_equal(getc(viewer->process.output), EOF);
    assert_int_equal(process_wait(&viewer->process), 0);
}

static void ask(const struct viewer *viewer, const char *path, struct client_reply *reply)
{
    client_ask(viewer->url, path, reply);
}

static void expect_status(const struct viewer *viewer, const char *path, int status)
{
    struct client_reply reply;

    ask(viewer, path, &reply);
    assert_int_equal(reply.status, status);
    client_free(&reply);
}

/* Waits until the trace is loaded. Returns what /api/trace says then, allocated with malloc. */
static char *await_trace(const struct viewer *viewer)
{
    struct client_reply reply;
    struct waiting waiting = {0};

    for (;;) {
        ask(viewer, "/api/trace", &reply);
        assert_int_equal(reply.status, 200);
        if (strstr(reply.body, "\"done\":true"))
            break;
        client_free(&reply);
        waiting_pause(&waiting, "the whole trace");
    }
    free(reply.head);
    return reply.body;
}

/*
 * Waits until an analysis is done and asserts its status. Returns the answer, allocated with
 * malloc.
 */
static char *await_result(const struct viewer *viewer, const char *path, int status)
{
    struct client_reply reply;
    struct waiting waiting = {0};

    for (;;) {
        ask(viewer, path, &reply);
        if (reply.status != 202)
            break;
        client_free(&reply);
        waiting_pause(&waiting, path);
    }
    assert_int_equal(reply.status, status);
    free(reply.head);
    return reply.body;
}

static void test_view_serves_until_a_signal(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM};
    char *trace = make_trace(26, 200, 0), *about;
    struct viewer viewer;
    int port, length;

    (void) state;
    for (int i = 0; i < 2; i++) {
        VIEW(&viewer, "view", "--no-open", trace);
        assert_int_equal(sscanf(viewer.url, "http://127.0.0.1:%d%n", &port, &length), 1);
        assert_int_equal((size_t) length, strlen(viewer.url));
        about = await_trace(&viewer);
        assert_non_null(strstr(about, "\"error\":null"));
        assert_non_null(strstr(about, "\"header\":\"go 1.26\""));
        free(about);
        end(&viewer, signals[i]);
        assert_string_equal(viewer.process.errors, "");
    }
    remove_file(trace);
}

static void test_pages_and_files_are_served(void **state)
{
    static const char *const pages[] = {
        "/",
        "/trace?goid=1",
        "/goroutines",
        "/goroutine?name=x",
        "/usertasks",
        "/usertask",
        "/userregions",
        "/userregion",
        "/gc",
        "/mmu",
        "/io",
        "/block",
        "/syscall",
        "/sched",
        "/regionio",
        "/regionblock",
        "/regionsched",
        "/regionsyscall",
    };
    static const char *const files[][2] = {
        {"/static/style.css", "text/css; charset=utf-8"},
        {"/static/page.js", "text/javascript; charset=utf-8"},
        {"/static/icon.svg", "image/svg+xml"},
        {"/favicon.ico", "image/svg+xml"},
        {"/static/page.html", "text/html; charset=utf-8"},
    };
    char *trace = make_trace(26, 200, 0);
    struct client_reply reply;
    struct viewer viewer;

    (void) state;
    VIEW(&viewer, "view", "--no-open", trace);
    for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
        ask(&viewer, pages[i], &reply);
        assert_int_equal(reply.status, 200);
        assert_true(client_has(&reply, "Content-Type", "text/html; charset=utf-8"));
        assert_non_null(strstr(reply.body, "</html>"));
        client_free(&reply);
    }
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        ask(&viewer, files[i][0], &reply);
        assert_int_equal(reply.status, 200);
        assert_true(client_has(&reply, "Content-Type", files[i][1]));
        assert_true(reply.size > 100);
        client_free(&reply);
    }
    expect_status(&viewer, "/static/", 404);
    expect_status(&viewer, "/static/nothing.js", 404);
    end(&viewer, SIGINT);
    remove_file(trace);
}

/* The forms of the command that users of go tool trace know. */
static void test_forms_of_go_tool_trace_are_accepted(void **state)
{
    char *trace = make_trace(26, 200, 0);
    struct viewer viewer;

    (void) state;
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    unsetenv("BROWSER");
    VIEW(&viewer, trace);
    end(&viewer, SIGINT);
    VIEW(&viewer, "-http=127.0.0.1:0", trace);
    end(&viewer, SIGINT);
    VIEW(&viewer, "--http", "localhost:0", "--no-open", trace);
    assert_int_equal(strncmp(viewer.url, "http://localhost:", 17), 0);
    expect_status(&viewer, "/", 200);
    end(&viewer, SIGINT);
    remove_file(trace);
}

/* Asserts that a command fails before it serves anything. */
static void fails(int code, const char *what, const char *const *arguments)
{
    const char *all[10] = {getenv("GT_COMMAND")};
    struct process process;

    for (size_t i = 0; arguments[i]; i++)
        all[i + 1] = arguments[i];
    process_start(&process, all);
    assert_int_equal(getc(process.output), EOF);
    assert_int_equal(process_wait(&process), code);
    assert_non_null(strstr(process.errors, what));
    assert_ptr_equal(strchr(process.errors, '\n'), process.errors + strlen(process.errors) - 1);
}

#define FAILS(code, what, ...) fails((code), (what), (const char *const[]){__VA_ARGS__, NULL})

static void test_failures_are_reported_in_one_line(void **state)
{
    char *trace = make_trace(26, 200, 0), *text = files_temporary("no trace at all", 15);

    (void) state;
    FAILS(1, "not a Go execution trace", "view", "--no-open", text);
    FAILS(1, "not a Go execution trace", text);
    FAILS(1, "", "view", "--no-open", "/dev/null");
    FAILS(1, "No such file", "view", "--no-open", "/nothing/here");
    FAILS(1, "No such file", "./nothing.trace");
    FAILS(1, "Is a directory", "view", "--no-open", "/");
    FAILS(1, "/nothing/here: cannot open the file", "view", "--binary", "/nothing/here", trace);
    FAILS(1, "not a list of sites: 'a;b'", "view", "--source-url", "vscode://file/{file}:{line}",
          "--frame-ancestors", "a;b", trace);
    FAILS(1, "not the address of an editor or a site: 'nope'", "view", "--source-url", "nope",
          "--frame-ancestors", "'self'", trace);
    FAILS(1, "not the address of a page: 'perfetto.example.com'", "view", "--perfetto-ui",
          "perfetto.example.com", trace);
    FAILS(1, "bad address nowhere", "view", "--no-open", "--http", "nowhere", trace);
    FAILS(2, "too few arguments", "view");
    FAILS(2, "unknown option '--port'", "view", "--port", trace);
    FAILS(2, "unknown command 'vieww'", "vieww");
    remove_file(trace);
    remove_file(text);
}

/* Names that are not valid UTF-8 are converted, also in CSV tables. */
static void test_names_become_valid_utf_8(void **state)
{
    struct wire wire = {0};
    struct client_reply reply;
    struct viewer viewer;
    char *trace;
    size_t changed = 0;

    (void) state;
    sample_trace(&wire, 26, 2, 200);
    for (size_t i = 0; i + 6 <= wire.size; i++) {
        if (memcmp(wire.data + i, "string", 6) == 0) {
            memcpy(wire.data + i, "\xe4\"\xc3\xa4\xff", 5);
            changed++;
        }
    }
    assert_true(changed > 0);
    trace = files_temporary(wire.data, wire.size);
    wire_free(&wire);
    VIEW(&viewer, "view", "--no-open", trace);
    free(await_trace(&viewer));
    ask(&viewer, "/api/area.csv?view=goroutine", &reply);
    assert_int_equal(reply.status, 200);
    assert_non_null(strstr(reply.body, ",\"\xef\xbf\xbd\"\"\xc3\xa4\xef\xbf\xbdg "));
    assert_null(memchr(reply.body, 0xff, reply.size));
    client_free(&reply);
    end(&viewer, SIGINT);
    remove_file(trace);
}

/*
 * The intact part of a damaged trace is served. The damage is reported once by the server and
 * once on standard error, with a line for each kind of repair.
 */
static void test_damaged_trace_is_served_with_its_error(void **state)
{
    char *trace = make_trace(26, 200, 10), *about, *place;
    struct viewer viewer;

    (void) state;
    VIEW(&viewer, "view", "--no-open", trace);
    about = await_trace(&viewer);
    assert_non_null(strstr(about, "\"error\":null"));
    assert_non_null(strstr(about, "\"repairs\":[\"batch is cut off: "));
    assert_non_null(strstr(about, ", generation 2)\""));
    assert_null(strstr(about, "\"events\":0"));
    free(about);
    end(&viewer, SIGINT);
    place = strstr(viewer.process.errors, ": repaired: batch is cut off: ");
    assert_non_null(place);
    assert_null(strstr(place + 14, "batch is cut off"));
    assert_non_null(strstr(viewer.process.errors, ": repaired: generation without its end"));
    remove_file(trace);
}

/* There are 73 repairs, of which 71 differ in nothing but the proc, the goroutine and the place. */
static void test_equal_repairs_share_a_line(void **state)
{
    char *trace = files_join(files_testdata(), "v1/go1.21-cut.trace");
    struct viewer viewer;

    (void) state;
    VIEW(&viewer, "view", "--no-open", trace);
    free(await_trace(&viewer));
    end(&viewer, SIGINT);
    assert_non_null(strstr(viewer.process.errors, ", and 70 more like it\n"));
    const char *first = strstr(viewer.process.errors, "; it is let happen");
    assert_non_null(first);
    assert_null(strstr(first + 1, "; it is let happen"));
    free(trace);
}

/* A pipe, by name or as standard input, can be read only once, but is available to every reader. */
static void test_pipes_can_be_read_repeatedly(void **state)
{
    static const char *const forms[] = {"\"$PIPE\"", "- <\"$PIPE\""};
    char *trace = make_trace(26, 200, 0), *pipe_name = files_replace(trace, "", ".pipe");
    char script[300], *about;
    struct viewer viewer;

    (void) state;
    assert_int_equal(mkfifo(pipe_name, 0600), 0);
    setenv("TRACE", trace, 1);
    setenv("PIPE", pipe_name, 1);
    for (size_t i = 0; i < 2; i++) {
        snprintf(script, sizeof(script),
                 "cat \"$TRACE\" >\"$PIPE\" & exec \"$GT_COMMAND\" view --no-open %s", forms[i]);
        start(&viewer, (const char *const[]){"sh", "-c", script, NULL});
        about = await_trace(&viewer);
        assert_non_null(strstr(about, i == 0 ? ".pipe\",\"" : "\"name\":\"-\""));
        assert_non_null(strstr(about, "\"error\":null"));
        free(about);
        free(await_result(&viewer, "/api/groups", 200));
        end(&viewer, SIGINT);
        assert_string_equal(viewer.process.errors, "");
    }
    remove_file(pipe_name);
    remove_file(trace);
}

/* A signal ends the viewer also while the trace is being loaded or an analysis is running. */
static void test_signal_ends_loading_and_analysis(void **state)
{
    char *trace = make_trace(26, 200000, 0);
    struct client_reply reply;
    struct viewer viewer;

    (void) state;
    VIEW(&viewer, "view", "--no-open", trace);
    end(&viewer, SIGINT);
    VIEW(&viewer, "view", "--no-open", trace);
    ask(&viewer, "/api/groups", &reply);
    assert_int_equal(reply.status, 202);
    client_free(&reply);
    end(&viewer, SIGTERM);
    assert_string_equal(viewer.process.errors, "");
    remove_file(trace);
}

/* A modified file no longer matches the timeline. Nor may a truncated one crash the viewer. */
static void test_changed_file_is_an_error(void **state)
{
    char *trace = make_trace(26, 200, 0), *answer;
    struct viewer viewer;

    (void) state;
    VIEW(&viewer, "view", "--no-open", trace);
    free(await_trace(&viewer));
    assert_int_equal(truncate(trace, 16), 0);
    answer = await_result(&viewer, "/api/groups", 500);
    assert_non_null(strstr(answer, "the file has changed"));
    free(answer);
    expect_status(&viewer, "/api/rows?view=goroutine&count=10", 200);
    end(&viewer, SIGINT);
    remove_file(trace);
}

/* Files of the page come from the directory, and nothing outside it is served. */
static void test_files_come_only_from_the_directory(void **state)
{
    char *directory = temporary_new_folder(), *trace = make_trace(26, 200, 0), *page, *secret;
    struct client_reply reply;
    struct viewer viewer;
    FILE *file;

    (void) state;
    page = files_join(directory, "new.js");
    secret = files_join(directory, ".secret");
    assert_non_null(file = fopen(page, "w"));
    fputs("new", file);
    fclose(file);
    assert_non_null(file = fopen(secret, "w"));
    fclose(file);
    VIEW(&viewer, "view", "--no-open", "--web", directory, trace);
    ask(&viewer, "/static/new.js", &reply);
    assert_string_equal(reply.body, "new");
    assert_true(client_has(&reply, "Content-Type", "text/javascript; charset=utf-8"));
    client_free(&reply);
    expect_status(&viewer, "/", 404);
    expect_status(&viewer, "/static/style.css", 404);
    expect_status(&viewer, "/static/.secret", 404);
    expect_status(&viewer, "/static/..", 404);
    expect_status(&viewer, "/static/..%2f..%2fetc%2fpasswd", 404);
    expect_status(&viewer, "/static//etc/passwd", 404);
    end(&viewer, SIGINT);
    remove_file(page);
    remove_file(secret);
    rmdir(directory);
    free(directory);
    remove_file(trace);
}

/* Waits until a file contains a line. Returns the content, allocated with malloc. */
static char *await_line(const char *path)
{
    struct waiting waiting = {0};

    for (;;) {
        size_t size = 0;
        char *text = files_exist(path) ? (char *) files_read(path, &size) : NULL;

        if (text && strchr(text, '\n'))
            return text;
        free(text);
        waiting_pause(&waiting, path);
    }
}

/* The browser gets the URL as one argument, and no shell interprets it. */
static void test_browser_gets_the_url_without_a_shell(void **state)
{
    static const char script[] = "#!/bin/sh\necho \"$#:$1\" >\"$GT_TEST_SEEN\"\n";
    char *trace = make_trace(26, 200, 0), *browser = files_temporary(script, strlen(script));
    char *seen = files_replace(browser, "", ".seen"), *line, expected[310];
    struct viewer viewer;

    (void) state;
    assert_int_equal(chmod(browser, 0700), 0);
    setenv("GT_TEST_SEEN", seen, 1);
    setenv("BROWSER", browser, 1);
    VIEW(&viewer, "view", "--no-open", trace);
    free(await_trace(&viewer));
    end(&viewer, SIGINT);
    assert_false(files_exist(seen));
    VIEW(&viewer, "view", trace);
    line = await_line(seen);
    snprintf(expected, sizeof(expected), "1:%s\n", viewer.url);
    assert_string_equal(line, expected);
    end(&viewer, SIGINT);
    unsetenv("BROWSER");
    free(line);
    remove_file(seen);
    remove_file(browser);
    remove_file(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_serves_until_a_signal),
        cmocka_unit_test(test_pages_and_files_are_served),
        cmocka_unit_test(test_forms_of_go_tool_trace_are_accepted),
        cmocka_unit_test(test_failures_are_reported_in_one_line),
        cmocka_unit_test(test_damaged_trace_is_served_with_its_error),
        cmocka_unit_test(test_equal_repairs_share_a_line),
        cmocka_unit_test(test_names_become_valid_utf_8),
        cmocka_unit_test(test_pipes_can_be_read_repeatedly),
        cmocka_unit_test(test_signal_ends_loading_and_analysis),
        cmocka_unit_test(test_changed_file_is_an_error),
        cmocka_unit_test(test_files_come_only_from_the_directory),
        cmocka_unit_test(test_browser_gets_the_url_without_a_shell),
    };

    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
