import type { GraphQLSchema } from 'graphql';
import type { ValueSupplier } from './generate-value.ts';

/** Options of the operation generator. */
export interface GenerateOptions {
  /** Any schema. Operations are valid against it. */
  readonly schema: GraphQLSchema;
  /** Seed. The same seed produces the same operation, for the same schema and options. */
  readonly seed: number;
  /** Kind of the operation. @defaultValue 'query' */
  readonly kind?: 'query' | 'mutation';
  /** Plausible values of arguments and input fields, by schema coordinate. @defaultValue values of the generator */
  readonly valueFor?: ValueSupplier;
  /** Whether a field may be selected, by schema coordinate (`Query.user`). @defaultValue all fields */
  readonly isAllowed?: (coordinate: string) => boolean;
  /** Aliases to choose from. @defaultValue names that no field has */
  readonly keys?: readonly string[];
  /** Maximum nesting of fields. @unit levels @defaultValue 5 */
  readonly maxDepth?: number;
  /** Approximate number of fields in the whole document. @unit fields @defaultValue 40 */
  readonly maxFields?: number;
}
