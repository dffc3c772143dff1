import type { OperationRequest } from './operation-request.ts';

/**
 * What the answer to an operation depends on besides the operation: equal for two requests that may share one answer.
 *
 * @param names lower-case names of those that reach subgraphs; all where absent
 * @param access what was decided about the caller's rights, which policies may decide otherwise for each request
 */
export function flightKeyOf(
  { principal, headers }: Pick<OperationRequest, 'principal' | 'headers'>,
  variables: Readonly<Record<string, unknown>>,
  labels: readonly string[],
  names: readonly string[] = Object.keys(headers).sort(),
  access?: string,
): string {
  const { kind, id, roles, scopes, claims } = principal;
  const sent = names.map((name) => [name, headers[name] ?? null]);
  const key = [variables, labels, kind, id, [...roles].sort(), [...scopes].sort(), claims, sent];
  return JSON.stringify(access === undefined ? key : [...key, access]);
}
