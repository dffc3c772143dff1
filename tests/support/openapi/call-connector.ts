import { parse } from 'graphql';
import { compileRequest } from '../../../gateway/connector-client/connector-request.ts';
import { readConnectorsOfSubgraph } from '../../../gateway/connectors/definition/read-connectors.ts';
import { compileSelection } from '../../../gateway/connectors/selection/compile-selection.ts';
import type { MappingVariables } from '../../../gateway/connectors/selection/compiled-mapping.ts';

/** Response of a back end and its mapped value. */
export interface CalledConnector {
  readonly status: number;
  readonly value: unknown;
}

/** Sends the request of one connector of a subgraph, and maps the response. @throws Error if there is no such connector */
export async function callConnector(sdl: string, coordinate: string, variables: MappingVariables): Promise<CalledConnector> {
  const connectors = readConnectorsOfSubgraph('tested', parse(sdl));
  const connector = connectors.find(({ type, field }) => (field === undefined ? type : `${type}.${field}`) === coordinate);
  if (connector === undefined) throw new Error(`No connector ${coordinate} in\n${sdl}`);
  const origin = new URL(connector.source?.baseUrl.text ?? '').origin;
  const { http, body } = compileRequest(connector, { name: 'tested', origin })({ $config: {}, $env: {}, $args: {}, ...variables }, {});
  const response = await fetch(`${origin}${http.target}`, {
    method: http.method,
    headers: http.headers,
    ...(body === '' ? {} : { body }),
    redirect: 'error',
  });
  const text = await response.text();
  const data = text === '' ? undefined : (JSON.parse(text) as unknown);
  const read = { ...variables, $status: response.status };
  return { status: response.status, value: compileSelection(connector.selection)(data, read) };
}
