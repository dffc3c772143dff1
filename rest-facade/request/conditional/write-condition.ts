import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { VersionBinding } from '../../compile/bindings/if-match.ts';
import type { RestRoute } from '../../compile/rest-route.ts';
import { type EntityTag, versionIn } from './entity-tag.ts';
import type { Preconditions } from './preconditions.ts';

/** Condition of a write. */
export interface WriteCondition {
  /** Accepted values of the version variable, of which one must be current. Absent if the current version must be read first. */
  readonly versions?: readonly unknown[];
  /** The header that excludes every possible version. Absent if a version can match. */
  readonly hopelessBy?: 'If-Match' | 'If-None-Match';
  /** Versions that must not be current. */
  readonly excluded?: readonly unknown[];
  /** The resource must not have changed since this time. @unit milliseconds since 1970 */
  readonly unmodifiedSince?: number;
}

/** Maximum number of versions. Each version requires a separate write. @unit versions */
const MAX_VERSIONS = 5;

/**
 * Values that no version has. If no version can match, the subgraph still runs and reports other errors first (RFC 9110, section 13.2.1).
 */
const NEVER_A_NUMBER = -1;
const NEVER_A_TEXT = 'no version at all';

/** Message for `If-None-Match: *`, which requires that the resource does not exist. A write to an existing path cannot create one. */
export const SOMETHING_IS_THERE = 'If-None-Match: * requires that the resource does not exist, but it exists.';
const NOTHING_TO_COMPARE = 'This resource has no version that entity tags can be compared with. Remove the conditional headers.';

/**
 * Reads the versions that a write may replace (RFC 9110, section 13.2.2). Tags in `If-Match` are compared strongly, so weak tags never
 * match (section 13.1.1). Tags in `If-None-Match` are compared weakly (section 13.1.2), and tags without a version never match.
 *
 * @throws GatewayError `PRECONDITION_REQUIRED`; `PRECONDITION_FAILED` if the resource has no version to compare; `BAD_REQUEST`
 */
export function readWriteCondition(
  { bindings: { ifMatch: binding } }: RestRoute,
  preconditions: Preconditions | undefined,
): WriteCondition | undefined {
  if (preconditions === undefined || isEmpty(preconditions)) {
    if (binding?.isRequired !== true) return undefined;
    throw new GatewayError(
      'PRECONDITION_REQUIRED',
      'This request requires the header If-Match with the ETag of the resource, so that no concurrent change is lost.',
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
  throw new GatewayError('BAD_REQUEST', `If-Match contains tags of more than ${MAX_VERSIONS} versions. Send fewer tags.`);
}

/** Reads the versions of tags. Tags that the gateway did not create have no version. */
function versionsIn(tags: readonly EntityTag[], binding: VersionBinding | undefined): Versions {
  return new Set(tags.flatMap((tag) => readVersion(tag, binding) ?? []));
}

function readVersion(tag: EntityTag, binding: VersionBinding | undefined): string | number | undefined {
  const reading = binding?.read(versionIn(tag) ?? '');
  const value = reading?.issue === undefined ? reading?.value : undefined;
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;
}

/** Returns a version that never matches. @param otherwise message if the resource has no versions */
function neverOf(binding: VersionBinding | undefined, otherwise: string): string | number {
  if (binding === undefined) throw new GatewayError('PRECONDITION_FAILED', otherwise);
  return binding.isInteger ? NEVER_A_NUMBER : NEVER_A_TEXT;
}
