import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request of the tests of llhttp, with the name of its file. */
export interface ListedRequest {
  readonly file: string;
  /** Each character is one byte. */
  readonly bytes: string;
}

const BLOCK = /^```http\r?\n([\s\S]*?)^```/gm;

/**
 * Reads the requests of the tests of llhttp from a checkout. Its files are Markdown with one request in each block of the kind `http`. A line
 * break means CRLF, except after a backslash, where it is left out. `\r`, `\n`, `\t`, `\f` and `\x41` mean one byte each.
 *
 * @throws Error if the directory has no such file
 */
export function readLlhttpTests(checkout: string): readonly ListedRequest[] {
  const directory = join(checkout, 'test/request');
  const files = readdirSync(directory).filter((name) => name.endsWith('.md'));
  const requests = files.flatMap((name) => {
    const text = readFileSync(join(directory, name), 'utf8');
    return [...text.matchAll(BLOCK)].map(([, block = '']) => ({ file: name.replace(/\.md$/, ''), bytes: toBytes(block) }));
  });
  if (requests.length === 0) throw new Error(`${directory} contains no request.`);
  return requests;
}

const ESCAPES: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', f: '\f' };

function toBytes(block: string): string {
  const text = block
    .replace(/\r?\n$/, '')
    .replaceAll(/\\\r?\n/g, '')
    .replaceAll(/\r?\n/g, '\r\n')
    .replaceAll(/\\(?:x([\dA-Fa-f]{2})|([rntf]))/g, (_all, code: string | undefined, letter: string | undefined) =>
      code === undefined ? (ESCAPES[letter ?? ''] ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
    );
  // Other characters than those of ASCII are sent in UTF-8.
  return Buffer.from(text, 'utf8').toString('latin1');
}
