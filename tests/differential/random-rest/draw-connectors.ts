import { Kind, type SelectionSetNode, type TypeNode } from 'graphql';
import type { Random } from '../../support/random/random.ts';
import type { FieldFacts, TypeFacts } from '../random-federation/read-facts.ts';
import { decide } from './decisions.ts';
import { drawObject, drawValue, hasOwnConnector } from './draw-value.ts';
import { drawInputs, type RestInput, type RestInputs, writeFieldSet } from './rest-input.ts';
import { type RestValue, namedIn } from './rest-value.ts';
import { isRoot, needsConnector, type SubgraphModel } from './subgraph-model.ts';
import { lookUpsOf } from './look-ups.ts';

/** Kinds of connectors. A run must use each of them. */
export const CONNECTOR_KINDS = ['root field', 'mutation', 'entity: true', '$this', '$batch', 'field', 'field with @requires'] as const;

export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

/** How a back end reports that a field failed. */
export type FailureForm = 'status' | 'body';

/** A connector of a subgraph with the operation of the back end that it calls. */
export interface RestConnector {
  readonly kind: ConnectorKind;
  /** Path of the back end's operation. */
  readonly path: string;
  readonly type: TypeFacts;
  /** Field of the connector. Absent on a type. */
  readonly field?: FieldFacts;
  readonly method: string;
  readonly inputs: RestInputs;
  /** Properties of the response that lead to the value. */
  readonly envelope: readonly string[];
  readonly value: RestValue;
  readonly failure: FailureForm;
  /** Key by which the back end finds the object. Absent at root fields. */
  readonly key?: SelectionSetNode;
  /** Set if the connector reads `$batch`: each item is an object with the key, or the only field of the key (`isPlain`). */
  readonly batch?: { /** 0 if it is not limited. */ readonly maxSize: number; readonly isPlain: boolean; readonly name: string };
}

/**
 * Draws the connectors of a subgraph: one for each root field and for each field that needs one, and at least one for each key.
 *
 * @throws UnselectableField if a selection would have to contain a type within itself
 */
export function drawConnectors(model: SubgraphModel): readonly RestConnector[] {
  const drawn: RestConnector[] = [];
  const lookedUp = drawRoots(model, drawn);
  for (const type of model.facts.types.values()) {
    if (type.kind === 'object' && !isRoot(type.name)) drawEntities(model, type, lookedUp, drawn);
  }
  return drawn;
}

/** Draws the connectors of root fields. @returns entities that some of them resolve, by type and key */
function drawRoots(model: SubgraphModel, drawn: RestConnector[]): ReadonlySet<string> {
  const lookedUp = new Set<string>();
  const lookUps = lookUpsOf(model);
  for (const { name: root } of [{ name: 'Query' }, { name: 'Mutation' }]) {
    const type = model.typeOf(root);
    for (const field of type?.fields.values() ?? []) {
      const lookUp = root === 'Query' ? lookUps.get(field.name) : undefined;
      if (type === undefined || field.isExternal) continue;
      const path = nextPath(drawn);
      drawn.push(lookUp === undefined ? drawRoot(model, type, field, path) : drawLookUp(model, { type, field, key: lookUp.key }, path));
      for (const member of lookUp?.types ?? []) lookedUp.add(`${member} ${writeFieldSet(lookUp?.key ?? EMPTY)}`);
    }
  }
  return lookedUp;
}

/** Draws the connectors of an entity type, and those of its fields. */
function drawEntities(model: SubgraphModel, type: TypeFacts, lookedUp: ReadonlySet<string>, drawn: RestConnector[]): void {
  let isFirst = true;
  for (const key of model.resolvableKeys(type.name)) {
    const isOptional = lookedUp.has(`${type.name} ${writeFieldSet(key)}`);
    const isLeftOut = isOptional && decide(model.seed, model.facts.name, type.name, 'look-up').chance(0.6);
    if (!isLeftOut) drawn.push(drawEntity(model, { type, key, isFirst }, nextPath(drawn)));
    isFirst = false;
  }
  for (const field of type.fields.values()) {
    if (hasOwnConnector(model, type, field)) drawn.push(drawField(model, type, field, nextPath(drawn)));
  }
}

function nextPath(drawn: readonly RestConnector[]): string {
  return `op-${drawn.length + 1}`;
}

/** Type of `$batch`. */
const LIST: TypeNode = { kind: Kind.LIST_TYPE, type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } } };

const EMPTY: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [] };

/** Draws what all connectors have: how failures are reported, and where the value is in the response. */
function drawResponse(random: Random): Pick<RestConnector, 'envelope' | 'failure'> {
  const failure = random.chance(0.25) ? 'body' : 'status';
  const envelopes = failure === 'body' ? [['data'], ['data', 'the-result']] : [[], [], ['data'], ['data', 'items'], ['the-result']];
  return { failure, envelope: random.pick<readonly string[]>(envelopes) };
}

function argumentInputs(model: SubgraphModel, type: TypeFacts, { name, argumentNames }: FieldFacts): readonly RestInput[] {
  const types = model.argumentTypes(type.name, name);
  return argumentNames.map((argument): RestInput => {
    const found = types.get(argument);
    if (found === undefined) throw new Error(`The argument ${argument} of ${type.name}.${name} has no type.`);
    return { name: argument, expression: `$args.${argument}`, type: found };
  });
}

function drawRoot(model: SubgraphModel, type: TypeFacts, field: FieldFacts, path: string): RestConnector {
  const random = decide(model.seed, model.facts.name, type.name, field.name, 'connector');
  const isMutation = type.name === 'Mutation';
  const hasBody = random.chance(isMutation ? 0.8 : 0.4);
  const position = { model, connector: `${type.name}.${field.name}`, around: [type.name] };
  return {
    ...drawResponse(random),
    kind: isMutation ? 'mutation' : 'root field',
    path,
    type,
    field,
    method: hasBody ? random.pick(isMutation ? ['POST', 'PUT', 'PATCH', 'DELETE'] : ['POST', 'PUT']) : isMutation ? 'POST' : 'GET',
    inputs: drawInputs(argumentInputs(model, type, field), hasBody, random),
    value: drawValue(position, type, field, { isWhole: false, needed: field.provides }),
  };
}

interface LookUp {
  readonly type: TypeFacts;
  readonly field: FieldFacts;
  readonly key: SelectionSetNode;
}

function drawLookUp(model: SubgraphModel, { type, field, key }: LookUp, path: string): RestConnector {
  const random = decide(model.seed, model.facts.name, type.name, field.name, 'connector');
  const hasBody = random.chance(0.3);
  const position = { model, connector: `${type.name}.${field.name}`, around: [type.name] };
  return {
    ...drawResponse(random),
    kind: 'entity: true',
    path,
    type,
    field,
    key,
    method: hasBody ? 'POST' : 'GET',
    inputs: drawInputs(argumentInputs(model, type, field), hasBody, random),
    value: drawValue(position, type, field, { isWhole: true }),
  };
}

interface DrawnEntity {
  readonly type: TypeFacts;
  readonly key: SelectionSetNode;
  /** Whether the connector resolves all fields that have no connector. */
  readonly isFirst: boolean;
}

function drawEntity(model: SubgraphModel, { type, key, isFirst }: DrawnEntity, path: string): RestConnector {
  const coordinate = `${type.name} ${writeFieldSet(key)}`;
  const random = decide(model.seed, model.facts.name, coordinate, 'connector');
  const isBatch = random.chance(0.5);
  const [first = key] = model.resolvableKeys(type.name);
  const isWhole = isFirst || random.chance(0.6);
  const needed = isBatch ? { ...key, selections: [...key.selections, ...first.selections] } : first;
  const position = { model, connector: coordinate, around: [type.name] };
  const common = {
    ...drawResponse(random),
    path,
    type,
    key,
    value: { kind: 'object', object: drawObject(position, type, { isWhole, needed }) } as const,
  };
  if (!isBatch) {
    const inputs = keyInputs(model, type, key, { variable: '$this' });
    const hasBody = random.chance(0.3);
    return { ...common, kind: '$this', method: hasBody ? 'POST' : 'GET', inputs: drawInputs(inputs, hasBody, random) };
  }
  const leaves = keyInputs(model, type, key, { variable: '$batch' });
  const [only] = leaves;
  const isPlain = leaves.length === 1 && only !== undefined && !isListKey(model, type, key) && random.chance(0.6);
  const hasBody = !isPlain || random.chance(0.6);
  const name = isPlain ? 'ids' : 'objects';
  return {
    ...common,
    kind: '$batch',
    method: hasBody ? 'POST' : 'GET',
    inputs: drawInputs(
      [isPlain ? { name, expression: only.expression, type: LIST } : { name, expression: '$batch', selection: key, type: LIST }],
      hasBody,
      random,
    ),
    batch: { maxSize: random.pick([0, 1, 2, 3]), isPlain, name },
  };
}

/** Whether the path of a key leads through a list. */
function isListKey(model: SubgraphModel, type: TypeFacts, { selections }: SelectionSetNode): boolean {
  return selections.some((selection) => {
    if (selection.kind !== Kind.FIELD) return false;
    const field = type.fields.get(selection.name.value);
    if (field === undefined) return false;
    const inside = model.typeOf(namedIn(field.type));
    const isList = field.type.kind === Kind.NON_NULL_TYPE ? field.type.type.kind === Kind.LIST_TYPE : field.type.kind === Kind.LIST_TYPE;
    return isList || (inside !== undefined && selection.selectionSet !== undefined && isListKey(model, inside, selection.selectionSet));
  });
}

interface KeySource {
  /** Expression of the object that has the key. */
  readonly variable: string;
  /** Start of the names. @defaultValue empty */
  readonly around?: string;
}

/** Lists the leaves of a key. Names are paths. */
function keyInputs(model: SubgraphModel, type: TypeFacts, { selections }: SelectionSetNode, from: KeySource): readonly RestInput[] {
  const { variable, around = '' } = from;
  return selections.flatMap((selection): readonly RestInput[] => {
    if (selection.kind !== Kind.FIELD) return [];
    const name = selection.name.value;
    const field = type.fields.get(name);
    if (field === undefined) return [];
    const expression = `${variable}.${name}`;
    const path = `${around}${name}`;
    const inside = model.typeOf(namedIn(field.type));
    if (inside === undefined || selection.selectionSet === undefined) return [{ name: path, expression, type: field.type }];
    const leaves = keyInputs(model, inside, selection.selectionSet, { variable: expression, around: `${path}.` });
    const isList = isListKey(model, type, { kind: Kind.SELECTION_SET, selections: [selection] });
    // A list has no text.
    return isList ? leaves.map((leaf) => Object.assign({}, leaf, { type: { kind: Kind.LIST_TYPE, type: leaf.type } as const })) : leaves;
  });
}

function drawField(model: SubgraphModel, type: TypeFacts, field: FieldFacts, path: string): RestConnector {
  const random = decide(model.seed, model.facts.name, type.name, field.name, 'connector');
  const key = random.pick(model.resolvableKeys(type.name));
  const requires = field.requires?.selections ?? [];
  const required = requires.flatMap((selection): readonly RestInput[] => {
    const declared = selection.kind === Kind.FIELD ? type.fields.get(selection.name.value) : undefined;
    if (selection.kind !== Kind.FIELD || declared === undefined) return [];
    const name = selection.name.value;
    return [{ name: `required ${name}`, expression: `$this.${name}`, selection: selection.selectionSet, type: declared.type }];
  });
  const hasBody = required.some(({ selection }) => selection !== undefined) || random.chance(0.4);
  const inputs = [
    ...keyInputs(model, type, key, { variable: '$this' }).map((input) => Object.assign({}, input, { name: `key ${input.name}` })),
    ...required,
  ];
  const position = { model, connector: `${type.name}.${field.name}`, around: [type.name] };
  return {
    ...drawResponse(random),
    kind: needsConnector(field) && field.requires !== undefined ? 'field with @requires' : 'field',
    path,
    type,
    field,
    key,
    method: hasBody ? random.pick(['POST', 'POST', 'PUT']) : 'GET',
    inputs: drawInputs([...inputs, ...argumentInputs(model, type, field)], hasBody, random),
    value: drawValue(position, type, field, { isWhole: false, needed: field.provides }),
  };
}
