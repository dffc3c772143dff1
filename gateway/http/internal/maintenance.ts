import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MaintenanceConfig } from '../../config/sections/maintenance.ts';
import { GatewayError } from '../../platform/errors.ts';
import { parseJson } from '../../platform/http/request/parse-json.ts';
import { readBody } from '../../platform/http/request/read-body.ts';
import { sendReply } from '../../platform/http/response/send-response.ts';
import type { Logger } from '../../platform/logger.ts';
import { startPolling } from '../../platform/start-polling.ts';
import { toJsonReply } from '../plain-response.ts';
import { createKeyCheck } from './bearer-key.ts';

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

/** Answers `/maintenance`. @throws GatewayError `UNAUTHENTICATED`, `METHOD_NOT_ALLOWED`, `BAD_REQUEST` */
export type MaintenanceSwitch = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** @unit bytes */
const MAX_BODY_BYTES = 1_024;

/** @unit seconds */
const MAX_RETRY_AFTER = 86_400;

/** `PUT` begins maintenance, with `{ "retryAfterSeconds": 300 }` or no body; `DELETE` ends it, and `GET` tells. Each answers with what holds then. */
export function createMaintenanceSwitch(maintenance: Maintenance, key: string): MaintenanceSwitch {
  const checkKey = createKeyCheck(key, 'maintenance.key');
  return async (request, response) => {
    checkKey(request.headers);
    const { method } = request;
    if (method === 'PUT') maintenance.switchTo(true, readRetryAfter(await readBody(request, { maxBytes: MAX_BODY_BYTES })));
    else if (method === 'DELETE') maintenance.switchTo(false);
    else if (method !== 'GET' && method !== 'HEAD') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'Maintenance begins by PUT and ends by DELETE.', {
        headers: { allow: 'GET, HEAD, PUT, DELETE' },
      });
    }
    const { isOn, by, retryAfterSeconds } = maintenance;
    sendReply(request, response, toJsonReply(200, { maintenance: isOn, by, retryAfterSeconds }));
  };
}

function readRetryAfter(body: string): number | undefined {
  if (body.trim() === '') return undefined;
  const value = parseJson(body, { maxDepth: 1 });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed();
  const { retryAfterSeconds, ...others } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0) throw malformed();
  if (retryAfterSeconds === undefined) return undefined;
  if (!Number.isInteger(retryAfterSeconds) || Number(retryAfterSeconds) < 1 || Number(retryAfterSeconds) > MAX_RETRY_AFTER)
    throw malformed();
  return Number(retryAfterSeconds);
}

function malformed(): GatewayError {
  return new GatewayError('BAD_REQUEST', `Send nothing, or {"retryAfterSeconds": n} with a whole number from 1 to ${MAX_RETRY_AFTER}.`);
}
