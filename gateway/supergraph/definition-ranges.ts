import { type DefinitionNode, type DocumentNode, Kind } from 'graphql';
import type { SdlPositions } from './parse-sdl.ts';
import type { TextRange } from './text-ranges.ts';

/** Positions of the definitions of a supergraph in its text. */
export interface DefinitionRanges {
  readonly types: ReadonlyMap<string, TextRange>;
  /** Fields of the object types that have a long definition, by the name of the type. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, TextRange>>;
  readonly directives: ReadonlyMap<string, TextRange>;
}

/** Length from which the fields of a type have positions, so that they are read one by one. @unit UTF-16 code units */
const LONG = 8_192;

/** Returns undefined when positions are unknown, or when types are extended, because a type then has several positions. */
export function readDefinitionRanges({ definitions }: DocumentNode, positions: SdlPositions): DefinitionRanges | undefined {
  if (positions.definitions.length !== definitions.length * 2 || definitions.some(isExtension)) return undefined;
  const types = new Map<string, TextRange>();
  const fields = new Map<string, ReadonlyMap<string, TextRange>>();
  const directives = new Map<string, TextRange>();
  let field = 0;
  for (const [index, definition] of definitions.entries()) {
    const range = rangeAt(positions.definitions, index);
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) directives.set(definition.name.value, range);
    else if ('name' in definition && definition.name !== undefined) types.set(definition.name.value, range);
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    const nodes = definition.fields ?? [];
    if (range.end - range.start >= LONG && nodes.length > 0 && definition.kind === Kind.OBJECT_TYPE_DEFINITION) {
      const first = field;
      fields.set(definition.name.value, new Map(nodes.map(({ name }, at) => [name.value, rangeAt(positions.fields, first + at)])));
    }
    field += nodes.length;
  }
  return { types, fields, directives };
}

function rangeAt(positions: readonly number[], index: number): TextRange {
  return { start: positions[index * 2] ?? 0, end: positions[index * 2 + 1] ?? 0 };
}

function isExtension({ kind }: DefinitionNode): boolean {
  return kind.endsWith('Extension') && kind !== Kind.SCHEMA_EXTENSION;
}
