import type { GraphQLSchema } from 'graphql';
import type { GenerationBound } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { Logger } from '../../gateway/platform/logger.ts';

/**
 * A gateway whose schema changes: `new ApolloGateway(…)` or `createApolloGateway(…)`. The stock gateway calls back for schemas that it
 * loads later and does not repeat the one it has loaded; that one is its `schema`.
 */
export interface SchemaGateway {
  readonly schema?: GraphQLSchema | undefined;
  onSchemaLoadOrUpdate(callback: (context: { readonly apiSchema: GraphQLSchema }) => void): unknown;
}

/** A schema that stays as it is, the gateway that has it, or a function that is called once with what takes each new schema. */
export type SchemaSource = GraphQLSchema | SchemaGateway | ((use: (schema: GraphQLSchema) => void) => unknown);

/** What is built for one schema after the other. */
export interface SchemaGenerations {
  /** @throws what `build` throws for a schema that stays as it is */
  onGeneration<T>(build: (schema: GraphQLSchema) => T | Promise<T>): GenerationBound<T>;
}

/** A schema with all that was built for it. */
interface Slot {
  readonly schema: GraphQLSchema;
  readonly id: string;
  readonly values: ReadonlyMap<Build, unknown>;
}

type Build = (schema: GraphQLSchema) => unknown;

/** A schema for which something cannot be built is not served: the one before is, until there is a better one. */
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
      logger.error({ err: error }, 'The documents do not fit a new schema; the one before is served on.');
    }
  }

  if (typeof source === 'function') source(use);
  else if ('onSchemaLoadOrUpdate' in source) {
    if (source.schema !== undefined) current = buildAll(source.schema);
    source.onSchemaLoadOrUpdate(({ apiSchema }) => {
      // Our own gateway repeats the schema that is loaded already.
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
