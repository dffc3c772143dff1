import type { EventStream } from '../pipeline/event-stream.ts';
import type { Rights } from './rights.ts';

/** An operation that runs on a socket. It is known by itself and not by its id, which a client may use again while it ends. */
export class LiveOperation {
  readonly rights: Rights;
  readonly #controller = new AbortController();
  #stream: EventStream | undefined;

  constructor(rights: Rights) {
    this.rights = rights;
  }

  /** Aborted when nobody waits for it any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The stream that it came to. One that comes too late is ended at once. */
  adopt(stream: EventStream): void {
    this.#stream = stream;
    if (this.signal.aborted) endQuietly(stream);
  }

  /** Nobody waits for it any more. */
  end(): void {
    if (this.signal.aborted) return;
    this.#controller.abort();
    if (this.#stream !== undefined) endQuietly(this.#stream);
  }
}

/** What goes wrong while a stream ends concerns nobody. */
function endQuietly(stream: EventStream): void {
  stream.return().catch(() => undefined);
}
