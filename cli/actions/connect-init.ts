import { CommandFailed } from '../command-failed.ts';
import { draftSubgraph } from '../connect/draft/draft-subgraph.ts';
import type { Omission } from '../connect/draft/omission-log.ts';
import { printSubgraph } from '../connect/draft/print-subgraph.ts';
import { readOpenApi } from '../connect/openapi/read-openapi.ts';
import { printJson } from '../json-output.ts';
import type { Terminal } from '../terminal.ts';
import { writeOutput } from '../write-output.ts';

export interface ConnectInitOptions {
  /** File or URL of an OpenAPI document. */
  readonly openapi: string;
  /** Name of the `@source`. @defaultValue derived from the title of the document */
  readonly source?: string;
  /** URL of the service. @defaultValue the first server of the document */
  readonly baseUrl?: string;
  /** Output file. @defaultValue standard output */
  readonly out?: string;
  readonly json?: boolean;
}

/**
 * Drafts a subgraph with connectors from an OpenAPI document. Prints what it left out to standard error. An existing file is not overwritten.
 *
 * @throws CommandFailed
 */
export async function connectInit({ openapi, source, baseUrl, out, json = false }: ConnectInitOptions, terminal: Terminal): Promise<void> {
  const document = await readOpenApi(openapi);
  const { subgraph, omissions } = draftSubgraph(document, {
    ...(source === undefined ? {} : { name: source }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  const { queries, mutations } = subgraph;
  if (queries.length + mutations.length === 0) {
    throw new CommandFailed([`${openapi} describes no operation that a connector can call.`, ...omissions.map(toLine)].join('\n'));
  }
  const sdl = printSubgraph(subgraph, omissions);
  if (out !== undefined) await writeOutput(out, sdl, 'wx');
  if (json) {
    printJson(terminal, {
      ...(out === undefined ? { sdl } : { file: out }),
      queries: queries.map(({ name }) => name),
      mutations: mutations.map(({ name }) => name),
      omitted: omissions,
    });
    return;
  }
  if (out === undefined) terminal.print(sdl.trimEnd());
  else
    terminal.print(
      `Wrote ${out} with ${count(queries.length, 'query', 'queries')} and ${count(mutations.length, 'mutation', 'mutations')}.`,
    );
  if (omissions.length > 0) terminal.warn(['Left out or simplified:', ...omissions.map(toLine)].join('\n'));
  if (queries.length === 0) terminal.warn('The document has no operation that reads. Another subgraph of the graph must define a query.');
}

function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`;
}

function toLine({ location, reason }: Omission): string {
  return `  ${location}: ${reason}`;
}
