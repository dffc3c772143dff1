import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLResolveInfo, execute, parse, validate } from 'graphql';
import { gql } from 'graphql-tag';
import type { QueryPlannerOptions } from '../../../gateway/planning/create-query-planner.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { type Engine, type EngineResponse, type EngineDependencies, createEngine } from '../../differential/engine.ts';

type Resolver = (source: never, args: never, context: unknown, info: GraphQLResolveInfo) => unknown;
type ResolverMap = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;

/** A subgraph that runs in this process. */
export interface InProcessSubgraph {
  readonly sdl: string;
  readonly resolvers?: ResolverMap;
  /** Root value of its operations. */
  readonly root?: object;
}

/** A request as a subgraph received it. */
export interface ReceivedRequest {
  readonly subgraph: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A result, with the subgraph requests that it took. */
export interface FederationResponse extends EngineResponse {
  readonly requests: readonly ReceivedRequest[];
}

/** A supergraph with its subgraphs. */
export interface InProcessFederation {
  readonly engine: Engine;
  request(text: string, variables?: Readonly<Record<string, unknown>>): Promise<FederationResponse>;
  requestInMultipart(text: string, variables?: Readonly<Record<string, unknown>>): Promise<EngineDependencies>;
}

/**
 * Runs operations through the engine against subgraphs in this process. Each subgraph validates its requests, as a server would.
 *
 * @param supergraphSdl Supergraph. Absent if it is composed from the subgraphs.
 * @throws Error when the subgraphs do not compose
 */
export function createFederation(
  subgraphs: Readonly<Record<string, InProcessSubgraph>>,
  supergraphSdl: string = compose(subgraphs),
  planning: QueryPlannerOptions = {},
): InProcessFederation {
  const engine = createEngine({ supergraphSdl, schema: loadSupergraph(supergraphSdl).schema, planning });
  const schemas = new Map(
    Object.entries(subgraphs).map(([name, { sdl, resolvers = {} }]) => [
      name,
      buildSubgraphSchema({ typeDefs: gql(sdl), resolvers: resolvers as never }),
    ]),
  );
  const recordingExecutor = (requests: ReceivedRequest[]): SubgraphExecutor => {
    return async ({ subgraph, body }) => {
      const schema = schemas.get(subgraph);
      if (schema === undefined) throw new Error(`The subgraph ${subgraph} does not exist.`);
      const { query, variables } = JSON.parse(body) as Omit<ReceivedRequest, 'subgraph'>;
      requests.push({ subgraph, query, variables });
      const document = parse(query);
      const failures = validate(schema, document);
      if (failures.length > 0)
        return { data: null, errors: failures.map(({ message }) => ({ message, code: 'GRAPHQL_VALIDATION_FAILED' })) };
      const rootValue = subgraphs[subgraph]?.root;
      const { data, errors = [] } = await execute({ schema, document, variableValues: variables, rootValue });
      return {
        data: JSON.parse(JSON.stringify(data ?? null)) as Record<string, unknown> | null,
        errors: errors.map(({ message, path = [] }) => ({ message, code: 'FAILED', path })),
      };
    };
  };
  return {
    engine,
    async request(text, variables = {}) {
      const requests: ReceivedRequest[] = [];
      const response = await engine.respond({ text, variables, labels: [], executor: recordingExecutor(requests) });
      return { ...response, requests };
    },
    async requestInMultipart(text, variables = {}) {
      return await engine.respondInMultipart({ text, variables, labels: [], executor: recordingExecutor([]) });
    },
  };
}

function compose(subgraphs: Readonly<Record<string, InProcessSubgraph>>): string {
  const result = composeSubgraphs(
    Object.entries(subgraphs).map(([name, { sdl }]) => ({ name, url: `http://${name}`, files: [{ path: `${name}.graphql`, text: sdl }] })),
  );
  if ('errors' in result) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  return result.supergraphSdl;
}
