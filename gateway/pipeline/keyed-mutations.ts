import { LRUCache } from 'lru-cache';
import type { Generation } from '../generation/generation.ts';
import type { Generations } from '../generation/generations.ts';
import type { AdmitDocument } from '../operation/limits/admit-document.ts';
import { OperationRefused } from '../operation/errors.ts';
import { type KeyedMutation, keyMutation } from '../operation/keyed-mutation.ts';
import { parseDocument } from '../operation/parse-document.ts';
import { GatewayError } from '../platform/errors.ts';
import type { OperationRequest } from './operation-request.ts';
import type { RequestedDocuments } from './requested-documents.ts';

/** A mutation with the key it was sent with. */
export interface KeyedOperation {
  readonly key: string;
  /** What is to be run: the key is where its field takes it. */
  readonly request: OperationRequest;
  /** Whether its field takes the key. */
  readonly isPassedDown: boolean;
  /** Whether its answer is told to whoever asks, and kept nowhere. */
  readonly isNeverKept: boolean;
  /** What makes it another request, as JSON. */
  readonly parts: readonly unknown[];
}

/**
 * Puts a key where the field of a mutation takes it; undefined for an operation that is no mutation, and for a document that is
 * refused, which is said where it runs.
 *
 * @param readKey called for a mutation only: nobody else takes notice of a key
 * @throws what `readKey` throws
 * @throws GatewayError where there is no document; `BAD_REQUEST` for several root fields, `IDEMPOTENCY_KEY_INVALID` where the field was given another key
 */
export type KeyMutation = (request: OperationRequest, readKey: () => string) => Promise<KeyedOperation | undefined>;

export interface KeyedMutationsOptions {
  readonly generations: Pick<Generations, 'pin'>;
  readonly find: RequestedDocuments['find'];
  /** Refuses documents beyond the limits, before anything else is done with them. */
  readonly admit: AdmitDocument;
  /** What is parsed at all. @unit tokens */
  readonly maxTokens: number;
  /** Root fields whose answers are kept nowhere: `Mutation.createWebhook`. */
  readonly neverKept: readonly string[];
}

/** Documents of one generation that were looked at. */
const MAX_KNOWN = 1_000;
/** What these documents retain. @unit bytes */
const MAX_KNOWN_BYTES = 4_194_304;
/** Beside its texts: the entry, and its place in the cache. @unit bytes */
const BYTES_PER_KNOWN = 512;

type Known = LRUCache<string, KeyedMutation | 'none'>;

export function createKeyMutation({ generations, find, admit, maxTokens, neverKept }: KeyedMutationsOptions): KeyMutation {
  const knownOf = new WeakMap<Generation, Known>();

  function mutationOf(generation: Generation, text: string, operationName = ''): KeyedMutation | undefined {
    let known = knownOf.get(generation);
    if (known === undefined) {
      known = new LRUCache({ max: MAX_KNOWN, maxSize: MAX_KNOWN_BYTES, sizeCalculation: bytesOfKnown });
      knownOf.set(generation, known);
    }
    const place = `${operationName} ${text}`;
    let found = known.get(place);
    if (found === undefined) {
      admit(text);
      found = keyMutation(generation.schema, text, parseDocument(text, { maxTokens }), operationName) ?? 'none';
      known.set(place, found);
    }
    return found === 'none' ? undefined : found;
  }

  async function mutationIn(request: OperationRequest): Promise<(KeyedMutation & { readonly text: string }) | undefined> {
    const document = await find(request, request.budget);
    const text = typeof document === 'string' ? document : document.text;
    const pin = generations.pin(request.generation);
    try {
      const mutation = mutationOf(pin.generation, text, request.operationName);
      return mutation && { ...mutation, text };
    } catch (error) {
      if (error instanceof OperationRefused) return undefined; // as where it runs, and there it is paid for
      throw error;
    } finally {
      pin[Symbol.dispose]();
    }
  }

  return async (request, readKey) => {
    const mutation = await mutationIn(request);
    if (mutation === undefined) return undefined;
    const key = readKey();
    const { field, text, place, rewritten } = mutation;
    const isNeverKept = neverKept.includes(`Mutation.${field}`);
    const variables = { ...request.variables };
    if (place !== undefined) {
      const given =
        'literal' in place ? place.literal : ((Object.hasOwn(variables, place.variable) ? variables[place.variable] : undefined) ?? key);
      if (given !== key) throw otherKey();
      if ('variable' in place) delete variables[place.variable];
    }
    const parts = ['POST', '/graphql', text, request.operationName ?? '', variables];
    if (place === undefined || 'literal' in place) return { key, request, isPassedDown: place !== undefined, isNeverKept, parts };
    const asked = { ...request, variables: { ...variables, [place.variable]: key } };
    return {
      key,
      request: rewritten === undefined ? asked : { ...asked, document: { text: rewritten, isTrusted: true }, original: request.document },
      isPassedDown: true,
      isNeverKept,
      parts,
    };
  };
}

function bytesOfKnown(mutation: KeyedMutation | 'none', place: string): number {
  const rewritten = mutation === 'none' ? 0 : (mutation.rewritten?.length ?? 0);
  return BYTES_PER_KNOWN + 2 * (place.length + rewritten);
}

function otherKey(): GatewayError {
  return new GatewayError(
    'IDEMPOTENCY_KEY_INVALID',
    'The header Idempotency-Key and the argument idempotencyKey are two keys; send one, or the same.',
  );
}
