import type { DeferredPatch, ExecutionError, ExecutionOutcome } from '../execution/executable-operation.ts';
import type { GatewayError } from '../platform/errors.ts';
import type { BytesResult, CachedOutcome, LaterParts, ObjectResult, OperationError, ResultFacts } from './operation-request.ts';
import type { OutcomeInParts, PartStream } from './run-in-parts.ts';

/**
 * The response put together as text: the data was printed by the execution and is not read again.
 *
 * @param facts of it when it has no errors
 */
export function toBytes({ data, errors, cost }: OutcomeInParts, requestId: string, facts: ResultFacts = NO_ERRORS): BytesResult {
  const extensions = cost === undefined ? '' : `,"extensions":${JSON.stringify({ cost })}`;
  if (errors.length === 0) return { body: `{"data":${data}${extensions}}`, facts };
  const printed = JSON.stringify(errors.map((error) => toOperationError(error, requestId)));
  return { body: `{"errors":${printed},"data":${data}${extensions}}`, facts: factsOf(errors) };
}

/** The first part of a response as text, and the way to the others. */
export function toParts({ stream, ...first }: OutcomeInParts, requestId: string): BytesResult {
  const { body, facts } = toBytes(first, requestId);
  if (stream === undefined) return { body, facts };
  return { body: `${body.slice(0, -1)},"hasNext":${stream.hasNext}}`, facts, later: toLater(stream, requestId) };
}

function toLater(stream: PartStream, requestId: string): LaterParts {
  const print = (patches: readonly DeferredPatch[], hasNext: boolean): string => {
    return `{"incremental":[${patches.map((patch) => printPatch(patch, requestId)).join(',')}],"hasNext":${hasNext}}`;
  };
  return {
    hasNext: stream.hasNext,
    async next() {
      const { patches, hasNext } = await stream.next();
      return { body: print(patches, hasNext), hasNext };
    },
    giveUp({ message, code }: GatewayError) {
      const missing = stream.giveUp().patches.map(({ label, path, data }) => ({ label, path, data, errors: [{ message, code, path }] }));
      return print(missing, false);
    },
    cancel: () => stream.cancel(),
  };
}

/** The members in the order in which the incremental delivery draft names them. */
function printPatch({ label, path, data, errors }: DeferredPatch, requestId: string): string {
  const named = label === undefined ? '' : `"label":${JSON.stringify(label)},`;
  const failed = errors.length === 0 ? '' : `,"errors":${JSON.stringify(errors.map((error) => toOperationError(error, requestId)))}`;
  return `{${named}"path":${JSON.stringify(path)},"data":${data}${failed}}`;
}

/** The response as values. */
export function toObject({ data, errors }: ExecutionOutcome, requestId: string): ObjectResult {
  const told = errors.map((error) => toOperationError(error, requestId));
  return printedResult(data, told, factsOf(errors));
}

/** A response that is printed: it is read when somebody wants its values. */
function printedResult(text: string, errors: readonly OperationError[], facts: ResultFacts): ObjectResult {
  let data: ObjectResult['data'] | undefined;
  return {
    text,
    errors,
    facts,
    get data() {
      if (data === undefined) data = JSON.parse(text) as ObjectResult['data'];
      return data;
    },
  };
}

/** The same for an answer that HTTP may keep. */
export function toKeepable({ cached }: CachedOutcome, varyingHeaders: readonly string[] = []): ObjectResult {
  const text = cached.body.slice('{"data":'.length, -1);
  return printedResult(text, [], { errorCodes: [], cachePolicy: cached.policy, varyingHeaders });
}

function toOperationError({ message, locations, path, code, subgraph }: ExecutionError, requestId: string): OperationError {
  const extensions = subgraph === undefined ? { code, requestId } : { code, requestId, subgraph };
  if (locations !== undefined && path !== undefined) return { message, locations, path, extensions };
  return path === undefined ? { message, extensions } : { message, path, extensions };
}

export const NO_ERRORS: ResultFacts = { errorCodes: [] };

export const NO_ERRORS_PERSONAL: ResultFacts = { errorCodes: [], isPersonal: true };

function factsOf(errors: readonly ExecutionError[]): ResultFacts {
  return errors.length === 0
    ? NO_ERRORS
    : { errorCodes: errors.map(({ code, subgraph }) => (subgraph === undefined ? code : 'INTERNAL_SERVER_ERROR')) };
}
