import type { LocatedConnector } from '../definition/located-connector.ts';
import type { SchemaTypes } from './schema-types.ts';

/** Positions of mappings that have the same variables. */
export type MappingPosition = 'base-url' | 'source-request' | 'source-response' | 'request' | 'selection' | 'response';

const OF_SOURCE: Readonly<Partial<Record<MappingPosition, readonly string[]>>> = {
  'base-url': ['$config', '$env'],
  'source-request': ['$config', '$context', '$request', '$env'],
  'source-response': ['$config', '$context', '$status', '$request', '$response', '$env'],
};

/** Variables that exist everywhere in a `@connect`. */
const GENERAL = ['$config', '$context', '$request', '$env'];

/** All variables of the connect specification. */
export const KNOWN_VARIABLES: ReadonlySet<string> = new Set([...GENERAL, '$args', '$this', '$batch', '$status', '$response']);

/** Lists the variables that mappings of a `@source` may read. */
export function variablesOfSource(position: MappingPosition): readonly string[] {
  return OF_SOURCE[position] ?? [];
}

/** Lists the variables that mappings of a `@connect` may read. */
export function variablesOfConnector({ element }: LocatedConnector, position: MappingPosition, { roots }: SchemaTypes): readonly string[] {
  const isRoot = Object.values(roots).includes(element.type);
  const own =
    element.field === undefined ? ['$this', ...(position === 'request' ? ['$batch'] : [])] : [...(isRoot ? [] : ['$this']), '$args'];
  return [...own, ...GENERAL, ...(position === 'request' ? [] : ['$status', '$response'])];
}
