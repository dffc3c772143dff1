import { type DocumentNode, Kind, type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql';
import type { PayloadLog } from './payload-log.ts';
import { type Payload, readPayloads } from './read-payloads.ts';

interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: unknown;
}

interface RequestDetails {
  readonly headers?: Readonly<Record<string, string>>;
  /** The parsed document of the editor. Absent for the introspection query of GraphiQL. */
  readonly documentAST?: DocumentNode | null;
}

const SINGLE = 'application/graphql-response+json, application/json;q=0.9';

/**
 * Creates the function with which GraphiQL sends operations to the gateway that served the page. Subscriptions are received as server-sent
 * events, and deferred fragments as parts of a multipart response. An error response is shown like any other response.
 *
 * @param log records the payloads of the operations of the user
 */
export function createFetcher(log: PayloadLog): (request: GraphqlRequest, details?: RequestDetails) => AsyncIterableIterator<Payload> {
  return ({ query, operationName, variables }, { headers, documentAST } = {}) => {
    const operation = findOperation(query, operationName);
    const isStream = operation?.operation === OperationTypeNode.SUBSCRIPTION;
    const accept = isStream ? `text/event-stream, ${SINGLE}` : `multipart/mixed;deferSpec=20220824, ${SINGLE}`;
    const record = documentAST === undefined || documentAST === null ? () => {} : log.start();
    const controller = new AbortController();
    const { signal } = controller;

    async function* receive(): AsyncGenerator<Payload> {
      try {
        const response = await fetch('/graphql', {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', accept },
          body: JSON.stringify({ query, operationName: operation === undefined ? operationName : operation.name?.value, variables }),
          signal,
        });
        for await (const payload of readPayloads(response)) {
          record(payload);
          yield payload;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }

    const payloads = receive();
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: async () => payloads.next(),
      // The stop button calls this method. A generator would wait for the next payload before it ends, so the request is aborted instead.
      async return() {
        controller.abort();
        return { done: true, value: undefined };
      },
    };
  };
}

/**
 * Finds the operation to run. GraphiQL updates the name of the operation with a delay after an edit, so a name that the document does not
 * contain is ignored if the document has one operation. Undefined if the gateway has to report an error.
 */
function findOperation(query: string, name: string | null | undefined): OperationDefinitionNode | undefined {
  try {
    const operations = parse(query).definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    return operations.length === 1 ? operations[0] : operations.find((operation) => operation.name?.value === name);
  } catch {
    return undefined; // A syntax error, which the response of the gateway describes.
  }
}
