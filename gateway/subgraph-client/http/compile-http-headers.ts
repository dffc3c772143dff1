import type { SubgraphPolicies } from '../../config/sections/subgraphs.ts';
import { GatewayError } from '../../platform/errors.ts';
import { CORRELATION_ID_HEADER } from '../../platform/request-headers.ts';
import type { HttpCall, SubgraphContext, SubgraphRequest } from '../../supergraph/subgraph-executor.ts';
import { headersToForward, HEADER_VALUE, headerLine, readPropagated, TRACEPARENT } from '../compile-headers.ts';

/** Headers of the HTTP requests to one source, without the identity header. */
export interface CompiledHttpHeaders {
  /**
   * Returns the header lines, each with its line break.
   *
   * @throws GatewayError `BAD_USER_INPUT` when the value of a header cannot be sent
   */
  linesOf(request: HttpSubgraphRequest): string;
  /** Returns the values that the rules of the configuration forward from the client. Requests that differ in them are not equal. */
  adopted(context: SubgraphContext): readonly (string | undefined)[];
  /** Whether the configuration removes a header, in lower case. */
  isRemoved(name: string): boolean;
}

/** A request to a back end that is not a GraphQL server. */
export type HttpSubgraphRequest = SubgraphRequest & { readonly http: HttpCall };

/** Headers that belong to the connection, or that determine where the message ends. A connector cannot set them. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

/**
 * Compiles the headers of the requests to one source. Nothing of the client's request is forwarded unless the connector or a rule says so.
 * Rules of the configuration take precedence over headers of the connector, and changes of hooks over both.
 *
 * @param rules rules for this subgraph
 */
export function compileHttpHeaders(rules: SubgraphPolicies['headers']): CompiledHttpHeaders {
  const removed = new Set(rules.remove);
  const always = Object.entries(rules.set).filter(([name]) => !removed.has(name));
  const forwarded = headersToForward(rules);
  const hasRules = removed.size > 0 || always.length > 0 || forwarded.length > 0;

  return {
    linesOf(request) {
      const { http, context, trace, headers: changes } = request;
      if (!hasRules && changes === undefined && hasNone(http.headers)) return defaultLines(request);
      const headers = new Map<string, string>([['accept', ACCEPT]]);
      for (const [name, value] of Object.entries(http.headers)) headers.set(name, value);
      headers.set(CORRELATION_ID_HEADER, context.correlationId);
      if (trace !== undefined) headers.set(TRACEPARENT, trace.traceparent);
      for (const [name, value] of always) headers.set(name, value);
      for (const [name, source] of forwarded) {
        const value = readPropagated(context.headers, source);
        if (value !== undefined) headers.set(name, value);
      }
      for (const name of removed) headers.delete(name);
      for (const [name, value] of Object.entries(changes ?? NO_CHANGES)) {
        if (value === null) headers.delete(name);
        else headers.set(name, value);
      }
      headers.set('accept-encoding', 'identity');
      let lines = '';
      for (const [name, value] of headers) if (!CONNECTION_HEADERS.has(name)) lines += checkedLine(name, value);
      return lines;
    },
    adopted: ({ headers }) => forwarded.map(([, source]) => readPropagated(headers, source)),
    isRemoved: (name) => removed.has(name),
  };
}

const ACCEPT = 'application/json, text/plain;q=0.5';
const FIRST_LINE = headerLine('accept', ACCEPT);
const LAST_LINE = headerLine('accept-encoding', 'identity');

/** Returns the header lines of a request for which there are neither rules nor headers of a connector. */
function defaultLines({ context, trace }: HttpSubgraphRequest): string {
  const traceLine = trace === undefined ? '' : checkedLine(TRACEPARENT, trace.traceparent);
  return FIRST_LINE + checkedLine(CORRELATION_ID_HEADER, context.correlationId) + traceLine + LAST_LINE;
}

function hasNone(headers: HttpCall['headers']): boolean {
  for (const _name in headers) return false;
  return true;
}

const NO_CHANGES: Readonly<Record<string, never>> = {};

function checkedLine(name: string, value: string): string {
  if (NAME.test(name) && HEADER_VALUE.test(value)) return headerLine(name, value);
  throw new GatewayError(
    'BAD_USER_INPUT',
    'A value of the operation contains characters that cannot be sent to a service behind this gateway.',
  );
}
