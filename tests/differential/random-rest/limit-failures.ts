import type { SubgraphFacts } from '../random-federation/read-facts.ts';
import type { FailureLimits } from '../random-federation/world-fields.ts';
import { hasOwnConnector } from './draw-value.ts';
import { createSubgraphModel } from './subgraph-model.ts';

/**
 * Limits failures to those that a REST service can report: a request fails as a whole, so that only a field with its own connector has its
 * own error.
 */
export function limitFailures(facts: readonly SubgraphFacts[], rest: ReadonlySet<string>, seed: number): FailureLimits {
  const limits = new Map<string, 'never' | 'as a whole'>();
  for (const subgraph of facts.filter(({ name }) => rest.has(name))) {
    const model = createSubgraphModel(subgraph, seed);
    for (const type of subgraph.types.values()) {
      if (type.kind !== 'object') continue;
      const names = type.isInterfaceObject ? implementersOf(facts, type.name) : [type.name];
      for (const field of type.fields.values()) {
        if (field.isExternal && !isProvided(subgraph, field.name)) continue;
        const limit = hasOwnConnector(model, type, field) ? 'as a whole' : 'never';
        for (const name of names) if (limits.get(`${name}.${field.name}`) !== 'never') limits.set(`${name}.${field.name}`, limit);
      }
    }
  }
  return limits;
}

function implementersOf(facts: readonly SubgraphFacts[], name: string): readonly string[] {
  return facts.flatMap(({ types }) => [...types.values()].filter(({ interfaces }) => interfaces.includes(name)).map((type) => type.name));
}

/** Whether a subgraph may return a field of another one somewhere. */
function isProvided({ document }: SubgraphFacts, field: string): boolean {
  return JSON.stringify(document).includes('"provides"') && new RegExp(`\\b${field}\\b`).test(providedText(document));
}

function providedText(document: SubgraphFacts['document']): string {
  const texts: string[] = [];
  JSON.stringify(document, (_key, value: unknown) => {
    const node = value as { readonly kind?: unknown; readonly name?: { readonly value?: unknown }; readonly arguments?: unknown } | null;
    if (typeof node === 'object' && node?.kind === 'Directive' && node.name?.value === 'provides')
      texts.push(JSON.stringify(node.arguments));
    return value;
  });
  return texts.join(' ');
}
