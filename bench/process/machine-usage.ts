import { readFileSync } from 'node:fs';

/** Kernel clock ticks per second. The value is 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** CPU time of the whole machine since its start. */
export interface MachineUsage {
  /** Time in which cores ran a process, or were not available to this machine. @unit milliseconds */
  readonly busyMs: number;
  /** Time of all cores. @unit milliseconds */
  readonly totalMs: number;
}

/** Reads `/proc/stat`. */
export function readMachineUsage(): MachineUsage {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? [];
  // proc(5): user, nice, system, idle, iowait, irq, softirq, steal. The others are included in these.
  const ticks = fields.slice(0, 8).map(Number);
  const [idle = 0, iowait = 0] = [ticks[3], ticks[4]];
  const total = ticks.reduce((sum, value) => sum + value, 0);
  return { busyMs: toMs(total - idle - iowait), totalMs: toMs(total) };
}

function toMs(ticks: number): number {
  return (ticks * 1_000) / TICKS_PER_SECOND;
}
