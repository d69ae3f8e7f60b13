/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_PPROF_H
#define GT_BASE_PPROF_H

/*
 * The numbers of the fields in pprof's profile.proto. A name begins with that of the message that
 * has the field, unless the message is Profile.
 */
enum {
    GT_PPROF_SAMPLE_TYPE = 1,
    GT_PPROF_SAMPLE = 2,
    GT_PPROF_LOCATION = 4,
    GT_PPROF_FUNCTION = 5,
    GT_PPROF_STRING_TABLE = 6,
    GT_PPROF_TIME_NANOS = 9,
    GT_PPROF_DURATION_NANOS = 10,
    GT_PPROF_PERIOD_TYPE = 11,
    GT_PPROF_PERIOD = 12,

    GT_PPROF_VALUE_TYPE_TYPE = 1,
    GT_PPROF_VALUE_TYPE_UNIT = 2,

    GT_PPROF_SAMPLE_LOCATION_ID = 1,
    GT_PPROF_SAMPLE_VALUE = 2,
    GT_PPROF_SAMPLE_LABEL = 3,

    GT_PPROF_LABEL_KEY = 1,
    GT_PPROF_LABEL_STR = 2,

    GT_PPROF_LOCATION_ID = 1,
    GT_PPROF_LOCATION_ADDRESS = 3,
    GT_PPROF_LOCATION_LINE = 4,

    GT_PPROF_LINE_FUNCTION_ID = 1,
    GT_PPROF_LINE_LINE = 2,

    GT_PPROF_FUNCTION_ID = 1,
    GT_PPROF_FUNCTION_NAME = 2,
    GT_PPROF_FUNCTION_SYSTEM_NAME = 3,
    GT_PPROF_FUNCTION_FILENAME = 4
};

#endif
