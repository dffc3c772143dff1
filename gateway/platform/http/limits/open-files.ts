import { readFileSync } from 'node:fs';

/** File descriptors that are reserved for subgraphs, databases, Redis, files and health checks. @unit descriptors */
const RESERVED_DESCRIPTORS = 256;

/** Minimum number of connections, regardless of the number of descriptors. */
const MIN_CONNECTIONS = 16;

/**
 * Reduces the configured maximum number of connections to the number that this process can accept. Each connection uses a file descriptor,
 * and a process without a free descriptor cannot accept a health check.
 *
 * @param limit maximum number of open files of the process; undefined if the system does not report it
 */
export function affordableConnections(configured: number, limit: number | undefined = readDescriptorLimit()): number {
  if (limit === undefined) return configured;
  return Math.min(configured, Math.max(MIN_CONNECTIONS, limit - RESERVED_DESCRIPTORS));
}

/** Reads the limit from proc(5) on Linux. Other systems do not expose it without native code. */
function readDescriptorLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
