import type { GraphQLSchema } from 'graphql';
import type { ValueSupplier } from './generate-value.ts';

/** What operations are made from. */
export interface GenerateOptions {
  /** Any schema; operations are valid against it. */
  readonly schema: GraphQLSchema;
  /** The same seed gives the same operation, for the same schema and options. */
  readonly seed: number;
  /** Kind of the operation. @defaultValue 'query' */
  readonly kind?: 'query' | 'mutation';
  /** Plausible values of arguments and input fields, by schema coordinate. @defaultValue the generator's own */
  readonly valueFor?: ValueSupplier;
  /** Fields that may be asked for, by schema coordinate (`Query.user`). @defaultValue all */
  readonly isAllowed?: (coordinate: string) => boolean;
  /** Aliases to choose from. @defaultValue names that no field has */
  readonly keys?: readonly string[];
  /** Fields nested in fields. @unit levels @defaultValue 5 */
  readonly maxDepth?: number;
  /** Fields in the whole document, about. @unit fields @defaultValue 40 */
  readonly maxFields?: number;
}
