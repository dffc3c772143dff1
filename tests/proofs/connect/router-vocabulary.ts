import { RustClosure, NONE, RustSome, RustTuple, UNKNOWN, containsUnknown } from './rust-values.ts';
import type { RustVocabulary } from './rust-vocabulary.ts';
import { readSnapshots } from './http-snapshots.ts';
import {
  EditedPart,
  ExpectedRequest,
  Execution,
  Mock,
  MockedResponse,
  MockedServer,
  ReceivedPart,
  type RequestCondition,
  RequestEdit,
  ResponsePart,
} from './router-test-values.ts';

/** Servers, operations and expectations of one test, as far as they were understood. */
export class RouterTest {
  readonly name: string;
  readonly servers: MockedServer[] = [];
  readonly executions: Execution[] = [];
  readonly expectedRequests: { readonly server: MockedServer; readonly requests: readonly ExpectedRequest[] }[] = [];
  readonly expectedBodies: { readonly server: MockedServer; readonly index: number; readonly body: string }[] = [];
  readonly environment: Record<string, string> = {};
  /** Expressions that were needed but not understood. */
  readonly unread: string[] = [];
  /** Number of assertions with conditions, which are not compared. */
  conditions = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/** Functions with which the vocabulary reads files and runs code of modules. */
export interface RouterSurroundings {
  /** Reads a file by its path relative to the folder of the tests. */
  readonly readFile: (path: string) => string;
  /** Reads a file by its path relative to the folder of the package. */
  readonly readPackageFile: (path: string) => string;
  /** Calls a function of the module with mocks. */
  readonly callMock: (name: string, args: readonly unknown[]) => unknown;
  readonly run: (closure: RustClosure, args: readonly unknown[]) => unknown;
}

const HEADERS: Readonly<Record<string, string>> = { CONTENT_TYPE: 'content-type', APPLICATION_JSON: 'application/json' };

/** Methods that keep the value: conversions that do not matter, and the ways to take a value that must exist. */
const CONVERSIONS = new Set([
  'as_object',
  'as_array',
  'as_str',
  'parse',
  'try_into',
  'into_owned',
  'essence_str',
  'to_string',
  'unwrap',
  'clone',
]);

/** Names of the libraries with which the router is tested. */
export class RouterVocabulary implements RustVocabulary {
  readonly #surroundings: RouterSurroundings;
  readonly #tests: RouterTest[] = [];

  constructor(surroundings: RouterSurroundings) {
    this.#surroundings = surroundings;
  }

  get tests(): readonly RouterTest[] {
    return this.#tests;
  }

  begin(test: string): void {
    this.#tests.push(new RouterTest(test));
  }

  path(words: readonly string[]): unknown {
    const name = words.at(-1) ?? '';
    if (name === 'WINDOWS_1252') return name;
    if (words.join('::') === 'Value::Null') return null;
    return HEADERS[name] ?? UNKNOWN;
  }

  call(words: readonly string[], args: readonly unknown[]): unknown {
    const name = words.at(-1) ?? '';
    const owner = words.at(-2) ?? '';
    if (owner === 'mock_api') return this.#surroundings.callMock(name, args);
    if (name === 'execute' && args.length === 7) return this.#execute(args);
    switch (`${owner}::${name}`) {
      case 'MockServer::start':
        return this.#startServer();
      case 'SnapshotServer::spawn':
        return this.#startSnapshots(args[0]);
      case 'Mock::given':
        return new Mock([args[0] as RequestCondition]);
      case 'ResponseTemplate::new':
        return new MockedResponse(Number(args[0]));
      case 'Matcher::new':
        return new ExpectedRequest();
      case 'Plan::Fetch':
        return [args[0]];
      case 'Plan::Sequence':
        return Array.isArray(args[0]) ? args[0].flat() : UNKNOWN;
      case 'Plan::Parallel':
        return args[0];
      case 'req_asserts::matches':
        return this.#expectRequests(args[0], args[1]);
      case 'Default::default':
      case 'Map::new':
        return new Map();
      case 'env::set_var':
        return this.#setEnvironment(args);
      default:
        return this.#conversion(owner, name, args);
    }
  }

  method(receiver: unknown, name: string, args: readonly unknown[]): unknown {
    if (receiver instanceof MockedServer) return this.#serverMethod(receiver, name);
    if (receiver instanceof Mock) return this.#mockMethod(receiver, name, args);
    if (receiver instanceof MockedResponse) return responseMethod(receiver, name, args);
    if (receiver instanceof ExpectedRequest) return requestMethod(receiver, name, args);
    if (receiver instanceof EditedPart) return editMethod(receiver, name, args);
    if (receiver instanceof ResponsePart) return partMethod(receiver, name, args);
    if (receiver instanceof ReceivedPart) return name === 'unwrap' || name === 'iter' ? receiver : UNKNOWN;
    if (name === 'assert_matches') return this.#expectRequests(args[0], receiver);
    if (receiver === 'WINDOWS_1252' && name === 'encode') return new RustTuple([Buffer.from(String(args[0]), 'latin1')]);
    if (typeof receiver === 'string' && name === 'replace') return replaced(receiver, args);
    if (Array.isArray(receiver) && name === 'concat') return containsUnknown(receiver) ? UNKNOWN : receiver.join('');
    return CONVERSIONS.has(name) ? receiver : UNKNOWN;
  }

  macro(name: string, args: readonly unknown[]): unknown {
    if (name === 'include_str') return typeof args[0] === 'string' ? this.#surroundings.readFile(args[0]) : UNKNOWN;
    if (name === 'assert' || name === 'assert_counter') this.#test.conditions += 1;
    if (name === 'assert_json_snapshot') this.#expectResponse(args[0], typeof args[1] === 'string' ? JSON.parse(args[1]) : UNKNOWN);
    if (name === 'assert_eq') {
      const [actual, expected] = args;
      if (actual instanceof ReceivedPart) this.#expectBody(actual, expected);
      else this.#expectResponse(actual, expected);
    }
    return UNKNOWN;
  }

  member(value: unknown, name: string): unknown {
    if (value instanceof ReceivedPart) return /^\d+$/.test(name) ? new ReceivedPart(value.server, Number(name)) : value;
    if (value instanceof EditedPart && name === 'router_request') return value;
    return value instanceof EditedPart && name === 'context' ? new EditedPart(value.edit, 'context') : UNKNOWN;
  }

  get #test(): RouterTest {
    return this.#tests.at(-1) ?? new RouterTest('');
  }

  #startServer(snapshots: MockedServer['snapshots'] = []): MockedServer {
    const server = new MockedServer(`http://server-${String(this.#test.servers.length)}.invalid`, snapshots);
    this.#test.servers.push(server);
    return server;
  }

  #startSnapshots(path: unknown): unknown {
    return typeof path === 'string' ? this.#startServer(readSnapshots(this.#surroundings.readPackageFile(path))) : UNKNOWN;
  }

  #execute([sdl, url, query, variables, configuration, closure]: readonly unknown[]): unknown {
    const edit = new RequestEdit();
    edit.headers.set('x-client-header', ['client-header-value']);
    if (closure instanceof RustClosure) this.#surroundings.run(closure, [new EditedPart(edit, 'request')]);
    const given = variables instanceof Map ? Object.fromEntries(variables as Map<string, unknown>) : variables;
    const own = configuration === NONE ? {} : configuration instanceof RustSome ? configuration.value : configuration;
    const parts = [sdl, url, query, given, own, [...edit.headers.values()], [...edit.context.values()]];
    if (containsUnknown(parts) || typeof sdl !== 'string' || typeof url !== 'string' || typeof query !== 'string') {
      this.#test.unread.push('the operation or its configuration');
      return UNKNOWN;
    }
    const execution = new Execution({
      sdl,
      query,
      variables: given as Record<string, unknown>,
      configuration: withDefaults(own, url),
      edit,
      environment: { ...this.#test.environment },
    });
    this.#test.executions.push(execution);
    return new ResponsePart(execution);
  }

  #serverMethod(server: MockedServer, name: string): unknown {
    if (name === 'uri') return server.url;
    return name === 'received_requests' ? new ReceivedPart(server) : UNKNOWN;
  }

  #mockMethod(mock: Mock, name: string, [value]: readonly unknown[]): unknown {
    if (name === 'and') return new Mock([...mock.conditions, value as RequestCondition], mock.response);
    if (name === 'respond_with' && value instanceof MockedResponse) return new Mock(mock.conditions, value);
    if (name === 'mount' && value instanceof MockedServer) {
      const isKnown = mock.response !== undefined && !containsUnknown(mock.conditions);
      if (isKnown) value.mocks.push(mock);
      else this.#test.unread.push('a mocked response');
      return UNKNOWN;
    }
    return UNKNOWN;
  }

  #expectRequests(received: unknown, requests: unknown): unknown {
    const isKnown = received instanceof ReceivedPart && Array.isArray(requests) && requests.every((one) => one instanceof ExpectedRequest);
    if (isKnown) this.#test.expectedRequests.push({ server: received.server, requests });
    else this.#test.unread.push('the expected requests');
    return UNKNOWN;
  }

  #expectBody({ server, index }: ReceivedPart, body: unknown): void {
    if (index !== undefined && typeof body === 'string') this.#test.expectedBodies.push({ server, index, body });
  }

  #expectResponse(part: unknown, value: unknown): void {
    if (!(part instanceof ResponsePart)) return;
    if (containsUnknown(value)) this.#test.unread.push('a part of the expected response');
    else part.execution.expectations.push({ path: part.path, value });
  }

  #setEnvironment([name, value]: readonly unknown[]): unknown {
    if (typeof name === 'string' && typeof value === 'string') this.#test.environment[name] = value;
    return UNKNOWN;
  }

  #conversion(owner: string, name: string, [first, second]: readonly unknown[]): unknown {
    if (name === 'method' || name === 'path') return { part: name, value: first } satisfies RequestCondition;
    if (name === 'body_json') return { part: 'body', value: first } satisfies RequestCondition;
    if (name === 'header') return { part: 'header', name: String(first), value: second } satisfies RequestCondition;
    const isConversion = name.startsWith('from') && ['HeaderName', 'HeaderValue', 'Uri', 'String', 'ByteString', 'Value'].includes(owner);
    return isConversion ? first : UNKNOWN;
  }
}

/** Adds the settings with which the function `execute` of the test module completes each configuration. */
function withDefaults(configuration: unknown, url: string): unknown {
  return merged(configuration, {
    include_subgraph_errors: { all: true },
    override_subgraph_url: { graphql: `${url}/graphql` },
    connectors: { sources: { 'connectors.json': { override_url: `${url}/` } } },
  });
}

function merged(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) return other ?? one;
  const result: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) result[name] = merged(one[name], value);
  return result;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function responseMethod(response: MockedResponse, name: string, [first, second]: readonly unknown[]): unknown {
  const { status, headers, body } = response;
  if (name === 'insert_header') return new MockedResponse(status, { ...headers, [String(first)]: String(second) }, body);
  if (name === 'set_body_json') {
    return containsUnknown(first)
      ? UNKNOWN
      : new MockedResponse(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(first));
  }
  if (name !== 'set_body_raw') return UNKNOWN;
  const bytes = bytesOf(first);
  return bytes === undefined ? UNKNOWN : new MockedResponse(status, { ...headers, 'content-type': String(second) }, bytes);
}

/** Returns a body that is a text, bytes, or JSON that is converted to text. */
function bytesOf(value: unknown): string | Uint8Array | undefined {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  if (!Array.isArray(value)) return undefined;
  return value.every((one) => typeof one === 'number') ? Uint8Array.from(value) : JSON.stringify(value);
}

function requestMethod({ parts }: ExpectedRequest, name: string, [first, second]: readonly unknown[]): unknown {
  if (containsUnknown([first, second])) return UNKNOWN;
  if (name === 'method' || name === 'path' || name === 'query') return new ExpectedRequest({ ...parts, [name]: String(first) });
  if (name === 'body') return new ExpectedRequest({ ...parts, body: first });
  if (name !== 'header') return UNKNOWN;
  const values = parts.headers?.get(String(first)) ?? [];
  return new ExpectedRequest({ ...parts, headers: new Map([...(parts.headers ?? []), [String(first), [...values, String(second)]]]) });
}

function editMethod({ edit, part }: EditedPart, name: string, [first, second]: readonly unknown[]): unknown {
  if (name === 'headers_mut') return new EditedPart(edit, 'headers');
  if (part === 'context' && name === 'insert') edit.context.set(String(first), second);
  else if (part === 'headers' && (name === 'insert' || name === 'append')) {
    const before = name === 'append' ? (edit.headers.get(String(first).toLowerCase()) ?? []) : [];
    edit.headers.set(String(first).toLowerCase(), [...before, String(second)]);
  }
  return UNKNOWN;
}

function partMethod(part: ResponsePart, name: string, [first]: readonly unknown[]): unknown {
  if (name === 'get' && typeof first === 'string') return new ResponsePart(part.execution, [...part.path, first]);
  if (name === 'first') return new ResponsePart(part.execution, [...part.path, '0']);
  if (name === 'len') return new ResponsePart(part.execution, [...part.path, 'length']);
  return CONVERSIONS.has(name) ? part : UNKNOWN;
}

function replaced(text: string, [from, to]: readonly unknown[]): unknown {
  return typeof from === 'string' && typeof to === 'string' ? text.replaceAll(from, to) : UNKNOWN;
}
