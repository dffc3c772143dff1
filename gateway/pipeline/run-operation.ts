import type { ExecutableOperation, ExecutionOutcome } from '../execution/executable-operation.ts';
import type { Generation } from '../generation/generation.ts';
import type { Generations } from '../generation/generations.ts';
import type { PreparedOperation } from '../generation/prepared-operation.ts';
import { OperationRefused } from '../operation/errors.ts';
import { systemClock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import { flightKeyOf } from './flight-key.ts';
import type { BytesResult, ObjectResult, OperationRequest } from './operation-request.ts';
import { toBytes, toObject } from './output.ts';
import { createLabelDecider, type OverrideLabels } from './override-labels.ts';
import { createInFlight, type InFlight } from './share-in-flight.ts';
import { type Stop, withDeadline } from './with-deadline.ts';

/** Runs operations of every door. */
export interface Pipeline {
  /** @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  /** @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
}

export interface PipelineOptions {
  readonly generations: Generations;
  /** Whether `__schema` and `__type` are answered. */
  readonly isIntrospectionAllowed: boolean;
  /** Until an operation must be answered, planning included. @unit milliseconds */
  readonly operationTimeoutMs: number;
  /** Decides labels of `@override`. @defaultValue all are off but those of the form `percent(x)` */
  readonly overrideLabels?: OverrideLabels | undefined;
  /** Answers equal queries of one caller that run at the same time together. @defaultValue each by itself */
  readonly dedupe?: DedupeOptions | undefined;
}

export interface DedupeOptions {
  /** Headers that reach subgraphs, in lower case: requests that differ there are not equal. @defaultValue all */
  readonly headers?: readonly string[];
}

/** An operation that is ready to be run for one request. */
interface Bound {
  readonly generation: Generation;
  readonly prepared: PreparedOperation;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
}

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_LABELS: readonly string[] = [];

/** The one place that knows the order of the stages; a stage refuses by throwing. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { generations, isIntrospectionAllowed, operationTimeoutMs, dedupe } = options;
  const decideLabels = createLabelDecider(options.overrideLabels);
  /** Flights belong to the prepared operation, and so to the generation: each of those who wait has pinned it. */
  const flights = new WeakMap<PreparedOperation, InFlight<ExecutionOutcome>>();

  async function execute(request: OperationRequest): Promise<ExecutionOutcome> {
    using pin = generations.pin(request.generation); // pinned once: a reload never changes a running operation
    const { generation } = pin;
    const prepared = prepare(generation, request); // parse, admit, canonicalise, validate, select; cached per generation
    gate(prepared, request, isIntrospectionAllowed);
    const variables = prepared.coerceVariables(request.variables ?? NONE);
    const { labels: known = NO_LABELS } = prepared;
    const labels = known.length === 0 ? known : await decideLabels(known, request);
    const bound: Bound = { generation, prepared, variables, labels };
    if (prepared.kind !== 'query') return await runBound(bound, request, undefined); // half of a mutation may be done already
    if (dedupe === undefined) return await runBound(bound, request, request.signal);
    const key = flightKeyOf(request, variables, labels, dedupe.headers);
    return await flightsOf(prepared).run(key, request.signal, (signal) => runBound(bound, request, signal));
  }

  function runBound(bound: Bound, request: OperationRequest, clientGone: AbortSignal | undefined): Promise<ExecutionOutcome> {
    const stop = stopOf(request, clientGone);
    return withDeadline(operationTimeoutMs, clientGone, stop, () => executeBound(bound, request, stop));
  }

  function flightsOf(prepared: PreparedOperation): InFlight<ExecutionOutcome> {
    let known = flights.get(prepared);
    if (known === undefined) {
      known = createInFlight({ maxAgeMs: operationTimeoutMs / 2, now: systemClock.monotonic });
      flights.set(prepared, known);
    }
    return known;
  }

  function run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  function run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  async function run(request: OperationRequest, output: 'bytes' | 'object'): Promise<BytesResult | ObjectResult> {
    const outcome = await execute(request);
    return output === 'bytes' ? toBytes(outcome, request.correlationId) : toObject(outcome, request.correlationId);
  }
  return { run };
}

/** The client's own signal stops the work where it may be aborted for other reasons too: one signal less. */
function stopOf({ signal, abort }: OperationRequest, clientGone: AbortSignal | undefined): Stop {
  return abort !== undefined && signal === clientGone ? { signal, abort } : new AbortController();
}

async function executeBound(
  { generation, prepared, variables, labels }: Bound,
  request: OperationRequest,
  stop: Stop,
): Promise<ExecutionOutcome> {
  const known = prepared.executable(variables, labels); // plan, compile; cached per generation
  let executable: ExecutableOperation;
  if (known instanceof Promise) {
    executable = await known;
    stop.signal.throwIfAborted();
  } else executable = known;
  const outcome = await executable.execute({
    variables,
    context: request,
    executor: generation.executor,
    get signal() {
      return stop.signal;
    },
    ...(prepared.aliases === undefined ? NO_ALIASES : { aliases: prepared.aliases }),
  });
  if (outcome.errors.length > 0 && stop.signal.aborted && isWithoutData(outcome)) throw stop.signal.reason; // nothing arrived in time: the operation as a whole failed
  return outcome;
}

const NO_ALIASES = {};

function prepare(generation: Generation, { document, operationName }: OperationRequest): PreparedOperation {
  return generation.prepareOperation('text' in document ? document.text : document.prepared, operationName);
}

function gate({ kind, isIntrospecting }: PreparedOperation, { queryOnly }: OperationRequest, isIntrospectionAllowed: boolean): void {
  if (kind === 'subscription') {
    throw new OperationRefused('BAD_REQUEST', [{ message: 'A subscription needs a transport that can stream.' }]);
  }
  if (queryOnly === true && kind !== 'query') {
    throw new GatewayError('METHOD_NOT_ALLOWED', 'A mutation must be sent by POST.', { headers: { allow: 'POST' } });
  }
  if (isIntrospecting && !isIntrospectionAllowed) {
    throw new OperationRefused('INTROSPECTION_DISABLED', [{ message: 'Introspection is switched off.' }]);
  }
}

const NOTHING = /^(?:null|\{(?:"[^"]*":null,?)*\})$/;

function isWithoutData({ data }: ExecutionOutcome): boolean {
  return NOTHING.test(data);
}
