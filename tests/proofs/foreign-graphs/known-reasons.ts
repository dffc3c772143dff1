/** A reason with the text of the message that gives it. */
export interface KnownReason {
  readonly reason: string;
  readonly message: RegExp;
}

/** True reasons for which the gateway refuses a supergraph. */
export const REFUSALS: readonly KnownReason[] = [
  { reason: 'connectors, which the gateway does not call', message: /specs\.apollo\.dev\/connect\/v0/ },
  { reason: 'no join specification', message: /does not link the join specification/ },
  { reason: '@authenticated without a link that defines it', message: /has @authenticated, and no feature that the schema links/ },
];

/** Reasons for which no mocked subgraphs can be made of a supergraph that the gateway takes. */
export const NOT_MOCKED: readonly KnownReason[] = [
];

/** Finds the reason of a message. */
export function reasonOf(reasons: readonly KnownReason[], message: string): string | undefined {
  return reasons.find((known) => known.message.test(message))?.reason;
}

/** Reasons for which the gateway does not plan an operation that a peer plans. */
export const NOT_PLANNED: readonly KnownReason[] = [
];
