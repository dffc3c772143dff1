import { GatewayError } from '../../platform/errors.ts';
import type { SubgraphResponse } from '../../supergraph/subgraph-executor.ts';
import { FieldFailure } from '../data/field-failure.ts';
import type { ExecutionRun } from '../executable-operation.ts';
import type { CompiledFetch, EntityField, RequestText } from '../plan/compiled-plan.ts';
import type { DataObject } from '../data/own-properties.ts';
import { collectObjects } from './collect-objects.ts';
import { collectAllRepresentations, collectRepresentationsInSteps } from './collect-representations.ts';
import { finishRun } from './finish-run.ts';
import { type PackedRequest, joined, packCopies } from './pack-copies.ts';
import { receiveResponse } from './receive-response.ts';
import type { RepresentationBatch, RunState } from './run-state.ts';

/**
 * Sends a fetch and merges its response. Returns undefined when there is nothing to fetch. No request is sent then, and the fetch is
 * complete.
 */
export function runFetch(fetch: CompiledFetch, state: RunState): Promise<void> | undefined {
  const { request } = fetch;
  if (request.root !== undefined) {
    const { target } = request.root;
    const targets = target === undefined ? [state.data] : collectObjects(target.walk, state);
    if (targets.length === 0) return undefined;
    const { whole } = request.texts;
    return send({ fetch, targets, batches: [], body: `${whole.prefix}${printVariables(whole, '', state)}}}` }, state);
  }
  if (request.copies !== undefined) return sendAll(fetch, packCopies(request, request.copies, state), state);
  if (state.isLarge)
    return finishRun(collectInSteps(request.entities, state), state).then((batches) => sendEntities(fetch, batches, state));
  const batches: RepresentationBatch[] = [];
  for (const field of request.entities) {
    const batch = collectAllRepresentations(field, state);
    if (batch.size > 0) batches.push(batch);
  }
  return sendEntities(fetch, batches, state);
}

/** Collects the representations of objects of a large response. Collecting all of them at once would delay other requests. */
function* collectInSteps(fields: readonly EntityField[], state: RunState): Generator<undefined, readonly RepresentationBatch[], undefined> {
  const batches: RepresentationBatch[] = [];
  for (const field of fields) {
    const batch = yield* collectRepresentationsInSteps(field, state);
    if (batch.size > 0) batches.push(batch);
  }
  return batches;
}

/** Sends the representations of a fetch; returns undefined when there are none. */
function sendEntities(fetch: CompiledFetch, batches: readonly RepresentationBatch[], state: RunState): Promise<void> | undefined {
  const { request } = fetch;
  if (batches.length === 0) return undefined;
  const isWhole = batches.length === request.entities.length;
  const text = isWhole ? request.texts.whole : request.texts.segmentOf(batches.map(({ field }) => request.entities.indexOf(field)));
  return sendBatches(fetch, { text, batches, own: '' }, state);
}

/** Sends all requests of a fetch in parallel; returns undefined when no request is needed. */
function sendAll(fetch: CompiledFetch, packed: readonly PackedRequest[], state: RunState): Promise<void> | undefined {
  const [only, ...others] = packed;
  if (only === undefined) return undefined;
  if (others.length === 0) return sendBatches(fetch, only, state);
  return Promise.all(packed.map((each) => sendBatches(fetch, each, state))).then(() => undefined);
}

function sendBatches(fetch: CompiledFetch, { text, batches, own }: PackedRequest, state: RunState): Promise<void> {
  let variables = printVariables(text, own, state);
  for (const { field, text: representations } of batches) variables = joined(variables, `${field.variable}${representations}]`);
  const isOnlyVariable = fetch.request.entities.length === 1 && fetch.request.copies === undefined && text.variables.length === 0;
  return send({ fetch, batches, body: `${text.prefix}${variables}}}`, entities: isOnlyVariable ? batches[0] : undefined }, state);
}

const NO_TARGETS: readonly DataObject[] = [];

interface FetchSending {
  readonly fetch: CompiledFetch;
  /** Objects that a result of the root type is merged into; absent when the request fetches entities. */
  readonly targets?: readonly DataObject[];
  readonly batches: readonly RepresentationBatch[];
  readonly body: string;
  /** Entities of a request without other variables. */
  readonly entities?: RepresentationBatch | undefined;
}

/** Sends one request. It adds a single promise to that of the executor, because this runs for each fetch of each request. */
function send(sending: FetchSending, state: RunState): Promise<void> {
  const { fetch, targets = NO_TARGETS, batches } = sending;
  const sent = { fetch, request: fetch.request, order: state.sent, targets, batches };
  state.sent += 1;
  return fetchFrom(sending, state).then(
    (response) => receiveResponse(sent, response, state),
    (error: unknown) => receiveResponse(sent, toFailure(error, state), state),
  );
}

function fetchFrom({ fetch, batches, body, entities }: FetchSending, { run, usage }: RunState): Promise<SubgraphResponse> {
  const { subgraph, kind, request } = fetch;
  const { executor, context, signal } = run;
  if (signal.aborted) return Promise.reject(signal.reason);
  try {
    // The members without a value are set by the executors.
    const isDependent = batches.length > 0;
    return executor(
      { subgraph, kind, body, context, usage, fetch: request, entities, isDependent, trace: undefined, wantsFreshness: undefined },
      signal,
    );
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Creates the failure for a request that failed. @throws the reason that stops the operation, or a defect */
function toFailure(error: unknown, { run }: RunState): FieldFailure {
  const reason: unknown = run.signal.aborted ? run.signal.reason : error;
  if (reason instanceof GatewayError) return new FieldFailure([{ message: reason.message, code: reason.code }]);
  throw reason;
}

/** Prints the members of the variables: those of the request followed by those of the client. */
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
