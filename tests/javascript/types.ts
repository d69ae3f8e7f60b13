// SPDX-License-Identifier: BSD-3-Clause
// Uses every type of the package: tsc checks this file, which is never run.
import { KINDS, TraceError, open, read } from "../../examples/javascript/gotrace.js";
import type {
  Column,
  Event,
  EventBatch,
  Frame,
  Resource,
  Trace,
} from "../../examples/javascript/gotrace.js";
import { mount } from "../../examples/javascript/viewer.js";

function functionOf(frame: Frame | undefined): string {
  return frame?.function ?? "";
}

function describe(event: Event): string {
  const resource: Resource | undefined = event.details.resource;
  const start: bigint = event.clockTime;
  // @ts-expect-error An event has no such member.
  event.nothing;
  return `${start} ${event.kind} ${resource?.id} ${functionOf(event.stack[0])}`;
}

function longest(batch: EventBatch): number {
  return Math.max(...batch.time.subarray(0, batch.count), KINDS.length);
}

export async function use(file: File, element: Element): Promise<string[]> {
  const trace: Trace = await open(file, { lenient: true });
  const lines: string[] = [];
  for (const event of trace.events()) lines.push(describe(event));
  for (const batch of trace.readBatches()) lines.push(String(longest(batch)));
  for await (const event of read(file.stream())) lines.push(String(event));
  for await (const batch of read(file.stream()).readBatches()) lines.push(String(batch.count));
  const profile: Uint8Array = await trace.pprof("sched");
  const table: Uint8Array = await trace.columns("stacks");
  for (const { columns, count } of trace.readTable("stacks")) {
    const folded: Column = columns.folded;
    lines.push(String(folded.get(count - 1)), ...folded.texts, String(folded.values.length));
  }
  const { tasks } = await trace.summary();
  const result = await trace.run("mmu", "/trace");
  const viewer = await mount(element, file, { page: "gotrace/", address: "report" });
  viewer.close();
  trace.close();
  // @ts-expect-error A trace is no number.
  await open(7).catch((error: TraceError) => error.message);
  return [...lines, String(profile.length + table.length + tasks.length), result.messages];
}
