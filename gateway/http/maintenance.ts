import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import type { MaintenanceConfig } from '../config/sections/maintenance.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { startPolling } from '../platform/start-polling.ts';

/** Whether clients are sent away for a while. */
export interface Maintenance extends AsyncDisposable {
  /** A look at a boolean: every request asks. */
  readonly isOn: boolean;
  /** What switched it on: an operator, the file, or both. */
  readonly by: readonly ('operator' | 'file')[];
  /** @unit seconds */
  readonly retryAfterSeconds: number;
  /** As an operator says. @param retryAfterSeconds as configured where absent */
  switchTo(isOn: boolean, retryAfterSeconds?: number): void;
  /** @throws GatewayError `MAINTENANCE` while it is on */
  check(): void;
}

/** Between two looks for the file, to which chance adds a fifth. @unit milliseconds */
const INTERVAL_MS = 800;

/** Follows the file of `maintenance.file`, until disposed of. */
export function createMaintenance({ enabled, retryAfterSeconds, file }: MaintenanceConfig, logger: Logger): Maintenance {
  let isSwitchedOn = enabled;
  let hasFile = file !== undefined && existsSync(file);
  let isOn = isSwitchedOn || hasFile;
  let seconds = retryAfterSeconds;
  if (isOn) logger.warn({ by: by() }, STARTS);

  function by(): Maintenance['by'] {
    return [...(isSwitchedOn ? (['operator'] as const) : []), ...(hasFile ? (['file'] as const) : [])];
  }

  function change(): void {
    const wasOn = isOn;
    isOn = isSwitchedOn || hasFile;
    if (isOn !== wasOn) logger.warn({ by: by() }, isOn ? STARTS : 'Maintenance ends: clients are served again.');
  }

  async function look(path: string): Promise<number> {
    hasFile = await access(path).then(
      () => true,
      () => false,
    );
    change();
    return 0;
  }

  const looking = file === undefined ? undefined : startPolling({ intervalMs: INTERVAL_MS, look: () => look(file), onFailure() {} });
  return {
    get isOn() {
      return isOn;
    },
    get by() {
      return by();
    },
    get retryAfterSeconds() {
      return seconds;
    },
    switchTo(on, after = retryAfterSeconds) {
      isSwitchedOn = on;
      seconds = after;
      change();
    },
    check() {
      if (!isOn) return;
      throw new GatewayError('MAINTENANCE', 'The service is being maintained. Try again later.', {
        headers: { 'retry-after': String(seconds) },
      });
    },
    async [Symbol.asyncDispose]() {
      await looking?.[Symbol.asyncDispose]();
    },
  };
}

const STARTS = 'Maintenance begins: every door but health answers with MAINTENANCE.';
