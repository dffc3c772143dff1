import type { Socket } from 'node:net';

/** Size of a response that is read in a few seconds. @unit bytes */
export const SLOWLY_READ_BYTES = 50_331_648;

/**
 * Deadline that a client which reads in bursts meets even on a loaded machine, and that is shorter than the whole reading. @unit
 * milliseconds
 */
export const SLOW_READER_TIMEOUT_MS = 4_000;

/** Size of one burst: the kernel reports free space to the sender in steps nearly as large. @unit bytes */
const BURST_BYTES = 2_621_440;

/** Time between two bursts. @unit milliseconds */
const PAUSE_MS = 300;

/** Reads a socket slowly but steadily. */
export function readInBursts(socket: Socket): void {
  let read = 0;
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read < BURST_BYTES) return;
    read = 0;
    socket.pause();
    setTimeout(() => socket.resume(), PAUSE_MS);
  });
  socket.resume();
}
