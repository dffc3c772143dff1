/** Callers whose next operation is delayed. */
export interface CallerPauses {
  /**
   * Begins a pause. If several callers waited for one operation, none of them is paused.
   *
   * @param pauseMs length of the pause
   * @unit milliseconds
   */
  begin(callers: ReadonlySet<string>, pauseMs: number): void;
  /** Returns the given callers and the paused callers. */
  withPaused(callers?: ReadonlySet<string>): ReadonlySet<string> | undefined;
  /** Ends all pauses. */
  end(): void;
}

/** @param onEnd called when a pause has ended */
export function createCallerPauses(onEnd: () => void): CallerPauses {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    begin(callers, pauseMs) {
      const [caller = ''] = callers;
      if (callers.size !== 1) return;
      clearTimeout(timers.get(caller));
      const timer = setTimeout(() => {
        timers.delete(caller);
        onEnd();
      }, pauseMs);
      timers.set(caller, timer);
    },
    withPaused(callers) {
      return timers.size === 0 ? callers : new Set([...(callers ?? []), ...timers.keys()]);
    },
    end() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
