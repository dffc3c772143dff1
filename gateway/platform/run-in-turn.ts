/** Work that waits for an iteration of the event loop, in the order in which it came. */
const waiting: (() => void)[] = [];

/**
 * Runs work that takes the event loop for long, such as parsing megabytes, in an iteration of the loop without other such work. Between two
 * pieces the loop takes in and sends what others wait for.
 */
export function runInTurn(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(runNext);
}

function runNext(): void {
  const work = waiting[0];
  try {
    work?.();
  } finally {
    waiting.shift();
    if (waiting.length > 0) setImmediate(runNext);
  }
}
