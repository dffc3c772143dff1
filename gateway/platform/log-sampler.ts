import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

/** Writes warnings about events that clients cause, at most one of each kind per interval, so that clients cannot fill the log. */
export interface LogSampler {
  /**
   * Writes a warning, or counts it as suppressed when one of its kind was written less than an interval ago. The next warning of the kind
   * contains that number as `suppressed`.
   *
   * @param kind one of a fixed number of kinds; never a value of a client
   * @param facts called only if the warning is written
   */
  warn(kind: string, message: string, facts: () => object): void;
}

export interface LogSamplerOptions {
  readonly logger: Pick<Logger, 'warn'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Minimum time between two warnings of one kind. @unit milliseconds @defaultValue 60000 */
  readonly intervalMs?: number;
}

/** Creates a sampler. All components of a gateway share one. */
export function createLogSampler({ logger, clock, intervalMs = 60_000 }: LogSamplerOptions): LogSampler {
  const kinds = new Map<string, { readonly writtenAt: number; suppressed: number }>();
  return {
    warn(kind, message, facts) {
      const now = clock.monotonic();
      const last = kinds.get(kind);
      if (last !== undefined && now - last.writtenAt < intervalMs) {
        last.suppressed += 1;
        return;
      }
      kinds.set(kind, { writtenAt: now, suppressed: 0 });
      logger.warn({ ...facts(), ...(last === undefined || last.suppressed === 0 ? {} : { suppressed: last.suppressed }) }, message);
    },
  };
}
