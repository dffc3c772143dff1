import type { GraphQLSchema } from 'graphql';
import type { PerGeneration } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { Logger } from '../../gateway/platform/logger.ts';

/**
 * A gateway whose schema can change: `new ApolloGateway(…)` or `createApolloGateway(…)`. The stock gateway calls the callback only for
 * schemas that it loads later. The schema that is already loaded is its property `schema`.
 */
export interface SchemaGateway {
  readonly schema?: GraphQLSchema | undefined;
  onSchemaLoadOrUpdate(callback: (context: { readonly apiSchema: GraphQLSchema }) => void): unknown;
}

/** A fixed schema, a gateway with a schema, or a function that is called once with a callback for new schemas. */
export type SchemaSource = GraphQLSchema | SchemaGateway | ((use: (schema: GraphQLSchema) => void) => unknown);

/** Values that are built for each schema. */
export interface SchemaGenerations {
  /** Registers a builder. @throws the exception of `build`, if the schema is fixed or already loaded */
  onGeneration<T>(build: (schema: GraphQLSchema) => T | Promise<T>): PerGeneration<T>;
}

/** A schema with the values that were built for it. */
interface Slot {
  readonly schema: GraphQLSchema;
  readonly id: string;
  readonly values: ReadonlyMap<Build, unknown>;
}

type Build = (schema: GraphQLSchema) => unknown;

/** Creates the generations of a schema source. If a builder fails for a new schema, the previous schema is still served. */
export function createSchemaGenerations(source: SchemaSource, logger: Logger): SchemaGenerations {
  const builds: Build[] = [];
  let current: Slot | undefined;
  let count = 0;

  function buildAll(schema: GraphQLSchema): Slot {
    count += 1;
    return { schema, id: String(count), values: new Map(builds.map((build) => [build, build(schema)])) };
  }

  function use(schema: GraphQLSchema): void {
    try {
      current = buildAll(schema);
    } catch (error) {
      logger.error({ err: error }, 'The documents do not fit the new schema. The previous schema is still served.');
    }
  }

  if (typeof source === 'function') source(use);
  else if ('onSchemaLoadOrUpdate' in source) {
    if (source.schema !== undefined) current = buildAll(source.schema);
    source.onSchemaLoadOrUpdate(({ apiSchema }) => {
      // The Gatefold gateway also calls back for the schema that is already loaded.
      if (apiSchema !== current?.schema) use(apiSchema);
    });
  } else current = buildAll(source);

  return {
    onGeneration<T>(build: (schema: GraphQLSchema) => T | Promise<T>) {
      const own: Build = (schema) => build(schema);
      if (current !== undefined) current = { ...current, values: new Map([...current.values, [own, own(current.schema)]]) };
      builds.push(own);
      return {
        ready: Promise.resolve(),
        acquire() {
          if (current?.values.has(own) !== true) throw new GatewayError('NO_SUPERGRAPH', 'No schema is loaded.');
          return { value: current.values.get(own) as T, generation: current, [Symbol.dispose]: () => undefined };
        },
      };
    },
  };
}
