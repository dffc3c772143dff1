import type { InputValueDefinitionNode } from 'graphql';
import { namedTypeOf } from '../../directives/named-type-of.ts';
import type { LocatedConnector } from '../definition/located-connector.ts';
import { mappingsOfRequest, mappingsOfResponse } from './connector-mappings.ts';
import { mergeReads, type ReadTree, mappingUsesOf } from './mapping-uses.ts';
import type { SchemaTypes } from './schema-types.ts';

/** Properties that the request of a connector reads of a variable. @returns undefined if it does not read the variable */
export function readsInRequest(connector: LocatedConnector, variable: '$this' | '$batch'): ReadTree | undefined {
  return readsIn(
    mappingsOfRequest(connector, '').map(({ mapping }) => mapping),
    variable,
  );
}

/** Whether a connector reads a variable in its request or for its response. */
export function readsVariable(connector: LocatedConnector, variable: '$this' | '$batch'): boolean {
  const mappings = [...mappingsOfRequest(connector, ''), ...mappingsOfResponse(connector, '')].map(({ mapping }) => mapping);
  return readsIn(mappings, variable) !== undefined;
}

function readsIn(mappings: readonly Parameters<typeof mappingUsesOf>[0][], variable: string): ReadTree | undefined {
  const uses = mappings.flatMap((mapping) => mappingUsesOf(mapping).variables).filter((use) => use.variable === variable);
  if (uses.length === 0) return undefined;
  const reads: ReadTree = new Map();
  for (const use of uses) mergeReads(reads, use.reads);
  return reads;
}

/** Returns the key that the arguments of an `entity: true` field are: `id store { id }`. */
export function keyOfArguments(inputs: readonly InputValueDefinitionNode[], schema: SchemaTypes, types: readonly string[] = []): ReadTree {
  const key: ReadTree = new Map();
  for (const { name, type } of inputs) {
    const named = namedTypeOf(type);
    const input = types.includes(named) ? undefined : schema.get(named);
    const below = input?.kind === 'input' ? keyOfArguments([...input.inputFields.values()], schema, [...types, named]) : new Map();
    key.set(name.value, { offset: 0, below });
  }
  return key;
}
