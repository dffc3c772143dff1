import type { OperationDefinitionNode } from 'graphql';
import type { PathTemplate } from './path-template.ts';
import type { RestMethod } from './directive-values.ts';
import type { RequestBindings } from './bindings.ts';
import type { Shape } from './shape.ts';

/** One operation on one path, compiled: everything a request needs to be answered. Plain data, never changed. */
export interface Route {
  readonly operationName: string;
  readonly method: RestMethod;
  readonly template: PathTemplate;
  /** Status of a success. */
  readonly status: number;
  /** Callers without credentials are refused before anything they sent is looked at. */
  readonly needsCredentials: boolean;
  /** Path of what was created, without the mount. */
  readonly location?: LocationTemplate;
  readonly bindings: RequestBindings;
  readonly result: ResultMapping;
  /** Our directives stripped, fragments inlined: what `fields` narrows. */
  readonly operation: OperationDefinitionNode;
}

/** Where the answer stands in the data of the operation. */
export interface ResultMapping {
  /** Response names from the root of the data. */
  readonly path: readonly string[];
  readonly isPage: boolean;
  /** What the resource shows; of a page, one item of it. */
  readonly shape: Shape;
  readonly userErrors?: UserErrorsMapping;
}

/** Where failures of the business stand. */
export interface UserErrorsMapping {
  readonly path: readonly string[];
  /** Arguments of the root field to what clients call them; an empty text where the argument is the body itself. */
  readonly names: ReadonlyMap<string, string>;
}

/** Text and fields of the result in turns: `['/orders/', 'id', '']`. */
export type LocationTemplate = readonly string[];
