import { type ConstDirectiveNode, Kind, parse, type SelectionSetNode } from 'graphql';
import { namedTypeOf } from '../../directives/named-type-of.ts';
import { argumentsOf, directivesOf } from '../../directives/directive-locations.ts';
import { directiveNameIn, type LinkedFeature } from '../../directives/read-features.ts';
import type { LocatedConnector } from '../definition/located-connector.ts';
import type { ReportProblem } from '../definition/report-problem.ts';
import { targetOf } from './check-selection.ts';
import { keyOfArguments, readsInRequest } from './connector-keys.ts';
import { printReads, type ReadTree } from './mapping-uses.ts';
import type { SchemaType, SchemaTypes } from './schema-types.ts';

/** Names of directives of the federation specification in a subgraph, without their `@`. */
export interface FederationNames {
  readonly key: string;
  readonly external: string;
}

/** Address of the federation specification, without a version. */
export const FEDERATION_FEATURE = 'https://specs.apollo.dev/federation';

/** Returns the names that a subgraph gives to directives of the federation specification. */
export function readFederationNames(features: readonly LinkedFeature[]): FederationNames {
  const federation = features.find(({ identity }) => identity === FEDERATION_FEATURE);
  const nameOf = (directive: string): string => (federation === undefined ? directive : directiveNameIn(federation, directive));
  return { key: nameOf('key'), external: nameOf('external') };
}

/** Types, connectors and resolved fields of a subgraph. */
export interface ResolutionContext {
  readonly schema: SchemaTypes;
  readonly names: FederationNames;
  /** Name of `@connect` in the subgraph, with its `@`. */
  readonly directive: string;
  readonly connectors: readonly LocatedConnector[];
  /** Coordinates of the fields that have a connector, or that a selection resolves. */
  readonly resolved: ReadonlySet<string>;
  readonly report: ReportProblem;
}

/** Checks that connectors resolve each field of the subgraph, and each entity by its keys. */
export function checkResolution(context: ResolutionContext): void {
  const keys = context.schema.all.flatMap((type) => keysOf(type, context.names));
  const resolvable = keys.filter(({ isResolvable }) => isResolvable);
  checkFields(context, resolvable);
  const available = keysOfConnectors(context);
  for (const { type, fields, reads, node } of resolvable) {
    if (type.kind !== 'object' || available.get(type.name)?.has(printReads(reads)) === true) continue;
    const message =
      `No connector resolves \`@${context.names.key}(fields: "${fields}")\` of \`${type.name}\`. ` +
      `Add ${context.directive} to the type, or set resolvable: false.`;
    context.report('MISSING_ENTITY_CONNECTOR', message, node);
  }
}

interface EntityKey {
  readonly type: SchemaType;
  readonly fields: string;
  readonly reads: ReadTree;
  readonly isResolvable: boolean;
  readonly node: ConstDirectiveNode;
}

function keysOf(type: SchemaType, names: FederationNames): readonly EntityKey[] {
  return directivesOf(type, names.key).flatMap((node) => {
    const { fields, resolvable } = argumentsOf(node);
    const reads = typeof fields === 'string' ? parseFields(fields) : undefined;
    if (typeof fields !== 'string' || reads === undefined) return [];
    return [{ type, fields, reads, isResolvable: resolvable !== false, node }];
  });
}

/** Parses a selection set. Returns undefined if it is invalid, which composition reports. */
function parseFields(fields: string): ReadTree | undefined {
  try {
    const [operation] = parse(`{ ${fields} }`, { noLocation: true }).definitions;
    return operation?.kind === Kind.OPERATION_DEFINITION ? readsOf(operation.selectionSet) : undefined;
  } catch {
    return undefined;
  }
}

function readsOf({ selections }: SelectionSetNode): ReadTree {
  return new Map(
    selections.flatMap((selection) => {
      if (selection.kind !== Kind.FIELD) return [];
      const below: ReadTree = selection.selectionSet === undefined ? new Map() : readsOf(selection.selectionSet);
      return [[selection.name.value, { offset: 0, below }] as const];
    }),
  );
}

function checkFields({ schema, names, directive, resolved, report }: ResolutionContext, keys: readonly EntityKey[]): void {
  const ofKeys = new Set(keys.flatMap(({ type, reads }) => coordinatesOfReads(reads, type, schema)));
  for (const type of schema.all) {
    if (type.kind !== 'object' || type.name === schema.roots.subscription || directivesOf(type, names.external).length > 0) continue;
    for (const [name, field] of type.fields) {
      const coordinate = `${type.name}.${name}`;
      if (resolved.has(coordinate) || ofKeys.has(coordinate) || directivesOf(field, names.external).length > 0) continue;
      const message = `No connector resolves \`${coordinate}\`. Add ${directive} to the field, or select it in the selection of a connector.`;
      report('CONNECTORS_UNRESOLVED_FIELD', message, field);
    }
  }
}

function coordinatesOfReads(reads: ReadTree, type: SchemaType, schema: SchemaTypes): readonly string[] {
  const coordinates: string[] = [];
  for (const [name, { below }] of reads) {
    const field = type.fields.get(name);
    const next = field === undefined ? undefined : schema.get(namedTypeOf(field.type));
    coordinates.push(`${type.name}.${name}`);
    if (next !== undefined) coordinates.push(...coordinatesOfReads(below, next, schema));
  }
  return coordinates;
}

/** Returns the keys by which connectors resolve types: of `$this`, of `$batch`, and of the arguments of `entity: true` fields. */
function keysOfConnectors({ connectors, schema, names }: ResolutionContext): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>();
  const add = (type: string, reads: ReadTree | undefined): void => {
    if (reads === undefined || reads.size === 0) return;
    keys.set(type, (keys.get(type) ?? new Set()).add(printReads(reads)));
  };
  for (const connector of connectors) {
    const { type, field } = connector.element;
    if (field === undefined) add(type, readsInRequest(connector, '$batch') ?? readsInRequest(connector, '$this'));
    else if (connector.entity?.isEntity === true) {
      const target = targetOf(connector, schema);
      const key = keyOfArguments(target?.field?.arguments ?? [], schema);
      for (const possible of target?.type.possibleTypes ?? []) add(possible, key);
    } else add(type, withoutExternal(readsInRequest(connector, '$this'), schema.get(type), names));
  }
  return keys;
}

/** Fields of other subgraphs are requirements of a field, and not its key. */
function withoutExternal(reads: ReadTree | undefined, type: SchemaType | undefined, { external }: FederationNames): ReadTree | undefined {
  if (reads === undefined) return undefined;
  return new Map([...reads].filter(([name]) => directivesOf(type?.fields.get(name) ?? {}, external).length === 0));
}
