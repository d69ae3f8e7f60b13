/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a trace as they are, in bytes or in text. */
#include <unistd.h>

#include "command.h"
#include "rawinput.h"

static int wire_write(void *user_data, const void *data, size_t size)
{
    struct output *out = user_data;
    output_bytes(out, data, size);
    return out->error == 0 ? 0 : -1;
}

static gt_status wire_copy_records(gt_raw_reader *reader, gt_raw_writer *writer)
{
    const gt_raw_event *event;
    gt_status status, written = GT_OK;
    while ((status = gt_raw_reader_next_event(reader, &event)) == GT_OK) {
        written = gt_raw_writer_write_event(writer, event);
        if (written != GT_OK)
            return written;
    }
    written = gt_raw_writer_flush(writer);
    return written == GT_OK ? status : written;
}

/* Writes what is read in a gt_raw_form, with GT_RAW_ flags of the writer's. */
static int wire_convert(struct rawinput *in, struct output *out, uint32_t form, uint64_t flags)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_raw_writer *writer;
    gt_raw_reader_get_info(in->reader, &info);
    options.flags = flags;
    gt_status status = gt_raw_writer_open(&writer, info.version, form, wire_write, out, &options, NULL);
    if (status == GT_OK)
        status = wire_copy_records(in->reader, writer);
    gt_raw_writer_close(&writer);
    return rawinput_close(in, out, status);
}

static int wire_run(const struct command *self, struct output *out, char **arguments)
{
    struct rawinput in;
    int code = rawinput_open(&in, self, out, arguments, NULL, 0);
    return code == COMMAND_GO_ON ? wire_convert(&in, out, GT_RAW_TEXT, GT_RAW_AS_GO) : code;
}

static int text_run(const struct command *self, struct output *out, char **arguments)
{
    struct rawinput in;
    int code = rawinput_open(&in, self, out, arguments, NULL, 0);
    return code == COMMAND_GO_ON ? wire_convert(&in, out, GT_RAW_TEXT, 0) : code;
}

static int encode_run(const struct command *self, struct output *out, char **arguments)
{
    bool set_sizes = false;
    const struct option own[] = {{.name = "set-sizes", .flag = &set_sizes}};
    struct rawinput in;
    int code = rawinput_open(&in, self, out, arguments, own, 1);
    if (code != COMMAND_GO_ON)
        return code;
    if (isatty(out->fd)) {
        gt_raw_reader_close(&in.reader);
        return command_misused(self, "standard output is a terminal, and a trace is not text",
                               NULL);
    }
    return wire_convert(&in, out, GT_RAW_BYTES, set_sizes ? GT_RAW_SET_SIZES : 0);
}

const struct command command_wire = {
    .name = "wire",
    .usage = "wire FILE",
    .summary = "print every record",
    .help = "Prints the records of the trace as they are in the file, in the form of\n"
            "go tool trace -d=wire; those of Go 1.21 and before in the same style. FILE\n"
            "may also be text that 'gotrace text' wrote.\n",
    .run = wire_run,
};

const struct command command_text = {
    .name = "text",
    .usage = "text FILE",
    .summary = "turn a trace into text",
    .help = "Prints the records of the trace so that 'gotrace encode' makes the same bytes\n"
            "of them again: as 'gotrace wire', with a line 'Trace Go1.N' first, and a comment\n"
            "'#!widths' before records whose numbers take more bytes than they need.\n",
    .run = text_run,
};

const struct command command_encode = {
    .name = "encode",
    .usage = "encode [--set-sizes] FILE",
    .summary = "turn text into a trace",
    .help = "Writes the trace that FILE is the text of to standard output, which must not\n"
            "be a terminal. Whether it can be read is not asked.\n"
            "\n"
            "  --set-sizes     put into each EventBatch the size that the batch has\n",
    .run = encode_run,
};
