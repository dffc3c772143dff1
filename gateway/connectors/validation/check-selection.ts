import type { FieldDefinitionNode } from 'graphql';
import { namedTypeOf } from '../../directives/named-type-of.ts';
import { nearestKey } from '../../platform/nearest-key.ts';
import type { LocatedConnector } from '../definition/located-connector.ts';
import type { ReportProblem } from '../definition/report-problem.ts';
import { type Output, type WrittenField, outputOf, type Variant } from './output-fields.ts';
import { isComposite, isListType, type SchemaType, type SchemaTypes } from './schema-types.ts';

/** Types and fields that the checks of all selections of a subgraph share. */
export interface SelectionContext {
  readonly schema: SchemaTypes;
  /** Name of `@connect` in the subgraph, with its `@`. */
  readonly directive: string;
  /** Coordinates of the fields that have a connector. */
  readonly connected: ReadonlySet<string>;
  /** Coordinates of the fields that a selection resolves. The check adds to them. */
  readonly resolved: Set<string>;
  readonly report: ReportProblem;
}

interface Position {
  /** Types that contain this one, to find circular references. */
  readonly types: readonly string[];
  /** Coordinate, and the fields below it. */
  readonly path: string;
  /** Coordinate of the field that is checked. */
  readonly coordinate: string;
}

/** Checks that the selection of a connector matches the type that it resolves. */
export function checkSelection(connector: LocatedConnector, context: SelectionContext): void {
  const { element, selection } = connector;
  if (selection === undefined) return;
  const target = targetOf(connector, context.schema);
  if (target === undefined) return;
  const { type, field } = target;
  const check = new SelectionCheck(connector, context);
  const output = outputOf(selection.mapping);
  if (field !== undefined && isComposite(type) && type.name === element.type && check.reportDirectCircle(field)) return;
  const types = field === undefined ? [] : [element.type];
  check.checkValue(output, type, { types, path: element.coordinate, coordinate: element.coordinate }, field);
}

/** Returns the type that a connector resolves, or undefined for a type that the subgraph does not define. */
export function targetOf(
  { element }: LocatedConnector,
  schema: SchemaTypes,
): { readonly type: SchemaType; readonly field?: FieldDefinitionNode } | undefined {
  const parent = schema.get(element.type);
  if (element.field === undefined) return parent === undefined ? undefined : { type: parent };
  const field = parent?.fields.get(element.field);
  const type = field === undefined ? undefined : schema.get(namedTypeOf(field.type));
  return field === undefined || type === undefined ? undefined : { type, field };
}

class SelectionCheck {
  readonly #connector: LocatedConnector;
  readonly #context: SelectionContext;
  readonly #where: string;

  constructor(connector: LocatedConnector, context: SelectionContext) {
    this.#connector = connector;
    this.#context = context;
    this.#where = `\`${context.directive}(selection:)\` on \`${connector.element.coordinate}\``;
  }

  /** Reports a field that returns its own parent type. @returns whether it does */
  reportDirectCircle(field: FieldDefinitionNode): boolean {
    const { coordinate, type } = this.#connector.element;
    const printed = isListType(field.type) ? `[${type}]` : type;
    const message = `\`${coordinate}: ${printed}\` is a circular reference: a connector cannot return the type that it is on.`;
    this.#context.report('CIRCULAR_REFERENCE', message, field);
    return true;
  }

  checkValue(output: Output, type: SchemaType, position: Position, related: FieldDefinitionNode | undefined): void {
    const { coordinate } = position;
    const at = this.#at(output.offset);
    const nodes = related === undefined ? [] : [related];
    if (!isComposite(type)) {
      if (output.kind === 'value' || type.kind === 'input') return;
      const message = `${this.#where} selects a group {}, but \`${coordinate}\` has the type \`${type.name}\`, which has no fields.`;
      this.#context.report('GROUP_SELECTION_IS_NOT_OBJECT', message, at, ...nodes);
      return;
    }
    if (output.kind === 'value') {
      if (output.literal === null) return;
      const message = `\`${coordinate}\` is an object of the type \`${type.name}\`, so ${this.#where} must select its fields in a group {}.`;
      this.#context.report('GROUP_SELECTION_REQUIRED_FOR_OBJECT', message, at, ...nodes);
      return;
    }
    if (position.types.includes(type.name)) {
      const message = `${this.#where} is a circular reference: the type \`${type.name}\` is more than once in \`${position.path}\`.`;
      this.#context.report('CIRCULAR_REFERENCE', message, at, ...nodes);
      return;
    }
    const below = { ...position, types: [...position.types, type.name] };
    for (const field of output.fields) this.#checkField(field, type, below, 'every');
    for (const variant of output.variants) this.#checkVariant(variant, type, below);
  }

  #checkVariant({ typename, fields }: Variant, type: SchemaType, position: Position): void {
    const named = typename === undefined ? undefined : this.#context.schema.get(typename);
    if (typename !== undefined && (named === undefined || !type.possibleTypes.includes(typename))) {
      const field = fields.find(({ name }) => name === '__typename');
      const message = `${this.#where}: \`${typename}\` is not a possible type of \`${type.name}\`. It has ${type.possibleTypes.join(', ')}.`;
      this.#context.report('INVALID_SELECTION', message, this.#at(field?.offset ?? 0));
      return;
    }
    for (const field of fields) this.#checkField(field, named ?? type, position, named === undefined ? 'some' : 'every');
  }

  /** @param needed whether every possible type must have the field, or some of them */
  #checkField(selected: WrittenField, type: SchemaType, position: Position, needed: 'every' | 'some'): void {
    const { schema, resolved, report } = this.#context;
    const { name, offset, value } = selected;
    if (name === '__typename') return;
    const owners = type.fields.has(name) ? [type] : this.#membersWith(name, type, needed);
    const [owner] = owners;
    const field = owner?.fields.get(name);
    if (owner === undefined || field === undefined) return this.#reportMissing(name, offset, type);
    const coordinate = `${owner.name}.${name}`;
    for (const one of type.possibleTypes) resolved.add(`${one}.${name}`);
    resolved.add(coordinate);
    if ((field.arguments ?? []).length > 0 && !this.#context.connected.has(coordinate)) {
      const message = `${this.#where} selects \`${coordinate}\`, which has arguments. Only fields with a connector can have arguments.`;
      report('CONNECTORS_FIELD_WITH_ARGUMENTS', message, this.#at(offset), field);
      return;
    }
    const fieldType = schema.get(namedTypeOf(field.type));
    if (fieldType !== undefined) {
      this.checkValue(value, fieldType, { types: position.types, path: `${position.path}.${name}`, coordinate }, field);
    }
  }

  /** Returns the possible types of an abstract type that have a field which the abstract type itself does not define. */
  #membersWith(name: string, type: SchemaType, needed: 'every' | 'some'): readonly SchemaType[] {
    if (type.kind !== 'union' && type.kind !== 'interface') return [];
    const members = type.possibleTypes.flatMap((member) => this.#context.schema.get(member) ?? []);
    const owners = members.filter(({ fields }) => fields.has(name));
    return needed === 'every' && owners.length < members.length ? [] : owners;
  }

  #reportMissing(name: string, offset: number, type: SchemaType): void {
    const near = nearestKey(name, type.fields.keys());
    const hint = near === undefined ? '' : ` Did you mean \`${near}\`?`;
    const message = `${this.#where} selects \`${name}\`, which does not exist on \`${type.name}\`.${hint}`;
    this.#context.report('SELECTED_FIELD_NOT_FOUND', message, this.#at(offset));
  }

  #at(offset: number) {
    const { selection, node } = this.#connector;
    return selection === undefined ? node : { text: selection.text, offset };
  }
}
