import type { ConnectorDefinition } from '../connectors/definition/connector-definition.ts';
import { compileSelection } from '../connectors/selection/compile-selection.ts';
import type { MappingVariables } from '../connectors/selection/compiled-mapping.ts';
import { compileConnectorHeaders } from '../connectors/template/compile-headers.ts';
import { compileUrl } from '../connectors/template/compile-url.ts';
import { type CompileExpression, NO_INPUT } from '../connectors/template/compile-template.ts';
import { ConnectorRequestInvalid } from '../connectors/template/connector-request-invalid.ts';
import { encodeForm, FORM_CONTENT_TYPE } from '../connectors/template/encode-form.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { HttpCall } from '../supergraph/subgraph-executor.ts';

/** An HTTP request of a connector, before it is sent to its source. */
export interface ConnectorRequest {
  readonly http: HttpCall;
  /** Text of the body; empty without a body. */
  readonly body: string;
}

/**
 * Builds the request for the values of variables.
 *
 * @param client headers of the client's request, of which nothing is copied that the connector does not name
 * @throws ConnectorRequestInvalid when a value is not allowed at its position
 */
export type BuildRequest = (variables: MappingVariables, client: RequestHeaders) => ConnectorRequest;

/** Source to which the requests of a connector are sent. */
export interface RequestSource {
  readonly name: string;
  /** Scheme, host and port. */
  readonly origin: string;
}

/**
 * Compiles the requests of a connector. No value of an operation can change the origin to which they are sent.
 *
 * @param compile compiles the expressions of the URL and of the body
 */
export function compileRequest(
  { http, source }: ConnectorDefinition,
  { name, origin }: RequestSource,
  compile: CompileExpression = compileSelection,
): BuildRequest {
  const urlOf = compileUrl(source === undefined ? { http } : { source, http }, compile);
  const headersOf = compileConnectorHeaders(source?.headers ?? [], http.headers);
  const bodyOf = http.body === undefined ? undefined : compile(http.body);
  const template = `${source?.baseUrl.text ?? ''}${http.url.text}`;
  return (variables, client) => {
    const url = urlOf(variables);
    if (url.origin !== origin) throw new ConnectorRequestInvalid('The URL of the connector is not at the origin of its source.');
    const headers: Record<string, string> = {};
    const values = headersOf(variables, client);
    for (const header of Object.keys(values)) {
      const value = values[header];
      if (value !== undefined) headers[header] = typeof value === 'string' ? value : value.join(', ');
    }
    const content = bodyOf?.(NO_INPUT, variables);
    const call = { source: name, method: http.method, target: url.target, headers, template };
    if (content === undefined) return { http: call, body: '' };
    headers['content-type'] ??= 'application/json';
    const isForm = FORM.test(headers['content-type']);
    return { http: call, body: isForm ? encodeForm(content) : JSON.stringify(content) };
  };
}

const FORM = new RegExp(`^${FORM_CONTENT_TYPE.replace('/', '\\/')}\\s*(?:;|$)`, 'i');
