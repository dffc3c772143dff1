import { CODINGS, type Coding } from '../platform/http/response/compress.ts';

/** Response that another transport has made from a cached response, without its content coding. */
export interface Rendition {
  readonly body: string;
  /** Headers that are equal for all requests that the rendition serves. */
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  /** HTTP representations by content coding. Each is created when it is first requested. */
  readonly wire: Map<Coding | 'identity', RenditionWire>;
}

/** Rendition in one content coding. Both heads are lists of alternating names and values. */
export interface RenditionWire {
  readonly head: readonly string[];
  /** Head of a 304. */
  readonly unchangedHead: readonly string[];
  readonly state: RenditionState;
  /** Body as it is sent. Undefined until a response needs it: a 304 does not. */
  content: string | Uint8Array | undefined;
  /** Length of the content, as decimal digits. */
  contentLength: string;
}

/** Validators of a rendition, with which requests with preconditions are compared. */
export interface RenditionState {
  readonly tag?: { readonly opaque: string; readonly isWeak: boolean };
  /** @unit milliseconds since 1970, whole seconds */
  readonly lastModified?: number;
}

/** Maximum number of renditions of one cached response; the oldest is removed. */
const MAX_RENDITIONS = 16;
/** Size of the objects of a rendition. @unit bytes */
const FIXED_BYTES = 500;
/** Size of a content coding of a rendition in addition to its bytes and heads. @unit bytes */
const WIRE_BYTES = 500;

/**
 * Renditions of one cached response. They belong to it, so that they disappear with it. Each has the key of a request that it serves, which
 * is unique and retains nothing.
 */
export class Renditions {
  #byKey: Map<symbol, Rendition> | undefined;
  #onGrown: (() => void) | undefined;
  #bytes = 0;

  /** Memory of all renditions in all content codings. @unit bytes */
  get bytes(): number {
    return this.#bytes;
  }

  find(key: symbol): Rendition | undefined {
    return this.#byKey?.get(key);
  }

  /** Adds a rendition. Nothing is added to a response that no cache stores. */
  add(key: symbol, rendition: Rendition): void {
    if (this.#onGrown === undefined) return;
    this.#byKey ??= new Map();
    this.#remove(key);
    this.#byKey.set(key, rendition);
    this.#bytes += bytesOf(rendition);
    const [oldest] = this.#byKey.keys();
    if (oldest !== undefined && this.#byKey.size > MAX_RENDITIONS) this.#remove(oldest);
    this.#onGrown();
  }

  /** @param onGrown called when the size has changed */
  attach(onGrown: () => void): void {
    this.#onGrown = onGrown;
  }

  #remove(key: symbol): void {
    const known = this.#byKey?.get(key);
    if (known === undefined) return;
    this.#byKey?.delete(key);
    this.#bytes -= bytesOf(known);
  }
}

/** Computes the maximum memory of a rendition with all content codings. A compressed body is never longer than the plain one. */
function bytesOf({ body, headers }: Rendition): number {
  let characters = body.length;
  let headCharacters = 0;
  for (const [name, value] of Object.entries(headers)) headCharacters += name.length + String(value).length;
  characters += headCharacters;
  const wire = WIRE_BYTES + Buffer.byteLength(body) + 2 * BYTES_PER_CHARACTER * headCharacters;
  return FIXED_BYTES + BYTES_PER_CHARACTER * characters + (1 + CODINGS.length) * wire;
}

/** A string with one character beyond Latin-1 takes two bytes per character. */
const BYTES_PER_CHARACTER = 2;
