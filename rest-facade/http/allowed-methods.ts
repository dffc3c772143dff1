import type { Match } from '../compile/route-matcher.ts';
import { type BodyVersion, bodyTypesHeader } from '../request/body-types.ts';

/** Value of `Allow` for a resource: what its documents serve, with what follows from that. */
export function allowOf({ routes }: Match): string {
  const served = [...routes.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...served, 'OPTIONS'].join(', ');
}

/** Headers of the answer to OPTIONS: bodies are told of methods that take one. */
export function optionsHeaders(match: Match, taken: BodyVersion): Readonly<Record<string, string>> {
  const methods = (['POST', 'PATCH'] as const).filter((method) => match.routes.get(method)?.bindings.body !== undefined);
  return Object.assign({ allow: allowOf(match) }, ...methods.map((method) => bodyTypesHeader(method, taken)));
}
