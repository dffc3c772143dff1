import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { VersionBinding } from '../../compile/bindings/if-match.ts';
import type { RestRoute } from '../../compile/rest-route.ts';
import { type EntityTag, versionIn } from './entity-tag.ts';
import type { Preconditions } from './preconditions.ts';

/** What a write waits for. */
export interface WriteCondition {
  /** Values of the variable, of which one must be the current version. Absent where it has to be looked up which one is. */
  readonly versions?: readonly unknown[];
  /** The header for which none of the versions can be the current one; absent where one of them may be. */
  readonly hopelessBy?: 'If-Match' | 'If-None-Match';
  /** Versions that must not be the current one. */
  readonly excluded?: readonly unknown[];
  /** The resource must not have changed since. @unit milliseconds since 1970 */
  readonly unmodifiedSince?: number;
}

/** Each is tried by a write of its own. @unit versions */
const MAX_VERSIONS = 5;

/** What no resource has as version: where nothing can match, the subgraph still says first what else is wrong (RFC 9110, section 13.2.1). */
const NEVER_A_NUMBER = -1;
const NEVER_A_TEXT = 'no version at all';

/** `If-None-Match: *` asks that there be nothing, and nothing is made here by writing over something. */
export const SOMETHING_IS_THERE = 'If-None-Match: * asks that there be nothing here, and there is something.';
const NOTHING_TO_COMPARE = 'There is nothing here that entity tags could be compared with; leave the condition out.';

/**
 * The versions over which a write may be made (RFC 9110, section 13.2.2). Tags of `If-Match` are compared strongly, so weak ones match
 * nothing (section 13.1.1); those of `If-None-Match` weakly (section 13.1.2), and what has no version is in none of their states.
 *
 * @throws GatewayError `PRECONDITION_REQUIRED`; `PRECONDITION_FAILED` where the resource has no version to compare; `BAD_REQUEST`
 */
export function readWriteCondition(
  { bindings: { ifMatch: binding } }: RestRoute,
  preconditions: Preconditions | undefined,
): WriteCondition | undefined {
  if (preconditions === undefined || isEmpty(preconditions)) {
    if (binding?.isRequired !== true) return undefined;
    throw new GatewayError(
      'PRECONDITION_REQUIRED',
      'This request needs an If-Match header with the ETag of what it changes, so that no change of somebody else is lost.',
    );
  }
  const { ifMatch, ifNoneMatch = [], ifUnmodifiedSince } = preconditions;
  if (ifNoneMatch === '*') return { versions: [neverOf(binding, SOMETHING_IS_THERE)], hopelessBy: 'If-None-Match' };
  const excluded = versionsIn(
    ifNoneMatch.map(({ opaque }) => ({ opaque, isWeak: false })),
    binding,
  );
  if (ifMatch !== undefined && ifMatch !== '*') return overVersions(ifMatch, excluded, binding);
  if (binding === undefined || (excluded.size === 0 && ifUnmodifiedSince === undefined)) return undefined;
  return {
    ...(excluded.size === 0 ? {} : { excluded: [...excluded] }),
    ...(ifUnmodifiedSince === undefined ? {} : { unmodifiedSince: ifUnmodifiedSince }),
  };
}

function isEmpty({ ifMatch, ifNoneMatch, ifUnmodifiedSince }: Preconditions): boolean {
  return ifMatch === undefined && ifNoneMatch === undefined && ifUnmodifiedSince === undefined;
}

type Versions = ReadonlySet<string | number>;

function overVersions(tags: readonly EntityTag[], excluded: Versions, binding: VersionBinding | undefined): WriteCondition {
  const never = neverOf(binding, NOTHING_TO_COMPARE);
  const named = versionsIn(tags, binding);
  if (named.size === 0) return { versions: [never], hopelessBy: 'If-Match' };
  const versions = [...named].filter((version) => !excluded.has(version));
  if (versions.length === 0) return { versions: [never], hopelessBy: 'If-None-Match' };
  if (versions.length <= MAX_VERSIONS) return { versions };
  throw new GatewayError('BAD_REQUEST', `If-Match names more than ${MAX_VERSIONS} versions.`);
}

/** Tags that were never ours have none. */
function versionsIn(tags: readonly EntityTag[], binding: VersionBinding | undefined): Versions {
  return new Set(tags.flatMap((tag) => readVersion(tag, binding) ?? []));
}

function readVersion(tag: EntityTag, binding: VersionBinding | undefined): string | number | undefined {
  const reading = binding?.read(versionIn(tag) ?? '');
  const value = reading?.fault === undefined ? reading?.value : undefined;
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;
}

/** @param otherwise what is said where there are no versions */
function neverOf(binding: VersionBinding | undefined, otherwise: string): string | number {
  if (binding === undefined) throw new GatewayError('PRECONDITION_FAILED', otherwise);
  return binding.isInteger ? NEVER_A_NUMBER : NEVER_A_TEXT;
}
