// SPDX-License-Identifier: BSD-3-Clause
// engine.mjs hyparquet|duckdb: a second opinion on Parquet files. Reads a list of names of files,
// or of SQL statements, as JSON from standard input, and prints what is in each as JSON: a list of
// rows, which are lists of strings or null. GT_NODE_MODULES is the folder with the packages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (path) => import(pathToFileURL(join(process.env.GT_NODE_MODULES, path)));

const cell = (value) => (value === null || value === undefined ? null : String(value));

async function hyparquet(files) {
  const { parquetReadObjects, parquetMetadata } = await load("hyparquet/src/index.js");
  // Dates have milliseconds only.
  const parsers = { timestampFromMicroseconds: (number) => number };
  return Promise.all(
    files.map(async (name) => {
      const bytes = readFileSync(name);
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
      const columns = parquetMetadata(file).schema.slice(1).map((element) => element.name);
      const rows = await parquetReadObjects({ file, parsers });
      return rows.map((row) => columns.map((column) => cell(row[column])));
    }),
  );
}

async function duckdb(statements) {
  const { DuckDBInstance } = await load("@duckdb/node-api/lib/index.js");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const results = [];
  for (const statement of statements) {
    const reader = await connection.runAndReadAll(statement);
    results.push(reader.getRows().map((row) => row.map(cell)));
  }
  return results;
}

const engines = { hyparquet, duckdb };
const results = await engines[process.argv[2]](JSON.parse(readFileSync(0, "utf8")));
process.stdout.write(JSON.stringify(results));
