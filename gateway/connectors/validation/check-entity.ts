import { type FieldDefinitionNode, Kind, print, type TypeNode } from 'graphql';
import { namedTypeOf } from '../../directives/named-type-of.ts';
import { nearestKey } from '../../platform/nearest-key.ts';
import type { LocatedConnector } from '../definition/located-connector.ts';
import type { ReportProblem } from '../definition/report-problem.ts';
import { targetOf } from './check-selection.ts';
import { readsInRequest, readsVariable } from './connector-keys.ts';
import type { ReadTree } from './mapping-uses.ts';
import { type Output, outputOf } from './output-fields.ts';
import { isComposite, isListType, type SchemaType, type SchemaTypes } from './schema-types.ts';

/** Checks the argument `entity`, and the keys that a connector reads. */
export function checkEntity(connector: LocatedConnector, schema: SchemaTypes, directive: string, report: ReportProblem): void {
  const { element, entity, node } = connector;
  if (element.field === undefined) {
    if (Object.values(schema.roots).includes(element.type)) {
      report('CONNECT_ON_ROOT', `\`${directive}\` cannot be on the root type \`${element.type}\`. Write it on the fields.`, node);
      return;
    }
    if (entity?.isEntity === false) {
      const message = `\`${directive}(entity: false)\` on \`${element.coordinate}\` is not possible: a connector on a type resolves entities.`;
      report('CONNECT_ON_TYPE_MUST_BE_ENTITY', message, entity.node);
    }
    checkTypeConnector(connector, schema, directive, report);
    return;
  }
  if (entity?.isEntity === true) checkEntityField(connector, schema, directive, report);
}

function checkTypeConnector(connector: LocatedConnector, schema: SchemaTypes, directive: string, report: ReportProblem): void {
  const { element, node } = connector;
  const batch = readsInRequest(connector, '$batch');
  if (batch !== undefined && readsVariable(connector, '$this')) {
    const message = `\`${directive}\` on \`${element.coordinate}\` reads \`$this\` and \`$batch\`. A connector reads one object or a batch.`;
    report('CONNECT_BATCH_AND_THIS', message, node);
    return;
  }
  const variable = batch === undefined ? '$this' : '$batch';
  const reads = batch ?? readsInRequest(connector, '$this');
  const type = schema.get(element.type);
  const issue = reads === undefined ? 'reads neither `$this` nor `$batch`' : issueOfKey(reads, type, variable, schema);
  if (issue !== undefined) {
    const message = `\`${directive}\` on \`${element.coordinate}\` ${issue}, so it has no key by which objects of the type are found.`;
    report('CONNECTORS_CANNOT_RESOLVE_KEY', message, node);
  }
  if (batch !== undefined && type !== undefined) checkBatchSelection(connector, existingReads(batch, type, schema), directive, report);
}

/** Explains why the properties are not a key: a key consists of fields that have no fields. Missing fields are reported elsewhere. */
function issueOfKey(reads: ReadTree, type: SchemaType | undefined, path: string, schema: SchemaTypes): string | undefined {
  if (reads.size === 0) return `reads \`${path}\` without a field`;
  for (const [name, { below }] of reads) {
    const field = type?.fields.get(name);
    const fieldType = field === undefined ? undefined : schema.get(namedTypeOf(field.type));
    if (fieldType === undefined || !isComposite(fieldType)) continue;
    const issue =
      below.size === 0 ? `reads the object \`${path}.${name}\` as a whole` : issueOfKey(below, fieldType, `${path}.${name}`, schema);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

/** Drops fields that the type does not have, which are reported at their position in the request. */
function existingReads(reads: ReadTree, type: SchemaType, schema: SchemaTypes): ReadTree {
  return new Map(
    [...reads].flatMap(([name, { offset, below }]) => {
      const field = type.fields.get(name);
      if (field === undefined) return [];
      const next = schema.get(namedTypeOf(field.type));
      return [[name, { offset, below: next === undefined ? below : existingReads(below, next, schema) }] as const];
    }),
  );
}

/** Checks that the response contains the fields of `$batch`, by which its objects are assigned to those of the batch. */
function checkBatchSelection(connector: LocatedConnector, batch: ReadTree, directive: string, report: ReportProblem): void {
  const { selection, element, node } = connector;
  if (selection === undefined) return;
  const where = `\`${directive}(selection:)\` on \`${element.coordinate}\``;
  const check = (reads: ReadTree, output: Output, path: string): void => {
    for (const [name, { below }] of reads) {
      const fields = output.kind === 'object' ? [...output.fields, ...output.variants.flatMap((variant) => variant.fields)] : [];
      const field = fields.find((one) => one.name === name);
      if (field === undefined) {
        const message = `${where} must select \`${path}${name}\`, because the request reads \`$batch.${path}${name}\`.`;
        report('CONNECTORS_BATCH_KEY_NOT_IN_SELECTION', message, { text: selection.text, offset: output.offset }, node);
      } else if (field.isFromVariable) {
        const message = `${where} must read \`${path}${name}\` from the response, because it identifies an object of the batch.`;
        report('CONNECTORS_NON_ROOT_BATCH_KEY', message, { text: selection.text, offset: field.offset }, node);
      } else check(below, field.value, `${path}${name}.`);
    }
  };
  check(batch, outputOf(selection.mapping), '');
}

function checkEntityField(connector: LocatedConnector, schema: SchemaTypes, directive: string, report: ReportProblem): void {
  const { element, entity, node } = connector;
  const at = entity?.node ?? node;
  const where = `\`${directive}(entity: true)\` on \`${element.coordinate}\``;
  if (element.type !== schema.roots.query) {
    report('ENTITY_NOT_ON_ROOT_QUERY', `${where} is not possible: only fields of \`${schema.roots.query}\` resolve entities.`, at);
    return;
  }
  const target = targetOf(connector, schema);
  if (target?.field === undefined) return;
  const { field, type } = target;
  if (!isComposite(type) || field.type.kind !== Kind.NAMED_TYPE) {
    const message = `${where} must return a nullable object that is not in a list, but returns \`${print(field.type)}\`.`;
    report('ENTITY_TYPE_INVALID', message, at, field.type);
    return;
  }
  if ((field.arguments ?? []).length === 0) {
    report('ENTITY_RESOLVER_ARGUMENT_MISMATCH', `${where} must have arguments, which are the key of the entity.`, at);
  }
  for (const { name, type: argumentType } of field.arguments ?? []) {
    checkKeyField(
      { name: name.value, inputType: argumentType, owner: `${element.coordinate}(${name.value}:)`, node: name },
      type,
      schema,
      report,
    );
  }
}

interface KeyInput {
  readonly name: string;
  readonly inputType: TypeNode;
  /** Coordinate of the argument or input field. */
  readonly owner: string;
  readonly node: FieldDefinitionNode['name'];
}

/** Checks that an argument matches the field of the entity with the same name. */
function checkKeyField({ name, inputType, owner, node }: KeyInput, type: SchemaType, schema: SchemaTypes, report: ReportProblem): void {
  const fields = type.fields.size > 0 ? type.fields : schema.get(type.possibleTypes[0] ?? '')?.fields;
  const field = fields?.get(name);
  if (field === undefined) {
    const near = nearestKey(name, fields?.keys() ?? []);
    const hint = near === undefined ? '' : ` Did you mean \`${near}\`?`;
    const message = `\`${owner}\` has no matching field \`${name}\` on \`${type.name}\`, but \`entity\` is true.${hint}`;
    report('ENTITY_RESOLVER_ARGUMENT_MISMATCH', message, node);
    return;
  }
  const input = schema.get(namedTypeOf(inputType));
  const output = schema.get(namedTypeOf(field.type));
  if (input?.kind === 'input' && output !== undefined && isComposite(output) && isListType(inputType) === isListType(field.type)) {
    for (const inputField of input.inputFields.values()) {
      const next = {
        name: inputField.name.value,
        inputType: inputField.type,
        owner: `${input.name}.${inputField.name.value}`,
        node: inputField.name,
      };
      checkKeyField(next, output, schema, report);
    }
    return;
  }
  if (withoutNonNull(inputType) === withoutNonNull(field.type)) return;
  const message = `\`${owner}\` has the type \`${print(inputType)}\`, but \`${type.name}.${name}\` has the type \`${print(field.type)}\`, and \`entity\` is true.`;
  report('ENTITY_RESOLVER_ARGUMENT_MISMATCH', message, node, field);
}

function withoutNonNull(type: TypeNode): string {
  return print(type).replaceAll('!', '');
}
