import type { OperationDefinitionNode } from 'graphql';
import type { RequestBindings } from './bindings/bindings.ts';
import type { RestMethod } from './documents/directives.ts';
import type { Lifespan } from './endpoint/lifespan.ts';
import type { LocationTemplate, PathTemplate } from './endpoint/path-template.ts';
import type { ResultMapping } from './result/result-mapping.ts';

/** One operation on one path, compiled: everything a request needs to be answered. Plain data, never changed. */
export interface RestRoute {
  readonly operationName: string;
  readonly method: RestMethod;
  readonly template: PathTemplate;
  /** Status of a success. */
  readonly status: number;
  /** Answered with events: a subscription. */
  readonly isStream: boolean;
  /** Callers without credentials are refused before anything they sent is looked at. */
  readonly needsCredentials: boolean;
  readonly lifespan: Lifespan;
  /** Nobody keeps the answer, not even whoever asked for it. */
  readonly isNeverStored: boolean;
  /** Path of what was created, without the mount. */
  readonly location?: LocationTemplate;
  readonly bindings: RequestBindings;
  readonly result: ResultMapping;
  /** Our directives stripped, fragments inlined: what `fields` narrows. */
  readonly operation: OperationDefinitionNode;
  /** The same with what its links are made of; absent where it has none. */
  readonly linked?: OperationDefinitionNode;
  /** The operation with what is there on demand, where there is any: what `fields` narrows then. */
  readonly onDemand?: Pick<RestRoute, 'operation' | 'linked'>;
  /** As its document has it, with description, directives and spreads: what the route is described from. */
  readonly declared: OperationDefinitionNode;
}
