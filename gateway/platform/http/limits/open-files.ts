import { readFileSync } from 'node:fs';

/** Left for subgraphs, databases, Redis, files, and for connections that ask for health. @unit descriptors */
const RESERVED_DESCRIPTORS = 256;

/** Connections that are always possible, however few descriptors there are. */
const MIN_CONNECTIONS = 16;

/**
 * The bound on connections that this process can keep to: a connection takes a file descriptor, and a process without a free one cannot
 * accept a health check.
 *
 * @param limit open files that the process may have; undefined where the system does not tell
 */
export function affordableConnections(configured: number, limit: number | undefined = readDescriptorLimit()): number {
  if (limit === undefined) return configured;
  return Math.min(configured, Math.max(MIN_CONNECTIONS, limit - RESERVED_DESCRIPTORS));
}

/** Linux tells it in proc(5); other systems tell no program without native code. */
function readDescriptorLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
