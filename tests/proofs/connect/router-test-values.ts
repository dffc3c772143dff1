import type { HttpSnapshot } from './http-snapshots.ts';

/** A server of a test with its expected requests. Its URL is a placeholder until the test runs. */
export class MockedServer {
  readonly url: string;
  readonly mocks: Mock[] = [];
  readonly snapshots: readonly HttpSnapshot[];

  constructor(url: string, snapshots: readonly HttpSnapshot[] = []) {
    this.url = url;
    this.snapshots = snapshots;
  }
}

/** Conditions of a request. */
export interface RequestCondition {
  readonly part: 'method' | 'path' | 'body' | 'header';
  /** Name of the header. */
  readonly name?: string;
  readonly value: unknown;
}

/** A response to all requests that meet the conditions. */
export class Mock {
  readonly conditions: readonly RequestCondition[];
  readonly response: MockedResponse | undefined;

  constructor(conditions: readonly RequestCondition[], response?: MockedResponse) {
    this.conditions = conditions;
    this.response = response;
  }
}

/** A response, as far as it has been described. */
export class MockedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;

  constructor(status: number, headers: Readonly<Record<string, string>> = {}, body: string | Uint8Array = '') {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** Values of a request that a test expects. Undefined values are not compared. */
export interface ExpectedParts {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: ReadonlyMap<string, readonly string[]>;
}

/** A request that a test expects. */
export class ExpectedRequest {
  readonly parts: ExpectedParts;

  constructor(parts: ExpectedParts = {}) {
    this.parts = parts;
  }
}

/** An operation that a test runs, with everything that the response and the requests depend on. */
export class Execution {
  readonly sdl: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly configuration: unknown;
  readonly edit: RequestEdit;
  readonly environment: Readonly<Record<string, string>>;
  /** Expected values by their path in the response. The path of the whole response is empty. */
  readonly expectations: { readonly path: readonly string[]; readonly value: unknown }[] = [];

  constructor(given: Pick<Execution, 'sdl' | 'query' | 'variables' | 'configuration' | 'edit' | 'environment'>) {
    this.sdl = given.sdl;
    this.query = given.query;
    this.variables = given.variables;
    this.configuration = given.configuration;
    this.edit = given.edit;
    this.environment = given.environment;
  }
}

/** Headers and values of the context that a test adds to its request. */
export class RequestEdit {
  readonly headers = new Map<string, string[]>();
  readonly context = new Map<string, unknown>();
}

/** A part of a request that a test changes. */
export class EditedPart {
  readonly edit: RequestEdit;
  readonly part: 'request' | 'headers' | 'context';

  constructor(edit: RequestEdit, part: 'request' | 'headers' | 'context') {
    this.edit = edit;
    this.part = part;
  }
}

/** A part of a response. */
export class ResponsePart {
  readonly execution: Execution;
  readonly path: readonly string[];

  constructor(execution: Execution, path: readonly string[] = []) {
    this.execution = execution;
    this.path = path;
  }
}

/** The requests that a server received, or the body of one of them. */
export class ReceivedPart {
  readonly server: MockedServer;
  /** Index of one request. */
  readonly index: number | undefined;

  constructor(server: MockedServer, index?: number) {
    this.server = server;
    this.index = index;
  }
}
