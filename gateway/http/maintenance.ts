import { existsSync, unwatchFile, watchFile } from 'node:fs';
import type { MaintenanceConfig } from '../config/sections/maintenance.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';

/** Whether clients are sent away for a while. */
export interface Maintenance extends Disposable {
  /** A look at a boolean: every request asks. */
  readonly isOn: boolean;
  /** What switched it on: an operator, the file, or both. */
  readonly by: readonly ('operator' | 'file')[];
  /** @unit seconds */
  readonly retryAfterSeconds: number;
  /** As an operator says. @param retryAfterSeconds as it is where absent */
  switchTo(isOn: boolean, retryAfterSeconds?: number): void;
  /** @throws GatewayError `MAINTENANCE` while it is on */
  check(): void;
}

/** Between two looks for the file. @unit milliseconds */
const INTERVAL_MS = 1_000;

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

  function look(): void {
    hasFile = file !== undefined && existsSync(file);
    change();
  }

  if (file !== undefined) watchFile(file, { interval: INTERVAL_MS, persistent: false }, look);
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
    switchTo(on, after = seconds) {
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
    [Symbol.dispose]() {
      if (file !== undefined) unwatchFile(file, look);
    },
  };
}

const STARTS = 'Maintenance begins: every door but health answers with MAINTENANCE.';
