import type { OriginOf } from './check-sections.ts';
import { type ConfigurationProblem, originField } from './configuration-invalid.ts';
import type { GatewayConfig } from './sections.ts';

/** Returns the rules that would send a second value in the header of the signed identity, which subgraphs could take for the identity. */
export function refuseIdentityConflicts(
  { identity, subgraphs, supergraph }: Pick<GatewayConfig, 'identity' | 'subgraphs' | 'supergraph'>,
  originOf: OriginOf,
): readonly ConfigurationProblem[] {
  const { header, secret, privateKeyFile } = identity;
  if (secret === undefined && privateKeyFile === undefined) return [];
  const rules = [
    { path: ['subgraphs', 'headers'], ...subgraphs.headers },
    ...Object.entries(subgraphs.override).map(([name, { headers }]) => ({ path: ['subgraphs', 'override', name, 'headers'], ...headers })),
  ];
  const paths = [
    ...rules.flatMap(({ path, propagate = [], rename = {}, set = {} }) => [
      ...(propagate.includes(header) ? [[...path, 'propagate']] : []),
      ...Object.entries(rename).flatMap(([from, to]) => (to === header ? [[...path, 'rename', from]] : [])),
      ...(Object.hasOwn(set, header) ? [[...path, 'set', header]] : []),
    ]),
    ...Object.entries(supergraph.subgraphs ?? {}).flatMap(([name, { headers }]) =>
      Object.keys(headers).some((sent) => sent.toLowerCase() === header) ? [['supergraph', 'subgraphs', name, 'headers']] : [],
    ),
  ];
  return paths.map((path) => ({
    path: path.join('.'),
    ...originField(originOf(path, 'value')),
    message: `the header ${header} contains the signed identity (identity.header), so no rule may send it`,
    hint: 'Remove this rule, or set identity.header to another header, such as gatefold-identity.',
  }));
}
