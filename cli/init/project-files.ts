import { relative, resolve, sep } from 'node:path';
import { compositionText, configurationText } from './configuration-files.ts';
import { EXAMPLE, exampleFiles } from './example-subgraph.ts';
import type { SubgraphArgument } from '../subgraph-argument.ts';
import type { NewProject, ProjectFile } from './new-project.ts';
import { packageFiles } from './package-files.ts';
import { readmeText } from './readme.ts';

/** First port of subgraphs whose URL is unknown. */
const FIRST_PORT = 4101;

/** Returns the files that do not depend on the composed graph. */
export function projectFiles(project: NewProject, directory: string): readonly ProjectFile[] {
  return [
    { path: 'gatefold.yaml', text: configurationText(project) },
    { path: 'composition.yaml', text: compositionText(placeSubgraphs(project, directory)) },
    ...(project.subgraphs.length === 0 ? exampleFiles() : []),
    ...packageFiles(project),
    { path: 'README.md', text: readmeText(project) },
  ];
}

/** Returns the subgraphs with paths relative to the project, and a local URL for those without one. */
function placeSubgraphs({ subgraphs }: NewProject, directory: string): readonly (SubgraphArgument & { readonly url: string })[] {
  if (subgraphs.length === 0) return [EXAMPLE];
  return subgraphs.map(({ name, url, files }, index) => ({
    name,
    url: url ?? `http://127.0.0.1:${FIRST_PORT + index}/graphql`,
    files: files?.map((file) => relative(resolve(directory), resolve(file)).split(sep).join('/')),
  }));
}
