import { GatewayError } from '../../gateway/platform/errors.ts';
import type { RestRequest } from '../request/request-context.ts';
import { SOMETHING_IS_THERE } from '../request/conditional/write-condition.ts';

/** Status of a version mismatch for requests with `If-Match`. */
export type IfMatchFailureStatus = 409 | 412;

export interface PreconditionErrorOptions {
  readonly ifMatchFailure: IfMatchFailureStatus;
  /** Entity tag of the current state. @defaultValue unknown */
  readonly currentTag: string | undefined;
}

/**
 * Messages for conditions that cannot match. The expected version is then made up by the gateway, so the message of the subgraph would not
 * make sense to the client.
 */
const HOPELESS =
  'No tag in If-Match can match the current version. Send the value of the ETag header of the resource. Weak tags never match.';
const ALL_EXCLUDED = 'If-None-Match excludes every version that If-Match names.';
const CHANGED_MEANWHILE = 'The resource was changed by another request in the meantime. Fetch it again before you overwrite it.';

/**
 * Converts a version mismatch to a failed precondition if the request is conditional (RFC 9110, section 15.5.13). Without a condition, it
 * remains a conflict. Other errors are returned unchanged.
 */
export function toPreconditionError(
  error: unknown,
  { condition, preconditions }: RestRequest,
  { ifMatchFailure, currentTag }: PreconditionErrorOptions,
): unknown {
  if (condition === undefined || !(error instanceof GatewayError) || error.code !== 'VERSION_MISMATCH') return error;
  const { hopelessBy, versions } = condition;
  const headers = currentTag === undefined ? {} : { etag: currentTag };
  if (hopelessBy === 'If-None-Match') {
    return new GatewayError('PRECONDITION_FAILED', preconditions?.ifNoneMatch === '*' ? SOMETHING_IS_THERE : ALL_EXCLUDED, {
      cause: error,
      headers,
    });
  }
  if (versions === undefined) return new GatewayError('PRECONDITION_FAILED', CHANGED_MEANWHILE, { cause: error, headers });
  const { message, details } =
    hopelessBy === 'If-Match' ? { message: HOPELESS, details: [{ field: 'If-Match', message: HOPELESS }] } : error;
  return new GatewayError('VERSION_MISMATCH', message, { status: ifMatchFailure, details, cause: error, headers });
}
