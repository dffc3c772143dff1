import type { GraphQLDataSource, ServiceEndpointDefinition } from '@apollo/gateway';

/** Data sources by subgraph, each made once for its address. */
export interface DataSources {
  get(definition: ServiceEndpointDefinition): GraphQLDataSource;
  /** Asks every subgraph whether it is there. @throws Error that names the first that is not */
  check(definitions: Iterable<ServiceEndpointDefinition>): Promise<void>;
}

const HEALTH_CHECK = 'query __ApolloServiceHealthCheck__ { __typename }';

/** @param build called once for each name and address */
export function createDataSources(build: (definition: ServiceEndpointDefinition) => GraphQLDataSource): DataSources {
  const known = new Map<string, { readonly url: string | undefined; readonly dataSource: GraphQLDataSource }>();

  function get({ name, url }: ServiceEndpointDefinition): GraphQLDataSource {
    const found = known.get(name);
    if (found !== undefined && found.url === url) return found.dataSource;
    const dataSource = build({ name, ...(url === undefined ? {} : { url }) });
    known.set(name, { url, dataSource });
    return dataSource;
  }

  return {
    get,
    async check(definitions) {
      await Promise.all(
        [...definitions].map(async (definition) => {
          const kind = 'health check' as Extract<Parameters<GraphQLDataSource['process']>[0], { readonly kind: 'health check' }>['kind'];
          try {
            await build(definition).process({ kind, request: { query: HEALTH_CHECK }, context: {} });
          } catch (cause) {
            throw new Error(`[${definition.name}]: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
          }
        }),
      );
    },
  };
}
