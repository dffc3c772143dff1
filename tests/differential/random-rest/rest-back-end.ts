import { Kind, type SelectionSetNode } from 'graphql';
import type { Random } from '../../support/random/random.ts';
import { createRandom } from '../../support/random/random.ts';
import type { SubgraphFacts, TypeFacts } from '../random-federation/read-facts.ts';
import { nameIn, isNode, type SubgraphContext, takenOver } from '../random-federation/subgraph-schema.ts';
import { hash, type WorldNode, type WorldValue } from '../random-federation/world-values.ts';
import type { Inputs } from '../random-federation/world.ts';
import type { RestConnector } from './draw-connectors.ts';
import { encodeValue, type ReadField } from './encode-value.ts';
import { readProperty, type RestRequest } from './rest-input.ts';
import { listsIn, namedIn } from './rest-value.ts';

/** Response of a back end. */
export interface RestResponse {
  readonly status: number;
  readonly body: unknown;
}

/** A request as it arrives. */
export interface ArrivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: string;
}

/** The back end of a subgraph. */
export interface RestBackEnd {
  /** @throws Error when the request does not belong to a connector, which is always a defect of the sender */
  respond(request: ArrivedRequest, context: SubgraphContext): { readonly response: RestResponse; readonly connector: RestConnector };
}

/**
 * Creates the back end that the connectors of a subgraph describe. It has the values of the world, in its own format, and knows nothing of
 * GraphQL. It computes with the values that it receives, correct or not.
 */
export function createRestBackEnd(
  facts: SubgraphFacts,
  connectors: readonly RestConnector[],
  others: readonly SubgraphFacts[],
): RestBackEnd {
  const byPath = new Map(connectors.map((connector) => [connector.path, connector]));
  const reading = { facts, others };
  return {
    respond({ method, target, body }, context) {
      const url = new URL(target, 'http://back-end.test');
      const [, subgraph, path = '', ...segments] = url.pathname.split('/').map(decodeURIComponent);
      const connector = byPath.get(path);
      if (subgraph !== facts.name || connector === undefined) throw new Error(`No operation has the path ${url.pathname}.`);
      if (connector.method !== method) throw new Error(`${path} expects ${connector.method} and not ${method}.`);
      const request = { method, segments, query: url.searchParams, body: body === '' ? undefined : (JSON.parse(body) as unknown) };
      return { response: responseOf(reading, connector, request, context), connector };
    },
  };
}

interface Reading {
  readonly facts: SubgraphFacts;
  readonly others: readonly SubgraphFacts[];
}

const FAILURE_STATUSES = [500, 503, 400, 404, 409, 422] as const;

function responseOf(reading: Reading, connector: RestConnector, request: RestRequest, context: SubgraphContext): RestResponse {
  const { envelope, value, failure } = connector;
  const inputs = connector.inputs.read(request);
  let found: WorldValue;
  try {
    found = find(reading, connector, inputs, context);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const problem = { problem: { text: error.message }, data: 'decoy' };
    if (failure === 'body') return { status: 200, body: { ok: false, ...problem } };
    return { status: createRandom(hash(error.message)).pick(FAILURE_STATUSES), body: problem };
  }
  const random = createRandom(hash(JSON.stringify([connector.path, inputs])));
  const encoded = encodeValue(value, found, readerOf(reading, context));
  const sent = connector.batch === undefined || !Array.isArray(encoded) ? encoded : shuffled(encoded, random);
  return { status: 200, body: wrap(sent, envelope, failure === 'body') };
}

function wrap(value: unknown, envelope: readonly string[], isFlagged: boolean): unknown {
  let body = value;
  for (const name of envelope.toReversed()) body = { [name]: body, decoy: true };
  return isFlagged ? { ok: true, ...(body as object) } : body;
}

function shuffled(items: readonly unknown[], random: Random): readonly unknown[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

function find({ facts, others }: Reading, connector: RestConnector, inputs: Inputs, context: SubgraphContext): WorldValue {
  const { world, run } = context;
  const { type, field, key, batch } = connector;
  if (batch !== undefined && key !== undefined) {
    const given = inputs[batch.name];
    if (!Array.isArray(given)) throw new Error('The batch is not a list.');
    return given.map((one: unknown) => findByKey(type.name, batch.isPlain ? nested(leafPaths(key), one) : one, key, context));
  }
  const keyed = (prefix: string): WorldNode => {
    const required = requireKey(key);
    const given = fromLeaves({ type, key: required, types: facts.types }, (path) => inputs[`${prefix}${path}`]);
    return findByKey(type.name, given, required, context);
  };
  if (field === undefined) return keyed('');
  const isRootField = type.name === 'Query' || type.name === 'Mutation';
  const node = isRootField ? { type: type.name, id: '' } : keyed('key ');
  if (node.type === 'Mutation') run.mutations += 1;
  if (takenOver(others, facts.name, type, field)(run)) throw new Error(`${facts.name} no longer resolves ${type.name}.${field.name}.`);
  const known = world.fields.find(node.type, field.name);
  if (known === undefined) throw new Error(`No subgraph resolves ${node.type}.${field.name}.`);
  const args = Object.fromEntries(Object.entries(inputs).filter(([name]) => field.argumentNames.includes(name)));
  return world.valueOf(node, known, { args, required: known.requires && field.requires && requiredOf(field.requires, inputs) }, run);
}

function requiredOf({ selections }: SelectionSetNode, inputs: Inputs): Inputs {
  const required: Record<string, unknown> = {};
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD) continue;
    const name = selection.name.value;
    if (!Object.hasOwn(inputs, `required ${name}`)) throw new Error(`The required field ${name} was not sent.`);
    required[name] = inputs[`required ${name}`];
  }
  return required;
}

function requireKey(key: SelectionSetNode | undefined): SelectionSetNode {
  if (key === undefined) throw new Error('The connector has no key.');
  return key;
}

/** Finds the entity whose key has these values. In URLs, numbers are texts. */
function findByKey(type: string, given: unknown, key: SelectionSetNode, { world, run }: SubgraphContext): WorldNode {
  const wanted = stringified(given);
  const node = world.candidates(type).find((candidate) => stringified(world.inputsOf(candidate, key, run)) === wanted);
  if (node === undefined) throw new Error(`There is no ${type} ${wanted}.`);
  return node;
}

function stringified(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'number') return String(inner);
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** Paths of the leaves of a key. */
function leafPaths({ selections }: SelectionSetNode): readonly (readonly string[])[] {
  return selections.flatMap((selection) => {
    if (selection.kind !== Kind.FIELD) return [];
    const name = selection.name.value;
    return selection.selectionSet === undefined ? [[name]] : leafPaths(selection.selectionSet).map((path) => [name].concat(path));
  });
}

/** Puts the only leaf of a key at its path. */
function nested([path = []]: readonly (readonly string[])[], leaf: unknown): unknown {
  let value = leaf;
  for (const name of path.toReversed()) value = { [name]: value };
  return value;
}

/** Builds a key from its leaves. A leaf inside of a list has a list of values. */
function fromLeaves({ type, key, types }: KeyOf, leafOf: (path: string) => unknown, around = ''): unknown {
  const object: Record<string, unknown> = {};
  for (const selection of key.selections) {
    if (selection.kind !== Kind.FIELD) continue;
    const name = selection.name.value;
    const path = `${around}${name}`;
    const field = type.fields.get(name);
    const inside = field && types.get(namedIn(field.type));
    const { selectionSet } = selection;
    if (selectionSet === undefined || field === undefined || inside === undefined) {
      object[name] = leafOf(path);
      continue;
    }
    const item = { type: inside, key: selectionSet, types };
    const [first = []] = leafPaths(selectionSet);
    const values = listsIn(field.type) === 0 ? undefined : leafOf([path, ...first].join('.'));
    object[name] = Array.isArray(values)
      ? values.map((_value, index) => fromLeaves(item, (leaf) => readProperty(leafOf(leaf), String(index)), `${path}.`))
      : fromLeaves(item, leafOf, `${path}.`);
  }
  return object;
}

/** A key of a type, and the types that its fields have. */
interface KeyOf {
  readonly type: TypeFacts;
  readonly key: SelectionSetNode;
  readonly types: SubgraphFacts['types'];
}

/** Reads the fields of objects. A field that another subgraph has taken over has a wrong value, because the gateway must not use it. */
function readerOf({ facts, others }: Reading, { world, run }: SubgraphContext): ReadField {
  return {
    typeOf: (node) => nameIn({ facts, world }, node.type),
    isNode,
    read(node, type, field) {
      const declared = facts.types.get(type);
      const known = world.fields.find(node.type, field.name);
      if (declared === undefined || known === undefined) throw new Error(`No subgraph resolves ${node.type}.${field.name}.`);
      if (!field.isExternal && takenOver(others, facts.name, declared, field)(run)) return 'decoy';
      return world.valueOf(node, known, { args: {} }, run);
    },
  };
}
