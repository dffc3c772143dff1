import type { EndpointRow } from '../tables.ts';

/** What owners decide of an endpoint. */
export interface EndpointContent {
  readonly url: string;
  readonly events: readonly string[];
  readonly isOrdered: boolean;
}

/** Whether two contents are the same, so that writing one over the other changes nothing. The order of events means nothing. */
export function isSameContent(left: EndpointContent, right: EndpointContent): boolean {
  const names = new Set(left.events);
  return (
    left.url === right.url &&
    left.isOrdered === right.isOrdered &&
    left.events.length === right.events.length &&
    right.events.every((event) => names.has(event))
  );
}

/** What of a row its owner decided. */
export function contentOf({ url, events, isOrdered }: EndpointRow): EndpointContent {
  return { url, events, isOrdered };
}
