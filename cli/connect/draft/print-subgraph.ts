import {
  type DraftedArgument,
  type DraftedConnector,
  type DraftedEnum,
  type DraftedField,
  type DraftedHeader,
  type DraftedObject,
  type DraftedSource,
  type DraftedSubgraph,
  type FieldType,
  typeText,
} from './drafted-subgraph.ts';
import { type Omission, oneLine } from './omission-log.ts';
import { printSelection } from './print-selection.ts';

/** Maximum length of a line that is not broken. @unit characters */
const MAX_LINE = 100;
/** Maximum length of a description. @unit characters */
const MAX_DESCRIPTION = 1_000;

const SCALARS: Readonly<Record<string, string>> = {
  JSON: 'A value of any type: an object, a list, a text, a number, a boolean or null.',
  DateTime: 'A date with a time (RFC 3339): `2026-01-31T12:00:00Z`.',
  Date: 'A date (RFC 3339): `2026-01-31`.',
  Time: 'A time (RFC 3339): `12:00:00Z`.',
  UUID: 'A universally unique identifier (RFC 9562).',
  BigInt: 'An integer that can have more than 32 bits.',
};

/** Writes the SDL of a draft, with the omissions as comments at its end. */
export function printSubgraph({ source, queries, mutations, preface }: DraftedSubgraph, omissions: readonly Omission[]): string {
  const used = typesOf([...queries, ...mutations]);
  const hasKeys = [...used.objects].some(({ key }) => key !== undefined);
  const sections = [
    comment([...preface, 'Check names, nullability and keys, then compose it with `gatefold compose`.']),
    [...printLinks(hasKeys), ...printSource(source)],
    ...(queries.length > 0 ? [printRoot('Query', queries, source)] : []),
    ...(mutations.length > 0 ? [printRoot('Mutation', mutations, source)] : []),
    ...[...used.objects].map((object) => printObject(object, source)),
    ...[...used.inputs].map(printInput),
    ...[...used.enums].map(printEnum),
    ...[...used.scalars].toSorted().map((name) => description(SCALARS[name], '').concat(`scalar ${name}`)),
    ...(omissions.length > 0
      ? [comment(['Left out or simplified:', ...omissions.map(({ location, reason }) => `- ${location}: ${reason}`)])]
      : []),
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

interface UsedTypes {
  readonly objects: ReadonlySet<DraftedObject>;
  readonly inputs: ReadonlySet<DraftedObject>;
  readonly enums: ReadonlySet<DraftedEnum>;
  readonly scalars: ReadonlySet<string>;
}

/** Finds the types that root fields use, directly or through other types. */
function typesOf(roots: readonly DraftedField[]): UsedTypes {
  const objects = new Set<DraftedObject>();
  const inputs = new Set<DraftedObject>();
  const enums = new Set<DraftedEnum>();
  const scalars = new Set<string>();
  const visit = ({ name, object, enumeration }: FieldType, found: Set<DraftedObject>): void => {
    if (enumeration !== undefined) enums.add(enumeration);
    if (Object.hasOwn(SCALARS, name) && object === undefined && enumeration === undefined) scalars.add(name);
    if (object === undefined || found.has(object)) return;
    found.add(object);
    for (const field of object.fields) visitField(field, found);
  };
  const visitField = (field: DraftedField, found: Set<DraftedObject>): void => {
    visit(field.type, found);
    for (const { type } of field.arguments) visit(type, inputs);
  };
  for (const field of roots) visitField(field, objects);
  return { objects, inputs, enums, scalars };
}

function comment(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `# ${line}`);
}

function printLinks(hasKeys: boolean): readonly string[] {
  return [
    'extend schema',
    `  @link(url: "https://specs.apollo.dev/federation/v2.12"${hasKeys ? ', import: ["@key"]' : ''})`,
    '  @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect", "@source"])',
  ];
}

function printSource({ name, baseUrl, headers, queryParams, comments }: DraftedSource): readonly string[] {
  return [
    ...comments.map((text) => `  # ${text}`),
    '  @source(',
    `    name: ${JSON.stringify(name)}`,
    '    http: {',
    `      baseURL: ${JSON.stringify(baseUrl)}`,
    ...printHeaders(headers, '      '),
    ...printMapping('queryParams', queryParams, '      '),
    '    }',
    '  )',
  ];
}

function printHeaders(headers: readonly DraftedHeader[], indent: string): readonly string[] {
  if (headers.length === 0) return [];
  const lines = headers.map(({ name, value }) => `${indent}  { name: ${JSON.stringify(name)}, value: ${JSON.stringify(value)} }`);
  return [`${indent}headers: [`, ...lines, `${indent}]`];
}

/** Writes an argument with a mapping: in one line if it has one. */
function printMapping(name: string, text: string | undefined, indent: string): readonly string[] {
  if (text === undefined) return [];
  const lines = text.split('\n');
  if (lines.length === 1 && !text.includes('"')) return [`${indent}${name}: ${JSON.stringify(text)}`];
  return [`${indent}${name}: """`, ...lines.map((line) => `${indent}${line}`), `${indent}"""`];
}

function printRoot(name: string, fields: readonly DraftedField[], source: DraftedSource): readonly string[] {
  return [`type ${name} {`, ...separate(fields.map((field) => printField(field, source))), '}'];
}

function printObject({ name, description: text, fields, key, connector }: DraftedObject, source: DraftedSource): readonly string[] {
  const type = `type ${name}${key === undefined ? '' : ` @key(fields: "${key.name}")`}`;
  const body = fields.map((field) => printField(field, source));
  const inside = separate(body);
  if (connector === undefined) return [...description(text, ''), `${type} {`, ...inside, '}'];
  return [...description(text, ''), type, ...printConnector(connector, source, '  '), '{', ...inside, '}'];
}

/** Separates fields of several lines by empty lines. */
function separate(fields: readonly (readonly string[])[]): readonly string[] {
  return fields.flatMap((lines, index) => {
    const before = fields[index - 1]?.length ?? 1;
    return index === 0 || Math.max(before, lines.length) < 3 ? lines : ['', ...lines];
  });
}

function printField(
  { name, type, description: text, isDeprecated, arguments: args, connector }: DraftedField,
  source: DraftedSource,
): string[] {
  const deprecated = isDeprecated ? ' @deprecated' : '';
  return [
    ...description(text, '  '),
    ...printSignature(name, args, `: ${typeText(type)}${deprecated}`),
    ...(connector === undefined ? [] : printConnector(connector, source, '    ')),
  ];
}

function printSignature(name: string, args: readonly DraftedArgument[], type: string): readonly string[] {
  const texts = args.map((argument) => `${argument.name}: ${typeText(argument.type)}${fallbackText(argument.fallback)}`);
  const line = `  ${name}${args.length === 0 ? '' : `(${texts.join(', ')})`}${type}`;
  if (line.length <= MAX_LINE && args.every((argument) => argument.description === undefined)) return [line];
  const lines = args.flatMap((argument, index) => [...description(argument.description, '    '), `    ${texts[index] ?? ''}`]);
  return [`  ${name}(`, ...lines, `  )${type}`];
}

function fallbackText(fallback: string | undefined): string {
  return fallback === undefined ? '' : ` = ${fallback}`;
}

function printConnector(connector: DraftedConnector, { name }: DraftedSource, indent: string): readonly string[] {
  const inner = `${indent}  `;
  return [
    `${indent}@connect(`,
    `${inner}source: ${JSON.stringify(name)}`,
    ...printHttp(connector, inner),
    ...(connector.batchMaxSize === undefined ? [] : [`${inner}batch: { maxSize: ${connector.batchMaxSize} }`]),
    ...printMapping('selection', printSelection(connector).join('\n'), inner),
    ...(connector.isEntity ? [`${inner}entity: true`] : []),
    `${indent})`,
  ];
}

function printHttp({ method, url, queryParams, headers, body }: DraftedConnector, indent: string): readonly string[] {
  const inner = `${indent}  `;
  const lines = [
    `${inner}${method}: ${JSON.stringify(url)}`,
    ...printMapping('queryParams', queryParams, inner),
    ...printHeaders(headers, inner),
    ...printMapping('body', body, inner),
  ];
  const isShort = lines.length <= 2 && lines.join(' ').length <= MAX_LINE && !lines.some((line) => line.includes('"""'));
  if (isShort) return [`${indent}http: { ${lines.map((line) => line.trim()).join(', ')} }`];
  return [`${indent}http: {`, ...lines, `${indent}}`];
}

function printInput({ name, description: text, fields }: DraftedObject): readonly string[] {
  const lines = fields.flatMap((field) => [
    ...description(field.description, '  '),
    `  ${field.name}: ${typeText(field.type)}${fallbackText(field.fallback)}${field.isDeprecated ? ' @deprecated' : ''}`,
  ]);
  return [...description(text, ''), `input ${name} {`, ...lines, '}'];
}

function printEnum({ name, description: text, values }: DraftedEnum): readonly string[] {
  return [...description(text, ''), `enum ${name} {`, ...values.map((value) => `  ${value.name}`), '}'];
}

/** Writes a description: one line in quotes, or a block. Characters that GraphQL does not allow are removed. */
function description(text: string | undefined, indent: string): readonly string[] {
  const plain = (text ?? '')
    .replaceAll(/\p{Cs}/gu, '')
    .replaceAll(/\r\n?|\u2028|\u2029/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .trim();
  if (plain === '') return [];
  const short =
    plain.length > MAX_DESCRIPTION
      ? `${plain
          .slice(0, MAX_DESCRIPTION)
          .replace(/\p{Cs}$/u, '')
          .trimEnd()}…`
      : plain;
  const lines = short.split('\n').map((line) => line.trimEnd());
  if (lines.length === 1 && indent.length + short.length <= MAX_LINE) return [`${indent}${JSON.stringify(oneLine(short))}`];
  const escaped = lines.map((line) => (line === '' ? '' : `${indent}${line.replaceAll('"""', '\\"""')}`));
  return [`${indent}"""`, ...escaped, `${indent}"""`];
}
