import type { Generation } from '../generation/generation.ts';
import type { Generations } from '../generation/generations.ts';
import type { PreparedOperation } from '../generation/prepared-operation.ts';
import type { ExecutionOutcome } from '../execution/executable-operation.ts';
import { OperationRefused } from '../operation/errors.ts';
import { GatewayError } from '../platform/errors.ts';
import type { BytesResult, ObjectResult, OperationRequest } from './operation-request.ts';
import { toBytes, toObject } from './output.ts';
import { withDeadline } from './with-deadline.ts';

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
}

/** The one place that knows the order of the stages; a stage refuses by throwing. */
export function createPipeline({ generations, isIntrospectionAllowed, operationTimeoutMs }: PipelineOptions): Pipeline {
  async function execute(request: OperationRequest): Promise<ExecutionOutcome> {
    using pin = generations.pin(request.generation); // pinned once: a reload never changes a running operation
    const { generation } = pin;
    const prepared = prepare(generation, request); // parse, validate, select; cached per generation
    gate(prepared, request, isIntrospectionAllowed);
    const variables = prepared.coerceVariables(request.variables ?? {});
    const clientGone = prepared.kind === 'query' ? request.signal : undefined; // half of a mutation may be done already
    return await withDeadline(operationTimeoutMs, clientGone, async (signal) => {
      const executable = await prepared.executable(); // plan, compile; cached per generation
      signal.throwIfAborted();
      const outcome = await executable.execute({ variables, context: request, executor: generation.executor, signal });
      if (signal.aborted && isWithoutData(outcome)) throw signal.reason; // nothing arrived in time: the operation as a whole failed
      return outcome;
    });
  }

  function run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  function run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  async function run(request: OperationRequest, output: 'bytes' | 'object'): Promise<BytesResult | ObjectResult> {
    const outcome = await execute(request);
    return output === 'bytes' ? toBytes(outcome, request.correlationId) : toObject(outcome, request.correlationId);
  }
  return { run };
}

function prepare(generation: Generation, { document, operationName }: OperationRequest): PreparedOperation {
  return generation.prepareOperation('text' in document ? document.text : document.prepared.text, operationName);
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
