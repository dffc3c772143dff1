import { createNegotiator } from '../platform/http/request/negotiate.ts';

/** What `/graphql` answers in (GraphQL over HTTP, section "Media Types"). */
export type GraphqlMediaType = 'application/json' | 'application/graphql-response+json';

/** The one of `/graphql`'s media types that a client wants; `application/json` where it does not say. */
export const negotiateGraphql = createNegotiator<GraphqlMediaType>(['application/json', 'application/graphql-response+json']);

const negotiatePage = createNegotiator<GraphqlMediaType | 'text/html'>([
  'application/json',
  'application/graphql-response+json',
  'text/html',
]);

/** Whether a page is wanted more than data, as browsers do. */
export function prefersPage(accept: string | undefined): boolean {
  return negotiatePage(accept) === 'text/html';
}
