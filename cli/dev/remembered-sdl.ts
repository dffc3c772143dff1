import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SdlFile } from '../../gateway/supergraph/compose-subgraphs.ts';

/** SDL that was fetched from subgraphs, so that they can be mocked while they are absent. */
export interface RememberedSdl {
  /** Returns the last SDL of a subgraph; undefined if it was never fetched. */
  read(subgraph: string): Promise<readonly SdlFile[] | undefined>;
  /** Stores the SDL. A directory that is not writable is ignored, because only mocks need it. */
  write(subgraph: string, sdl: string): Promise<void>;
}

const DIRECTORY = '.gatefold/sdl';

export function createRememberedSdl(directory: string = DIRECTORY): RememberedSdl {
  const pathOf = (subgraph: string) => join(directory, `${encodeURIComponent(subgraph)}.graphql`);
  return {
    async read(subgraph) {
      const path = pathOf(subgraph);
      const text = await readFile(path, 'utf8').catch(() => undefined);
      return text === undefined ? undefined : [{ path, text }];
    },
    async write(subgraph, sdl) {
      await mkdir(directory, { recursive: true }).catch(() => undefined);
      await writeFile(pathOf(subgraph), sdl).catch(() => undefined);
    },
  };
}
