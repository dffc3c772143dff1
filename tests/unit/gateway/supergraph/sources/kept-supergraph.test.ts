import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createKeptSupergraph } from '../../../../../gateway/supergraph/sources/supergraph-source.ts';

let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-kept-'));
});

afterEach(() => rm(directory, { recursive: true }));

describe('createKeptSupergraph', () => {
  it('given no file, when read, then nothing was kept', async () => {
    expect(await createKeptSupergraph(join(directory, 'kept.graphql'), 'here').read()).toBeUndefined();
  });

  it('given what was kept of another source, when read, then it is as if nothing was', async () => {
    const file = join(directory, 'kept.graphql');
    await createKeptSupergraph(file, 'the address https://a').write('type Query');
    expect(await createKeptSupergraph(file, 'the address https://b').read()).toBeUndefined();
  });

  it('given a file that was cut, when read, then it is refused', async () => {
    const file = join(directory, 'kept.graphql');
    const kept = createKeptSupergraph(file, 'here');
    await kept.write('type Query { a: Int }');
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -3));
    await expect(kept.read()).rejects.toThrow('damaged');
  });

  it('given a folder in its place, when written, then it fails and leaves nothing behind', async () => {
    await expect(createKeptSupergraph(directory, 'here').write('x')).rejects.toThrow();
    expect(await readdir(directory)).toEqual([]);
  });

  it('given a supergraph, when kept in a folder that is not there yet, then it is read as it was, and nothing else lies there', async () => {
    const kept = createKeptSupergraph(join(directory, 'new', 'kept.graphql'), 'here');
    await kept.write('type Query { ä: Int }\n');
    await kept.write('type Query { b: Int }\r\n');
    expect(await kept.read()).toBe('type Query { b: Int }\r\n');
    expect(await readdir(join(directory, 'new'))).toEqual(['kept.graphql']);
  });
});
