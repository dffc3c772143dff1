import type { OriginOf } from './check-sections.ts';
import { type ConfigurationProblem, originField } from './configuration-invalid.ts';
import type { SubgraphOverride } from './sections/subgraphs.ts';
import type { GatewayConfig } from './sections.ts';

type Sections = Pick<GatewayConfig, 'identity' | 'subgraphs' | 'supergraph'>;

/** Returns the rules that would send a second value in the header of the signed identity, which subgraphs could take for the identity. */
export function refuseIdentityConflicts(config: Sections, originOf: OriginOf): readonly ConfigurationProblem[] {
  const { header, secret, privateKeyFile } = config.identity;
  if (secret === undefined && privateKeyFile === undefined) return [];
  const message = `the header ${header} contains the signed identity (identity.header), so no rule may send it`;
  const hint = 'Remove this rule, or set identity.header to another header, such as gatefold-identity.';
  return [...rulesThatSend(header, config)].map((path) =>
    Object.assign({ path: path.join('.'), message, hint }, originField(originOf(path, 'value'))),
  );
}

/** Yields the paths of the rules that send a header to subgraphs. */
function* rulesThatSend(header: string, { subgraphs, supergraph }: Sections): Generator<readonly string[]> {
  yield* headerRulesThatSend(header, subgraphs.headers, ['subgraphs', 'headers']);
  for (const [name, { headers = {} }] of Object.entries(subgraphs.override)) {
    yield* headerRulesThatSend(header, headers, ['subgraphs', 'override', name, 'headers']);
  }
  for (const [name, { headers }] of Object.entries(supergraph.subgraphs ?? {})) {
    const isSent = Object.keys(headers).some((sent) => sent.toLowerCase() === header);
    if (isSent) yield ['supergraph', 'subgraphs', name, 'headers'];
  }
}

function* headerRulesThatSend(
  header: string,
  { propagate = [], rename = {}, set = {} }: NonNullable<SubgraphOverride['headers']>,
  path: readonly string[],
): Generator<readonly string[]> {
  if (propagate.includes(header)) yield [...path, 'propagate'];
  for (const [from, to] of Object.entries(rename)) if (to === header) yield [...path, 'rename', from];
  if (Object.hasOwn(set, header)) yield [...path, 'set', header];
}
