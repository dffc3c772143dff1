import type { ConnectVersion } from '../connect-version.ts';
import { MappingSyntaxError } from '../selection/mapping-syntax-error.ts';
import { parseExpression } from '../selection/parse-selection.ts';
import type { Template, TemplatePart } from './template.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

/**
 * Parses a text with expressions in braces.
 *
 * @throws TemplateSyntaxError for a brace without its counterpart, and for an invalid expression
 */
export function parseTemplate(text: string, version: ConnectVersion): Template {
  const parts: TemplatePart[] = [];
  for (let position = 0; position < text.length; ) {
    const open = text.indexOf('{', position);
    const end = open === -1 ? text.length : open;
    if (end > position) parts.push({ kind: 'text', text: text.slice(position, end), offset: position });
    if (open === -1) break;
    const close = closingBraceOf(text, open);
    const offset = open + 1;
    const expression = text.slice(offset, close);
    parts.push({ kind: 'expression', text: expression, expression: parsePart(expression, offset, version), offset });
    position = close + 1;
  }
  return { text, parts };
}

function parsePart(expression: string, offset: number, version: ConnectVersion) {
  if (expression.trim() === '') throw new TemplateSyntaxError('the braces {} are empty, but must contain an expression', offset);
  try {
    return parseExpression(expression, version);
  } catch (error) {
    if (!(error instanceof MappingSyntaxError)) throw error;
    throw new TemplateSyntaxError(error.message, offset + error.offset);
  }
}

/** Finds the brace that closes the one at `open`. Braces in string literals and in comments of the expression do not count. */
function closingBraceOf(text: string, open: number): number {
  let depth = 0;
  for (let position = open; position < text.length; position += 1) {
    const character = text[position];
    if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return position;
    } else if (character === '"' || character === "'") position = endOfString(text, position);
    else if (character === '#') position = endOfLine(text, position);
  }
  throw new TemplateSyntaxError('the brace { has no closing brace }', open);
}

/** Returns the position of the quote that ends a string literal, or that of the last character if the literal does not end. */
function endOfString(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position += 1) {
    if (text[position] === '\\') position += 1;
    else if (text[position] === text[start]) return position;
  }
  return text.length;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}
