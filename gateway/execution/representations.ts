import type { Schema } from '@apollo/federation-internals';
import type { FetchDataRewrite, QueryPlanFieldNode, QueryPlanSelectionNode } from '@apollo/query-planner';
import { selectRepresentation } from './select-representation.ts';
import { FieldFailure, findFailure } from './field-failure.ts';
import { type DataKey, type DataObject, isDataObject, readKey, toDataKey } from './own-properties.ts';
import { printFreeForm } from './print-free-form.ts';
import { printText } from './print-text.ts';
import { compileRewrites } from './rewrites.ts';
import { typesMatching } from './type-matching.ts';

/**
 * What a subgraph is asked about an entity with, as JSON text; `undefined` when something that it requires is missing.
 *
 * @throws RangeError when something in it is nested too deeply
 */
export type RepresentationPrinter = (entity: DataObject) => string | undefined;

/** How the representations of one fetch are made. */
export interface RepresentationRules {
  readonly schema: Schema;
  readonly requires: readonly QueryPlanSelectionNode[];
  readonly inputRewrites: readonly FetchDataRewrite[] | undefined;
  /**
   * Response keys that a condition can leave out. What is not there of them is not sent: the planner asks for what a field
   * requires under the condition of that field, and for others of the same fetch that need it not.
   */
  readonly conditionalKeys: ReadonlySet<string>;
}

/** One field of a representation: where it comes from and how it is written. */
interface RepresentationField {
  readonly key: DataKey;
  readonly opening: string;
  readonly isOptional: boolean;
  /** The text instead of a value: set by the planner. */
  readonly constant?: string;
  readonly fields?: readonly RepresentationField[];
  /** What `fields` were compiled from. */
  readonly selections?: readonly QueryPlanSelectionNode[];
}

/**
 * Compiles the printer of a fetch's representations: the `requires` selection read from an entity of the response, and
 * written as JSON text at once. The text is also what tells equal representations.
 */
export function compileRepresentations(rules: RepresentationRules): RepresentationPrinter {
  const printers = new Map<string, RepresentationPrinter>();
  return (entity) => {
    const typename = entity['__typename'];
    if (typeof typename !== 'string') return undefined;
    let printer = printers.get(typename);
    if (printer === undefined) {
      printer = compileForType(rules, typename);
      // Names that no schema knows are not kept: a subgraph could send any number of them.
      if (rules.schema.type(typename) !== undefined) printers.set(typename, printer);
    }
    return printer(entity);
  };
}

function compileForType(rules: RepresentationRules, typename: string): RepresentationPrinter {
  const { schema, requires, inputRewrites = [], conditionalKeys } = rules;
  const applying = requires.filter(
    (node) =>
      node.kind === 'InlineFragment' && (node.typeCondition === undefined || typesMatching(schema, node.typeCondition).has(typename)),
  );
  if (applying.length === 0) return () => undefined;
  const [only] = applying;
  const relevant = inputRewrites.flatMap((rewrite) => relevantPart(schema, rewrite, typename));
  const isPlain = applying.length === 1 && only?.kind === 'InlineFragment' && hasFieldsOnly(only.selections);
  if (!isPlain || relevant.some(({ path }) => path.length > 1)) {
    const applyRewrites = compileRewrites(schema, inputRewrites);
    return (entity) => {
      const representation = selectRepresentation({ schema, conditionalKeys }, entity, requires);
      if (representation?.['__typename'] === undefined || Object.keys(representation).length < 2) return undefined;
      applyRewrites?.(representation);
      return printFreeForm(representation);
    };
  }
  const fields = compileFields(only.selections as readonly QueryPlanFieldNode[], relevant, conditionalKeys);
  const told = fields.filter(({ key }) => key.name !== '__typename');
  const isNeverEmpty = told.some(({ isOptional }) => !isOptional);
  return (entity) => {
    if (!isNeverEmpty && told.every(({ key }) => readKey(entity, key) === undefined)) return undefined;
    return printObject(entity, fields);
  };
}

/** A rewrite without the type condition that it begins with, when it is for this type. */
function relevantPart(schema: Schema, rewrite: FetchDataRewrite, typename: string): readonly FetchDataRewrite[] {
  const [first = ''] = rewrite.path;
  const condition = /^\.\.\. on (.*)$/.exec(first)?.[1];
  if (condition === undefined) return [rewrite];
  return typesMatching(schema, condition).has(typename) ? relevantPart(schema, { ...rewrite, path: rewrite.path.slice(1) }, typename) : [];
}

function hasFieldsOnly(selections: readonly QueryPlanSelectionNode[]): boolean {
  return selections.every((node) => node.kind === 'Field' && hasFieldsOnly(node.selections ?? []));
}

function compileFields(
  nodes: readonly QueryPlanFieldNode[],
  rewrites: readonly FetchDataRewrite[],
  conditionalKeys: ReadonlySet<string>,
): readonly RepresentationField[] {
  return nodes.map((node): RepresentationField => {
    const key = node.alias ?? node.name;
    const rewrite = rewrites.find(({ path }) => path[0] === key);
    const name = rewrite?.kind === 'KeyRenamer' ? rewrite.renameKeyTo : key;
    return {
      key: toDataKey(key),
      opening: `${JSON.stringify(name)}:`,
      isOptional: conditionalKeys.has(key),
      ...(rewrite?.kind === 'ValueSetter' && { constant: JSON.stringify(rewrite.setValueTo) }),
      ...(node.selections !== undefined && {
        fields: compileFields(node.selections as readonly QueryPlanFieldNode[], [], conditionalKeys),
        selections: node.selections,
      }),
    };
  });
}

function printObject(object: DataObject, fields: readonly RepresentationField[]): string | undefined {
  let text = '';
  for (const field of fields) {
    const value = readKey(object, field.key);
    if (value === undefined && field.isOptional) continue;
    const printed = field.constant ?? printValue(value, field);
    if (printed === undefined) return undefined;
    text += (text === '' ? '{' : ',') + field.opening + printed;
  }
  return text === '' ? '{}' : `${text}}`;
}

function printValue(value: unknown, field: RepresentationField): string | undefined {
  if (typeof value === 'string') return printText(value);
  if (value === null) return 'null';
  if (value === undefined || value instanceof FieldFailure) return undefined;
  const { fields, selections = [] } = field;
  if (fields === undefined || typeof value !== 'object') return printFreeForm(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => printValue(item, field));
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
  }
  if (!isDataObject(value)) return undefined;
  // An object that lacks something required is sent as null, and the subgraph decides what it can do without it; but
  // nobody is asked to work with what could not be fetched.
  return printObject(value, fields) ?? (findFailure(value, selections) === undefined ? 'null' : undefined);
}
