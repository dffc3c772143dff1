import { type GraphQLSchema, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { type CompileOperationInput, compileOperation } from '../../../../gateway/execution/compile-operation.ts';
import type { DeferredPatch, ExecutionResult } from '../../../../gateway/execution/executable-operation.ts';
import type { OperationPlan } from '../../../../gateway/planning/operation-plan.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import type { SubgraphRequest } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { type Script, scriptedExecutor } from './scripted-graph.ts';

export interface DeferredInput {
  readonly schema: GraphQLSchema;
  readonly text: string;
  readonly plan: OperationPlan;
  readonly script: Script;
  readonly settings?: Partial<CompileOperationInput>;
  readonly signal?: AbortSignal;
}

/** Runs a deferred operation until its initial result is available. */
export async function runDeferred({ schema, text, plan, script, settings, signal }: DeferredInput): Promise<ExecutionResult> {
  const document = parse(text);
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;
  const requests: SubgraphRequest[] = [];
  const executable = compileOperation({ plan, schema, document, operation, conditions: {}, isDeferring: true, ...settings });
  return await executable.execute({
    variables: {},
    context: { principal: ANONYMOUS, correlationId: 'test', headers: {} },
    signal: signal ?? new AbortController().signal,
    executor: scriptedExecutor(script, requests),
  });
}

/** A patch with parsed data. */
export interface ReadPatch {
  readonly label?: string;
  readonly path: string;
  readonly data: unknown;
  readonly errors: readonly string[];
}

/** Returns the patches of the next payload. */
export async function nextPatches({ deferred }: ExecutionResult): Promise<readonly ReadPatch[]> {
  return ((await deferred?.next())?.patches ?? []).map(readPatch);
}

/** Returns the patches of all remaining payloads, grouped by payload. */
export async function allPatches(result: ExecutionResult): Promise<readonly (readonly ReadPatch[])[]> {
  const parts: (readonly ReadPatch[])[] = [];
  while (result.deferred?.hasNext === true) parts.push(await nextPatches(result));
  return parts;
}

export function readPatch({ label, path, data, errors }: DeferredPatch): ReadPatch {
  return {
    ...(label === undefined ? {} : { label }),
    path: path.join('.'),
    data: JSON.parse(data) as unknown,
    errors: errors.map((error) => `${(error.path ?? []).join('.')} ${error.code}`),
  };
}

/** Creates a response that the test releases by calling `open`. */
export function gate(response: unknown): { readonly open: () => void; readonly respond: () => Promise<unknown> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    open: () => open(),
    respond: async () => {
      await opened;
      return response;
    },
  };
}
