import type { FieldDefinitionNode, InputValueDefinitionNode, TypeNode } from 'graphql';
import { namedTypeOf } from '../../directives/named-type-of.ts';
import { nearestKey } from '../../platform/nearest-key.ts';
import type { ReportProblem } from '../definition/report-problem.ts';
import type { PositionedMapping } from './connector-mappings.ts';
import { KNOWN_VARIABLES } from './connector-variables.ts';
import { type MappingUse, type ReadTree, mappingUsesOf } from './mapping-uses.ts';
import { isComposite, type SchemaType, type SchemaTypes } from './schema-types.ts';

/** Types of the variables of a connector in the schema. */
export interface ReadableTypes {
  readonly schema: SchemaTypes;
  /** Type of `$this`, and of the items of `$batch`. */
  readonly parent?: SchemaType;
  /** Field whose arguments `$args` has. */
  readonly field?: FieldDefinitionNode;
}

/** Checks that a mapping reads only variables that exist at its position, and only properties that they have. */
export function checkReads(positioned: PositionedMapping, variables: readonly string[], types: ReadableTypes, report: ReportProblem): void {
  const { mapping, text, start, where, code, position } = positioned;
  const uses = mappingUsesOf(mapping);
  if (position !== 'selection' && position !== 'response' && position !== 'source-response') {
    for (const input of uses.inputs) {
      const message = `${where}: a request has no input, so \`${input.text}\` must begin with one of ${variables.join(', ')}.`;
      report(code, message, { text, offset: start + input.offset });
    }
  }
  for (const use of uses.variables) {
    const issue = issueOfVariable(use, variables, types);
    if (issue === undefined) checkProperties(use, positioned, types, report);
    else report(code, `${where}: ${issue}`, { text, offset: start + use.offset });
  }
}

function issueOfVariable({ variable }: MappingUse, allowed: readonly string[], { field }: ReadableTypes): string | undefined {
  if (allowed.includes(variable)) return undefined;
  if (variable === '$batch' && field !== undefined) return '`$batch` is available only if the directive is on a type.';
  if (KNOWN_VARIABLES.has(variable)) return `\`${variable}\` is not available here. Use one of ${allowed.join(', ')}.`;
  const near = nearestKey(variable, allowed);
  return `there is no variable \`${variable}\`. ${near === undefined ? `Use one of ${allowed.join(', ')}.` : `Did you mean \`${near}\`?`}`;
}

function checkProperties(use: MappingUse, positioned: PositionedMapping, types: ReadableTypes, report: ReportProblem): void {
  const { text, start, where, code } = positioned;
  const check = createPropertyCheck(types.schema, (message, offset) =>
    report(code, `${where}: ${message}`, { text, offset: start + offset }),
  );
  if (use.variable === '$args') check.ofArguments(use.reads, types.field?.arguments ?? []);
  else if ((use.variable === '$this' || use.variable === '$batch') && types.parent !== undefined) {
    check.ofFields(use.reads, types.parent, use.variable);
  } else if (use.variable === '$request' || use.variable === '$response') check.ofNames(use.reads, ['headers'], use.variable);
  else if (use.variable === '$status') check.ofNames(use.reads, [], '$status');
  else if (use.variable === '$env') {
    for (const [name, { below }] of use.reads) check.ofNames(below, [], `$env.${name}`);
  }
}

/** Checks of properties against the schema. */
interface PropertyCheck {
  ofArguments(reads: ReadTree, known: readonly InputValueDefinitionNode[]): void;
  ofFields(reads: ReadTree, type: SchemaType, path: string): void;
  ofNames(reads: ReadTree, known: readonly string[], path: string): void;
}

function createPropertyCheck(schema: SchemaTypes, report: (message: string, offset: number) => void): PropertyCheck {
  const missing = (name: string, offset: number, owner: string, known: Iterable<string>): void => {
    const names = [...known];
    const near = nearestKey(name, names);
    const list = names.length === 0 ? `\`${owner}\` has no fields.` : `It has ${names.join(', ')}.`;
    report(`\`${owner}\` has no field \`${name}\`. ${near === undefined ? list : `Did you mean \`${near}\`?`}`, offset);
  };
  const below = (reads: ReadTree, typeNode: TypeNode, path: string): void => {
    const type = schema.get(namedTypeOf(typeNode));
    if (type === undefined || reads.size === 0) return;
    if (type.kind === 'input') inputs(reads, type.inputFields, path);
    else if (isComposite(type)) check.ofFields(reads, type, path);
    else if (type.kind === 'enum' || isBuiltIn(type)) check.ofNames(reads, [], path);
  };
  const inputs = (reads: ReadTree, known: ReadonlyMap<string, InputValueDefinitionNode>, path: string): void => {
    for (const [name, { offset, below: reading }] of reads) {
      const field = known.get(name);
      if (field === undefined) missing(name, offset, path, known.keys());
      else below(reading, field.type, `${path}.${name}`);
    }
  };
  const check: PropertyCheck = {
    ofArguments: (reads, known) => inputs(reads, new Map(known.map((argument) => [argument.name.value, argument])), '$args'),
    ofFields: (reads, type, path) => {
      for (const [name, { offset, below: reading }] of reads) {
        const field = type.fields.get(name);
        if (field !== undefined) below(reading, field.type, `${path}.${name}`);
        else if (name !== '__typename') missing(name, offset, path, type.fields.keys());
      }
    },
    ofNames: (reads, known, path) => {
      for (const [name, { offset }] of reads) if (!known.includes(name)) missing(name, offset, path, known);
    },
  };
  return check;
}

function isBuiltIn({ name }: SchemaType): boolean {
  return ['ID', 'String', 'Int', 'Float', 'Boolean'].includes(name);
}
