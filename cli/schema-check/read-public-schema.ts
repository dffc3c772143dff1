import { buildSchema, type GraphQLSchema } from 'graphql';
import { type LoadedSupergraph, loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { CommandFailed } from '../command-failed.ts';
import { readSupergraphFile } from '../read-supergraph.ts';

/** Detects a supergraph by the link to the join specification. */
const SUPERGRAPH = /@(?:\w+)\(\s*(?:url|feature):\s*"https:\/\/specs\.apollo\.dev\/join\//;
/** Detects a subgraph by the link to the federation specification, which a supergraph does not have. */
const SUBGRAPH = /@link\(\s*url:\s*"https:\/\/specs\.apollo\.dev\/federation\//;

/**
 * Reads the public schema from a supergraph, from the SDL of a public schema, or from a composition file, which is composed.
 *
 * @throws CommandFailed if the file cannot be read or composed, or is not a valid schema
 */
export async function readPublicSchema(path: string): Promise<GraphQLSchema> {
  return (await readGraph(path)).schema;
}

/** A public schema. The rest of the supergraph is absent for the SDL of a public schema. */
export type ReadGraph = Pick<LoadedSupergraph, 'schema'> & Partial<LoadedSupergraph>;

/** Reads a graph like `readPublicSchema`, with the rules of a supergraph. @throws CommandFailed like `readPublicSchema` */
export async function readGraph(path: string): Promise<ReadGraph> {
  const text = await readSupergraphFile(path);
  try {
    if (!SUPERGRAPH.test(text)) return { schema: buildSchema(text) };
    return loadSupergraph(text);
  } catch (cause) {
    if (SUBGRAPH.test(text)) {
      throw new CommandFailed(
        `${path} is the SDL of a subgraph, not a supergraph or a public schema. List it in a composition file, and pass that file instead.`,
        { cause },
      );
    }
    throw new CommandFailed(`${path} is not a valid schema: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
