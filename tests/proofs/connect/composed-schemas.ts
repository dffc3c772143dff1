import { createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';

/** Folders of the corpus with composed supergraphs. */
const FOLDERS = ['apollo-router/src/plugins/connectors/testdata', 'apollo-federation/src/connectors/expand/tests/schemas/expand'];

/** Files of the corpus, with paths from its root. */
interface Corpus {
  readonly list: (folder: string) => readonly string[];
  readonly read: (path: string) => string;
}

/**
 * Loads each composed supergraph of the corpus: its connectors are read and expanded, and the planner reads the result. Each connector must
 * become a virtual subgraph.
 *
 * @returns whether all of them were loaded
 */
export function proveComposedSchemas(corpus: Corpus, print: (line: string) => void): boolean {
  const schemas = FOLDERS.flatMap((folder) => corpus.list(folder))
    .filter((path) => path.endsWith('.graphql'))
    .map((path) => ({ path, sdl: corpus.read(path) }))
    // Some files are the schemas of single subgraphs.
    .filter(({ sdl }) => sdl.includes('@join__graph('));
  const failures = schemas.flatMap(({ path, sdl }) => {
    const failure = load(sdl);
    return failure === undefined ? [] : [`  ${path}: ${failure}`];
  });
  print(`Composed schemas: ${schemas.length - failures.length} of ${schemas.length} expanded and loaded.`);
  for (const line of failures) print(line);
  return schemas.length > 0 && failures.length === 0;
}

/** Returns the reason why a supergraph was not loaded completely. */
function load(sdl: string): string | undefined {
  try {
    const loaded = loadSupergraph(sdl);
    createQueryPlanner(loaded.sdl);
    const declared = sdl.match(/name: "connect"/g)?.length ?? 0;
    const expanded = loaded.connectors?.size ?? 0;
    return expanded === declared ? undefined : `${expanded} of ${declared} connectors became virtual subgraphs`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
