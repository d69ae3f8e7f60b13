/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_FLIGHT_H
#define GT_RECORDER_FLIGHT_H

#include "recorder/inside.h"

/* Calls the function for requests of the window, if there was one. Without locks. */
void gt_recorder_answer_request(gt_recorder *recorder);

/* Returns whether the calling thread is in `on_request`. */
bool gt_recorder_is_answering(gt_recorder *recorder);

#endif
