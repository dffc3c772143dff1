import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveGatewayConfig } from '../../gateway/config/resolve-gateway-config.ts';
import { costModeFor } from '../../gateway/operation/limits/limit-mode.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { draftDocuments, type OmittedField } from '../../rest-facade/index.ts';
import { CommandFailed } from '../command-failed.ts';
import { printJson } from '../json-output.ts';
import { type ReadGraph, readGraph } from '../schema-check/read-public-schema.ts';
import type { Terminal } from '../terminal.ts';
import { createPriceDocument } from '../validate/price-document.ts';

export interface RestInitOptions {
  readonly supergraph: string;
  readonly out: string;
  readonly json?: boolean;
}

/**
 * Writes draft REST documents for a graph, and prints the root fields that it leaves out. Existing files are not overwritten.
 *
 * @throws CommandFailed
 */
export async function restInit({ supergraph, out, json = false }: RestInitOptions, terminal: Terminal): Promise<void> {
  const graph = await readGraph(supergraph);
  const { documents, omitted } = draftDocuments(graph.schema, { rejectionOf: createRejection(graph) });
  if (documents.length === 0) {
    throw new CommandFailed(
      [`${supergraph} has no possible resources, because no root field returns an object:`, ...omitted.map(toLine)].join('\n'),
    );
  }
  await mkdir(out, { recursive: true });
  for (const { path, text } of documents) {
    const file = join(out, path);
    try {
      await writeFile(file, text, { flag: 'wx' });
    } catch (cause) {
      throw new CommandFailed(`${file} already exists or cannot be written. Use --out to write to an empty directory.`, { cause });
    }
    if (!json) terminal.print(`Wrote ${file}.`);
  }
  if (json) {
    printJson(terminal, { directory: out, files: documents.map(({ path }) => join(out, path)), omitted });
    return;
  }
  if (omitted.length > 0)
    terminal.print([`Left out ${omitted.length === 1 ? '1 field' : `${omitted.length} fields`}:`, ...omitted.map(toLine)].join('\n'));
  terminal.print('The documents are drafts. Check those of mutations first: their methods, paths and statuses follow from names.');
}

function toLine({ field, reason }: OmittedField): string {
  return `  ${field}: ${reason}.`;
}

/** Rejects operations that a gateway with default limits would reject. Limits need the rules of a supergraph. */
function createRejection({ schema, costRules }: ReadGraph): (operation: string) => string | undefined {
  if (costRules === undefined) return () => undefined;
  const { graphql, limits } = resolveGatewayConfig({});
  const isEnforced = costModeFor(costRules, limits) === 'enforce';
  const price = createPriceDocument({ graphql, limits }, { schema, costRules });
  return (operation) => {
    try {
      const excess = price(operation).find(({ cost, isVarying }) => cost > limits.maxCost && !isVarying);
      if (excess === undefined || !isEnforced) return undefined;
      return `its maximum cost of ${excess.cost} points exceeds limits.maxCost (${limits.maxCost})`;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return error.message;
    }
  };
}
