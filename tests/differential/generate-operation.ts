import { type DocumentNode, parse, validate } from 'graphql';
import type { GenerateOptions } from './generate-options.ts';
import { createRandom } from '../support/random/random.ts';
import { writeOperation } from './write-operation.ts';

/** An operation that a client could send. */
export interface GeneratedOperation {
  readonly seed: number;
  readonly text: string;
  readonly document: DocumentNode;
  /** Variables as sent: some absent, some null. */
  readonly variables: Readonly<Record<string, unknown>>;
}

const ATTEMPTS = 200;

/**
 * Generates a random valid operation: aliases, inline and named fragments on objects, interfaces, unions and on types that cannot occur,
 * `@skip` and `@include` by literal and variable, arguments by literal and variable with defaults, null and absent, `__typename` at any
 * level, and fields merged from several selections.
 *
 * @throws Error when no valid operation was found, which means that the options leave nothing to select
 */
export function generateOperation(options: GenerateOptions): GeneratedOperation {
  const { schema, seed } = options;
  // Most attempts are valid. The validator finds conflicting fields under one response key.
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const written = writeOperation(options, createRandom(seed * ATTEMPTS + attempt));
    const document = parse(written.text, { noLocation: true });
    if (validate(schema, document).length === 0) return { seed, document, ...written };
  }
  throw new Error(`No valid operation found for seed ${seed}.`);
}
