import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { watchFile } from '../../../../gateway/platform/follow-file.ts';
import { recordSource } from '../../../support/gateway/record-source.ts';

const NEVER = 1_000_000;
let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-watch-'));
});

afterEach(() => rm(directory, { recursive: true }));

function watching(path: string, { intervalMs = NEVER, maxBytes = 10_000 } = {}) {
  const { listener, ...record } = recordSource();
  const { onSupergraph: onText, onProblem: onFailure } = listener;
  return { ...record, ...watchFile({ path, subject: 'The file', intervalMs, maxBytes, onText, onFailure }) };
}

describe('watchFile', () => {
  it.each<[string, (path: string) => Promise<unknown>, string]>([
    ['that does not exist', async () => undefined, 'the file does not exist'],
    ['that is too long', (path) => writeFile(path, 'x'.repeat(10_001)), 'larger than 10000 bytes'],
    ['that is not UTF-8 text', (path) => writeFile(path, Buffer.from([0xff])), 'not valid UTF-8'],
    ['that is a folder', (path) => mkdir(path), 'EISDIR'],
  ])('reports a file %s and recovers when the file is valid', async (_name, make, message) => {
    const path = join(directory, 'graph.graphql');
    await make(path);
    await using file = watching(path);
    expect(await file.next()).toContain(message);
    await rm(path, { recursive: true, force: true });
    await writeFile(path, 'right');
    let said = await file.next();
    if (said.includes('the file does not exist')) said = await file.next(); // The file can be missed between the two operations.
    expect(said).toBe('right');
  });

  it('detects that a file is replaced, overwritten, deleted and created again', async () => {
    const path = join(directory, 'graph.graphql');
    await writeFile(path, 'one');
    await using file = watching(path);
    expect(await file.next()).toBe('one');
    await writeFile(join(directory, 'draft'), 'two');
    await rename(join(directory, 'draft'), path);
    expect(await file.next()).toBe('two');
    await writeFile(path, 'three');
    expect(await file.next()).toBe('three');
    await rm(path);
    expect(await file.next()).toContain('the file does not exist');
    await writeFile(path, 'three');
    expect(await file.next()).toBe('three');
  });

  it('detects that a symbolic link to the folder of the file changes', async () => {
    for (const name of ['one', 'two']) {
      await mkdir(join(directory, name));
      await writeFile(join(directory, name, 'graph.graphql'), name);
    }
    await symlink('one', join(directory, 'data'));
    await symlink(join('data', 'graph.graphql'), join(directory, 'graph.graphql'));
    await using file = watching(join(directory, 'graph.graphql'));
    expect(await file.next()).toBe('one');
    await symlink('two', join(directory, 'data_next'));
    await rename(join(directory, 'data_next'), join(directory, 'data'));
    expect(await file.next()).toBe('two');
  });

  it('detects a change by polling when the file system reports no event', async () => {
    const elsewhere = join(directory, 'elsewhere');
    await mkdir(elsewhere);
    await mkdir(join(directory, 'watched'));
    await writeFile(join(elsewhere, 'graph.graphql'), 'one');
    const path = join(directory, 'watched', 'graph.graphql');
    await symlink(join(elsewhere, 'graph.graphql'), path);
    await using file = watching(path, { intervalMs: 20 });
    expect(await file.next()).toBe('one');
    await writeFile(join(elsewhere, 'graph.graphql'), 'two'); // In a folder that is not watched.
    expect(await file.next()).toBe('two');
  });

  it('watches a file again after its folder is created', async () => {
    const folder = join(directory, 'folder');
    const path = join(folder, 'graph.graphql');
    await using file = watching(path, { intervalMs: 20 });
    expect(await file.next()).toContain('the file does not exist');
    await mkdir(folder);
    await writeFile(path, 'here');
    expect(await file.next()).toBe('here');
  });
});
