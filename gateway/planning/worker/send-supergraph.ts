import type { Worker } from 'node:worker_threads';
import { runInTurns } from '../../platform/run-in-turn.ts';
import type { OpenedSupergraph, ThreadRequest } from './thread-messages.ts';

/** Length of the text in one message: about a millisecond of work. @unit characters */
const PIECE = 262_144;

/**
 * Lets a thread open a supergraph. A long text is sent in several messages between which requests are served, because copying it as a whole
 * blocks the event loop: 18 ms for 4 MB. The thread must not receive other requests before it has responded.
 */
export function sendSupergraph(worker: Worker, supergraph: OpenedSupergraph): void {
  const post = (request: ThreadRequest): void => worker.postMessage(request, []);
  const { sdl } = supergraph;
  if (sdl.length <= PIECE) return post({ kind: 'open', supergraph });
  void runInTurns(sendInSteps(supergraph, post));
}

function* sendInSteps(supergraph: OpenedSupergraph, post: (request: ThreadRequest) => void): Generator<undefined, void, undefined> {
  const { sdl } = supergraph;
  let from = 0;
  for (; sdl.length - from > PIECE; from += PIECE) {
    post({ kind: 'text', text: sdl.slice(from, from + PIECE) });
    yield;
  }
  post({ kind: 'open', supergraph: { ...supergraph, sdl: sdl.slice(from) } });
}
