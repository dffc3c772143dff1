import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { GraphiQL } from 'graphiql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createFetcher } from './fetch-graphql.ts';
import { PayloadList } from './payload-list.ts';
import { createPayloadLog } from './payload-log.ts';
import { fetchSession } from './session.ts';
import { TokenMenu } from './token-menu.ts';

/** Query for a gateway that provides none, for example because introspection is off. */
const FALLBACK_QUERY = `query {
  __typename
}
`;

const container = document.getElementById('graphiql');
if (container === null) throw new Error('The page has no element for GraphiQL.');
const { tokens, query } = await fetchSession();
const log = createPayloadLog();
const comments = [
  '# Ctrl+Enter runs the query, Ctrl+Space completes it.',
  ...(tokens.length === 0 ? [] : ['# The menu "Token" adds credentials to the headers.']),
];
createRoot(container).render(
  createElement(
    GraphiQL,
    {
      fetcher: createFetcher(log),
      defaultQuery: `${comments.join('\n')}\n${query ?? FALLBACK_QUERY}`,
      defaultEditorToolsVisibility: 'headers',
      isHeadersEditorEnabled: true,
      shouldPersistHeaders: false,
    },
    createElement(GraphiQL.Logo, {
      key: 'logo',
      children: createElement('span', { className: 'brand' }, createElement(TokenMenu, { tokens }), 'Gatefold'),
    }),
    createElement(GraphiQL.Footer, { key: 'footer', children: createElement(PayloadList, { log }) }),
  ),
);
