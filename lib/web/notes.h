/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_NOTES_H
#define GT_WEB_NOTES_H

#include <pthread.h>
#include <stdbool.h>

/* The state of the viewer for the notes that the host stores. */
struct gt_web_notes {
    /* Held while the host's functions are called, and between reading notes and replacing them. */
    pthread_mutex_t lock;
};

/* Returns false if the system refuses; there is nothing to free then. */
bool gt_web_notes_init(struct gt_web_notes *notes);
void gt_web_notes_free(struct gt_web_notes *notes);

#endif
