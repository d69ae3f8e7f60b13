/* SPDX-License-Identifier: BSD-3-Clause */
#include "upload.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "intake.h"

enum {
    /* How many bytes are received at a time. */
    UPLOAD_PIECE = 64 * 1024
};

/* Returns how many bytes the file system of a file still takes. */
static uint64_t upload_free_space(FILE *file)
{
    struct statvfs about;
    if (fstatvfs(fileno(file), &about) != 0)
        return UINT64_MAX;
    return (uint64_t) about.f_bavail * about.f_frsize;
}

static void upload_refuse(struct upload_refusal *refusal, int status, const char *text)
{
    refusal->status = status;
    snprintf(refusal->text, sizeof(refusal->text), "%s", text);
}

/* Gives the reason for which the upload cannot be stored. */
static void upload_refuse_storage(struct upload_refusal *refusal)
{
    refusal->status = 507;
    snprintf(refusal->text, sizeof(refusal->text), "cannot write a temporary file: %s",
             strerror(errno));
}

/* Copies the body to a file. Returns false after a failure, and gives the reason. */
static bool upload_copy(const struct http_request *request, FILE *to,
                        struct upload_refusal *refusal)
{
    char piece[UPLOAD_PIECE];
    int64_t size;
    while ((size = http_read(request, piece, sizeof(piece))) > 0) {
        if (fwrite(piece, 1, (size_t) size, to) != (size_t) size)
            break;
    }
    if (size < 0)
        upload_refuse(refusal, 408, "the file did not arrive in time, or not completely");
    else if (size > 0 || fflush(to) != 0 || lseek(fileno(to), 0, SEEK_SET) != 0)
        upload_refuse_storage(refusal);
    else
        return true;
    return false;
}

static FILE *upload_receive_body(const struct http_request *request, struct upload_refusal *refusal)
{
    FILE *file = tmpfile();
    if (!file) {
        upload_refuse_storage(refusal);
    } else if (request->body->left > upload_free_space(file)) {
        upload_refuse(refusal, 507, "there is no room for a file of this size");
    } else if (upload_copy(request, file, refusal)) {
        return file;
    }
    if (file)
        fclose(file);
    return NULL;
}

static bool upload_is_gone(const void *response)
{
    return http_is_gone(response);
}

/* The status of the answer if saving what an intake decompresses failed. */
static int upload_status_of(const struct intake *intake, const gt_error *error, bool is_full)
{
    if (error->status == GT_ERR_LIMIT)
        return is_full ? 507 : 413;
    return intake->unpacker.error[0] != '\0' ? 400 : 507;
}

/* Returns the decompressed file and closes `file`, or returns `file` if it is not compressed. */
static FILE *upload_unpack(FILE *file, uint64_t most, const struct http_response *response,
                           struct upload_refusal *refusal)
{
    gt_error error = GT_ERROR_INIT;
    struct intake intake;
    FILE *unpacked = NULL;
    int status = 400;
    uint64_t space = upload_free_space(file);
    if (intake_open_fd(&intake, fileno(file), &error)) {
        if (!intake.unpacker.program) {
            intake_close(&intake);
            return file;
        }
        intake.is_gone = upload_is_gone;
        intake.gone_data = response;
        unpacked = intake_save(&intake, most < space ? most : space, &error);
        status = upload_status_of(&intake, &error, space < most);
        intake_close(&intake);
    }
    fclose(file);
    if (!unpacked)
        upload_refuse(refusal, status, error.message);
    return unpacked;
}

FILE *upload_receive(const struct http_request *request, uint64_t most,
                     const struct http_response *response, struct upload_refusal *refusal)
{
    FILE *file = upload_receive_body(request, refusal);
    return file ? upload_unpack(file, most, response, refusal) : NULL;
}
