// SPDX-License-Identifier: BSD-3-Clause
// What the package of npm imports from Node, of which the types are not installed.
declare module "node:fs";
declare module "node:fs/promises";
declare module "node:process";
declare module "node:wasi";
