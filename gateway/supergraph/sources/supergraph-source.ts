import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemErrorCode } from '../../platform/file-errors.ts';

/** Instructions for a supergraph that a source provides. */
export interface SupergraphDelivery {
  /** Whether to try a supergraph again that was rejected, because its dependencies have changed. @defaultValue false */
  readonly isRetry?: boolean;
  /** Called when the supergraph is served, or with the error that rejected it. */
  readonly onResult?: (rejection: Error | undefined) => void;
}

/** Receives the results of a source. */
export interface SupergraphListener {
  /** Called with the SDL of the supergraph after each successful poll, even if it has not changed. */
  onSupergraph(sdl: string, delivery?: SupergraphDelivery): void;
  /** Called after a failed poll. The source continues to poll. */
  onProblem(problem: Error): void;
}

/** A source of a supergraph that reports changes. */
export interface SupergraphSource extends AsyncDisposable {
  /** Description without secrets: `the file /etc/graph/supergraph.graphql`. */
  readonly name: string;
  /**
   * Whether the source is on this machine. A missing local source is a configuration error at startup; a source on the network may become
   * available at the next poll.
   */
  readonly isLocal: boolean;
  /** Starts polling until the source is disposed. Called once. */
  start(listener: SupergraphListener): void;
}

/** File with the last supergraph of a source that could be served. */
export interface StoredSupergraph {
  /**
   * Reads the supergraph, or returns undefined if the file has none of this source.
   *
   * @throws Error when the file cannot be read or is damaged
   */
  read(): Promise<string | undefined>;
  /** Writes the supergraph atomically, so that the file is never incomplete. @throws Error when it cannot be written */
  write(sdl: string): Promise<void>;
}

/**
 * Creates a store for the last supergraph. The file begins with a comment that names its source, because another source may have another
 * graph.
 */
export function createStoredSupergraph(file: string, sourceName: string): StoredSupergraph {
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
      if (text.slice(head.length, end) !== digest(sdl))
        throw new Error(`The file ${file} is damaged: its content does not match its SHA-256.`);
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
