import { readFile } from 'node:fs/promises';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { explainOperation } from '../../gateway/generation/explain/explain-operation.ts';
import { OperationRejected, type RequestError } from '../../gateway/operation/operation-rejected.ts';
import { ANONYMOUS, type Principal } from '../../gateway/platform/principal.ts';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { CommandFailed, type FailureProblem } from '../command-failed.ts';
import { readProductConfig } from '../configuration.ts';
import { printJson } from '../json-output.ts';
import { printPlan } from '../plan/print-plan.ts';
import { isComposition, readConfiguredSupergraph, readSupergraphFile } from '../read-supergraph.ts';
import type { Terminal } from '../terminal.ts';

export interface PlanOptions {
  readonly query?: string;
  readonly supergraph?: string;
  readonly config?: string;
  readonly variables?: string;
  readonly operationName?: string;
  readonly label?: readonly string[];
  readonly anonymous?: boolean;
  readonly roles?: readonly string[];
  readonly scopes?: readonly string[];
  /** Whether the client accepts an incremental response. @defaultValue true */
  readonly defer?: boolean;
  readonly json?: boolean;
}

/**
 * Prints the query plan of an operation.
 *
 * @throws CommandFailed `OPERATION_INVALID` with the location of each error, for an operation that the gateway would reject
 * @throws ConfigurationInvalid, SupergraphInvalid
 */
export async function plan(file: string | undefined, options: PlanOptions, terminal: Terminal): Promise<void> {
  const principal = callerOf(options);
  const source = await readOperation(file, options, terminal);
  const variables = options.variables === undefined ? undefined : await readVariables(options.variables);
  const { supergraph, config: configFile } = options;
  const isComposed = supergraph !== undefined && isComposition(supergraph);
  const config = await readProductConfig(
    { ...(configFile === undefined ? {} : { config: configFile }), ...(supergraph === undefined || isComposed ? {} : { supergraph }) },
    { profile: 'production' },
    terminal,
  );
  const loaded = loadSupergraph(supergraph === undefined ? await readConfiguredSupergraph(config) : await readSupergraphFile(supergraph));
  try {
    const planned = await explainOperation(source.text, {
      loaded,
      config,
      variables,
      operationName: options.operationName,
      labels: options.label ?? [],
      principal,
      acceptsIncrements: options.defer !== false,
    });
    if (options.json === true) printJson(terminal, planned);
    else terminal.print(printPlan(planned));
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    throw operationInvalid(error, source.name);
  }
}

interface OperationSource {
  /** Name in messages. */
  readonly name: string;
  readonly text: string;
}

async function readOperation(file: string | undefined, { query }: PlanOptions, terminal: Terminal): Promise<OperationSource> {
  if ((file === undefined) === (query === undefined)) {
    throw new CommandFailed('Pass the operation as a file, as - for standard input, or with --query, and only in one of these ways.', {
      exitCode: 2,
    });
  }
  if (query !== undefined) return { name: 'query', text: query };
  if (file === '-') return { name: 'stdin', text: (await terminal.input?.readAll()) ?? '' };
  return { name: file ?? '', text: await readText(file ?? '') };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new CommandFailed(`${file} cannot be read. Check the path and its permissions.`, { cause });
  }
}

async function readVariables(option: string): Promise<Readonly<Record<string, unknown>>> {
  const isFile = option.startsWith('@');
  const subject = isFile ? option.slice(1) : '--variables';
  const text = isFile ? await readText(subject) : option;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CommandFailed(`${subject} is not valid JSON: ${(cause as Error).message}`, { exitCode: 2, cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw new CommandFailed(`${subject} must be a JSON object with a value for each variable, such as {"id": "1"}.`, { exitCode: 2 });
}

/** Returns the caller to plan for; undefined for one who may read every field. */
function callerOf({ anonymous = false, roles, scopes }: PlanOptions): Principal | undefined {
  const isNamed = roles !== undefined || scopes !== undefined;
  if (anonymous && isNamed) {
    throw new CommandFailed('--anonymous cannot be combined with --roles and --scopes, because only a signed-in caller has them.', {
      exitCode: 2,
    });
  }
  if (anonymous) return ANONYMOUS;
  return isNamed ? { ...ANONYMOUS, kind: 'user', id: 'caller', roles: new Set(roles), scopes: new Set(scopes) } : undefined;
}

function operationInvalid(error: GatewayError, name: string): CommandFailed {
  const errors: readonly RequestError[] = error instanceof OperationRejected ? error.errors : [{ message: error.message }];
  const problems = errors.map(({ message, locations = [] }): FailureProblem => {
    const hint = error.code === 'OPERATION_RESOLUTION_FAILURE' ? ' Use --operation-name.' : '';
    return { message: message + hint, code: error.code, locations: locations.map(({ line, column }) => ({ file: name, line, column })) };
  });
  const lines = problems.map(({ message, locations: [first] = [] }) => {
    return `${first === undefined ? `${name}:` : `${first.file}:${first.line}:${first.column}:`} ${message} [${error.code}]`;
  });
  return new CommandFailed(lines.join('\n'), { code: 'OPERATION_INVALID', problems, cause: error });
}
