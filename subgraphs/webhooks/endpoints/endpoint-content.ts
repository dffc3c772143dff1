import type { EndpointRow } from '../tables.ts';

/** Fields of an endpoint that its owner sets. */
export interface EndpointContent {
  readonly url: string;
  readonly events: readonly string[];
  readonly isOrdered: boolean;
}

/** Whether two contents are equal, so that a write changes nothing. The order of the events is not significant. */
export function isSameContent(left: EndpointContent, right: EndpointContent): boolean {
  const names = new Set(left.events);
  return (
    left.url === right.url &&
    left.isOrdered === right.isOrdered &&
    left.events.length === right.events.length &&
    right.events.every((event) => names.has(event))
  );
}

/** Returns the fields of a row that its owner sets. */
export function contentOf({ url, events, isOrdered }: EndpointRow): EndpointContent {
  return { url, events, isOrdered };
}
