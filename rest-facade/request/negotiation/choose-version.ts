import { GatewayError } from '../../../gateway/platform/errors.ts';
import { VERSION_PARAMETER } from '../../compile/bindings/bindings.ts';
import type { ApiVersions } from '../../compile/endpoint/versions.ts';
import type { FoundVersions, Match } from '../../compile/route-matcher.ts';
import type { QueryParameters } from '../parameters/query-parameters.ts';
import type { Acceptance, ResponseMediaType } from './content-negotiation.ts';

/** What a request is about, and in which version. */
export interface ChosenVersion {
  readonly version: number;
  readonly match: Match;
  /** The type that the answer will have; undefined where the client takes none that there is. */
  readonly type?: ResponseMediaType | undefined;
  /** Whether the parameter `version` names it: then addresses in the answer do too. */
  readonly isByQuery: boolean;
}

/** Where a request says which version it means. */
export interface VersionSources {
  readonly found: FoundVersions;
  readonly query: QueryParameters;
  readonly acceptance: Acceptance;
}

const VERSION = /^[1-9]\d{0,8}$/;

/**
 * The version that the path, the parameter `version` and the media type agree on; who names none gets the default.
 *
 * @throws GatewayError `INVALID_PARAMETER`, `VERSION_CONFLICT`, `NOT_ACCEPTABLE` for a type of a version that there is not, and
 * `NOT_FOUND` where that version has nothing at the path
 */
export function chooseVersion({ found, query, acceptance }: VersionSources, versions: ApiVersions): ChosenVersion {
  const byPath = found.isNamed ? [...found.byVersion.keys()][0] : undefined;
  const byQuery = readVersion(query, versions);
  if (byPath !== undefined && byQuery !== undefined && byPath !== byQuery)
    throw conflict(`the path names ${byPath}, the parameter ${byQuery}`);
  const named = byPath ?? byQuery;
  const version = named ?? versionByType(acceptance, versions);
  const type = acceptance.types.find((candidate) => candidate.version === undefined || candidate.version === version);
  if (type === undefined) refuseTypes(acceptance, version, versions);
  const match = found.byVersion.get(version);
  if (match !== undefined) return { version, match, type, isByQuery: byQuery !== undefined };
  const others = [...found.byVersion.keys()].join(', ');
  throw new GatewayError('NOT_FOUND', `There is nothing at this path in version ${version}; there is in version ${others}.`);
}

function readVersion(query: QueryParameters, versions: ApiVersions): number | undefined {
  const values = query.get(VERSION_PARAMETER);
  if (values === undefined) return undefined;
  const [text = ''] = values;
  const isServed = VERSION.test(text) && versions.all.includes(Number(text));
  if (values.length === 1 && isServed) return Number(text);
  const fault = values.length > 1 ? 'is given more than once' : `must be one of ${versions.all.join(', ')}`;
  const message = `"${VERSION_PARAMETER}" ${fault}.`;
  throw new GatewayError('INVALID_PARAMETER', message, { details: [{ field: VERSION_PARAMETER, message }] });
}

/** That of the type that is wanted most, of those that there are. */
function versionByType({ types }: Acceptance, versions: ApiVersions): number {
  const best = types.find(({ version }) => version === undefined || versions.all.includes(version));
  return best?.version ?? versions.default;
}

/** Types that were named for other versions only. A header that takes nothing at all is refused later, by who knows whether there is a body. */
function refuseTypes({ types }: Acceptance, version: number, versions: ApiVersions): void {
  const other = types.find((type) => type.version !== undefined && versions.all.includes(type.version))?.version;
  if (other !== undefined) throw conflict(`the address names ${version}, the Accept header ${other}`);
  if (types.length === 0) return;
  throw new GatewayError('NOT_ACCEPTABLE', `The versions are ${versions.all.join(', ')}; the Accept header names none of them.`);
}

function conflict(difference: string): GatewayError {
  return new GatewayError('VERSION_CONFLICT', `The request names two versions: ${difference}.`);
}

/** The resource that a request is about, in its version. */
export interface LocatedResource extends ChosenVersion {
  readonly query: QueryParameters;
  /** Where it was asked for, and where it is by the routes: without what the facade is mounted at. */
  readonly path: string;
}
