import { join } from 'node:path';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { CommandFailed } from '../command-failed.ts';
import { readSupergraphFile } from '../read-supergraph.ts';
import { REST_DIRECTORY, SUPERGRAPH } from './configuration-files.ts';
import { EXAMPLE_SUPERGRAPH } from './example-supergraph.ts';
import type { NewProject, ProjectFile } from './new-project.ts';

/** Files that are derived from the composed graph. */
export interface DraftedGraph {
  readonly files: readonly ProjectFile[];
  /** Why the graph could not be composed. */
  readonly problem?: string;
}

/**
 * Composes the graph of a new project and drafts its REST documents. If it does not compose yet, the user does that later.
 *
 * @param hasOwnComposition whether the composition file existed before, and may name other subgraphs
 */
export async function draftGraph(directory: string, { subgraphs, hasRest }: NewProject, hasOwnComposition: boolean): Promise<DraftedGraph> {
  try {
    // The supergraph of the example is known, so that it is served even if the package that composes is not installed.
    const isExample = subgraphs.length === 0 && !hasOwnComposition;
    const sdl = isExample ? EXAMPLE_SUPERGRAPH : `${(await readSupergraphFile(join(directory, 'composition.yaml'))).trimEnd()}\n`;
    const rest = hasRest ? await draftRest(sdl) : [];
    return { files: [{ path: SUPERGRAPH, text: sdl }, ...rest] };
  } catch (error) {
    if (!(error instanceof CommandFailed) && !(error instanceof Error && error.name === 'PackagesMissing')) throw error;
    const problem =
      error.name === 'PackagesMissing'
        ? `${SUPERGRAPH} was not written, because @apollo/composition is not installed yet. Run \`npm install\` and \`npm run compose\` in the project.`
        : `${error.message}\n${SUPERGRAPH} was not written. Run \`npm run compose\` when the subgraphs are available.`;
    const restHint = hasRest ? '\nAfter that, `npx gatefold rest init --out rest` drafts the REST documents.' : '';
    const rest = hasRest ? [emptyDirectory()] : [];
    return { files: rest, problem: problem + restHint };
  }
}

async function draftRest(sdl: string): Promise<readonly ProjectFile[]> {
  const { draftRestDocuments } = await import('../draft-rest-documents.ts');
  const { documents } = draftRestDocuments(loadSupergraph(sdl));
  if (documents.length === 0) return [emptyDirectory()];
  return documents.map(({ path, text }) => ({ path: `${REST_DIRECTORY}/${path}`, text }));
}

/** Git does not store empty directories, and the gateway requires the directory. */
function emptyDirectory(): ProjectFile {
  return { path: `${REST_DIRECTORY}/.gitkeep`, text: '' };
}
