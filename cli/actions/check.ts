import { CommandFailed } from '../command-failed.ts';
import { type ProductConfig, readProductConfig } from '../configuration.ts';
import { printJson } from '../json-output.ts';
import { affectedClients, describeClients } from '../schema-check/affected-clients.ts';
import type { SchemaChange, Severity } from '../schema-check/compare-schemas.ts';
import { findChanges, type SchemaUsers } from '../schema-check/find-changes.ts';
import { readPublicSchema } from '../schema-check/read-public-schema.ts';
import { parseManifestOption } from '../schema-check/read-trusted-documents.ts';
import { describeUser } from '../schema-check/schema-user.ts';
import type { Terminal } from '../terminal.ts';

export interface CheckOptions {
  readonly against: string;
  readonly supergraph?: string;
  readonly config?: string;
  /** Directory of the REST documents. With false, none are checked. @defaultValue the directory of the configuration */
  readonly rest?: string | false;
  /** Manifests of persisted documents: `file` or `client=file`. With false, none are checked. @defaultValue those of the configuration */
  readonly manifest?: readonly string[] | false;
  /** Directory of the webhook documents. With false, none are checked. @defaultValue the directory of the configuration */
  readonly webhooks?: string | false;
  /** Whether changes of descriptions are included. @defaultValue false */
  readonly descriptions?: boolean;
  readonly failOn: 'breaking' | 'dangerous';
  readonly json?: boolean;
}

/**
 * Prints the changes between two schemas for clients, and the REST routes, persisted documents and webhook events that the new schema
 * breaks.
 *
 * @throws CommandFailed with exit code 1 if there are changes with a failing severity
 */
export async function check(file: string | undefined, options: CheckOptions, terminal: Terminal): Promise<void> {
  const { path, users } = await subjectOf(file ?? options.supergraph, options, terminal);
  const [previous, next] = await Promise.all([readPublicSchema(options.against), readPublicSchema(path)]);
  const changes = await findChanges({ previous, next }, users, options.descriptions === true);
  const failing = changes.filter(({ severity }) => severity === 'breaking' || (options.failOn === 'dangerous' && severity === 'dangerous'));
  const isPassed = failing.length === 0;
  if (options.json === true) {
    const described = changes.map((change) => ({ ...change, clients: affectedClients(change.usedBy) }));
    printJson(terminal, { passed: isPassed, ...countsOf(changes), changes: described });
  } else terminal.print(describe(changes));
  if (!isPassed) throw new CommandFailed(`${path} is not compatible with ${options.against}: ${summary(failing)}.`);
}

interface Subject {
  readonly path: string;
  readonly users: SchemaUsers;
}

/** Reads the configuration only if the command line does not name everything. */
async function subjectOf(file: string | undefined, options: CheckOptions, terminal: Terminal): Promise<Subject> {
  const { config, rest, manifest, webhooks } = options;
  const isComplete = file !== undefined && rest !== undefined && manifest !== undefined && webhooks !== undefined;
  const readConfig = () => readProductConfig(config === undefined ? {} : { config }, { profile: 'production' }, terminal);
  const configured = isComplete ? undefined : await readConfig();
  const manifests = Object.entries(configured?.persisted.manifests ?? {}).map(([client, path]) => ({ client, file: path }));
  return {
    path: file ?? configuredFile(configured),
    users: {
      rest: rest === undefined ? configured?.rest?.documents : rest || undefined,
      manifests: manifest === undefined ? manifests : (manifest || []).map(parseManifestOption),
      webhooks: webhooks === undefined ? configured?.rest?.webhooks : webhooks || undefined,
    },
  };
}

function configuredFile(config: ProductConfig | undefined): string {
  const file = config?.supergraph.file;
  if (file !== undefined) return file;
  throw new CommandFailed('No schema to check. Pass a file, or set supergraph.file in the configuration.', { exitCode: 2 });
}

function describe(changes: readonly SchemaChange[]): string {
  if (changes.length === 0) return 'No changes.';
  const lines = changes.flatMap((change) => {
    const { severity, type, message, perhaps, hint } = change;
    const renamed = perhaps === undefined ? '' : ` It may have been renamed to ${perhaps}. Keep both fields and deprecate the old one.`;
    const advice = hint === undefined ? '' : ` ${hint}`;
    return [`${severity.padEnd(9)}  ${message.replace(/[^.?]$/, '$&.')}${renamed}${advice} [${type}]`, ...describeUsers(change)];
  });
  return [...lines, '', `${changes.length === 1 ? 'One change' : `${changes.length} changes`}: ${summary(changes)}.`].join('\n');
}

/** Maximum number of users that the text lists for one change. The JSON result has all. */
const MAX_USERS = 10;

/** Lists the users of an element whose change can break them, after a line with their clients. Other messages name the user, or are followed by one that does. */
function describeUsers({ severity, type, usedBy }: SchemaChange): readonly string[] {
  if (severity === 'safe' || NAMES_ITS_USER.has(type)) return [];
  const clients = affectedClients(usedBy);
  const lines = clients.length === 0 ? [] : [`             used by clients: ${describeClients(clients)}`];
  lines.push(...usedBy.slice(0, MAX_USERS).map((user) => `             used by ${describeUser(user)}`));
  const more = usedBy.length - MAX_USERS;
  return more > 0 ? [...lines, `             used by ${more} more; --json lists all`] : lines;
}

const NAMES_ITS_USER: ReadonlySet<string> = new Set(['REST_DOCUMENT_INVALID', 'REST_ROUTE_REMOVED', 'DOCUMENT_INVALID']);

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
