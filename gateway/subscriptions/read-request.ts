import type { DocumentReference } from '../persisted/document-reference.ts';

/** What a request for an operation says itself. */
export interface RequestContent {
  readonly document: DocumentReference;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The last event that the client has seen. */
  readonly lastEventId?: string;
}

/** Reads the parameters of a request as all doors do. @throws GatewayError `BAD_REQUEST` */
export type ReadRequest = (parameters: Readonly<Record<string, unknown>>) => RequestContent;
