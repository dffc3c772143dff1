import { GatewayError } from '../platform/errors.ts';
import type { SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { CompiledFetch, EntityFetch } from './compile-fetch.ts';
import { FieldFailure, findFailure } from './field-failure.ts';
import { collectTargets } from './flatten-path.ts';
import { markFailed } from './merge-entities.ts';
import type { DataObject } from './own-properties.ts';
import { type Batch, receiveAnswer } from './receive-answer.ts';
import type { RunState } from './run-state.ts';

/** Sends one fetch for all objects that are there for it, and merges what comes. Nothing to ask, nothing sent. */
export async function runFetch(fetch: CompiledFetch, state: RunState): Promise<void> {
  const reached = collectTargets(state.data, fetch.path);
  const found = fetch.mayMeetTwice ? [...new Set(reached)] : reached;
  if (found.length === 0) return;
  if (fetch.entities === undefined) {
    const response = await ask(fetch, `${printVariables(fetch, state)}}}`, state);
    receiveAnswer(fetch, { targets: found, indices: [], size: 1 }, response, state);
    return;
  }
  const texts = new Map<string, number>();
  const batch = gather(fetch, fetch.entities, found, texts);
  if (batch.size === 0) return;
  const variables = printVariables(fetch, state);
  const separator = variables.endsWith('{') ? '' : ',';
  const body = `${variables}${separator}${fetch.entities.variable}${[...texts.keys()].join(',')}]}}`;
  receiveAnswer(fetch, batch, await ask(fetch, body, state), state);
}

/** Prints the representations; equal ones once. An entity without something required is left out. */
function gather(fetch: CompiledFetch, { print, requires }: EntityFetch, found: readonly DataObject[], texts: Map<string, number>): Batch {
  const targets: DataObject[] = [];
  const indices: number[] = [];
  for (const target of found) {
    const text = print(target);
    if (text === undefined) {
      // What a failed fetch should have given, and this one needs, makes this one's fields fail for the same cause.
      const failure = findFailure(target, requires);
      if (failure !== undefined) markFailed(target, fetch.keys, failure);
      continue;
    }
    let index = texts.get(text);
    if (index === undefined) {
      index = texts.size;
      texts.set(text, index);
    }
    targets.push(target);
    indices.push(index);
  }
  return { targets, indices, size: texts.size };
}

function printVariables(fetch: CompiledFetch, { run }: RunState): string {
  let text = fetch.opening;
  for (const name of fetch.variables) {
    const value = Object.hasOwn(run.variables, name) ? run.variables[name] : undefined;
    if (value === undefined) continue;
    text += `${text.endsWith('{') ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`;
  }
  return text;
}

async function ask(fetch: CompiledFetch, body: string, { run }: RunState): Promise<SubgraphResponse | FieldFailure> {
  try {
    run.signal.throwIfAborted();
    return await run.executor({ subgraph: fetch.subgraph, kind: fetch.kind, body, context: run.context }, run.signal);
  } catch (error) {
    const reason: unknown = run.signal.aborted ? run.signal.reason : error;
    if (reason instanceof GatewayError) return new FieldFailure([{ message: reason.message, code: reason.code }]);
    throw reason;
  }
}
