import type { LeafFormat, RestField, RestObject, RestValue } from './rest-value.ts';

/**
 * Writes the selection of a connector.
 *
 * @param envelope properties of the response that lead to the value
 */
export function writeSelection(value: RestValue, envelope: readonly string[]): string {
  const path = writePath(envelope, '');
  if (value.kind === 'leaf') return writeLeaf(path === '' ? '$' : path, value.format, value.lists);
  const fields = value.kind === 'object' ? writeFields(value.object, '') : writeVariants(value);
  return path === '' ? fields : `${path} { ${fields} }`;
}

function writeFields({ fields }: RestObject, prefix: string): string {
  return fields.map((field) => writeField(field, prefix)).join('\n');
}

function writeField({ facts: { name }, path, isFlat, value }: RestField, prefix: string): string {
  if (isFlat && value.kind === 'object') return `${name}: { ${writeFields(value.object, `${prefix}${path[0] ?? ''}`)} }`;
  const text = writePath(path, prefix);
  if (value.kind !== 'leaf') {
    const inside = value.kind === 'object' ? writeFields(value.object, '') : writeVariants(value);
    return `${text === `$.${name}` ? name : `${name}: ${text}`} { ${inside} }`;
  }
  const leaf = writeLeaf(text, value.format, value.lists);
  return leaf === `$.${name}` ? name : `${name}: ${leaf}`;
}

/** The fields of each type are in the literal of its case. */
function writeVariants({ tag, members }: Extract<RestValue, { kind: 'abstract' }>): string {
  const cases = members.map(({ value, object }) => {
    const fields = object.fields.map((field) => writeNamed(field)).join(', ');
    return `["${value}", { __typename: "${object.type}"${fields === '' ? '' : `, ${fields}`} }]`;
  });
  return `... ${writePath([tag], '')}->match(${cases.join(', ')})`;
}

function writeNamed(field: RestField): string {
  const text = writeField(field, '');
  const { name } = field.facts;
  return text.startsWith(`${name}:`) ? text : `${name}: ${text}`;
}

/** Writes the path of properties. The first one has a prefix. */
function writePath([first, ...others]: readonly string[], prefix: string): string {
  if (first === undefined) return '';
  return ['$', ...[`${prefix}${first}`, ...others].map((name) => (/^\w+$/.test(name) ? name : `"${name}"`))].join('.');
}

function writeLeaf(path: string, format: LeafFormat, lists: number): string {
  const conversion = conversionOf(format);
  if (conversion === '') return path;
  return lists === 0 ? `${path}${conversion}` : `${path}?->map(${writeItem(conversion, lists - 1)})`;
}

function writeItem(conversion: string, lists: number): string {
  return lists === 0 ? `@${conversion}` : `@?->map(${writeItem(conversion, lists - 1)})`;
}

function conversionOf(format: LeafFormat): string {
  switch (format.kind) {
    case 'same':
      return '';
    case 'renamed':
      break;
    case 'json text':
      return '->jsonParse';
    case 'digits':
      return '->parseInt';
  }
  return `->match(${format.values.map(([schema, json]) => `["${json}", ${JSON.stringify(schema)}]`).join(', ')}, [@, @])`;
}
