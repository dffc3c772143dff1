import { GatewayError } from '../../platform/errors.ts';
import type { SubgraphResponse } from '../../supergraph/subgraph-executor.ts';
import { FieldFailure } from '../data/field-failure.ts';
import type { ExecutionRun } from '../executable-operation.ts';
import type { CompiledFetch, CompiledRequest, ContextVariable, EntityField, RequestText } from '../plan/compiled-plan.ts';
import type { DataObject } from '../data/own-properties.ts';
import { collectObjects } from './collect-objects.ts';
import { groupByContext } from './context-variables.ts';
import { createGathering, gather } from './gather-entities.ts';
import { markFailed } from './merge-fields.ts';
import { receiveAnswer } from './receive-answer.ts';
import type { Batch, RunState } from './run-state.ts';

/** Sends a fetch and merges what comes. Undefined when there is nothing to ask for: nothing is sent, and it is over. */
export function runFetch(fetch: CompiledFetch, state: RunState): Promise<void> | undefined {
  const [request, ...others] = fetch.requests;
  if (request === undefined) return undefined;
  if (others.length === 0) return runRequest(fetch, request, state);
  return runAll(fetch.requests.map((each) => runRequest(fetch, each, state)));
}

function runRequest(fetch: CompiledFetch, request: CompiledRequest, state: RunState): Promise<void> | undefined {
  if (request.root !== undefined) {
    const { target } = request.root;
    const targets = target === undefined ? [state.data] : collectObjects(target.walk, state);
    if (targets.length === 0) return undefined;
    const { whole } = request.texts;
    return send({ fetch, request, targets, batches: [], body: `${whole.opening}${printVariables(whole, '', state)}}}` }, state);
  }
  const [only] = request.entities;
  if (request.context !== undefined && only !== undefined) return runInContext(fetch, request, only, state);
  const batches: Batch[] = [];
  for (const field of request.entities) {
    const gathering = createGathering(field);
    for (const walk of field.walks) gather(gathering, collectObjects(walk, state));
    if (gathering.batch.size > 0) batches.push(gathering.batch);
  }
  return sendBatches({ fetch, request, batches, variables: '' }, state);
}

/** Sends one request for each set of values that the objects find around them; one set is what there is most of the time. */
function runInContext(fetch: CompiledFetch, request: CompiledRequest, field: EntityField, state: RunState): Promise<void> | undefined {
  return runAll(
    field.paths.flatMap((path) => {
      const { groups, failed } = groupByContext(state.data, path, request.context as readonly ContextVariable[]);
      for (const { object, failure } of failed) markFailed(object, field.keys, failure);
      return groups.map(({ objects, variables }) => {
        const gathering = createGathering(field);
        gather(gathering, objects);
        const batches = gathering.batch.size > 0 ? [gathering.batch] : [];
        return sendBatches({ fetch, request, batches, variables }, state);
      });
    }),
  );
}

/** All of them together; undefined when none was sent. */
function runAll(sent: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const open = sent.filter((each) => each !== undefined);
  return open.length === 0 ? undefined : Promise.all(open).then(() => undefined);
}

const NO_TARGETS: readonly DataObject[] = [];

interface Sending {
  readonly fetch: CompiledFetch;
  readonly request: CompiledRequest;
  /** What an answer about the root type fills; absent where entities are asked for. */
  readonly targets?: readonly DataObject[];
  readonly batches: readonly Batch[];
}

/** Sends what there is to ask; `_entities` fields without representations are left out. */
function sendBatches(sending: Sending & { readonly variables: string }, state: RunState): Promise<void> | undefined {
  const { request, batches } = sending;
  if (batches.length === 0) return undefined;
  const isWhole = batches.length === request.entities.length;
  const text = isWhole ? request.texts.whole : request.texts.partOf(batches.map(({ field }) => request.entities.indexOf(field)));
  let variables = printVariables(text, sending.variables, state);
  for (const { field, text: representations } of batches) variables = joined(variables, `${field.variable}${representations}]`);
  return send({ ...sending, body: `${text.opening}${variables}}}` }, state);
}

/** One promise on top of the executor's: of each fetch of each request. */
function send(
  { fetch, request, targets = NO_TARGETS, batches, body }: Sending & { readonly body: string },
  state: RunState,
): Promise<void> {
  const sent = { fetch, request, order: state.sent, targets, batches };
  state.sent += 1;
  return ask(fetch, body, state).then(
    (response) => receiveAnswer(sent, response, state),
    (error: unknown) => receiveAnswer(sent, toFailure(error, state), state),
  );
}

function ask({ subgraph, kind }: CompiledFetch, body: string, { run }: RunState): Promise<SubgraphResponse> {
  const { executor, context, signal } = run;
  if (signal.aborted) return Promise.reject(signal.reason);
  try {
    return executor({ subgraph, kind, body, context }, signal);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The mark for what a failed request should have brought. @throws what stops the operation, or is a defect */
function toFailure(error: unknown, { run }: RunState): FieldFailure {
  const reason: unknown = run.signal.aborted ? run.signal.reason : error;
  if (reason instanceof GatewayError) return new FieldFailure([{ message: reason.message, code: reason.code }]);
  throw reason;
}

/** The members of the variables: those of the client after the request's own. */
export function printVariables(
  { variables }: RequestText,
  own: string,
  { run }: { readonly run: Pick<ExecutionRun, 'variables'> },
): string {
  let text = own;
  for (const name of variables) {
    const value = Object.hasOwn(run.variables, name) ? run.variables[name] : undefined;
    if (value !== undefined) text = joined(text, `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  }
  return text;
}

function joined(members: string, member: string): string {
  return members === '' ? member : `${members},${member}`;
}
