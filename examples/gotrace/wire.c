/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the records of a trace between bytes and text. */

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

/* Writes the records in `form`, a gt_raw_form; `flags` are GT_RAW_ flags of the writer. */
static int wire_convert(struct rawinput *in, struct output *out, uint32_t form, uint64_t flags)
{
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_raw_writer *writer;
    gt_raw_reader_get_info(in->reader, &info);
    options.flags = flags;
    gt_status status =
        gt_raw_writer_open(&writer, info.version, form, wire_write, out, &options, NULL);
    if (status == GT_OK)
        status = wire_copy_records(in->reader, writer);
    gt_raw_writer_close(&writer);
    return rawinput_close(in, out, status);
}

static int wire_run_text(const struct command *self, struct output *out, char **arguments,
                         uint64_t flags)
{
    struct rawinput in = {.name = NULL};
    int code = rawinput_open(&in, self, out, arguments);
    return code == COMMAND_GO_ON ? wire_convert(&in, out, GT_RAW_TEXT, flags) : code;
}

static int wire_run(const struct command *self, struct output *out, char **arguments)
{
    return wire_run_text(self, out, arguments, GT_RAW_AS_GO);
}

static int text_run(const struct command *self, struct output *out, char **arguments)
{
    return wire_run_text(self, out, arguments, 0);
}

struct encode {
    struct rawinput in;
    bool set_sizes;
};

static const struct option encode_options[] = {
    {OPTION_FLAG(struct encode, set_sizes, "set-sizes",
                 "set the size in each EventBatch to that of the batch"),
     .summary = "set the size in each EventBatch"},
};

static int encode_run(const struct command *self, struct output *out, char **arguments)
{
    struct encode encode = {.set_sizes = false};
    int code = rawinput_open(&encode.in, self, out, arguments);
    if (code != COMMAND_GO_ON)
        return code;
    if (out->is_terminal) {
        rawinput_close(&encode.in, out, GT_OK);
        return command_misused(self, "standard output is a terminal, and a trace is not text",
                               NULL);
    }
    return wire_convert(&encode.in, out, GT_RAW_BYTES, encode.set_sizes ? GT_RAW_SET_SIZES : 0);
}

const struct command command_wire = {
    .name = "wire",
    .usage = "wire [--raw] FILE",
    .summary = "print every record",
    .help = "Prints the records of the trace as they are in the file, in the form of\n"
            "go tool trace -d=wire; those of Go 1.21 and before in the same style. FILE\n"
            "may also be text that 'gotrace text' wrote.\n",
    .shared = output_option_groups,
    .run = wire_run,
};

const struct command command_text = {
    .name = "text",
    .usage = "text [--raw] FILE",
    .summary = "convert a trace to text",
    .help = "Prints the records of the trace so that 'gotrace encode' makes the same bytes\n"
            "of them again: as 'gotrace wire', with a line 'Trace Go1.N' first, and a comment\n"
            "'#!widths' before records whose numbers take more bytes than they need.\n",
    .shared = output_option_groups,
    .run = text_run,
};

const struct command command_encode = {
    .name = "encode",
    .usage = "encode [--set-sizes] FILE",
    .summary = "convert text to a trace",
    .help = "Writes the trace of which FILE is the text to standard output, which must not be\n"
            "a terminal. Does not check whether the trace can be read.\n",
    COMMAND_OPTIONS(encode_options),
    .operand_words = OPTION_FILE,
    .run = encode_run,
};
