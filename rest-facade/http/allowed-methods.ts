import type { Match } from '../request/compile-matcher.ts';
import { bodyTypesHeader } from './read-json-body.ts';

/** Value of `Allow` for a resource: what its documents serve, with what follows from that. */
export function allowOf({ routes }: Match): string {
  const served = [...routes.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...served, 'OPTIONS'].join(', ');
}

/** Headers of the answer to OPTIONS. */
export function optionsHeaders(match: Match): Readonly<Record<string, string>> {
  const bodies = (['POST', 'PATCH'] as const).filter((method) => match.routes.has(method)).map(bodyTypesHeader);
  return Object.assign({ allow: allowOf(match) }, ...bodies);
}
