import { Kind, type SelectionSetNode } from 'graphql';
import type { SubgraphFacts } from '../random-federation/read-facts.ts';
import type { FailureLimits, ValueLimits } from '../random-federation/world-fields.ts';
import { hasOwnConnector } from './draw-value.ts';
import { namedIn } from './rest-value.ts';
import { createSubgraphModel } from './subgraph-model.ts';

/** Limits the values of a world to those that REST services can return. */
export function limitValues(facts: readonly SubgraphFacts[], rest: ReadonlySet<string>, seed: number): ValueLimits {
  const services = facts.filter(({ name }) => rest.has(name));
  return { failures: limitFailures(facts, services, seed), present: requiredBy(facts, services) };
}

/**
 * Lists the fields that a connector requires (`@requires`). They are never null: `$this` is the key of a connector, and the gateway sends no
 * representation whose key is null.
 */
function requiredBy(facts: readonly SubgraphFacts[], services: readonly SubgraphFacts[]): ReadonlySet<string> {
  const required = new Set<string>();
  for (const { types } of services) {
    const add = (type: string, set: SelectionSetNode | undefined): void => {
      for (const selection of set?.selections ?? []) {
        if (selection.kind !== Kind.FIELD) continue;
        const name = selection.name.value;
        for (const object of new Set([type, ...implementersOf(facts, type)])) required.add(`${object}.${name}`);
        const field = types.get(type)?.fields.get(name);
        if (field !== undefined) add(namedIn(field.type), selection.selectionSet);
      }
    };
    for (const { name, fields } of types.values()) for (const { requires } of fields.values()) add(name, requires);
  }
  return required;
}

/**
 * Limits failures to those that a REST service can report: a request fails as a whole, so that only a field with its own connector has an
 * error of its own.
 */
function limitFailures(facts: readonly SubgraphFacts[], services: readonly SubgraphFacts[], seed: number): FailureLimits {
  const limits = new Map<string, 'never' | 'as a whole'>();
  for (const subgraph of services) {
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
