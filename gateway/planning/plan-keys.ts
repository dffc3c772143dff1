import type { Supergraph } from '@apollo/federation-internals';
import { type DocumentNode, visit } from 'graphql';

/** Response keys that stand for others while an operation is planned and run. */
export interface PlanKeys {
  /** From an alias of the client. */
  readonly toPlan: ReadonlyMap<string, string>;
  /** Back to the alias of the client. */
  readonly toClient: ReadonlyMap<string, string>;
}

/** Nothing is renamed. */
export const SAME_KEYS: PlanKeys = { toPlan: new Map(), toClient: new Map() };

/** The planner's own way to make an alias. */
const PLANNER_ALIAS = /__alias_\d+$/;

/**
 * Names of fields, hidden ones included. The planner asks for keys and required fields under their names, and reads an
 * alias of the same name as theirs: the client would get the other field's value, which it may not be allowed to see.
 */
export function reservedKeysOf({ schema }: Supergraph): ReadonlySet<string> {
  const names = new Set(['__typename']);
  for (const type of [...schema.objectTypes(), ...schema.interfaceTypes()]) for (const { name } of type.fields()) names.add(name);
  return names;
}

/** Finds another name for each alias that has a reserved one. A field without an alias, or with its own name, keeps it. */
export function choosePlanKeys(document: DocumentNode, reserved: ReadonlySet<string>): PlanKeys {
  const aliases = new Set<string>();
  const clashing = new Set<string>();
  visit(document, {
    Field({ alias, name }) {
      if (alias === undefined) return;
      aliases.add(alias.value);
      if (alias.value !== name.value && (reserved.has(alias.value) || PLANNER_ALIAS.test(alias.value))) clashing.add(alias.value);
    },
  });
  if (clashing.size === 0) return SAME_KEYS;
  const toPlan = new Map<string, string>();
  const toClient = new Map<string, string>();
  for (const alias of clashing) {
    const stem = `as_${alias.replace(/^_+/, '')}`;
    let key = stem;
    for (let counter = 1; reserved.has(key) || aliases.has(key) || toClient.has(key) || PLANNER_ALIAS.test(key); counter += 1) {
      key = `${stem}_${counter}`;
    }
    toPlan.set(alias, key);
    toClient.set(key, alias);
  }
  return { toPlan, toClient };
}
