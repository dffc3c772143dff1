import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ProcessRequest, ProcessResponse } from './planner-process.ts';
import type { PlannerName } from './planners.ts';

/** Timeout for a plan. @unit milliseconds */
const GIVE_UP_MS = 10_000;
/** Timeout for reading a supergraph. @unit milliseconds */
const START_TIMEOUT_MS = 120_000;

/** A planner in a separate process, so that a plan that takes too long can be abandoned. */
export class PlannerClient implements AsyncDisposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts the process and lets the planner read a supergraph. @throws Error when the planner rejects it or needs too much time */
  static async start(planner: PlannerName, supergraphSdl: string): Promise<PlannerClient> {
    const started = new PlannerClient(fork(new URL('planner-process.ts', import.meta.url)));
    const { error } = await started.#send({ planner, supergraphSdl }, START_TIMEOUT_MS);
    if (error === undefined) return started;
    await started[Symbol.asyncDispose]();
    throw new Error(`The planner ${planner} has not read the supergraph: ${error}`);
  }

  /** Sends a document. Returns an error if planning takes more than 10 seconds. */
  async request(request: ProcessRequest): Promise<ProcessResponse> {
    return this.#send(request, GIVE_UP_MS);
  }

  async #send(request: ProcessRequest, timeoutMs: number): Promise<ProcessResponse> {
    this.#child.send(request);
    try {
      const [response] = (await once(this.#child, 'message', { signal: AbortSignal.timeout(timeoutMs) })) as [ProcessResponse];
      return response;
    } catch {
      return { memoryMb: 0, error: `it took more than ${timeoutMs / 1_000} s` };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }
}
