import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { ThreadRequest, ThreadResponse } from '../../../gateway/planning/worker/thread-messages.ts';

/** A planner thread that the test controls. */
export class FakeThread extends EventEmitter {
  readonly received: ThreadRequest[] = [];
  isTerminated = false;
  isReferenced = true;
  threadId = 1;

  /** This thread, for code that uses threads. */
  get worker(): Worker {
    return this as object as Worker;
  }

  /** Operations that the thread has received. */
  get documents(): readonly string[] {
    return this.received.flatMap((request) => (request.kind === 'plan' ? [request.input.document] : []));
  }

  /** Number of listeners of messages, errors and the end of the thread. */
  get listening(): number {
    return this.eventNames().reduce((count, event) => count + this.listenerCount(event), 0);
  }

  respond(message: ThreadResponse): void {
    this.emit('message', message);
  }

  postMessage(message: ThreadRequest): void {
    this.received.push(message);
  }

  async terminate(): Promise<number> {
    this.isTerminated = true;
    this.threadId = -1;
    return 0;
  }

  ref(): void {
    this.isReferenced = true;
  }

  unref(): void {
    this.isReferenced = false;
  }
}
