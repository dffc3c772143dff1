import { readFileSync, readdirSync } from 'node:fs';

/** Ticks of the kernel's clock in a second; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** What a process and all that it started have used. */
export interface Usage {
  /** User and system time of all threads. @unit milliseconds */
  readonly cpuMs: number;
  /** Memory in RAM. @unit bytes */
  readonly rssBytes: number;
}

const PAGE_BYTES = 4_096;

/** Reads `/proc`. Processes that end in between are passed over; what they used counts for their parent once it has waited. */
export function readUsage(pid: number): Usage {
  let ticks = 0;
  let pages = 0;
  for (const member of membersOf(pid)) {
    const fields = readFields(`/proc/${member}/stat`);
    // proc(5): utime, stime, cutime, cstime are fields 14 to 17, counted from 1; the first two are cut off here.
    for (const index of [11, 12, 13, 14]) ticks += Number(fields[index] ?? 0);
    pages += Number(fields[21] ?? 0);
  }
  return { cpuMs: (ticks * 1_000) / TICKS_PER_SECOND, rssBytes: pages * PAGE_BYTES };
}

/** A process and all that it started, oldest first. */
export function membersOf(pid: number): readonly number[] {
  const children = listThreads(pid).flatMap((thread) => readText(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean));
  return [pid, ...children.flatMap((child) => membersOf(Number(child)))];
}

function listThreads(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The fields after the name, which may have spaces and parentheses of its own. */
function readFields(file: string): readonly string[] {
  const text = readText(file);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
