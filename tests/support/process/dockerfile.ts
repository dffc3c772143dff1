import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/** One instruction of a Dockerfile, with its lines joined. */
export interface DockerInstruction {
  readonly name: string;
  readonly text: string;
}

/** One stage of a Dockerfile: its base image, and its instructions after `FROM`. */
export interface DockerStage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly DockerInstruction[];
}

/** Reads the stages of the Dockerfile of this repository. */
export function readDockerfile(): readonly DockerStage[] {
  const stages: { base: string; name: string | undefined; instructions: DockerInstruction[] }[] = [];
  const text = readFileSync(join(packageRoot, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '');
  for (const line of text.split('\n')) {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) continue;
    const [, base, stage] = name === 'FROM' ? (/^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []) : [];
    if (base === undefined) stages.at(-1)?.instructions.push({ name, text: rest });
    else stages.push({ base, name: stage, instructions: [] });
  }
  return stages;
}

/** Returns the texts of the instructions with this name. */
export function instructionsOf(stage: DockerStage | undefined, name: string): readonly string[] {
  return (stage?.instructions ?? []).flatMap((instruction) => (instruction.name === name ? [instruction.text] : []));
}
