import { readFileSync, readdirSync } from 'node:fs';

/** Kernel clock ticks per second. The value is 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** Resources used by a process and its descendants. */
export interface Usage {
  /** User and system time of all threads. @unit milliseconds */
  readonly cpuMs: number;
  /** Resident memory. @unit bytes */
  readonly rssBytes: number;
}

const PAGE_BYTES = 4_096;

/**
 * Reads `/proc`. Processes that end in the meantime are skipped. Their usage is added to that of their parent once the parent has waited
 * for them.
 */
export function readUsage(pid: number): Usage {
  let ticks = 0;
  let pages = 0;
  for (const member of processesOf(pid)) {
    const fields = readFields(`/proc/${member}/stat`);
    // proc(5) numbers the fields utime, stime, cutime and cstime 14 to 17, starting at 1. The first two fields are cut off here.
    for (const index of [11, 12, 13, 14]) ticks += Number(fields[index] ?? 0);
    pages += Number(fields[21] ?? 0);
  }
  return { cpuMs: (ticks * 1_000) / TICKS_PER_SECOND, rssBytes: pages * PAGE_BYTES };
}

/** Lists a process and its descendants, the oldest first. */
export function processesOf(pid: number): readonly number[] {
  const children = listThreads(pid).flatMap((thread) => readText(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean));
  return [pid, ...children.flatMap((child) => processesOf(Number(child)))];
}

function listThreads(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Returns the fields after the process name, which can contain spaces and parentheses. */
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
