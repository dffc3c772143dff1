import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { OptionValue } from '../../gateway/config/read-layers.ts';
import type { CompositionFile } from '../read-composition.ts';

/** Subgraph that an option names. */
export interface NamedSubgraph {
  readonly name: string;
  readonly url?: string;
  /** Absolute paths. */
  readonly files?: readonly string[];
}

const FORM = 'Use name=URL, name=FILE, name=FILE,FILE or name=FILE@URL, such as films=http://localhost:5010 or reviews=./reviews.graphql.';
const HTTP = /^https?:\/\//;

/** Reads `films=http://localhost:5010`, `films=a.graphql,b.graphql` and `films=a.graphql@http://localhost:5010`. @throws InvalidArgumentError */
export function parseSubgraphOption(text: string): NamedSubgraph {
  const [, name = '', source = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError(FORM);
  if (HTTP.test(source)) return { name, url: checkUrl(source) };
  const [, files = source, url] = /^(.*?)@(https?:\/\/.*)$/.exec(source) ?? [];
  const paths = files.split(',').map((path) => path.trim());
  if (paths.includes('')) throw new InvalidArgumentError(FORM);
  return { name, files: paths.map((path) => resolve(path)), ...(url === undefined ? {} : { url: checkUrl(url) }) };
}

function checkUrl(url: string): string {
  if (URL.canParse(url)) return url;
  throw new InvalidArgumentError(`${url} is not a valid URL. ${FORM}`);
}

/** Returns the values of the section `supergraph` for subgraphs of the command line. They replace any other source of a supergraph. */
export function subgraphValues(subgraphs: readonly NamedSubgraph[]): readonly OptionValue[] {
  if (subgraphs.length === 0) return [];
  const name = '--subgraph';
  const values = subgraphs.map(({ name: subgraph, ...value }) => ({ name, path: ['supergraph', 'subgraphs', subgraph], value }));
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
