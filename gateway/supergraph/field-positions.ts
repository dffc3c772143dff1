import { type FieldDefinitionNode } from 'graphql';
import { Parser } from 'graphql/language/parser.js';
import type { TextRange } from './text-ranges.ts';

/**
 * Returns the positions of the fields of an object type in its definition, by name.
 *
 * @param definition text of the definition
 * @param offset position of the definition, which is added to those of the fields
 */
export function readFieldPositions(definition: string, offset: number): ReadonlyMap<string, TextRange> {
  const parser = new FieldPositionParser(definition, { noLocation: true });
  parser.parseDocument();
  return new Map([...parser.positions].map(([name, { start, end }]) => [name, { start: start + offset, end: end + offset }]));
}

class FieldPositionParser extends Parser {
  readonly positions = new Map<string, TextRange>();

  override parseFieldDefinition(): FieldDefinitionNode {
    const { start } = this._lexer.token;
    const field = super.parseFieldDefinition();
    this.positions.set(field.name.value, { start, end: this._lexer.lastToken.end });
    return field;
  }
}
