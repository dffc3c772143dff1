import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemErrorCode } from '../../platform/file-errors.ts';

/** Hears what a source finds. */
export interface SupergraphListener {
  /** The SDL of the supergraph, after each look that found one; the same again where nothing has changed. */
  onSupergraph(sdl: string): void;
  /** A look that found none. The source goes on looking. */
  onProblem(problem: Error): void;
}

/** Where a supergraph comes from, and comes again when it changes. */
export interface SupergraphSource extends AsyncDisposable {
  /** In words, without secrets: `the file /etc/graph/supergraph.graphql`. */
  readonly name: string;
  /**
   * Whether all of it is on this machine. What is not there then is a mistake of whoever starts the gateway; what is not
   * there on the network may come with the next look.
   */
  readonly isLocal: boolean;
  /** Begins to look, and goes on until disposed of. Called once. */
  start(listener: SupergraphListener): void;
}

/** The last supergraph of a source that could be served, in a file. */
export interface KeptSupergraph {
  /** Undefined where nothing was kept of this source. @throws Error when the file cannot be read, or was damaged */
  read(): Promise<string | undefined>;
  /** Whole or not at all: the file is never half written. @throws Error when it cannot be written */
  write(sdl: string): Promise<void>;
}

/** The file begins with a comment that says whose supergraph it is: that of another source would be another graph. */
export function createKeptSupergraph(file: string, sourceName: string): KeptSupergraph {
  const head = `# The last supergraph that came from ${sourceName}. SHA-256: `;
  return {
    async read() {
      const text = await readFile(file, 'utf8').catch((error: unknown) => {
        if (systemErrorCode(error) === 'ENOENT') return '';
        throw error;
      });
      if (!text.startsWith(head)) return undefined;
      const end = text.indexOf('\n');
      const sdl = text.slice(end + 1);
      if (text.slice(head.length, end) !== digest(sdl)) throw new Error(`The file ${file} was damaged.`);
      return sdl;
    },
    async write(sdl) {
      const draft = `${file}.${randomBytes(6).toString('hex')}`;
      await mkdir(dirname(file), { recursive: true });
      try {
        const handle = await open(draft, 'wx', 0o600);
        try {
          await handle.writeFile(`${head}${digest(sdl)}\n${sdl}`);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
}

function digest(sdl: string): string {
  return createHash('sha256').update(sdl).digest('hex');
}
