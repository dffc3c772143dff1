import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { requirePackages } from '../../gateway/platform/require-packages.ts';
import { composeSubgraphs, type SubgraphSource } from '../../gateway/supergraph/compose-subgraphs.ts';
import { CommandFailed } from '../command-failed.ts';
import { describeCompositionProblems } from '../describe-composition-problems.ts';
import { DEFAULT_COMPOSITION_FILE } from '../default-composition-file.ts';
import { printJson } from '../json-output.ts';
import { openSdlSigner } from '../open-sdl-signer.ts';
import { readComposition } from '../read-composition.ts';
import type { Terminal } from '../terminal.ts';
import { writeOutput } from '../write-output.ts';

export interface ComposeOptions {
  /** Composition file. @defaultValue `composition.yaml` in the working directory */
  readonly file?: string;
  readonly out?: string;
  readonly check?: boolean;
  readonly json?: boolean;
  /** Whether requests for the SDL are signed with the key of the configuration. @defaultValue false */
  readonly sign?: boolean;
  /** Configuration file with that key. @defaultValue `gatefold.yaml`, if it exists */
  readonly config?: string;
}

/** Writes the supergraph. With `check`, compares the existing file with the composed supergraph instead. @throws CommandFailed */
export async function compose({ file, out, check, json = false, sign = false, config }: ComposeOptions, terminal: Terminal): Promise<void> {
  requirePackages(['@apollo/composition'], '`gatefold compose`');
  const { output, subgraphs } = await readComposition(file ?? defaultFile(), sign ? await openSdlSigner(config, terminal) : undefined);
  const isLarge = subgraphs.length >= LARGE;
  if (isLarge && !json) terminal.warn(`Composing ${count(subgraphs.length)} with ${inMegabytes(lengthOf(subgraphs))} of SDL ...`);
  const startedAt = performance.now();
  const composition = composeSubgraphs(subgraphs);
  const effort = isLarge ? `, composed in ${inSeconds(performance.now() - startedAt)} with ${inMegabytes(peakMemory())} of memory` : '';
  if (composition.errors) {
    throw new CommandFailed(describeCompositionProblems(composition.errors), { code: 'COMPOSITION_FAILED', problems: composition.errors });
  }
  const { hints } = composition;
  for (const { code, message } of json ? [] : hints) terminal.warn(`Hint ${code}: ${message}`);

  const target = relative(process.cwd(), out ?? output);
  const text = `${composition.supergraphSdl.trimEnd()}\n`;
  const written = await readFile(target, 'utf8').catch(() => undefined);
  const report = (isWritten: boolean, message: string): void => {
    if (json) printJson(terminal, { file: target, written: isWritten, subgraphs: subgraphs.map(({ name }) => name), hints });
    else terminal.print(message);
  };
  if (written === text) return report(false, `${target} is up to date: ${count(subgraphs.length)}${effort}.`);
  if (check) throw new CommandFailed(`${target} is out of date. Run \`gatefold compose\` and commit the result.`);
  await writeOutput(target, text);
  report(true, `Wrote ${target} from ${count(subgraphs.length)}${effort}.`);
}

/** Number of subgraphs from which a composition takes seconds, so that progress and cost are reported. */
const LARGE = 50;

function lengthOf(subgraphs: readonly SubgraphSource[]): number {
  return subgraphs.flatMap(({ files }) => files).reduce((total, { text }) => total + Buffer.byteLength(text), 0);
}

/** Returns the highest memory of this process. @unit bytes */
function peakMemory(): number {
  return process.resourceUsage().maxRSS * 1_024;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function count(subgraphs: number): string {
  return `${subgraphs} ${subgraphs === 1 ? 'subgraph' : 'subgraphs'}`;
}

function defaultFile(): string {
  if (existsSync(DEFAULT_COMPOSITION_FILE)) return DEFAULT_COMPOSITION_FILE;
  throw new CommandFailed(
    `There is no ${DEFAULT_COMPOSITION_FILE} in this directory. Create it, or name another composition file with --file <file>.`,
    { exitCode: 2 },
  );
}
