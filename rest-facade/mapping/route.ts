import type { OperationDefinitionNode } from 'graphql';
import type { PathTemplate } from './path-template.ts';
import type { RestMethod } from './directive-values.ts';
import type { Lifespan } from './lifespan.ts';
import type { RequestBindings } from './bindings.ts';
import type { CollectionMapping } from './collection.ts';
import type { Shape } from './shape.ts';
import type { Validators } from './validators.ts';

/** One operation on one path, compiled: everything a request needs to be answered. Plain data, never changed. */
export interface Route {
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
  readonly onDemand?: Pick<Route, 'operation' | 'linked'>;
  /** As its document has it, with description, directives and spreads: what the route is described from. */
  readonly declared: OperationDefinitionNode;
}

/** Where the answer stands in the data of the operation. */
export interface ResultMapping {
  /** Response names from the root of the data. */
  readonly path: readonly string[];
  /** Of a page, or a list. */
  readonly collection?: CollectionMapping;
  /** The items stand in a page object. */
  readonly isPage: boolean;
  /** What the resource shows; of a page, one item of it. */
  readonly shape: Shape;
  /** None of a page: it is as old as what changed last in it, and what left it last. */
  readonly validators: Validators;
  /** Names of what is shown of the object that the result stands in; they are part of the shape. Absent for none. */
  readonly beside?: readonly string[];
  readonly userErrors?: UserErrorsMapping;
}

/** Where failures of the business stand. */
export interface UserErrorsMapping {
  readonly path: readonly string[];
  /** Where an entry has the version that a write found in place of the expected one. @defaultValue entries do not tell it */
  readonly currentVersion?: string;
  /** Arguments of the root field to what clients call them; an empty text where the argument is the body itself. */
  readonly names: ReadonlyMap<string, string>;
  /** Fields of the body to what clients call them, where that is not the same. */
  readonly bodyNames: ReadonlyMap<string, string>;
}

/** Text and fields of the result in turns: `['/orders/', 'id', '']`. */
export type LocationTemplate = readonly string[];
