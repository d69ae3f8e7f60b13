// SPDX-License-Identifier: BSD-3-Clause
//
// run.mjs PROGRAM ARGUMENT...: runs a WebAssembly program in Node, with all files of the machine,
// and exits with its status.
import {readFile} from "node:fs/promises";
import {argv, env, exit} from "node:process";
import {WASI} from "node:wasi";

const args = argv.slice(2);
const wasi = new WASI({version: "preview1", args, env, preopens: {"/": "/"}, returnOnExit: true});
const module = await WebAssembly.compile(await readFile(args[0]));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
exit(wasi.start(instance));
