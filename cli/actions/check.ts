import { CommandFailed } from '../command-failed.ts';
import { readProductConfig } from '../configuration.ts';
import { compareSchemas, type SchemaChange, type Severity } from '../schema-check/compare-schemas.ts';
import { readPublicSchema } from '../schema-check/read-public-schema.ts';
import type { Terminal } from '../terminal.ts';

export interface CheckOptions {
  readonly against: string;
  readonly supergraph?: string;
  readonly config?: string;
  readonly failOn: 'breaking' | 'dangerous';
  readonly json?: boolean;
}

/**
 * Tells what a new schema changes for clients of an old one.
 *
 * @throws CommandFailed with exit code 1 when there are changes of the kind that fails
 */
export async function check(file: string | undefined, options: CheckOptions, terminal: Terminal): Promise<void> {
  const path = file ?? options.supergraph ?? (await configuredFile(options, terminal));
  const [previous, next] = await Promise.all([readPublicSchema(options.against), readPublicSchema(path)]);
  const changes = await compareSchemas(previous, next);
  const failing = changes.filter(({ severity }) => severity === 'breaking' || (options.failOn === 'dangerous' && severity === 'dangerous'));
  const isPassed = failing.length === 0;
  terminal.print(
    options.json === true ? JSON.stringify({ passed: isPassed, ...countsOf(changes), changes }, undefined, 2) : describe(changes),
  );
  if (!isPassed) throw new CommandFailed(`${path} is not compatible with ${options.against}: ${summary(failing)}.`);
}

async function configuredFile({ config }: CheckOptions, terminal: Terminal): Promise<string> {
  const { supergraph } = await readProductConfig(config === undefined ? {} : { config }, { profile: 'production' }, terminal);
  if (supergraph.file !== undefined) return supergraph.file;
  throw new CommandFailed('There is no schema to check: name a file, or configure supergraph.file.', { exitCode: 2 });
}

function describe(changes: readonly SchemaChange[]): string {
  if (changes.length === 0) return 'No changes.';
  const lines = changes.map(({ severity, type, message, perhaps }) => {
    const hint = perhaps === undefined ? '' : ` Perhaps it was renamed to ${perhaps}: keep both, and deprecate the old one.`;
    return `${severity.padEnd(9)}  ${message.replace(/[^.]$/, '$&.')}${hint} [${type}]`;
  });
  return [...lines, '', `${changes.length === 1 ? 'One change' : `${changes.length} changes`}: ${summary(changes)}.`].join('\n');
}

function summary(changes: readonly SchemaChange[]): string {
  const counts = countsOf(changes);
  return (['breaking', 'dangerous', 'safe'] as const)
    .flatMap((severity) => (counts[severity] > 0 ? `${counts[severity]} ${severity}` : []))
    .join(', ');
}

function countsOf(changes: readonly SchemaChange[]): Readonly<Record<Severity, number>> {
  const count = (wanted: Severity): number => changes.filter(({ severity }) => severity === wanted).length;
  return { breaking: count('breaking'), dangerous: count('dangerous'), safe: count('safe') };
}
