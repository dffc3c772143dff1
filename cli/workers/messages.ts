import type { MaintenanceState } from '../../gateway/composition/open-primary.ts';
import type { PrimaryCall, PrimaryNotice, PrimaryReport } from '../../gateway/platform/primary-state.ts';

/** A call with its id, the function and the arguments. A report has the id `NO_RESULT`. */
export type CallMessage = readonly [id: number, name: PrimaryCall | PrimaryReport, args: readonly unknown[]];

/** Id of messages without a result. */
export const NO_RESULT = 0;

/** Message of a worker to the primary. */
export type WorkerMessage =
  /** The worker has loaded its code and waits for its start message. */
  | { readonly type: 'join' }
  /** The worker serves requests. */
  | { readonly type: 'ready'; readonly url: string; readonly internalUrl: string }
  /** Calls of shared state, and reports. Those of one turn of the event loop are one message. */
  | { readonly type: 'calls'; readonly calls: readonly CallMessage[] }
  /** Messages for all other workers. */
  | { readonly type: 'publish'; readonly messages: readonly unknown[] };

/** Message of the primary to a worker. */
export type PrimaryMessage =
  | StartMessage
  /** The worker finishes its requests and ends. */
  | { readonly type: 'stop' }
  /** Results of calls, by the id of the call, and notices about shared state. */
  | {
      readonly type: 'results';
      readonly results: readonly (readonly [id: number, value: unknown])[];
      readonly notices?: readonly PrimaryNotice[];
    }
  /** Messages of other workers. */
  | { readonly type: 'published'; readonly messages: readonly unknown[] };

export interface StartMessage {
  readonly type: 'start';
  /** Lowest number that no other worker has, beginning at 1. */
  readonly number: number;
  /** Number of workers that share state. */
  readonly workers: number;
  /** Maintenance mode as it was switched last. @defaultValue as configured */
  readonly maintenance?: MaintenanceState | undefined;
}
