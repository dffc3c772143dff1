import type { EventSource, ExecutableOperation } from '../../execution/executable-operation.ts';
import type { Generation } from '../../generation/generation.ts';

/** A subscription as one generation runs it. Holds its generation until it is disposed of. */
export interface StreamBinding extends Disposable {
  readonly generation: Generation;
  readonly executable: ExecutableOperation;
  readonly source: EventSource;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly aliases: ReadonlyMap<string, string> | undefined;
  /** What the first subgraph is asked, and where: when both stay the same, its stream can go on. */
  readonly body: string;
  readonly address: string;
  /** Equal for streams whose events are the same for all who get them. */
  readonly key: string;
}

/** Whether the events of one are those of the other. */
export function haveSameSource(one: StreamBinding, other: StreamBinding): boolean {
  return one.source.subgraph === other.source.subgraph && one.address === other.address && one.body === other.body;
}
