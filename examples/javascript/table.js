// SPDX-License-Identifier: BSD-3-Clause
// Tables of a trace as typed arrays, in the layout of Apache Arrow.

import { TraceError } from "./event.js";

/** @typedef {import("./event.js").Cursor} Cursor */
/** @typedef {"boolean" | "int32" | "int64" | "timestamp" | "string"} Type */

/** Where members of Arrow's structures are in WebAssembly: see table.c. */
const SCHEMA_NAME = 4;
const SCHEMA_CHILDREN = 32;
const ARRAY_CHILD_COUNT = 32;
const ARRAY_BUFFERS = 40;
const ARRAY_CHILDREN = 44;
const ARRAY_DICTIONARY = 48;

/** What the texts for types mean, but for strings, which have a dictionary. */
const TYPES = /** @type {Record<string, Type>} */ ({
  b: "boolean",
  i: "int32",
  l: "int64",
  "tsu:UTC": "timestamp",
});

/**
 * Whether a bit is set, of which each byte has eight.
 * @param {Uint8Array} bits
 * @param {number} at
 */
function hasBit(bits, at) {
  return ((bits[at >> 3] >> (at & 7)) & 1) !== 0;
}

/** A column of some rows. */
class Column {
  /**
   * @param {TableReading} reading
   * @param {string} name
   * @param {string} format Arrow's text for the type
   * @param {number} count of rows
   * @param {number} array the address of the column's ArrowArray
   */
  constructor(reading, name, format, count, array) {
    const { view, buffer } = reading;
    const buffers = view.getUint32(array + ARRAY_BUFFERS, true);
    const valid = view.getUint32(buffers, true);
    const values = view.getUint32(buffers + 4, true);
    this.reading = reading;
    this.serial = reading.serial;
    this.dictionary = view.getUint32(array + ARRAY_DICTIONARY, true);
    this.name = name;
    /** @type {Type} */
    this.type = this.dictionary === 0 ? TYPES[format] : "string";
    const bits = valid === 0 ? null : new Uint8Array(buffer, valid, Math.ceil(count / 8));
    this.arrays = { valid: bits, values: this.valuesAt(buffer, values, count) };
    /** @type {string[] | null} */
    this.decoded = null;
  }

  /**
   * @param {ArrayBuffer} buffer
   * @param {number} address
   * @param {number} count
   */
  valuesAt(buffer, address, count) {
    if (this.type === "boolean") return new Uint8Array(buffer, address, Math.ceil(count / 8));
    if (this.type === "int32" || this.type === "string")
      return new Int32Array(buffer, address, count);
    return new BigInt64Array(buffer, address, count);
  }

  /** Which rows have a value: bits, or null if all have one. */
  get valid() {
    this.reading.at(this.serial);
    return this.arrays.valid;
  }

  get values() {
    this.reading.at(this.serial);
    return this.arrays.values;
  }

  /** The texts to which the values of strings refer. */
  get texts() {
    this.decoded ??= this.type === "string" ? this.decodeTexts() : [];
    return this.decoded;
  }

  decodeTexts() {
    const { view, instance } = this.reading.at(this.serial);
    const buffers = view.getUint32(this.dictionary + ARRAY_BUFFERS, true);
    const offsets = view.getUint32(buffers + 4, true);
    const bytes = view.getUint32(buffers + 8, true);
    const offset = (/** @type {number} */ i) => view.getInt32(offsets + 4 * i, true);
    return Array.from({ length: view.getUint32(this.dictionary, true) }, (_, i) =>
      instance.text(bytes + offset(i), offset(i + 1) - offset(i)),
    );
  }

  /**
   * The value of a row, or null if it has none.
   * @param {number} row
   */
  get(row) {
    const { valid, values } = this;
    if (valid && !hasBit(valid, row)) return null;
    if (this.type === "boolean") return hasBit(/** @type {Uint8Array} */ (values), row);
    if (this.type === "string") return this.texts[Number(values[row])];
    return values[row];
  }
}

/** Makes the rows of a table, with an instance of its own. */
export class TableReading {
  /**
   * @param {Cursor} cursor of which nothing was read
   * @param {string} table
   */
  constructor(cursor, table) {
    this.instance = cursor.instance;
    this.functions = cursor.functions;
    /** Counts the calls that make earlier rows outdated. */
    this.serial = 0;
    const name = this.instance.putText(table);
    if (this.functions.table_open(name) !== 0) throw cursor.failure();
    this.functions.memory_free(name);
    this.schema = this.functions.table_schema();
  }

  get buffer() {
    return this.instance.memory.buffer;
  }

  get view() {
    return new DataView(this.buffer);
  }

  /**
   * The reading, while it still has the rows of this number.
   * @param {number} serial
   */
  at(serial) {
    if (this.serial !== serial)
      throw new TraceError("the rows are outdated: take what you need before the next ones");
    return this;
  }

  *batches() {
    for (;;) {
      this.serial++;
      const found = this.functions.table_next();
      if (found < 0) throw new TraceError(this.instance.textAt(this.functions.table_error()));
      if (found === 0) return;
      yield this.batch();
    }
  }

  batch() {
    const { view } = this;
    const rows = this.functions.table_rows();
    const count = view.getUint32(rows, true);
    const child = (/** @type {number} */ list, /** @type {number} */ i) =>
      view.getUint32(view.getUint32(list, true) + 4 * i, true);
    /** @type {Record<string, Column>} */
    const columns = {};
    for (let i = 0; i < view.getUint32(rows + ARRAY_CHILD_COUNT, true); i++) {
      const schema = child(this.schema + SCHEMA_CHILDREN, i);
      const name = this.instance.textAt(view.getUint32(schema + SCHEMA_NAME, true));
      const format = this.instance.textAt(view.getUint32(schema, true));
      columns[name] = new Column(this, name, format, count, child(rows + ARRAY_CHILDREN, i));
    }
    return { count, columns };
  }
}
