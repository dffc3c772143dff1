import type { Template } from './template.ts';

/** A URL with expressions, split at the delimiters that its author wrote. Values of expressions never add a delimiter. */
export interface UrlTemplate {
  /** Text as written. */
  readonly text: string;
  /**
   * Scheme, host and port, such as `https://example.com:8080`. Only the `baseURL` of a source may have expressions here, with the variables
   * `$config` and `$env`. Absent in a relative URL.
   */
  readonly origin?: Template;
  /** Segments of the path, without their slashes. Empty segments at the end are dropped unless `hasTrailingSlash` is set. */
  readonly path: readonly Template[];
  readonly hasTrailingSlash: boolean;
  /** Query parameters, in their order. */
  readonly query: readonly QueryTemplate[];
}

/** A query parameter of a URL template. */
export interface QueryTemplate {
  readonly name: Template;
  /** Value after `=`. Absent in a parameter that has a name only. */
  readonly value?: Template;
}
