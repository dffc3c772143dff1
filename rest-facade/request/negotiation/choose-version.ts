import { GatewayError } from '../../../gateway/platform/errors.ts';
import { VERSION_PARAMETER } from '../../compile/bindings/bindings.ts';
import type { ApiVersions } from '../../compile/endpoint/versions.ts';
import type { FoundVersions, Match } from '../../compile/route-matcher.ts';
import type { QueryParameters } from '../parameters/query-parameters.ts';
import type { Acceptance, ResponseMediaType } from './content-negotiation.ts';

/** The resource of a request and its version. */
export interface ChosenVersion {
  readonly version: number;
  readonly match: Match;
  /** Media type of the response. Undefined if the client accepts none of the available types. */
  readonly type?: ResponseMediaType | undefined;
  /** Whether the query parameter `version` selects the version. Links in the response then contain it too. */
  readonly isByQuery: boolean;
}

/** Parts of a request that can name a version. */
export interface VersionSources {
  readonly found: FoundVersions;
  readonly query: QueryParameters;
  readonly acceptance: Acceptance;
}

const VERSION = /^[1-9]\d{0,8}$/;

/**
 * Chooses the version that path, query parameter `version` and media type agree on, or the default version.
 *
 * @throws GatewayError `INVALID_PARAMETER`, `VERSION_CONFLICT`, `NOT_ACCEPTABLE` for a media type of an unknown version, and `NOT_FOUND` if
 * the version has no resource at the path
 */
export function chooseVersion({ found, query, acceptance }: VersionSources, versions: ApiVersions): ChosenVersion {
  const byPath = found.isNamed ? [...found.byVersion.keys()][0] : undefined;
  const byQuery = readVersion(query, versions);
  if (byPath !== undefined && byQuery !== undefined && byPath !== byQuery)
    throw conflict(`the path names version ${byPath}, but the query parameter names version ${byQuery}`);
  const named = byPath ?? byQuery;
  const version = named ?? versionByType(acceptance, versions);
  const type = acceptance.types.find((candidate) => candidate.version === undefined || candidate.version === version);
  if (type === undefined) refuseTypes(acceptance, version, versions);
  const match = found.byVersion.get(version);
  if (match !== undefined) return { version, match, type, isByQuery: byQuery !== undefined };
  const others = [...found.byVersion.keys()].join(', ');
  throw new GatewayError('NOT_FOUND', `There is no resource at this path in version ${version}. Versions with this path: ${others}.`);
}

function readVersion(query: QueryParameters, versions: ApiVersions): number | undefined {
  const values = query.get(VERSION_PARAMETER);
  if (values === undefined) return undefined;
  const [text = ''] = values;
  const isServed = VERSION.test(text) && versions.all.includes(Number(text));
  if (values.length === 1 && isServed) return Number(text);
  const issue = values.length > 1 ? 'must not be repeated' : `must be one of ${versions.all.join(', ')}`;
  const message = `"${VERSION_PARAMETER}" ${issue}.`;
  throw new GatewayError('INVALID_PARAMETER', message, { details: [{ field: VERSION_PARAMETER, message }] });
}

/** Returns the version of the preferred media type, among the versions that exist. */
function versionByType({ types }: Acceptance, versions: ApiVersions): number {
  const best = types.find(({ version }) => version === undefined || versions.all.includes(version));
  return best?.version ?? versions.default;
}

/**
 * Rejects media types of other versions. A header that accepts no type is rejected later, when it is known whether the response has a body.
 */
function refuseTypes({ types }: Acceptance, version: number, versions: ApiVersions): void {
  const other = types.find((type) => type.version !== undefined && versions.all.includes(type.version))?.version;
  if (other !== undefined) throw conflict(`the URL names version ${version}, but the Accept header names version ${other}`);
  if (types.length === 0) return;
  throw new GatewayError('NOT_ACCEPTABLE', `The Accept header names none of the available versions. They are ${versions.all.join(', ')}.`);
}

function conflict(difference: string): GatewayError {
  return new GatewayError('VERSION_CONFLICT', `The request names two different versions: ${difference}.`);
}

/** The resource of a request, in its version. */
export interface LocatedResource extends ChosenVersion {
  readonly query: QueryParameters;
  /** Path of the resource without the mount. */
  readonly path: string;
}
