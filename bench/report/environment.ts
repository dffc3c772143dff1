import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { canPin } from '../process/cores.ts';
import { checkout, peersRoot } from '../targets/paths.ts';

/** Environment of a run, without which its figures cannot be interpreted. */
export interface Environment {
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly isPinned: boolean;
  readonly packages: Readonly<Record<string, string>>;
}

const PEER_PACKAGES = [
  '@apollo/server',
  '@apollo/gateway',
  'express',
  '@graphql-hive/gateway',
  '@graphql-hive/router-runtime',
  'mercurius',
  '@mercuriusjs/gateway',
  '@grafbase/cli-x86_64-unknown-linux-musl',
  'graphql',
] as const;

export function describeEnvironment(): Environment {
  const processors = cpus();
  const packages = PEER_PACKAGES.map((name) => [name, versionIn(peersRoot, name)]);
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpu: `${processors.length} cores, ${processors[0]?.model.trim() ?? 'unknown'}`,
    isPinned: canPin,
    packages: Object.fromEntries([...packages, ['undici', versionIn(checkout, 'undici')]]) as Record<string, string>,
  };
}

/** Prints the environment as one paragraph. */
export function printEnvironment(environment: Environment): string {
  const versions = Object.entries(environment.packages).map(([name, version]) => `${name} ${version}`);
  return `${printMachine(environment)} ${versions.join(', ')}.`;
}

/** Describes the date, the machine and the version of Node as one sentence. */
export function describeMachine(): string {
  return printMachine(describeEnvironment());
}

function printMachine({ date, node, cpu, isPinned }: Environment): string {
  const pinned = isPinned ? 'gateway on one core, clients and subgraphs on another' : 'PROCESSES COULD NOT BE PINNED to cores';
  return `Measured ${date} on ${cpu}; Node ${node}; ${pinned}.`;
}

function versionIn(root: string, name: string): string {
  try {
    return (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
  } catch {
    return 'not installed';
  }
}
