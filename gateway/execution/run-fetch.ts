import { GatewayError } from '../platform/errors.ts';
import type { SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import type { CompiledFetch, EntityFetch } from './compile-fetch.ts';
import { type ContextArguments, groupByContext } from './context-arguments.ts';
import { FieldFailure, findFailure, orFailure } from './field-failure.ts';
import { collectTargets } from './flatten-path.ts';
import { markFailed } from './merge-entities.ts';
import type { DataObject } from './own-properties.ts';
import { type Batch, receiveAnswer } from './receive-answer.ts';
import type { RunState } from './run-state.ts';

/** Sends one fetch for all objects that are there for it, and merges what comes. Nothing to ask, nothing sent. */
export async function runFetch(fetch: CompiledFetch, state: RunState): Promise<void> {
  const { entities } = fetch;
  if (entities?.context !== undefined) return runInContext(fetch, entities, entities.context, state);
  const reached = collectTargets(state.data, fetch.path);
  const found = fetch.mayMeetTwice ? [...new Set(reached)] : reached;
  if (found.length === 0) return;
  if (entities === undefined) {
    const response = await ask(fetch, `${printVariables(fetch, state)}}}`, state);
    receiveAnswer(fetch, { targets: found, indices: [], size: 1 }, response, state);
    return;
  }
  const { batch, body } = gather(fetch, entities, found, printVariables(fetch, state));
  if (batch.size > 0) receiveAnswer(fetch, batch, await ask(fetch, body, state), state);
}

/** Sends one request for each set of values that the objects find around them; one set is what there is most of the time. */
async function runInContext(fetch: CompiledFetch, entities: EntityFetch, context: ContextArguments, state: RunState): Promise<void> {
  const { groups, failed } = groupByContext(state.data, fetch.path, context);
  for (const { target, failure } of failed) markFailed(target, fetch.keys, failure);
  const variables = printVariables(fetch, state);
  const asked = groups.map(({ targets, variables: found }) => gather(fetch, entities, targets, joined(variables, found)));
  const sent = asked.filter(({ batch }) => batch.size > 0);
  const responses = await Promise.all(sent.map(({ body }) => ask(fetch, body, state)));
  for (const [index, { batch }] of sent.entries()) {
    const response = responses[index];
    if (response !== undefined) receiveAnswer(fetch, batch, response, state);
  }
}

interface EntityRequest {
  readonly batch: Batch;
  /** JSON text of the request. */
  readonly body: string;
}

/**
 * Prints the request with its representations; equal ones once. An entity without something required is left out.
 *
 * @param opening the request up to and including its other variables
 */
function gather(fetch: CompiledFetch, entities: EntityFetch, found: readonly DataObject[], opening: string): EntityRequest {
  const { print, requires, variable } = entities;
  const texts = new Map<string, number>();
  const targets: DataObject[] = [];
  const indices: number[] = [];
  for (const target of found) {
    const text = orFailure(() => print(target));
    if (typeof text !== 'string') {
      // What a failed fetch should have given, and this one needs, makes this one's fields fail for the same cause.
      const failure = text ?? findFailure(target, requires);
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
  const body = `${joined(opening, `${variable}${[...texts.keys()].join(',')}]`)}}}`;
  return { batch: { targets, indices, size: texts.size }, body };
}

/** Adds a member to an object that is being printed. */
function joined(text: string, member: string): string {
  if (member === '') return text;
  return text.endsWith('{') ? text + member : `${text},${member}`;
}

function printVariables(fetch: CompiledFetch, { run }: RunState): string {
  let text = fetch.opening;
  for (const name of fetch.variables) {
    const value = Object.hasOwn(run.variables, name) ? run.variables[name] : undefined;
    if (value === undefined) continue;
    text = joined(text, `${JSON.stringify(name)}:${JSON.stringify(value)}`);
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
