/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge/repair.h"

#include "base/decimal.h"
#include "base/error.h"

bool gt_repair_is_trouble(int32_t status)
{
    return status == GT_ERR_NO_MEMORY || status == GT_ERR_LIMIT || status == GT_ERR_IO ||
           status == GT_CANCELLED;
}

void gt_repair_report(const struct gt_repair *repair, gt_error *error, const char *text)
{
    gt_error_append(error, text);
    if (repair->on_repair)
        repair->on_repair(repair->user_data, error);
}

void gt_repair_drop(gt_error *error)
{
    error->status = GT_OK;
    error->offset = GT_NO_OFFSET;
    error->generation = 0;
    error->message[0] = '\0';
}

void gt_repair_count(struct gt_repair *repair, gt_error *error)
{
    repair->count++;
    gt_repair_drop(error);
}

void gt_repair_append_size(gt_error *error, uint64_t bytes)
{
    char number[GT_DECIMAL_MAX + 1];
    *gt_decimal_put(number, bytes) = '\0';
    gt_error_append(error, "; ");
    gt_error_append(error, number);
    gt_error_append(error, " bytes are left out");
}

bool gt_repair_forgive(struct gt_repair *repair, gt_error *error, const char *text)
{
    if (!repair->lenient || gt_repair_is_trouble(error->status))
        return false;
    gt_repair_report(repair, error, text);
    gt_repair_count(repair, error);
    return true;
}
