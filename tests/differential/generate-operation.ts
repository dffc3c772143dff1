import { type DocumentNode, type GraphQLSchema, parse, validate } from 'graphql';
import type { ValueSupplier } from './generate-value.ts';
import { createRandom } from './random.ts';
import { writeOperation } from './write-operation.ts';

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
  /** Fields nested in fields. @unit levels @defaultValue 5 */
  readonly maxDepth?: number;
  /** Fields in the whole document, about. @unit fields @defaultValue 40 */
  readonly maxFields?: number;
}

/** An operation that a client could send. */
export interface GeneratedOperation {
  readonly seed: number;
  readonly text: string;
  readonly document: DocumentNode;
  /** As sent: some absent, some null. */
  readonly variables: Readonly<Record<string, unknown>>;
}

const ATTEMPTS = 200;

/**
 * Makes a random valid operation: aliases, inline and named fragments on objects, interfaces, unions and on types that
 * cannot occur, `@skip` and `@include` by literal and variable, arguments by literal and variable with defaults, null
 * and absent, `__typename` anywhere, fields merged from several places.
 *
 * @throws Error when no valid operation was found, which means that the options leave nothing to ask for
 */
export function generateOperation(options: GenerateOptions): GeneratedOperation {
  const { schema, seed } = options;
  // Most attempts are valid; two fields under one key that do not fit together are left to the validator to find.
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const written = writeOperation(options, createRandom(seed * ATTEMPTS + attempt));
    const document = parse(written.text, { noLocation: true });
    if (validate(schema, document).length === 0) return { seed, document, ...written };
  }
  throw new Error(`No valid operation found for seed ${seed}.`);
}
