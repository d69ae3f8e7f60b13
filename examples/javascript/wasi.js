// SPDX-License-Identifier: BSD-3-Clause
// The part of WASI that the module uses, with files in memory: the same in Node and in browsers.

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const EXISTS = 20;
const INVALID = 28;
const NOT_FOUND = 44;

const DIRECTORY = 3;
const REGULAR = 4;

const CREATE = 1;
const EXCLUSIVE = 4;
const TRUNCATE = 8;

/** The descriptor of the folder "/". */
const ROOT = 3;
const ALL_RIGHTS = 0xffffffffffffffffn;

/** What the module throws when the program ends. */
export class Exit extends Error {
  /** @param {number} code */
  constructor(code) {
    super(`the program ended with ${code}`);
    this.code = code;
  }
}

/** A file in memory that grows at its end. */
export class MemoryFile {
  bytes = new Uint8Array(0);
  size = 0;

  /**
   * @param {number} start
   * @param {number} end
   */
  read(start, end) {
    return this.bytes.subarray(start, Math.min(end, this.size));
  }

  /**
   * @param {number} at
   * @param {Uint8Array} data
   */
  write(at, data) {
    const end = at + data.length;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.bytes.length, 4096));
      grown.set(this.bytes.subarray(0, this.size));
      this.bytes = grown;
    }
    this.bytes.set(data, at);
    this.size = Math.max(this.size, end);
  }

  get content() {
    return this.bytes.slice(0, this.size);
  }
}

/**
 * A file: read gives the bytes from one offset to another, and a file without write is read only.
 * @typedef {object} AnyFile
 * @property {number} size
 * @property {(start: number, end: number) => Uint8Array} read
 * @property {(to: Uint8Array, start: number) => number} [readInto] the same without a copy
 * @property {(at: number, data: Uint8Array) => void} [write]
 */

/** @typedef {{ file: AnyFile, at: number, kind: number }} Open */

export class Wasi {
  constructor() {
    /** @type {WebAssembly.Memory} */
    this.memory = /** @type {any} */ (null);
    /** Files by their path without the slash at the begin. @type {Map<string, AnyFile>} */
    this.files = new Map();
    /** @type {Set<string>} */
    this.folders = new Set(["", "tmp"]);
    this.output = new MemoryFile();
    this.messages = new MemoryFile();
    /** @type {Map<number, Open>} */
    this.open = new Map([
      [0, { file: new MemoryFile(), at: 0, kind: REGULAR }],
      [1, { file: this.output, at: 0, kind: REGULAR }],
      [2, { file: this.messages, at: 0, kind: REGULAR }],
    ]);
  }

  get view() {
    return new DataView(this.memory.buffer);
  }

  /**
   * The functions that a module imports. What it never calls answers that there is no such file.
   * @param {WebAssembly.Module} module
   */
  imports(module) {
    /** @type {WebAssembly.ModuleImports} */
    const found = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      const own = /** @type {any} */ (this)[name];
      if (from !== "gotrace") found[name] = own ? this.unsigned(own) : () => BAD_DESCRIPTOR;
    }
    return found;
  }

  /**
   * A function for the module, which passes addresses from 2 GB on as negative numbers.
   * @param {(...values: any[]) => number} own
   */
  unsigned(own) {
    return (/** @type {any[]} */ ...values) =>
      own.apply(
        this,
        values.map((value) => (typeof value === "number" ? value >>> 0 : value)),
      );
  }

  /**
   * A path as the keys of `files` are.
   * @param {string} path
   */
  static normal(path) {
    return path
      .split("/")
      .filter((part) => part !== "" && part !== ".")
      .join("/");
  }

  /**
   * @param {number} address
   * @param {number} size
   */
  path(address, size) {
    const bytes = new Uint8Array(this.memory.buffer, address, size);
    return Wasi.normal(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  }

  /** @param {number} code */
  proc_exit(code) {
    throw new Exit(code);
  }

  /**
   * @param {number} id
   * @param {bigint} _precision
   * @param {number} to
   */
  clock_time_get(id, _precision, to) {
    const now = id === 0 ? Date.now() : performance.now();
    this.view.setBigUint64(to, BigInt(Math.round(now * 1e6)), true);
    return SUCCESS;
  }

  /**
   * @param {number} to
   * @param {number} size
   */
  random_get(to, size) {
    crypto.getRandomValues(new Uint8Array(this.memory.buffer, to, size));
    return SUCCESS;
  }

  /**
   * @param {number} count
   * @param {number} size
   */
  environ_sizes_get(count, size) {
    this.view.setUint32(count, 0, true);
    this.view.setUint32(size, 0, true);
    return SUCCESS;
  }

  environ_get() {
    return SUCCESS;
  }

  /**
   * @param {number} fd
   * @param {number} to
   */
  fd_prestat_get(fd, to) {
    if (fd !== ROOT) return BAD_DESCRIPTOR;
    this.view.setUint32(to, 0, true);
    this.view.setUint32(to + 4, 1, true);
    return SUCCESS;
  }

  /**
   * @param {number} fd
   * @param {number} to
   */
  fd_prestat_dir_name(fd, to) {
    if (fd !== ROOT) return BAD_DESCRIPTOR;
    this.view.setUint8(to, "/".charCodeAt(0));
    return SUCCESS;
  }

  /**
   * @param {number} fd
   * @param {number} to
   */
  fd_fdstat_get(fd, to) {
    const open = this.open.get(fd);
    if (!open && fd !== ROOT) return BAD_DESCRIPTOR;
    this.view.setUint32(to, open ? open.kind : DIRECTORY, true);
    this.view.setBigUint64(to + 8, ALL_RIGHTS, true);
    this.view.setBigUint64(to + 16, ALL_RIGHTS, true);
    return SUCCESS;
  }

  fd_fdstat_set_flags() {
    return SUCCESS;
  }

  /**
   * @param {number} to
   * @param {number} kind
   * @param {number} size
   * @param {number} number of the file
   */
  putStat(to, kind, size, number) {
    new Uint8Array(this.memory.buffer, to, 64).fill(0);
    this.view.setBigUint64(to + 8, BigInt(number), true);
    this.view.setUint8(to + 16, kind);
    this.view.setBigUint64(to + 24, 1n, true);
    this.view.setBigUint64(to + 32, BigInt(size), true);
    return SUCCESS;
  }

  /** @param {AnyFile} file */
  numberOf(file) {
    return 1 + [...this.files.values()].indexOf(file);
  }

  /**
   * @param {number} fd
   * @param {number} to
   */
  fd_filestat_get(fd, to) {
    const open = this.open.get(fd);
    if (!open) return BAD_DESCRIPTOR;
    return this.putStat(to, open.kind, open.file.size, this.numberOf(open.file));
  }

  /**
   * @param {number} _fd
   * @param {number} _flags
   * @param {number} path
   * @param {number} size
   * @param {number} to
   */
  path_filestat_get(_fd, _flags, path, size, to) {
    const name = this.path(path, size);
    const file = this.files.get(name);
    if (file) return this.putStat(to, REGULAR, file.size, this.numberOf(file));
    return this.folders.has(name) ? this.putStat(to, DIRECTORY, 0, 0) : NOT_FOUND;
  }

  /**
   * @param {number} _fd
   * @param {number} _lookup
   * @param {number} path
   * @param {number} size
   * @param {number} flags
   * @param {bigint} _rights
   * @param {bigint} _inherited
   * @param {number} _fdflags
   * @param {number} to
   */
  path_open(_fd, _lookup, path, size, flags, _rights, _inherited, _fdflags, to) {
    const name = this.path(path, size);
    let file = this.files.get(name);
    if (file && flags & EXCLUSIVE) return EXISTS;
    if (!file && !(flags & CREATE)) return NOT_FOUND;
    if (!file || flags & TRUNCATE) file = new MemoryFile();
    this.files.set(name, file);
    let fd = ROOT + 1;
    while (this.open.has(fd)) fd++;
    this.open.set(fd, { file, at: 0, kind: REGULAR });
    this.view.setUint32(to, fd, true);
    return SUCCESS;
  }

  /** @param {number} fd */
  fd_close(fd) {
    return this.open.delete(fd) ? SUCCESS : BAD_DESCRIPTOR;
  }

  /**
   * @param {number} list
   * @param {number} count
   */
  parts(list, count) {
    const view = this.view;
    return Array.from({ length: count }, (_, i) => {
      const start = view.getUint32(list + 8 * i, true);
      return new Uint8Array(this.memory.buffer, start, view.getUint32(list + 8 * i + 4, true));
    });
  }

  /**
   * Copies bytes of a file from an offset on. Returns their number.
   * @param {AnyFile} file
   * @param {number} at
   * @param {Uint8Array} to
   */
  static copy(file, at, to) {
    if (file.readInto) return file.readInto(to, at);
    const bytes = file.read(at, Math.min(at + to.length, file.size));
    to.set(bytes);
    return bytes.length;
  }

  /**
   * Fills the parts with bytes of a file. Returns their number.
   * @param {AnyFile} file
   * @param {number} offset
   * @param {Uint8Array[]} parts
   */
  fill(file, offset, parts) {
    let at = offset;
    for (const part of parts) {
      const count = Wasi.copy(file, at, part);
      at += count;
      if (count < part.length) break;
    }
    return at - offset;
  }

  /**
   * @param {number} fd
   * @param {number} list
   * @param {number} count
   * @param {number} to
   */
  fd_read(fd, list, count, to) {
    const open = this.open.get(fd);
    if (!open) return BAD_DESCRIPTOR;
    const size = this.fill(open.file, open.at, this.parts(list, count));
    open.at += size;
    this.view.setUint32(to, size, true);
    return SUCCESS;
  }

  /**
   * @param {number} fd
   * @param {number} list
   * @param {number} count
   * @param {bigint} offset
   * @param {number} to
   */
  fd_pread(fd, list, count, offset, to) {
    const open = this.open.get(fd);
    if (!open) return BAD_DESCRIPTOR;
    const size = this.fill(open.file, Number(offset), this.parts(list, count));
    this.view.setUint32(to, size, true);
    return SUCCESS;
  }

  /**
   * @param {number} fd
   * @param {number} list
   * @param {number} count
   * @param {number} to
   */
  fd_write(fd, list, count, to) {
    const open = this.open.get(fd);
    if (!open?.file.write) return BAD_DESCRIPTOR;
    const start = open.at;
    for (const part of this.parts(list, count)) {
      open.file.write(open.at, part);
      open.at += part.length;
    }
    this.view.setUint32(to, open.at - start, true);
    return SUCCESS;
  }

  /**
   * @param {number} fd
   * @param {bigint} offset
   * @param {number} whence
   * @param {number} to
   */
  fd_seek(fd, offset, whence, to) {
    const open = this.open.get(fd);
    if (!open) return BAD_DESCRIPTOR;
    const at = Number(offset) + [0, open.at, open.file.size][whence];
    if (at < 0) return INVALID;
    open.at = at;
    this.view.setBigUint64(to, BigInt(at), true);
    return SUCCESS;
  }

  /**
   * @param {number} _fd
   * @param {number} path
   * @param {number} size
   */
  path_create_directory(_fd, path, size) {
    const name = this.path(path, size);
    if (this.folders.has(name)) return EXISTS;
    this.folders.add(name);
    return SUCCESS;
  }

  /**
   * @param {number} _fd
   * @param {number} path
   * @param {number} size
   */
  path_unlink_file(_fd, path, size) {
    return this.files.delete(this.path(path, size)) ? SUCCESS : NOT_FOUND;
  }

  /**
   * @param {number} _fd
   * @param {number} from
   * @param {number} fromSize
   * @param {number} _newFd
   * @param {number} to
   * @param {number} toSize
   */
  path_rename(_fd, from, fromSize, _newFd, to, toSize) {
    const name = this.path(from, fromSize);
    const file = this.files.get(name);
    if (!file) return NOT_FOUND;
    this.files.delete(name);
    this.files.set(this.path(to, toSize), file);
    return SUCCESS;
  }
}
