import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { CommandFailed } from '../command-failed.ts';
import { DEFAULT_COMPOSITION_FILE } from '../default-composition-file.ts';
import { draftGraph } from '../init/draft-graph.ts';
import { EXAMPLE } from '../init/example-subgraph.ts';
import type { NewProject } from '../init/new-project.ts';
import { isPackageName, PACKAGE_NAME_RULE, toPackageName } from '../init/package-name.ts';
import { projectFiles } from '../init/project-files.ts';
import { type ProjectChoices, promptUser } from '../init/prompt-user.ts';
import { type FileStatus, writeFiles } from '../init/write-files.ts';
import { printJson } from '../json-output.ts';
import { readCompositionFile } from '../read-composition.ts';
import type { SubgraphArgument } from '../subgraph-argument.ts';
import type { Terminal } from '../terminal.ts';

export interface InitOptions {
  readonly name?: string;
  readonly subgraph?: readonly SubgraphArgument[];
  readonly profile?: 'dev' | 'production';
  readonly jwtIssuer?: string;
  readonly jwtAudience?: string;
  readonly jwksUrl?: string;
  /** False if no REST documents are written. Commander sets it to true if the option is absent. */
  readonly rest?: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/**
 * Writes the files of a new project. Existing files are not changed, unless `force` is set.
 *
 * @throws CommandFailed if an SDL file does not exist or a file cannot be written
 */
export async function init(directory: string, options: InitOptions, terminal: Terminal): Promise<void> {
  const decided = await decide(directory, options, terminal);
  const force = options.force === true;
  const project = force ? decided : await withExistingSubgraphs(decided, directory);
  await requireSdlFiles(project.subgraphs);
  const first = await writeFiles(directory, projectFiles(project, directory), force);
  const hasOwnComposition = first.some(({ path, status }) => path === DEFAULT_COMPOSITION_FILE && status === 'unchanged');
  const graph = await draftGraph(directory, project, hasOwnComposition);
  const written = [...first, ...(await writeFiles(directory, graph.files, force))];
  const next = nextCommands(directory, graph.problem !== undefined);
  if (options.json === true) {
    printJson(terminal, { directory, files: written, problem: graph.problem ?? null, next });
    return;
  }
  terminal.print(describe(directory, written, next));
  if (graph.problem !== undefined) terminal.warn(graph.problem);
}

async function decide(directory: string, options: InitOptions, terminal: Terminal): Promise<NewProject> {
  const { profile, jwtAudience, jwksUrl } = options;
  const { name, subgraphs, hasRest, issuer } = await choicesOf(directory, options, terminal);
  if (!isPackageName(name)) throw new CommandFailed(`"${name}" cannot be used with --name. ${PACKAGE_NAME_RULE}`, { exitCode: 2 });
  if (issuer === undefined && (jwtAudience !== undefined || jwksUrl !== undefined)) {
    throw new CommandFailed('--jwt-audience and --jwks-url need --jwt-issuer.', { exitCode: 2 });
  }
  const jwt =
    issuer === undefined
      ? undefined
      : { issuer, audience: jwtAudience ?? name, jwksUrl: jwksUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/jwks.json` };
  return { name, subgraphs, profile, jwt, hasRest };
}

async function choicesOf(directory: string, options: InitOptions, { input }: Terminal): Promise<ProjectChoices> {
  const given = {
    name: options.name,
    subgraphs: options.subgraph,
    hasRest: options.rest === false ? false : undefined,
    issuer: options.jwtIssuer,
  };
  const defaultName = toPackageName(basename(resolve(directory)));
  if (options.yes === true || options.json === true || input?.isInteractive !== true) {
    return { name: given.name ?? defaultName, subgraphs: given.subgraphs ?? [], hasRest: given.hasRest ?? true, issuer: given.issuer };
  }
  try {
    using dialog = input.openDialog();
    return await promptUser(dialog, given, defaultName);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    throw new CommandFailed('The input ended before the last prompt. No file was written.', { cause: error });
  }
}

/** Adds the subgraphs of an existing composition file to a project without others, so that it gets no example. */
async function withExistingSubgraphs(project: NewProject, directory: string): Promise<NewProject> {
  const file = join(directory, DEFAULT_COMPOSITION_FILE);
  if (project.subgraphs.length > 0 || !existsSync(file)) return project;
  const { subgraphs } = await readCompositionFile(file);
  const isExample = Object.keys(subgraphs).length === 1 && subgraphs[EXAMPLE.name]?.url === EXAMPLE.url;
  return isExample ? project : { ...project, subgraphs: Object.entries(subgraphs).map(([name, { url, files }]) => ({ name, url, files })) };
}

/** Checks the SDL files before anything is written. */
async function requireSdlFiles(subgraphs: readonly SubgraphArgument[]): Promise<void> {
  for (const { name, files = [] } of subgraphs) {
    for (const file of files) {
      await access(file).catch((cause: unknown) => {
        throw new CommandFailed(`The SDL file ${file} of the subgraph ${name} cannot be read. Check the path of --subgraph.`, {
          exitCode: 2,
          cause,
        });
      });
    }
  }
}

function nextCommands(directory: string, mustCompose: boolean): readonly string[] {
  const path = relative(process.cwd(), resolve(directory));
  return [...(path === '' ? [] : [`cd ${path}`]), 'npm install', ...(mustCompose ? ['npm run compose'] : []), 'npm run dev'];
}

function describe(directory: string, files: readonly FileStatus[], next: readonly string[]): string {
  const list = (status: FileStatus['status']) => files.filter((file) => file.status === status).map(({ path }) => join(directory, path));
  const unchanged = list('unchanged');
  return [
    ...list('written').map((path) => `Wrote ${path}.`),
    ...unchanged.map((path) => `Did not change ${path}, which exists.`),
    ...(unchanged.length === 0 ? [] : ['Use --force to overwrite existing files.']),
    '',
    'Next:',
    ...next.map((command) => `  ${command}`),
  ].join('\n');
}
