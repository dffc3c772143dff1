import { GatewayError } from '../../gateway/platform/errors.ts';
import type { RestRequest } from '../request/request-context.ts';
import { SOMETHING_IS_THERE } from '../request/conditional/write-condition.ts';

/** Status of a version that does not fit, for whoever sent `If-Match`. */
export type IfMatchFailureStatus = 409 | 412;

export interface PreconditionErrorOptions {
  readonly ifMatchFailure: IfMatchFailureStatus;
  /** Of what is there now. @defaultValue unknown */
  readonly currentTag: string | undefined;
}

/** The version that was expected then is of our making, and no word of it is the client's. */
const HOPELESS = 'None of the tags in If-Match can be that of the current version: send one as ETag told it; weak ones match nothing.';
const ALL_EXCLUDED = 'If-None-Match excludes every version that If-Match names.';
const CHANGED_MEANWHILE = 'It was changed meanwhile, by somebody else: look at it again before it is written over.';

/**
 * A version that does not fit is a conflict; for whoever made the request depend on it, his precondition failed (RFC 9110, section
 * 15.5.13). Everything else stays what it is.
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
