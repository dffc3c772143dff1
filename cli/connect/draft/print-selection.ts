import type { DraftedConnector, DraftedEnum, DraftedField, DraftedObject, FieldType } from './drafted-subgraph.ts';

/** Writes the `selection` of a connector: one line for each field. */
export function printSelection({ object, path, selection, without }: DraftedConnector): readonly string[] {
  if (object === undefined) return [selection ?? '$'];
  if (path === '') return printFields(object, '', without);
  return [`${path} {`, ...printFields(object, '  ', without), '}'];
}

function printFields({ fields }: DraftedObject, indent: string, without?: ReadonlySet<DraftedField>): readonly string[] {
  return fields.flatMap((field) => {
    if (field.connector !== undefined || without?.has(field) === true) return [];
    const { object } = field.type;
    const text = indent + aliased(field.name, field.jsonName, mapEnum(field.type, 'toGraphql'));
    return object === undefined ? [text] : [`${text} {`, ...printFields(object, `${indent}  `), `${indent}}`];
  });
}

/** Writes a key with its alias, if they differ: `firstName: "first-name"`. */
function aliased(name: string, source: string, method: string): string {
  if (name === source && method === '' && quoted(source) === source) return source;
  return `${quoted(name)}: ${quoted(source)}${method}`;
}

/** Returns a key as it is, or as a string literal if it is not an identifier of the mapping language. */
export function quoted(name: string): string {
  if (/^[_A-Za-z][_0-9A-Za-z]*$/.test(name) && !['true', 'false', 'null'].includes(name)) return name;
  return stringLiteral(name);
}

/** Writes a text as a literal of the mapping language. It must not contain backslashes, or both kinds of quotes. */
function stringLiteral(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** Writes the method that converts values of an enum whose JSON values are not names of GraphQL. Empty if there are none. */
function mapEnum({ enumeration, levels }: FieldType, direction: 'toGraphql' | 'toJson'): string {
  const cases = enumeration === undefined ? [] : renamedValues(enumeration, direction);
  if (cases.length === 0) return '';
  const match = `->match(${[...cases, '[@, @]'].join(', ')})`;
  return levels.slice(1).reduce((inner) => `->map(@${inner})`, match);
}

function renamedValues({ values }: DraftedEnum, direction: 'toGraphql' | 'toJson'): readonly string[] {
  return values.flatMap(({ name, jsonValue }) => {
    if (name === jsonValue) return [];
    const pair = direction === 'toGraphql' ? [jsonValue, name] : [name, jsonValue];
    return [`[${pair.map(stringLiteral).join(', ')}]`];
  });
}

/** Writes the selection of a value that is not an object: a scalar, or a list of scalars. */
export function printValue(path: string, type: FieldType): string {
  return `${path === '' ? '$' : path}${mapEnum(type, 'toGraphql')}`;
}

/** Writes an argument for a URL or a header. */
export function printArgument(name: string, type: FieldType): string {
  return `$args.${name}${mapEnum(type, 'toJson')}`;
}

/** Writes the mapping of an argument to a body. */
export function printBody(name: string, type: FieldType): string {
  const { object } = type;
  const value = printArgument(name, type);
  if (object === undefined || !needsMapping(object)) return value;
  return [`${value} {`, ...printInput(object, '  '), '}'].join('\n');
}

function printInput({ fields }: DraftedObject, indent: string): readonly string[] {
  return fields.flatMap(({ name, jsonName, type }) => {
    const text = indent + aliased(jsonName, name, mapEnum(type, 'toJson'));
    return type.object === undefined ? [text] : [`${text} {`, ...printInput(type.object, `${indent}  `), `${indent}}`];
  });
}

/** Whether an input object has names or enum values that differ from those of JSON. */
function needsMapping({ fields }: DraftedObject): boolean {
  return fields.some(({ name, jsonName, type }) => {
    if (name !== jsonName || mapEnum(type, 'toJson') !== '') return true;
    return type.object !== undefined && needsMapping(type.object);
  });
}

/** An argument that is sent as a query parameter. */
export interface QueryArgument {
  /** Name of the parameter. */
  readonly jsonName: string;
  /** Name of the argument. */
  readonly name: string;
  readonly type: FieldType;
  /** Whether each value of a list is a separate parameter. Otherwise they are separated by commas. */
  readonly isRepeated: boolean;
}

/** Writes the mapping of arguments to query parameters: `$args { limit, offset }`. */
export function printQueryParams(parameters: readonly QueryArgument[]): string | undefined {
  if (parameters.length === 0) return undefined;
  const lines = parameters.map(({ jsonName, name, type, isRepeated }) => {
    const join = type.levels.length > 1 && !isRepeated ? '->joinNotNull(",")' : '';
    return aliased(jsonName, name, `${mapEnum(type, 'toJson')}${join}`);
  });
  const line = `$args { ${lines.join(' ')} }`;
  return line.length <= 100 ? line : ['$args {', ...lines.map((text) => `  ${text}`), '}'].join('\n');
}
