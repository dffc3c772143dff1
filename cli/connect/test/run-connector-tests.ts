import { compileRequest, type ConnectorRequest } from '../../../gateway/connector-client/connector-request.ts';
import { listedHeaders } from '../../../gateway/connector-client/connector-variables.ts';
import type { ConnectorDefinition } from '../../../gateway/connectors/definition/connector-definition.ts';
import { readConnectorsOfSubgraph } from '../../../gateway/connectors/definition/read-connectors.ts';
import { compileSelection } from '../../../gateway/connectors/selection/compile-selection.ts';
import type { SelectionProblem, MappingVariables } from '../../../gateway/connectors/selection/compiled-mapping.ts';
import type { SelectionNode } from '../../../gateway/connectors/selection/selection-node.ts';
import { compileUrl } from '../../../gateway/connectors/template/compile-url.ts';
import { ConnectorRequestInvalid } from '../../../gateway/connectors/template/connector-request-invalid.ts';
import { CommandFailed } from '../../command-failed.ts';
import type { ConnectorTest } from './connector-test-file.ts';
import { type Difference, findDifferences } from './find-differences.ts';
import type { LoadedTestFile } from './read-test-file.ts';

/** Result of one test. */
export interface ConnectorTestResult {
  readonly name: string;
  readonly differences: readonly Difference[];
  /** Positions of the mapping for which the response has no value. They explain differences. */
  readonly notes: readonly string[];
}

/** Results of the tests of one file. */
export interface ConnectorTestRun {
  readonly path: string;
  readonly connector: string;
  readonly subgraphPath: string;
  /** Coordinates of all connectors of the subgraph. */
  readonly connectors: readonly string[];
  readonly results: readonly ConnectorTestResult[];
}

/** Runs the tests of a file: builds requests and maps recorded responses. It uses no network. @throws CommandFailed */
export function runConnectorTests({ path, content, subgraphPath, document, bodies }: LoadedTestFile): ConnectorTestRun {
  const connectors = readConnectors(subgraphPath, document);
  const connector = connectors.get(content.connector);
  if (connector === undefined) {
    const known = connectors.size === 0 ? 'It has none.' : `It has: ${[...connectors.keys()].join(', ')}.`;
    throw new CommandFailed(`${path}: ${subgraphPath} has no connector ${content.connector}. ${known}`);
  }
  return {
    path,
    connector: content.connector,
    subgraphPath,
    connectors: [...connectors.keys()],
    results: content.tests.map((test) => runTest(connector, test, bodies.get(test))),
  };
}

/** Reads the connectors of a subgraph by coordinate. */
function readConnectors(path: string, document: LoadedTestFile['document']): ReadonlyMap<string, ConnectorDefinition> {
  try {
    const connectors = readConnectorsOfSubgraph('tested', document);
    return new Map(connectors.map((connector) => [coordinateOf(connector), connector]));
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'ConnectorInvalid') throw cause;
    throw new CommandFailed(`${path}: ${cause.message}`, { cause });
  }
}

function coordinateOf({ type, field, index }: ConnectorDefinition): string {
  return `${field === undefined ? type : `${type}.${field}`}${index === 0 ? '' : `#${index + 1}`}`;
}

function runTest(connector: ConnectorDefinition, test: ConnectorTest, body: unknown): ConnectorTestResult {
  const variables = variablesOf(test);
  const differences = [...compareRequest(connector, test, variables)];
  const problems: SelectionProblem[] = [];
  if (test.response !== undefined) differences.push(...compareResponse(connector, test, { body, variables, problems }));
  const notes =
    differences.length === 0 ? [] : problems.map(({ message, path }) => `${message}${path.length === 0 ? '' : ` (at ${path.join('.')})`}`);
  return { name: test.name, differences, notes };
}

function variablesOf(test: ConnectorTest): MappingVariables {
  return {
    $args: test.args,
    $config: test.config,
    $env: test.env,
    $context: test.context,
    $request: { headers: listedHeaders(lowerCaseNames(test.clientHeaders)) },
    ...(test.this === undefined ? {} : { $this: test.this }),
    ...(test.batch === undefined ? {} : { $batch: test.batch }),
  };
}

function compareRequest(connector: ConnectorDefinition, test: ConnectorTest, variables: MappingVariables): readonly Difference[] {
  if (test.request === undefined) return [];
  const built = buildRequest(connector, test, variables);
  if (typeof built === 'string') return [{ path: 'request', expected: test.request, actual: built }];
  const { request, origin } = built;
  const { method, url, headers = {}, body } = test.request;
  return [
    ...(method === undefined ? [] : findDifferences(method, request.http.method, 'request.method')),
    ...(url === undefined ? [] : findDifferences(new URL(url).href, `${origin}${request.http.target}`, 'request.url')),
    ...Object.entries(lowerCaseNames(headers)).flatMap(([name, value]) =>
      findDifferences(value, request.http.headers[name], `request.headers.${name}`),
    ),
    ...(body === undefined ? [] : findDifferences(body, bodyOf(request, body), 'request.body')),
  ];
}

interface BuiltRequest {
  readonly request: ConnectorRequest;
  readonly origin: string;
}

/** Builds the request of a test. Returns the reason if the values cannot be sent. */
function buildRequest(connector: ConnectorDefinition, test: ConnectorTest, variables: MappingVariables): BuiltRequest | string {
  const { http, source } = connector;
  try {
    const { origin } = compileUrl(source === undefined ? { http } : { source, http })(variables);
    const build = compileRequest(connector, { name: source?.name ?? origin, origin });
    return { request: build(variables, lowerCaseNames(test.clientHeaders)), origin };
  } catch (error) {
    if (error instanceof ConnectorRequestInvalid) return error.message;
    throw error;
  }
}

/** Returns the text of a body if a text is expected, or else its parsed JSON. */
function bodyOf({ body }: ConnectorRequest, expected: unknown): unknown {
  if (body === '') return undefined;
  if (typeof expected === 'string') return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

interface ReceivedResponse {
  readonly body: unknown;
  readonly variables: MappingVariables;
  readonly problems: SelectionProblem[];
}

function compareResponse(connector: ConnectorDefinition, test: ConnectorTest, received: ReceivedResponse): readonly Difference[] {
  const { status, headers } = test.response ?? { status: 200, headers: {} };
  const variables = { ...received.variables, $status: status, $response: { headers: listedHeaders(lowerCaseNames(headers)) } };
  const evaluate = (node: SelectionNode) => compileSelection(node)(received.body, variables, received.problems);
  const isSuccess = connector.isSuccess === undefined ? status >= 200 && status < 300 : evaluate(connector.isSuccess) === true;
  if (!isSuccess) {
    const { message, extensions } = connector.errors ?? {};
    const error = {
      ...(message === undefined ? {} : { message: evaluate(message) }),
      ...(extensions === undefined ? {} : { extensions: evaluate(extensions) }),
    };
    if (test.error === undefined)
      return test.result === undefined ? [] : [{ path: 'result', expected: test.result, actual: { status, error } }];
    return [
      ...(test.error.message === undefined ? [] : findDifferences(test.error.message, error.message, 'error.message')),
      ...(test.error.extensions === undefined ? [] : findDifferences(test.error.extensions, error.extensions, 'error.extensions')),
    ];
  }
  const result = evaluate(connector.selection);
  if (test.error !== undefined) return [{ path: 'error', expected: test.error, actual: { status, result } }];
  return test.result === undefined ? [] : findDifferences(test.result, result, 'result');
}

function lowerCaseNames<Value>(headers: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
