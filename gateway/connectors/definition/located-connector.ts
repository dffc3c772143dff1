import type { ASTNode, ConstDirectiveNode, StringValueNode } from 'graphql';
import type { SelectionNode } from '../selection/selection-node.ts';
import type { HeaderRule } from '../template/header-rule.ts';
import type { UrlTemplate } from '../template/url-template.ts';
import type { ConnectorMethod } from './connector-definition.ts';

/** A mapping with the literal that contains it. */
export interface LocatedMapping {
  readonly mapping: SelectionNode;
  readonly text: StringValueNode;
}

/** A URL with its literal. */
export interface LocatedUrl {
  readonly url: UrlTemplate;
  readonly text: StringValueNode;
}

/** A header with its literal. */
export interface LocatedHeader {
  readonly rule: HeaderRule;
  /** Literal of `value`. Absent for a copied header. */
  readonly text?: StringValueNode;
}

/** Arguments that `@source` and `@connect` have in common. */
export interface LocatedErrors {
  readonly message?: LocatedMapping;
  readonly extensions?: LocatedMapping;
}

/** The parts of an HTTP request that `@source` and `@connect` have in common. */
export interface LocatedRequest {
  readonly headers: readonly LocatedHeader[];
  readonly path?: LocatedMapping;
  readonly queryParams?: LocatedMapping;
}

/** A `@source` as far as it is valid, with positions. */
export interface LocatedSource {
  /** Empty if the name is missing or invalid. */
  readonly name: string;
  readonly node: ConstDirectiveNode;
  readonly baseUrl?: LocatedUrl;
  readonly request: LocatedRequest;
  readonly isSuccess?: LocatedMapping;
  readonly errors: LocatedErrors;
}

/** The element that has a `@connect`. */
export interface ConnectorElement {
  readonly type: string;
  /** Absent for a connector on a type. */
  readonly field?: string;
  /** `Type.field`, or `Type`. */
  readonly coordinate: string;
}

/** A `@connect` as far as it is valid, with positions. */
export interface LocatedConnector {
  readonly element: ConnectorElement;
  readonly node: ConstDirectiveNode;
  readonly index: number;
  readonly id?: StringValueNode;
  /** Argument `source`. */
  readonly sourceName?: StringValueNode;
  readonly source?: LocatedSource;
  readonly method?: ConnectorMethod;
  readonly url?: LocatedUrl;
  readonly request: LocatedRequest;
  readonly body?: LocatedMapping;
  readonly selection?: LocatedMapping;
  readonly isSuccess?: LocatedMapping;
  readonly errors: LocatedErrors;
  readonly entity?: { readonly isEntity: boolean; readonly node: ASTNode };
  readonly batchMaxSize?: number;
}
