import type { ConnectVersion } from '../connect-version.ts';
import { MappingParser } from './mapping-parser.ts';
import type { FieldNode, ObjectNode, SelectionNode } from './selection-node.ts';

/**
 * Parses a mapping: fields of an output object (`id name`), or one path (`$.results { id }`).
 *
 * @throws {MappingSyntaxError} for invalid text, for features of later versions, and for text that exceeds the limits of its size
 */
export function parseSelection(text: string, version: ConnectVersion): SelectionNode {
  const parser = new MappingParser(text, version);
  if (parser.startsJson()) return parser.finish(parser.parseExpression());
  const fields = parser.parseFields('end');
  const only = fields.length === 1 ? fields[0] : undefined;
  return parser.finish(
    only !== undefined && isAnonymous(only)
      ? only.value
      : ({ kind: 'object', offset: 0, isSelection: true, separator: version === '0.4' ? ', ' : ' ', fields } satisfies ObjectNode),
  );
}

/**
 * Parses an expression, such as the content of `{…}` in a template: a literal, a path, or a chain of `??` or `?!`.
 *
 * @throws {MappingSyntaxError} for invalid text, for features of later versions, and for text that exceeds the limits of its size
 */
export function parseExpression(text: string, version: ConnectVersion): SelectionNode {
  const parser = new MappingParser(text, version);
  return parser.finish(parser.parseExpression());
}

function isAnonymous(field: FieldNode): boolean {
  return field.name === undefined && !field.isSpread;
}
