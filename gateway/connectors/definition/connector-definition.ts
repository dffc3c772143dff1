import type { ConnectVersion } from '../connect-version.ts';
import type { SelectionNode } from '../selection/selection-node.ts';
import type { HeaderRule } from '../template/header-rule.ts';
import type { UrlTemplate } from '../template/url-template.ts';

/** Methods of HTTP that a connector can use. */
export type ConnectorMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A `@source` of a subgraph: what several connectors have in common. */
export interface ConnectorSource {
  readonly name: string;
  /** Absolute URL before the URLs of the connectors. */
  readonly baseUrl: UrlTemplate;
  readonly headers: readonly HeaderRule[];
  /** Expression for segments after the path of `baseUrl`. */
  readonly path?: SelectionNode;
  /** Expression for an object of query parameters after those of `baseUrl`. */
  readonly queryParams?: SelectionNode;
  readonly isSuccess?: SelectionNode;
  readonly errors?: ConnectorErrors;
}

/** Mappings of the errors of a back end. */
export interface ConnectorErrors {
  readonly message?: SelectionNode;
  readonly extensions?: SelectionNode;
}

/** The HTTP request of a connector. */
export interface ConnectorHttp {
  readonly method: ConnectorMethod;
  /** Absolute URL, or a URL below the `baseUrl` of the source. */
  readonly url: UrlTemplate;
  /** Headers of the connector. They replace headers of the source with the same name. */
  readonly headers: readonly HeaderRule[];
  readonly body?: SelectionNode;
  /** Expression for segments after the path of `url`. */
  readonly path?: SelectionNode;
  /** Expression for an object of query parameters after those of `url`. */
  readonly queryParams?: SelectionNode;
}

/** A `@connect` of a subgraph: one request to a back end that resolves a field or a type. */
export interface ConnectorDefinition {
  /** Name of the subgraph that declares it. */
  readonly subgraph: string;
  readonly version: ConnectVersion;
  /** Name of the type in the subgraph. */
  readonly type: string;
  /** Name of the field. Absent if `@connect` is on the type. */
  readonly field?: string;
  /** Number of the connector among those of its coordinate, in schema order, starting at 0. */
  readonly index: number;
  /** Argument `id`. */
  readonly id?: string;
  readonly source?: ConnectorSource;
  readonly http: ConnectorHttp;
  readonly selection: SelectionNode;
  /** Whether it resolves entities: `entity: true`, or `@connect` on a type. */
  readonly isEntity: boolean;
  /** Expression of the connector, or of its source. */
  readonly isSuccess?: SelectionNode;
  /**
   * Mappings of the connector, each with that of its source as the default. Extensions of the source also apply if the connector has
   * extensions, which replace those with the same name.
   */
  readonly errors?: ConnectorErrors;
  /** Maximum number of entities in one request. Absent without `batch: { maxSize }`. */
  readonly batchMaxSize?: number;
}
