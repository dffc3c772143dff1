import { resolve } from 'node:path';
import type { OptionValue } from '../../gateway/config/read-layers.ts';
import type { CompositionFile } from '../read-composition.ts';
import type { SubgraphArgument } from '../subgraph-argument.ts';

/** Returns the values of the section `supergraph` for subgraphs of the command line. They replace any other source of a supergraph. */
export function subgraphValues(subgraphs: readonly SubgraphArgument[]): readonly OptionValue[] {
  if (subgraphs.length === 0) return [];
  const name = '--subgraph';
  const values = subgraphs.map(({ name: subgraph, url, files }) => {
    const value = { ...(url === undefined ? {} : { url }), ...(files === undefined ? {} : { files: files.map((path) => resolve(path)) }) };
    return { name, path: ['supergraph', 'subgraphs', subgraph], value };
  });
  return [...withoutOtherSources(name), ...values];
}

/** Returns the values of the section `supergraph` for a composition file. They replace any other source of a supergraph. */
export function compositionValues(option: string, { subgraphs }: CompositionFile): readonly OptionValue[] {
  return [
    ...withoutOtherSources(option),
    { name: option, path: ['supergraph', 'subgraphs'], isUnset: true },
    ...Object.entries(subgraphs).map(([subgraph, value]) => ({ name: option, path: ['supergraph', 'subgraphs', subgraph], value })),
  ];
}

function withoutOtherSources(name: string): readonly OptionValue[] {
  return ['file', 'sdl', 'url'].map((key) => ({ name, path: ['supergraph', key], isUnset: true }));
}
