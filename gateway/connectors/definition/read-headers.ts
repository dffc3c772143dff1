import { type ConstValueNode, Kind, type StringValueNode } from 'graphql';
import { hasControlCharacters, issueOfHeaderName } from '../template/header-names.ts';
import { parseTemplate } from '../template/parse-template.ts';
import type { Template } from '../template/template.ts';
import { TemplateSyntaxError } from '../template/template-syntax-error.ts';
import type { LocatedHeader } from './located-connector.ts';
import type { ReadContext } from './read-mapping.ts';
import { readList, readNamed, readString } from './read-values.ts';

/** Reads the headers of a `@source` or a `@connect`. Reports each invalid one, and leaves it out. */
export function readHeaders(value: ConstValueNode | undefined, where: string, context: ReadContext): readonly LocatedHeader[] {
  const names = new Map<string, StringValueNode>();
  return readList(value).flatMap((element) => {
    const header = readHeader(element, where, context, names);
    return header === undefined ? [] : [header];
  });
}

function readHeader(
  element: ConstValueNode,
  where: string,
  context: ReadContext,
  names: Map<string, StringValueNode>,
): LocatedHeader | undefined {
  const { report } = context;
  if (element.kind !== Kind.OBJECT) {
    report('INVALID_HEADER', `${where} must contain objects such as { name: "x-key", value: "text" }.`, element);
    return undefined;
  }
  const values = readNamed(element.fields, ['name', 'from', 'value'], where, report);
  const name = readString(values.get('name'), `${where}: name`, report);
  const from = readString(values.get('from'), `${where}: from`, report);
  const value = readString(values.get('value'), `${where}: value`, report);
  if (name === undefined) {
    report('INVALID_HEADER', `${where} has a header without a name.`, element);
    return undefined;
  }
  if ((from === undefined) === (value === undefined)) {
    const issue = from === undefined ? 'neither "from" nor "value"' : 'both "from" and "value"';
    report('INVALID_HEADER', `${where}: the header "${name.value}" has ${issue}. Set one of them.`, name);
    return undefined;
  }
  const issue = issueOfHeaderName(name.value, from !== undefined);
  if (issue !== undefined) {
    report('INVALID_HEADER', `${where}: ${issue}.`, name);
    return undefined;
  }
  const key = name.value.toLowerCase();
  const first = names.get(key);
  if (first !== undefined) {
    report('HTTP_HEADER_NAME_COLLISION', `${where} sets the header "${key}" twice. Header names ignore case.`, name, first);
    return undefined;
  }
  names.set(key, name);
  if (from !== undefined) return readCopied(key, from, where, context);
  return value === undefined ? undefined : readComputed(key, value, where, context);
}

function readCopied(name: string, from: StringValueNode, where: string, { report }: ReadContext): LocatedHeader | undefined {
  // Reserved headers can be read, so only the characters of the name matter.
  const issue = issueOfHeaderName(`x-${from.value}`, false);
  if (issue === undefined && from.value !== '') return { rule: { name, from: from.value.toLowerCase() } };
  report('INVALID_HEADER', `${where}: "${from.value}" is not a valid name of a header.`, from);
  return undefined;
}

function readComputed(name: string, text: StringValueNode, where: string, context: ReadContext): LocatedHeader | undefined {
  try {
    const value = withoutLineBreaks(parseTemplate(text.value, context.version));
    const invalid = value.parts.find((part) => part.kind === 'text' && hasControlCharacters(part.text));
    if (invalid === undefined) return { rule: { name, value }, text };
    context.report('INVALID_HEADER', `${where}: the header "${name}" contains control characters.`, {
      text,
      offset: invalid.offset,
    });
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    context.report('INVALID_HEADER', `${where}: the header "${name}" is not valid: ${error.message}.`, { text, offset: error.offset });
  }
  return undefined;
}

/** Removes the line breaks of a value that is written over several lines. A header has only one line (RFC 9110, section 5.5). */
function withoutLineBreaks({ text, parts }: Template): Template {
  const lines = parts.map((part) => (part.kind === 'text' ? { ...part, text: part.text.replaceAll(/[\r\n]/g, '') } : part));
  return { text, parts: lines.filter((part) => part.kind === 'expression' || part.text !== '') };
}
