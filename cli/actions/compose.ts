import { readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { requirePackages } from '../../gateway/platform/require-packages.ts';
import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';
import { CommandFailed } from '../command-failed.ts';
import { describeCompositionProblems } from '../describe-composition-problems.ts';
import { readComposition } from '../read-composition.ts';
import type { Terminal } from '../terminal.ts';

export interface ComposeOptions {
  readonly file: string;
  readonly out?: string;
  readonly check?: boolean;
}

/** Writes the supergraph. With `check`, compares the existing file with the composed supergraph instead. @throws CommandFailed */
export async function compose({ file, out, check }: ComposeOptions, terminal: Terminal): Promise<void> {
  requirePackages(['@apollo/composition'], '`gatefold compose`');
  const { output, subgraphs } = await readComposition(file);
  const composition = composeSubgraphs(subgraphs);
  if (composition.errors) throw new CommandFailed(describeCompositionProblems(composition.errors));
  for (const { code, message } of composition.hints) terminal.warn(`Hint ${code}: ${message}`);

  const target = relative(process.cwd(), out ?? output);
  const text = `${composition.supergraphSdl.trimEnd()}\n`;
  const written = await readFile(target, 'utf8').catch(() => undefined);
  if (written === text) return terminal.print(`${target} is up to date: ${subgraphs.length} subgraphs.`);
  if (check) throw new CommandFailed(`${target} is out of date. Run \`gatefold compose\` and commit the result.`);
  await writeFile(target, text);
  terminal.print(`Wrote ${target} from ${subgraphs.length} subgraphs.`);
}
