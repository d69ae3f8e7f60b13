/* SPDX-License-Identifier: BSD-3-Clause */

/* A fault for each static analyzer. Never compiled into a program. */

#include <stdlib.h>
#include <string.h>

int planted_null(const int *pointer);
void planted_free(int count);
int planted_loop(const char *text);
int planted_bound(int at);

/* For clang --analyze. */
int planted_null(const int *pointer)
{
    return !pointer ? *pointer : 0;
}

/* For gcc -fanalyzer. */
void planted_free(int count)
{
    void *block = malloc(16);

    if (count > 1)
        free(block);
    free(block);
}

/* For clang-tidy. */
int planted_loop(const char *text)
{
    int sum = 0;

    for (unsigned char i = 0; i < strlen(text); i++)
        sum += text[i];
    return sum;
}

/* For cppcheck. */
int planted_bound(int at)
{
    static const int numbers[4] = {1, 2, 3, 4};

    return at == 4 ? numbers[at] : 0;
}
