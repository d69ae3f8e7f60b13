# SPDX-License-Identifier: BSD-3-Clause
"""A reader of Parquet files that accepts no more than what libgotrace writes, and checks all that
it reads: sizes, offsets, CRCs, statistics and encodings."""
import struct
import zlib

TYPES = {0: "boolean", 1: "int32", 2: "int64", 6: "string"}
PLAIN, RLE, DELTA, DICTIONARY = 0, 3, 5, 8
DATA_PAGE, DICTIONARY_PAGE = 0, 2
SNAPPY = 1


class Bad(Exception):
    """What is wrong with a file."""


def need(condition, *what):
    if not condition:
        raise Bad(*what)


class Bytes:
    """A part of a file that is read from its start to its end."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, size):
        begin, end = self.at, self.at + size
        if not begin <= end <= len(self.data):
            raise Bad("the data ends too early")
        self.at = end
        return self.data[begin:end]

    def byte(self):
        at = self.at
        if at >= len(self.data):
            raise Bad("the data ends too early")
        self.at = at + 1
        return self.data[at]

    def number(self, size):
        return int.from_bytes(self.take(size), "little")

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                need(value < 1 << 64, "a varint has more than 64 bits")
                return value

    def zigzag(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def left(self):
        return len(self.data) - self.at


def thrift_value(data, kind):
    if kind in (1, 2):
        return kind == 1
    if kind in (5, 6):
        return data.zigzag()
    if kind == 8:
        return data.take(data.varint())
    if kind == 9:
        head = data.byte()
        count = head >> 4
        if count == 15:
            count = data.varint()
        return [thrift_value(data, head & 15) for _ in range(count)]
    need(kind == 12, "no type of Thrift that is known", kind)
    return thrift_struct(data)


def thrift_struct(data):
    """Reads a structure, as a dictionary by the numbers of fields."""
    fields, last = {}, 0
    while True:
        head = data.byte()
        if head == 0:
            return fields
        last = last + (head >> 4) if head >> 4 else data.zigzag()
        need(last not in fields and last > max(fields, default=0), "fields are not in order")
        fields[last] = thrift_value(data, head & 15)


def snappy(packed):
    data = Bytes(packed)
    size = data.varint()
    out = bytearray()
    while data.left():
        tag = data.byte()
        kind, length = tag & 3, (tag >> 2) + 1
        if kind == 0:
            if length > 60:
                length = data.number(length - 60) + 1
            out += data.take(length)
            continue
        need(kind in (1, 2), "a copy of Snappy with four bytes")
        if kind == 1:
            length, offset = (tag >> 2 & 7) + 4, tag >> 5 << 8 | data.byte()
        else:
            offset = data.number(2)
        need(0 < offset <= len(out), "a copy of Snappy from before the start")
        begin = len(out) - offset
        if length <= offset:
            out += out[begin:begin + length]
        else:
            out += (out[begin:] * (length // offset + 1))[:length]
    need(len(out) == size, "Snappy gives another size")
    return bytes(out)


def packed_bits(data, count, width):
    """Numbers of `width` bits, the lowest bit first, in whole bytes."""
    bits = int.from_bytes(data.take(count * width // 8), "little")
    mask = (1 << width) - 1
    return [bits >> i * width & mask for i in range(count)]


def hybrid(data, count, width):
    out = []
    while len(out) < count:
        head = data.varint()
        need(head > 1, "an empty run")
        if head & 1:
            for _ in range(head >> 1):
                out += packed_bits(data, 8, width)
            need(len(out) < count + 8, "a run of packed bits is too long")
            need(not any(out[count:]), "bits behind the last number")
            del out[count:]
        else:
            number = data.number((width + 7) // 8)
            need(number < 1 << width, "a number has too many bits")
            out += [number] * (head >> 1)
    need(len(out) == count, "a run is too long")
    return out


def delta(data, count, bits):
    block, minis = data.varint(), data.varint()
    need(block % 128 == 0 and block // minis % 32 == 0, "no size of a block")
    need(data.varint() == count, "another number of values")
    value, mini = data.zigzag(), block // minis
    out = [value][:count]
    while len(out) < count:
        least = data.zigzag()
        widths = data.take(minis)
        for width in widths:
            left = count - len(out)
            if left <= 0:
                break
            numbers = packed_bits(data, mini, width)
            for number in numbers[:left]:
                value = (value + least + number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
                out.append(value)
    return out


def plain(data, count, kind):
    if kind == "boolean":
        bits = [byte >> i & 1 for byte in data.take((count + 7) // 8) for i in range(8)]
        need(not any(bits[count:]), "bits behind the last value")
        return [bit == 1 for bit in bits[:count]]
    if kind == "string":
        return [data.take(data.number(4)).decode("utf-8") for _ in range(count)]
    code, size = ("i", 4) if kind == "int32" else ("q", 8)
    return list(struct.unpack(f"<{count}{code}", data.take(count * size)))


class Column:
    def __init__(self, element):
        need(set(element) <= {1, 3, 4, 6, 10}, "an unknown field of a column", element)
        self.kind = TYPES[element[1]]
        self.optional = element[3] == 1
        self.name = element[4].decode()
        self.is_timestamp = False
        if self.kind == "string":
            need(element[6] == 0 and element[10] == {1: {}}, "a string has another type")
        elif 10 in element:
            self.is_timestamp = True
            need(self.kind == "int64" and element[6] == 10 and element[10] == {8: {1: True, 2: {
                2: {}}}}, "a timestamp has another type")


class Chunk:
    """The values of a column in a row group."""

    def __init__(self, file, column, about, rows):
        self.file, self.column, self.rows = file, column, rows
        self.meta = about[3]
        meta = self.meta
        need(about[2] == 0 and meta[3] == [column.name.encode()] and TYPES[meta[1]] == column.kind,
             "a chunk of another column")
        need(meta[4] in (0, SNAPPY) and meta[5] == rows, "another codec or number of rows")
        self.start = meta.get(11, meta[9])
        self.entries = None
        self.encodings = {RLE}
        data = Bytes(file.data[self.start:self.start + meta[7]])
        unpacked = 0
        if 11 in meta:
            unpacked += self.page(data, DICTIONARY_PAGE)
        need(self.start + data.at == meta[9], "the data page begins elsewhere")
        unpacked += self.page(data, DATA_PAGE)
        need(data.left() == 0 and unpacked == meta[6], "a chunk has another size")
        need(self.encodings == set(meta[2]) and len(meta[2]) == len(self.encodings),
             "other encodings", meta[2])
        self.check_statistics()

    def page(self, data, kind):
        """Reads a page, and returns its size before compression."""
        at = data.at
        header = thrift_struct(data)
        head_size = data.at - at
        body = data.take(header[3])
        need(header[1] == kind, "another kind of page")
        need(zlib.crc32(body) == header[4] % (1 << 32), "the CRC is wrong")
        if self.meta[4] == SNAPPY:
            body = snappy(body)
        need(len(body) == header[2], "a page has another size")
        if kind == DICTIONARY_PAGE:
            self.read_dictionary(header[7], Bytes(body))
        else:
            self.read_data(header[5], Bytes(body))
        return head_size + len(body)

    def read_dictionary(self, about, body):
        need(about[2] == PLAIN, "another encoding of a dictionary")
        self.encodings.add(PLAIN)
        self.entries = plain(body, about[1], self.column.kind)
        need(body.left() == 0, "bytes behind a dictionary")
        need(len(set(self.entries)) == len(self.entries), "a dictionary repeats a value")

    def read_data(self, about, body):
        need(about[1] == self.rows and about[3] == about[4] == RLE, "another data page")
        self.encodings.add(about[2])
        valid = [1] * self.rows
        if self.column.optional:
            levels = Bytes(body.take(body.number(4)))
            valid = hybrid(levels, self.rows, 1)
            need(levels.left() == 0, "bytes behind the levels")
        self.present = self.values_of(about[2], body, sum(valid))
        need(body.left() == 0, "bytes behind the values")
        values = iter(self.present)
        self.values = [next(values) if is_valid else None for is_valid in valid]

    def values_of(self, encoding, body, count):
        kind = self.column.kind
        if encoding == DICTIONARY:
            width = body.byte()
            indexes = hybrid(body, count, width)
            need(set(indexes) == set(range(len(self.entries))), "not each entry is used")
            return [self.entries[i] for i in indexes]
        need(self.entries is None, "a dictionary that is not used")
        if encoding == DELTA:
            return delta(body, count, 32 if kind == "int32" else 64)
        need(encoding == PLAIN, "another encoding", encoding)
        return plain(body, count, kind)

    def check_statistics(self):
        about = self.meta[12]
        need(about[3] == self.rows - len(self.present), "another number of NULLs")
        if not self.present:
            need(set(about) == {3}, "bounds without values")
        elif self.column.kind == "string":
            self.check_texts(about)
        else:
            least, most = (plain(Bytes(about[i]), 1, self.column.kind)[0] for i in (6, 5))
            need((least, most) == (min(self.present), max(self.present)), "wrong bounds")
            need(about[7] and about[8], "bounds are not exact")

    def check_texts(self, about):
        texts = [text.encode() for text in self.present]
        for i, exact, bound in (6, 8, min(texts)), (5, 7, max(texts)):
            if i == 5 and 5 not in about:
                need(len(bound) > 64, "a bound is missing")
                continue
            need(len(about[i]) <= 64 and about[exact] == (about[i] == bound), "a wrong bound")
            need(about[i] <= bound if i == 6 else about[i] >= bound, "values beyond a bound")
            about[i].decode("utf-8")


class File:
    """A file: its columns, the values of each of them, and what the metadata say."""

    def __init__(self, data):
        self.data = data
        need(data[:4] == b"PAR1" and data[-4:] == b"PAR1" and len(data) >= 12, "no magic bytes")
        size = int.from_bytes(data[-8:-4], "little")
        need(size <= len(data) - 12, "the footer has a wrong size")
        footer = Bytes(data[-8 - size:-8])
        self.meta = thrift_struct(footer)
        need(footer.left() == 0, "bytes behind the footer")
        root, *elements = self.meta[2]
        need(root == {4: b"schema", 5: len(elements)}, "another root")
        self.columns = [Column(element) for element in elements]
        self.pairs = {pair[1].decode(): pair[2].decode() for pair in self.meta[5]}
        need(self.meta[7] == [{1: {}}] * len(elements), "columns have another order")
        self.values = {column.name: [] for column in self.columns}
        self.group_rows = []
        end = 4
        for group in self.meta[4]:
            end = self.read_group(group, end)
        need(end == len(data) - size - 8, "bytes before the footer")
        need(sum(self.group_rows) == self.meta[3], "another number of rows")

    def read_group(self, group, end):
        need(group[5] == end, "a row group begins elsewhere")
        need(0 < group[3] <= 262144, "a row group has too many rows or none")
        self.group_rows.append(group[3])
        for column, about in zip(self.columns, group[1], strict=True):
            chunk = Chunk(self, column, about, group[3])
            need(chunk.start == end, "a chunk begins elsewhere")
            end += chunk.meta[7]
            self.values[column.name] += chunk.values
        need(end - group[5] == group[6], "a row group has another size")
        need(sum(about[3][6] for about in group[1]) == group[2], "another size before compression")
        return end

    def rows(self):
        """The rows, as dictionaries."""
        names = list(self.values)
        return [dict(zip(names, row)) for row in zip(*self.values.values())]


def read(path):
    with open(path, "rb") as file:
        return File(file.read())
