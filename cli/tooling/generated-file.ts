import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A generated file, with the text it should have. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** Writes the files whose text differs, and returns their paths. */
export async function writeGenerated(files: readonly GeneratedFile[]): Promise<readonly string[]> {
  const written = await Promise.all(
    files.map(async ({ path, text }) => {
      if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return [];
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      return [path];
    }),
  );
  return written.flat();
}
