const started = new Set<number>();

/** Kills a process when this one ends, also by a signal, because a leftover process would distort later measurements. */
export function endTogether({ pid }: { readonly pid?: number | undefined }): void {
  if (pid === undefined) return;
  if (started.size === 0) {
    process.once('exit', killAll);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  }
  started.add(pid);
}

function killAll(): void {
  for (const pid of started) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}
