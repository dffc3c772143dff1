import type { OperationDefinitionNode } from 'graphql';
import type { RequestBindings } from './bindings/bindings.ts';
import type { RestMethod } from './documents/directives.ts';
import type { Lifespan } from './endpoint/lifespan.ts';
import type { LocationTemplate, PathTemplate } from './endpoint/path-template.ts';
import type { ResultMapping } from './result/result-mapping.ts';

/** One operation on one path, compiled for serving requests. Immutable plain data. */
export interface RestRoute {
  readonly operationName: string;
  readonly method: RestMethod;
  readonly template: PathTemplate;
  /** Status of a successful response. */
  readonly status: number;
  /** Whether the route is a subscription, which responds with an event stream. */
  readonly isStream: boolean;
  /** Whether callers without credentials are rejected before the request is validated. */
  readonly needsCredentials: boolean;
  readonly lifespan: Lifespan;
  /** Whether no cache may store the response, not even the cache of the client. */
  readonly isNeverStored: boolean;
  /** Path of the created resource, without the mount. */
  readonly location?: LocationTemplate;
  readonly bindings: RequestBindings;
  readonly result: ResultMapping;
  /** The operation without REST directives and with inlined fragments. `fields` narrows it. */
  readonly operation: OperationDefinitionNode;
  /** The operation with the fields of its links. Absent if it has no links. */
  readonly linked?: OperationDefinitionNode;
  /** The operation with its on-demand fields, if it has any. `fields` narrows it instead of `operation`. */
  readonly optIn?: Pick<RestRoute, 'operation' | 'linked'>;
  /**
   * The operation as written in its document, with description, directives and fragment spreads. The API description is generated from it.
   */
  readonly declared: OperationDefinitionNode;
}
