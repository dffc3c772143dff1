import { LRUCache } from 'lru-cache';
import type { Budgets } from '../../budget/budgets.ts';
import type { Generation } from '../../generation/generation.ts';
import type { Generations } from '../../generation/generations.ts';
import type { AdmitDocument } from '../../operation/limits/admit-document.ts';
import { OperationRejected } from '../../operation/operation-rejected.ts';
import { type KeyedMutation, keyMutation } from '../../operation/keyed-mutation.ts';
import { parseDocument } from '../../operation/parse-document.ts';
import { GatewayError } from '../../platform/errors.ts';
import type { OperationRequest } from '../operation-request.ts';
import type { RequestedDocuments } from './resolve-document.ts';

/** A mutation with its idempotency key. */
export interface KeyedOperation {
  readonly key: string;
  /** Request to execute, with the key in the argument of its field. */
  readonly request: OperationRequest;
  /** Whether the field of the mutation takes the key as an argument. */
  readonly isPassedDown: boolean;
  /** Whether the response is returned to concurrent requests but never stored. */
  readonly isNeverStored: boolean;
  /** Values that distinguish this request from others, as JSON. */
  readonly parts: readonly unknown[];
}

/**
 * Adds the idempotency key to the field of a mutation. Undefined when the operation is not a mutation, or when the document is rejected:
 * the execution reports that error.
 *
 * @param readKey reads the key. Called only for a mutation; other operations ignore the key
 * @throws the error of `readKey`
 * @throws GatewayError when there is no document; `BAD_REQUEST` for several root fields, `IDEMPOTENCY_KEY_INVALID` when the field has a
 * different key
 */
export type KeyMutation = (request: OperationRequest, readKey: () => string) => Promise<KeyedOperation | undefined>;

export interface KeyedMutationsOptions {
  readonly generations: Pick<Generations, 'pin'>;
  readonly documents: RequestedDocuments;
  readonly budgets: Budgets;
  /** Rejects documents that exceed the limits, before any other step. */
  readonly admit: AdmitDocument;
  /** Maximum number of tokens that are parsed. @unit tokens */
  readonly maxTokens: number;
  /** Root fields whose responses are never stored, such as `Mutation.createWebhook`. */
  readonly neverStored: readonly string[];
}

/** Maximum number of cached documents per generation. */
const MAX_KNOWN = 1_000;
/** Maximum memory of these documents. @unit bytes */
const MAX_KNOWN_BYTES = 4_194_304;
/** Memory per document in addition to its texts: the entry and its slot in the cache. @unit bytes */
const BYTES_PER_KNOWN = 512;

type KeyedMutations = LRUCache<string, KeyedMutation | 'none'>;

export function createKeyMutation({ generations, documents, budgets, admit, maxTokens, neverStored }: KeyedMutationsOptions): KeyMutation {
  const mutationsOf = new WeakMap<Generation, KeyedMutations>();

  function mutationOf(generation: Generation, text: string, operationName = ''): KeyedMutation | undefined {
    let known = mutationsOf.get(generation);
    if (known === undefined) {
      known = new LRUCache({ max: MAX_KNOWN, maxSize: MAX_KNOWN_BYTES, sizeCalculation: bytesOfKnown });
      mutationsOf.set(generation, known);
    }
    const cacheKey = `${operationName} ${text}`;
    let found = known.get(cacheKey);
    if (found === undefined) {
      admit(text);
      found = keyMutation(generation.schema, text, parseDocument(text, { maxTokens }), operationName) ?? 'none';
      known.set(cacheKey, found);
    }
    return found === 'none' ? undefined : found;
  }

  async function mutationIn(request: OperationRequest): Promise<(KeyedMutation & { readonly text: string }) | undefined> {
    const document = await documents.resolve(request, request.budget ?? budgets.of(request));
    const text = typeof document === 'string' ? document : document.text;
    const pin = generations.pin(request.generation);
    try {
      const mutation = mutationOf(pin.generation, text, request.operationName);
      return mutation && { ...mutation, text };
    } catch (error) {
      if (error instanceof OperationRejected) return undefined; // the execution rejects it too, and charges for it
      throw error;
    } finally {
      pin[Symbol.dispose]();
    }
  }

  return async (request, readKey) => {
    const mutation = await mutationIn(request);
    if (mutation === undefined) return undefined;
    const key = readKey();
    const { field, text, location, rewritten } = mutation;
    const isNeverStored = neverStored.includes(`Mutation.${field}`);
    const variables = { ...request.variables };
    if (location !== undefined) {
      const given =
        'literal' in location
          ? location.literal
          : ((Object.hasOwn(variables, location.variable) ? variables[location.variable] : undefined) ?? key);
      if (given !== key) throw otherKey();
      if ('variable' in location) delete variables[location.variable];
    }
    const parts = ['POST', '/graphql', text, request.operationName ?? '', variables];
    const resolved = { ...request, ...withText(request, rewritten ?? text) };
    if (location === undefined || 'literal' in location) {
      return { key, request: resolved, isPassedDown: location !== undefined, isNeverStored, parts };
    }
    const keyed = { ...resolved, variables: { ...variables, [location.variable]: key } };
    return { key, request: keyed, isPassedDown: true, isNeverStored, parts };
  };
}

/** Replaces the document of a request by its text, so that it is not resolved again. The original is registered by its hash. */
function withText({ document, original = document }: OperationRequest, text: string): Pick<OperationRequest, 'document' | 'original'> {
  return 'prepared' in document ? { document } : { document: { text, isTrusted: true }, original };
}

function bytesOfKnown(mutation: KeyedMutation | 'none', cacheKey: string): number {
  const rewritten = mutation === 'none' ? 0 : (mutation.rewritten?.length ?? 0);
  return BYTES_PER_KNOWN + 2 * (cacheKey.length + rewritten);
}

function otherKey(): GatewayError {
  return new GatewayError(
    'IDEMPOTENCY_KEY_INVALID',
    'The header Idempotency-Key and the argument idempotencyKey have different values; send only one, or the same value.',
  );
}
