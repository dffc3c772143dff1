import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../platform/errors.ts';
import { parseJson } from '../platform/http/request/parse-json.ts';
import { readBody } from '../platform/http/request/read-body.ts';
import { sendReply } from '../platform/http/response/send-response.ts';
import { createKeyCheck } from './bearer-key.ts';
import type { Maintenance } from './maintenance.ts';
import { toJsonReply } from './plain-reply.ts';

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
