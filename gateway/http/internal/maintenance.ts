import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MaintenanceConfig } from '../../config/sections/maintenance.ts';
import { GatewayError } from '../../platform/errors.ts';
import { parseJson } from '../../platform/http/request/parse-json.ts';
import { readBody } from '../../platform/http/request/read-body.ts';
import { sendResponse } from '../../platform/http/response/send-response.ts';
import type { Logger } from '../../platform/logger.ts';
import { startPolling } from '../../platform/start-polling.ts';
import { toJsonResponse } from '../plain-response.ts';
import { createKeyCheck } from './bearer-key.ts';

/** Maintenance mode: while it is on, clients receive `MAINTENANCE` errors. */
export interface Maintenance extends AsyncDisposable {
  /** Whether maintenance is on. Reading it is cheap, because every request does. */
  readonly isOn: boolean;
  /** Sources that switched it on: an operator, the file, or both. */
  readonly by: readonly ('operator' | 'file')[];
  /** @unit seconds */
  readonly retryAfterSeconds: number;
  /** Switches maintenance on or off for an operator. @param retryAfterSeconds configured value when absent */
  switchTo(isOn: boolean, retryAfterSeconds?: number): void;
  /** @throws GatewayError `MAINTENANCE` while it is on */
  check(): void;
}

/** Interval between two polls of the file; up to a fifth is added at random. @unit milliseconds */
const INTERVAL_MS = 800;

/** Creates the switch and polls the file of `maintenance.file` until disposed. */
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
    if (isOn !== wasOn) logger.warn({ by: by() }, isOn ? STARTS : 'Maintenance has ended; the gateway serves clients again.');
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

const STARTS = 'Maintenance has begun; every endpoint except health returns MAINTENANCE.';

/** Handles `/maintenance`. @throws GatewayError `UNAUTHENTICATED`, `METHOD_NOT_ALLOWED`, `BAD_REQUEST` */
export type MaintenanceSwitch = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** @unit bytes */
const MAX_BODY_BYTES = 1_024;

/** @unit seconds */
const MAX_RETRY_AFTER = 86_400;

/**
 * Creates the handler of `/maintenance`. `PUT` begins maintenance, with `{ "retryAfterSeconds": 300 }` or no body; `DELETE` ends it, and
 * `GET` returns the state. Each response contains the state after the request.
 */
export function createMaintenanceSwitch(maintenance: Maintenance, key: string): MaintenanceSwitch {
  const checkKey = createKeyCheck(key, 'maintenance.key');
  return async (request, response) => {
    checkKey(request.headers);
    const { method } = request;
    if (method === 'PUT') maintenance.switchTo(true, readRetryAfter(await readBody(request, { maxBytes: MAX_BODY_BYTES })));
    else if (method === 'DELETE') maintenance.switchTo(false);
    else if (method !== 'GET' && method !== 'HEAD') {
      throw new GatewayError('METHOD_NOT_ALLOWED', 'Send PUT to begin maintenance, DELETE to end it, or GET to read its state.', {
        headers: { allow: 'GET, HEAD, PUT, DELETE' },
      });
    }
    const { isOn, by, retryAfterSeconds } = maintenance;
    sendResponse(request, response, toJsonResponse(200, { maintenance: isOn, by, retryAfterSeconds }));
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
  return new GatewayError(
    'BAD_REQUEST',
    `The body is invalid; send no body, or {"retryAfterSeconds": n} with an integer from 1 to ${MAX_RETRY_AFTER}.`,
  );
}
