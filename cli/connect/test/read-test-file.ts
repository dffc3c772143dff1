import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type DocumentNode, parse, Source } from 'graphql';
import type { z } from 'zod';
import { CommandFailed, type FailureProblem } from '../../command-failed.ts';
import { type ConnectorTest, type ConnectorTestFile, connectorTestFile } from './connector-test-file.ts';

/** A file with tests, and the files that it names. */
export interface LoadedTestFile {
  /** Path for messages. */
  readonly path: string;
  readonly content: ConnectorTestFile;
  /** Path of the SDL, for messages. */
  readonly subgraphPath: string;
  readonly document: DocumentNode;
  /** Bodies of the recorded responses, read from files where the tests name some. */
  readonly bodies: ReadonlyMap<ConnectorTest, unknown>;
}

/** Reads a file with tests of a connector. @throws CommandFailed with every mistake, and its line and column */
export async function readTestFile(path: string): Promise<LoadedTestFile> {
  const text = await readText(path, 'The test file');
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const locate = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { file: path, line, column: col };
  };
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) throw invalid(path, [{ message: syntaxError.message, locations: [locate(syntaxError.pos[0])] }]);
  const parsed = connectorTestFile.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => {
      const offset = offsetOf(document, issue.path);
      return { message: describeIssue(issue), ...(offset === undefined ? {} : { locations: [locate(offset)] }) };
    });
    throw invalid(path, problems);
  }
  const directory = dirname(path);
  const subgraphPath = relativePath(join(directory, parsed.data.subgraph));
  return {
    path,
    content: parsed.data,
    subgraphPath,
    document: parseSubgraph(await readText(subgraphPath, `The SDL file of ${path}`), subgraphPath),
    bodies: new Map(await Promise.all(parsed.data.tests.map(async (test) => [test, await readBody(test, directory)] as const))),
  };
}

function offsetOf(document: { getIn(path: unknown[], isNode: true): unknown }, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? undefined : document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) return Number(node.range[0]);
  }
  return undefined;
}

function describeIssue({ path, message, code, ...issue }: z.core.$ZodIssue): string {
  const at = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  const keys =
    code === 'unrecognized_keys' && 'keys' in issue ? `unknown key ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}` : message;
  return at === '' ? keys : `${at}: ${keys}`;
}

function invalid(path: string, problems: readonly FailureProblem[]): CommandFailed {
  const lines = problems.map(({ message, locations = [] }) => {
    const [first] = locations;
    return first === undefined ? `  ${message}` : `  ${first.file}:${first.line}:${first.column}: ${message}`;
  });
  return new CommandFailed([`${path} is not a valid file with tests of a connector:`, ...lines].join('\n'), { problems });
}

function parseSubgraph(text: string, path: string): DocumentNode {
  try {
    return parse(new Source(text, path));
  } catch (cause) {
    throw new CommandFailed(`${path} is not valid SDL: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

async function readBody({ response }: ConnectorTest, directory: string): Promise<unknown> {
  if (response?.bodyFile === undefined) return response?.body;
  const text = await readText(relativePath(join(directory, response.bodyFile)), 'The body of a response');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function readText(path: string, subject: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CommandFailed(`${subject}, ${path}, cannot be read. Check the path and its permissions.`, { cause });
  }
}

function relativePath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
