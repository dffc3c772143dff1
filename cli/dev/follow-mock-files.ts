import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { nearestKey } from '../../gateway/platform/nearest-key.ts';
import type { DevReport } from './dev-report.ts';
import type { MockServers } from './mocks/serve-mocks.ts';
import { watchDirectories } from './watch-directory.ts';

export interface FollowMockFilesOptions {
  readonly mocks: Pick<MockServers, 'setOverrides'>;
  /** Directory with one file for each subgraph, such as `films.yaml`. It need not exist. */
  readonly directory: string;
  /** Names of the subgraphs. */
  readonly names: readonly string[];
  readonly report: DevReport;
}

const ENDINGS = ['.yaml', '.yml', '.json'];

/** Reads the values of mocks from files, now and whenever they change. */
export async function followMockFiles({ mocks, directory, names, report }: FollowMockFilesOptions): Promise<AsyncDisposable> {
  const texts = new Map<string, string>();

  async function readAll(isFirst: boolean): Promise<void> {
    const files = (await readdir(directory).catch(() => [])).filter((file) => ENDINGS.includes(extname(file)));
    const paths = new Map(files.map((file) => [join(directory, file), file.slice(0, -extname(file).length)]));
    for (const [path, name] of paths) await read(path, name, isFirst);
    for (const path of [...texts.keys()].filter((known) => !paths.has(known))) {
      texts.delete(path);
      const name = path.slice(directory.length + 1, -extname(path).length);
      if (names.includes(name)) mocks.setOverrides(name, { path, text: '' });
      report.line(`${path} was removed.`);
    }
  }

  async function read(path: string, name: string, isFirst: boolean): Promise<void> {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (texts.get(path) === text) return;
    texts.set(path, text);
    if (!names.includes(name)) {
      const near = nearestKey(name, names);
      report.problem(`${path} belongs to no subgraph.${near === undefined ? '' : ` Did you mean ${near}${extname(path)}?`}`);
      return;
    }
    try {
      mocks.setOverrides(name, { path, text });
      if (!isFirst) report.line(`${name}: ${path} was reloaded`);
    } catch (error) {
      report.problem(`${(error as Error).message}\nThe previous values of the mock remain in use.`);
    }
  }

  await readAll(true);
  let reading = Promise.resolve();
  const watching = watchDirectories({
    directories: [directory],
    endings: ENDINGS,
    onChange: () => {
      reading = reading.then(() => readAll(false));
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await watching[Symbol.asyncDispose]();
      await reading;
    },
  };
}
