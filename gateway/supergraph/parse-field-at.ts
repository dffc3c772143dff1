import { type FieldDefinitionNode, Kind, parse } from 'graphql';
import type { TextRange } from './text-ranges.ts';

/** Parses the definition of a field at a position of SDL. */
export function parseFieldAt(sdl: string, { start, end }: TextRange): FieldDefinitionNode {
  const [definition] = parse(`type Part {${sdl.slice(start, end)}}`, { noLocation: true }).definitions;
  const field = definition?.kind === Kind.OBJECT_TYPE_DEFINITION ? definition.fields?.[0] : undefined;
  if (field === undefined) throw new Error('The supergraph has no field at its position.');
  return field;
}
