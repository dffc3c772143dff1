import { execute, type GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import type { GenerationView, ObjectResult, OperationError, OperationRequest } from '../../../../gateway/index.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { ANONYMOUS, type Principal } from '../../../../gateway/platform/principal.ts';
import type { RestGateway } from '../../../../rest-facade/index.ts';
import type { LibraryContext } from './library-graph.ts';

/** An operation that the fake gateway received. */
export interface SeenOperation {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly request: OperationRequest;
}

export interface FakeGateway {
  readonly gateway: RestGateway;
  /** Every executed operation, in order. */
  readonly seen: readonly SeenOperation[];
  /** Number of requests that hold a generation at this moment. */
  readonly pinned: () => number;
  /** Builds everything that `onGeneration` registered, like a gateway that loads a supergraph. */
  readonly load: () => Promise<void>;
}

/** A gateway that runs operations with graphql-js itself. `Bearer <name>` is a user of that name. Other credentials are invalid. */
export function createFakeGateway(schema: GraphQLSchema, rootValue: unknown): FakeGateway {
  const seen: SeenOperation[] = [];
  let pinned = 0;
  const builds: (() => Promise<void>)[] = [];
  const view: GenerationView = {
    schema,
    prepare(text) {
      const document = parse(text);
      const [issue] = validate(schema, document);
      if (issue !== undefined) throw new GatewayError('GRAPHQL_VALIDATION_FAILED', issue.message);
      return { text, document };
    },
  };

  async function executeToObject(request: OperationRequest): Promise<ObjectResult> {
    if (!('prepared' in request.document)) throw new Error('The facade must run prepared documents.');
    const { document, text } = request.document.prepared;
    seen.push({ text, variables: request.variables ?? {}, request });
    const contextValue: LibraryContext = { principal: request.principal };
    const { data, errors = [] } = await execute({ schema, document, rootValue, contextValue, variableValues: request.variables ?? {} });
    const printed = JSON.stringify(data ?? null);
    return {
      // The values are parsed from JSON because a gateway has such values.
      data: JSON.parse(printed) as ObjectResult['data'],
      text: printed,
      errors: errors.map((error) => toOperationError(error, request.correlationId)),
      facts: { errorCodes: [] },
    };
  }

  return {
    seen,
    pinned: () => pinned,
    load: async () => {
      for (const build of builds) await build();
    },
    gateway: {
      authenticate: async ({ authorization }) => toPrincipal(authorization),
      executeToObject,
      onGeneration<T>(build: (view: GenerationView) => T | Promise<T>) {
        let built: { readonly value: T } | undefined;
        builds.push(async () => {
          built = { value: await build(view) };
        });
        return {
          ready: Promise.resolve(),
          acquire() {
            if (built === undefined) throw new GatewayError('NO_SUPERGRAPH', 'No supergraph is loaded.');
            pinned += 1;
            return { value: built.value, generation: { id: 'only' }, [Symbol.dispose]: () => void (pinned -= 1) };
          },
        };
      },
    },
  };
}

function toOperationError({ message, path, extensions: { code } }: GraphQLError, requestId: string): OperationError {
  const extensions = { code: typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR', requestId };
  return path === undefined ? { message, extensions } : { message, path, extensions };
}

function toPrincipal(authorization: string | undefined): Principal {
  if (authorization === undefined) return ANONYMOUS;
  const id = /^Bearer (\w+)$/.exec(authorization)?.[1];
  if (id === undefined) throw new GatewayError('UNAUTHENTICATED', 'The credentials are not valid.');
  return { ...ANONYMOUS, kind: 'user', id };
}
