import type { Generation } from '../generation/generation.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';
import type { PreparedOperation } from '../generation/prepared-operation.ts';

/** Location of a response in the cache. */
export interface CacheLocation {
  readonly key: string;
  /** Cache partition of the response. */
  readonly partition: string;
}

/**
 * Result of preparing a GET request whose response is cached. An equal request in the same partition has the same result and need not be
 * prepared again: it is charged, and reads the cached response by its key. It is plain data, so that it does not retain a generation.
 */
export interface RequestMemo extends CacheLocation {
  /** Id of the generation that the request was prepared in. */
  readonly generation: string;
  /** Text of its document. A persisted document may have changed since. */
  readonly text: string;
  /** Estimated cost of the operation. @unit points */
  readonly estimated: number;
  /** Name of the operation. @defaultValue the operation is anonymous */
  readonly name?: string | undefined;
}

/** Operation for which a memo is created. */
interface MemoizedRun {
  readonly generation: Pick<Generation, 'id'>;
  readonly document: string | PreparedDocument;
  readonly operation: Pick<PreparedOperation, 'name' | 'labels' | 'authorization' | 'isDeferred'>;
  readonly estimated: number;
}

/** Memos of one request, by partition. */
export type RequestMemos = ReadonlyMap<string, RequestMemo>;

/**
 * Creates the memo of a request whose response is cached. Undefined when the result also depends on labels, permissions or incremental
 * delivery, which are determined for each request.
 */
export function createRequestMemo(
  { generation, document, operation, estimated }: MemoizedRun,
  { key, partition }: CacheLocation,
): RequestMemo | undefined {
  const { name, labels, authorization, isDeferred } = operation;
  const isDecidedEachTime = (labels !== undefined && labels.length > 0) || authorization !== undefined || isDeferred !== undefined;
  if (isDecidedEachTime) return undefined;
  const text = typeof document === 'string' ? document : document.text;
  return { generation: generation.id, text, estimated, name, key, partition };
}
