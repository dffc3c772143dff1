import type { GatewayError } from '../../gateway/platform/errors.ts';
import { statusPhrase } from '../../gateway/platform/http/response/send-response.ts';
import { type Acceptance, JSON_TYPE, type MediaType, PROBLEM_TYPE } from '../request/read-accept.ts';

/** What of a request its refusal repeats. */
export interface RefusedRequest {
  readonly acceptance: Acceptance;
  /** Absent where the request was refused before it was known. */
  readonly version?: number;
  /** Names this request, in our log as well. */
  readonly requestId: string;
  /** Names what the request is a part of. */
  readonly traceId: string;
}

/** A refusal, put into words. */
export interface ErrorBody {
  readonly contentType: string;
  readonly body: unknown;
}

const VERSION_OF_TYPE = /\.v\d+(?=[.+])/;

/**
 * The body that goes with what the client asked for: a problem where it wants one, `{ error: { … } }` for an envelope, and the
 * flat body for all others, also before anything else of the request is known.
 */
export function toErrorBody({ code, message, status, details }: GatewayError, request: RefusedRequest): ErrorBody {
  const { acceptance, version, requestId, traceId } = request;
  const more = details.length === 0 ? {} : { details };
  if (acceptance.wantsProblem) {
    const problem = { type: 'about:blank', title: statusPhrase(status), status, detail: message, code, traceId, ...more };
    return { contentType: PROBLEM_TYPE, body: problem };
  }
  const type = acceptance.types.find((candidate) => version === undefined || (candidate.version ?? version) === version);
  const body = type?.shape === 'envelope' ? { error: { code, message, requestId, ...more } } : { error: code, message, traceId, ...more };
  return { contentType: toContentType(type, version), body };
}

/** A version that is not known to be there is not named. */
function toContentType(type: MediaType | undefined, version: number | undefined): string {
  if (type === undefined || type.type === JSON_TYPE) return `${JSON_TYPE}; charset=utf-8`;
  return version === undefined ? type.type.replace(VERSION_OF_TYPE, '') : type.type;
}
