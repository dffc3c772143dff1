import { CommandFailed } from '../command-failed.ts';
import { type ProductConfig, readProductConfig } from '../configuration.ts';
import { compareSchemas, type SchemaChange, type Severity } from '../schema-check/compare-schemas.ts';
import { findBrokenRoutes } from '../schema-check/find-broken-routes.ts';
import { readPublicSchema } from '../schema-check/read-public-schema.ts';
import type { Terminal } from '../terminal.ts';

export interface CheckOptions {
  readonly against: string;
  readonly supergraph?: string;
  readonly config?: string;
  /** Directory of the REST documents. With false, none are checked. @defaultValue the directory of the configuration */
  readonly rest?: string | false;
  readonly failOn: 'breaking' | 'dangerous';
  readonly json?: boolean;
}

/**
 * Prints the changes between two schemas for clients, and the REST routes that the new schema breaks.
 *
 * @throws CommandFailed with exit code 1 if there are changes with a failing severity
 */
export async function check(file: string | undefined, options: CheckOptions, terminal: Terminal): Promise<void> {
  const { path, documents } = await subjectOf(file ?? options.supergraph, options, terminal);
  const [previous, next] = await Promise.all([readPublicSchema(options.against), readPublicSchema(path)]);
  const broken = documents === undefined ? [] : await findBrokenRoutes(documents, { previous, next });
  const changes = [...broken, ...(await compareSchemas(previous, next))];
  const failing = changes.filter(({ severity }) => severity === 'breaking' || (options.failOn === 'dangerous' && severity === 'dangerous'));
  const isPassed = failing.length === 0;
  terminal.print(
    options.json === true ? JSON.stringify({ passed: isPassed, ...countsOf(changes), changes }, undefined, 2) : describe(changes),
  );
  if (!isPassed) throw new CommandFailed(`${path} is not compatible with ${options.against}: ${summary(failing)}.`);
}

interface Subject {
  readonly path: string;
  /** Directory of the REST documents. */
  readonly documents: string | undefined;
}

/** Reads the configuration only if the command line does not name both the schema and the documents. */
async function subjectOf(file: string | undefined, { config, rest }: CheckOptions, terminal: Terminal): Promise<Subject> {
  const readConfig = () => readProductConfig(config === undefined ? {} : { config }, { profile: 'production' }, terminal);
  const configured = file === undefined || rest === undefined ? await readConfig() : undefined;
  const documents = rest === undefined ? configured?.rest?.documents : rest || undefined;
  return { path: file ?? configuredFile(configured), documents };
}

function configuredFile(config: ProductConfig | undefined): string {
  const file = config?.supergraph.file;
  if (file !== undefined) return file;
  throw new CommandFailed('No schema to check. Pass a file, or set supergraph.file in the configuration.', { exitCode: 2 });
}

function describe(changes: readonly SchemaChange[]): string {
  if (changes.length === 0) return 'No changes.';
  const lines = changes.map(({ severity, type, message, perhaps, hint }) => {
    const renamed = perhaps === undefined ? '' : ` It may have been renamed to ${perhaps}. Keep both fields and deprecate the old one.`;
    const advice = hint === undefined ? '' : ` ${hint}`;
    return `${severity.padEnd(9)}  ${message.replace(/[^.]$/, '$&.')}${renamed}${advice} [${type}]`;
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
