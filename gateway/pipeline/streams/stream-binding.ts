import type { EventSource, ExecutableOperation } from '../../execution/executable-operation.ts';
import type { Generation } from '../../generation/generation.ts';

/** A subscription that is prepared in one generation. It pins the generation until it is disposed of. */
export interface StreamBinding extends Disposable {
  readonly generation: Generation;
  readonly executable: ExecutableOperation;
  readonly source: EventSource;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly aliases: ReadonlyMap<string, string> | undefined;
  /** Request to the first subgraph. When the request and its address do not change, the stream of the subgraph can continue. */
  readonly body: string;
  readonly address: string;
  /** Equal for streams whose events are the same for all subscribers. */
  readonly key: string;
}

/** Whether two bindings have the same stream of the same subgraph. */
export function haveSameSource(one: StreamBinding, other: StreamBinding): boolean {
  return one.source.subgraph === other.source.subgraph && one.address === other.address && one.body === other.body;
}
