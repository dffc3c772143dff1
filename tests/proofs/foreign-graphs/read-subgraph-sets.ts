import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { SubgraphText } from '../../differential/random-federation/read-facts.ts';
import { filesIn } from './find-supergraphs.ts';

/** Subgraphs that a test composes. */
export interface SubgraphSet {
  /** File and line, relative to the directory of all repositories. */
  readonly name: string;
  readonly subgraphs: readonly SubgraphText[];
}

/** The sets that were read, and the number of test calls that compose anything other than constants with a literal text. */
export interface SubgraphSets {
  readonly sets: readonly SubgraphSet[];
  readonly unread: number;
}

const COSMO = 'wundergraph/cosmo';

/** Reads the subgraph sets of Cosmo: those that its composition tests compose, its graph configurations, and folders of SDL. */
export function readSubgraphSets(directory: string): SubgraphSets {
  const read = filesIn(join(directory, COSMO, 'composition/tests'), /\.test\.ts$/).map((path) => readTests(directory, path));
  const all = [
    ...read.flatMap(({ sets }) => sets),
    ...filesIn(join(directory, COSMO), /^graph[\w-]*\.yaml$/).flatMap((path) => readConfiguration(directory, path)),
    ...readFolders(directory),
  ];
  const distinct = new Map(all.map((set) => [JSON.stringify(set.subgraphs), set]));
  return { sets: [...distinct.values()], unread: read.reduce((sum, { unread }) => sum + unread, 0) };
}

interface NamedSubgraph extends SubgraphText {
  readonly constant: string;
  readonly position: number;
}

const CONSTANT =
  /const (\w+)(?:: Subgraph)? = (?:\{\s*name: '([^']*)',[^`]*?definitions: parse\(|createSubgraph\(\s*'([^']*)',)\s*`([^`]*)`/g;
const INLINE = /createSubgraph\(\s*'([^']*)',\s*`([^`]*)`/g;
const CALL = /\bfederateSubgraphs\w*\(\s*(?:\{[^}[]*?subgraphs:\s*)?\[/g;

/** Reads the calls that compose an array of constants, or of inline subgraphs. */
function readTests(directory: string, path: string): SubgraphSets {
  const text = readFileSync(path, 'utf8');
  const constants = Array.from(text.matchAll(CONSTANT), ({ 1: constant = '', 2: plain, 3: made, 4: sdl = '', index }): NamedSubgraph => {
    return { constant, name: plain ?? made ?? '', sdl, position: index };
  });
  const sets: SubgraphSet[] = [];
  let unread = 0;
  for (const { 0: opening, index } of text.matchAll(CALL)) {
    const start = index + opening.length;
    const inside = text.slice(start, endOfArray(text, start));
    const inline = Array.from(inside.matchAll(INLINE), ([, name = '', sdl = '']): SubgraphText => ({ name, sdl }));
    const names = inside.replaceAll(/createSubgraph\([^`]*`[^`]*`,?\s*\)/g, '').match(/\w+/g) ?? [];
    const named = names.map((name) => constantBefore(constants, name, index));
    const subgraphs = [...inline, ...named.filter((subgraph) => subgraph !== undefined).map(({ name, sdl }) => ({ name, sdl }))];
    if (subgraphs.length === 0 || named.includes(undefined) || subgraphs.some(({ sdl }) => sdl.includes('${'))) {
      unread += 1;
      continue;
    }
    const line = text.slice(0, index).split('\n').length;
    sets.push({ name: `${relative(directory, path)}:${line}`, subgraphs });
  }
  return { sets, unread };
}

/** Finds the constant that a call refers to. A constant of a test is declared before its call, and one of the file anywhere. */
function constantBefore(constants: readonly NamedSubgraph[], name: string, position: number): NamedSubgraph | undefined {
  const named = constants.filter(({ constant }) => constant === name);
  return named.findLast((subgraph) => subgraph.position < position) ?? named[0];
}

function endOfArray(text: string, start: number): number {
  let isLiteral = false;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '`') isLiteral = !isLiteral;
    if (text[index] === ']' && !isLiteral) return index;
  }
  return text.length;
}

const CONFIGURATION = z.object({ subgraphs: z.array(z.object({ name: z.string(), schema: z.object({ file: z.string() }) })) });

/** Reads a configuration that names the SDL file of each subgraph. */
function readConfiguration(directory: string, path: string): readonly SubgraphSet[] {
  const { data } = CONFIGURATION.safeParse(parseYaml(readFileSync(path, 'utf8')));
  const files = data?.subgraphs.map(({ name, schema }) => ({ name, file: join(dirname(path), schema.file) })) ?? [];
  if (files.length === 0 || !files.every(({ file }) => existsSync(file))) return [];
  return [{ name: relative(directory, path), subgraphs: files.map(({ name, file }) => ({ name, sdl: readFileSync(file, 'utf8') })) }];
}

/** Folders in which each file is a subgraph. */
const FOLDERS = [
  'controlplane/test/graphql/federationV1',
  'controlplane/test/graphql/federationV2',
  'controlplane/test/test-data/contracts',
  'controlplane/test/test-data/feature-flags',
  'composition/tests/v1/test-data',
  'shared/test/testdata',
];

function readFolders(directory: string): readonly SubgraphSet[] {
  return FOLDERS.flatMap((folder) => {
    const files = filesIn(join(directory, COSMO, folder), /\.graphqls?$/);
    const subgraphs = files.map((path) => ({ name: basename(path).replace(/\.graphqls?$/, ''), sdl: readFileSync(path, 'utf8') }));
    return subgraphs.length === 0 ? [] : [{ name: join(COSMO, folder), subgraphs }];
  });
}
