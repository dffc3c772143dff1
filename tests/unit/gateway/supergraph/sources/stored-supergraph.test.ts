import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createStoredSupergraph } from '../../../../../gateway/supergraph/sources/supergraph-source.ts';

let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-kept-'));
});

afterEach(() => rm(directory, { recursive: true }));

describe('createStoredSupergraph', () => {
  it('returns undefined if the file does not exist', async () => {
    expect(await createStoredSupergraph(join(directory, 'kept.graphql'), 'here').read()).toBeUndefined();
  });

  it('returns undefined for a supergraph of another source', async () => {
    const file = join(directory, 'kept.graphql');
    await createStoredSupergraph(file, 'the address https://a').write('type Query');
    expect(await createStoredSupergraph(file, 'the address https://b').read()).toBeUndefined();
  });

  it('rejects a truncated file', async () => {
    const file = join(directory, 'kept.graphql');
    const stored = createStoredSupergraph(file, 'here');
    await stored.write('type Query { a: Int }');
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -3));
    await expect(stored.read()).rejects.toThrow('damaged');
  });

  it('fails without a leftover file if the path is a folder', async () => {
    await expect(createStoredSupergraph(directory, 'here').write('x')).rejects.toThrow();
    expect(await readdir(directory)).toEqual([]);
  });

  it('creates the folder, stores the supergraph unchanged and leaves no other files', async () => {
    const stored = createStoredSupergraph(join(directory, 'new', 'kept.graphql'), 'here');
    await stored.write('type Query { ä: Int }\n');
    await stored.write('type Query { b: Int }\r\n');
    expect(await stored.read()).toBe('type Query { b: Int }\r\n');
    expect(await readdir(join(directory, 'new'))).toEqual(['kept.graphql']);
  });
});
