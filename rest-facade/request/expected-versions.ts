import { GatewayError } from '../../gateway/platform/errors.ts';
import type { VersionBinding } from '../mapping/bindings.ts';
import type { Route } from '../mapping/route.ts';
import { type EntityTag, versionIn } from '../response/entity-tag.ts';
import type { Preconditions } from './read-preconditions.ts';

/** What a write waits for. */
export interface WriteCondition {
  /** Values of the variable, of which one must be the current version. Absent where any will do. */
  readonly versions?: readonly unknown[];
  /** Whether no version was ever told by any of the tags, so that none can be the current one. @defaultValue false */
  readonly isHopeless?: boolean;
  /** The resource must not have changed since. @unit milliseconds since 1970 */
  readonly unmodifiedSince?: number;
}

/** Each is tried by a write of its own. @unit versions */
const MAX_VERSIONS = 5;

/** What no resource has as version: where nothing can match, the subgraph still says first what else is wrong (RFC 9110, section 13.2.1). */
const NEVER_A_NUMBER = -1;
const NEVER_A_TEXT = 'no version at all';

/**
 * The versions over which a write may be made. Tags are compared strongly, so weak ones match nothing (RFC 9110, section 13.1.1).
 * `If-None-Match` of a write asks that there be nothing: nothing is made by what writes over something.
 *
 * @throws GatewayError `PRECONDITION_REQUIRED`; `PRECONDITION_FAILED` where the resource has no version to compare; `BAD_REQUEST`
 */
export function expectVersions(
  { bindings: { ifMatch: binding } }: Route,
  preconditions: Preconditions | undefined,
): WriteCondition | undefined {
  if (preconditions === undefined || isEmpty(preconditions)) {
    if (binding?.isRequired !== true) return undefined;
    throw new GatewayError(
      'PRECONDITION_REQUIRED',
      'This request needs an If-Match header with the ETag of what it changes, so that no change of somebody else is lost.',
    );
  }
  const { ifMatch, ifNoneMatch, ifUnmodifiedSince } = preconditions;
  if (ifNoneMatch !== undefined) return { versions: [neverOf(binding)] };
  if (ifMatch === '*') return undefined;
  if (ifMatch !== undefined) return overVersions(ifMatch, binding);
  return ifUnmodifiedSince === undefined || binding === undefined ? undefined : { unmodifiedSince: ifUnmodifiedSince };
}

function isEmpty({ ifMatch, ifNoneMatch, ifUnmodifiedSince }: Preconditions): boolean {
  return ifMatch === undefined && ifNoneMatch === undefined && ifUnmodifiedSince === undefined;
}

function overVersions(tags: readonly EntityTag[], binding: VersionBinding | undefined): WriteCondition {
  const never = neverOf(binding);
  const versions = new Set(tags.flatMap((tag) => readVersion(tag, binding) ?? []));
  if (versions.size === 0) return { versions: [never], isHopeless: true };
  if (versions.size <= MAX_VERSIONS) return { versions: [...versions] };
  throw new GatewayError('BAD_REQUEST', `If-Match names more than ${MAX_VERSIONS} versions.`);
}

/** Undefined for a tag that was never ours. */
function readVersion(tag: EntityTag, binding: VersionBinding | undefined): string | number | undefined {
  const reading = binding?.read(versionIn(tag) ?? '');
  const value = reading?.fault === undefined ? reading?.value : undefined;
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;
}

function neverOf(binding: VersionBinding | undefined): string | number {
  if (binding === undefined)
    throw new GatewayError(
      'PRECONDITION_FAILED',
      'There is nothing here that entity tags could be compared with; leave the condition out.',
    );
  return binding.isInteger ? NEVER_A_NUMBER : NEVER_A_TEXT;
}
