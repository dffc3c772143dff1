import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { GraphiQL } from 'graphiql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { fetchGraphql } from './fetch-graphql.ts';

/** Initial query. It is valid for every graph and lists the query fields. */
const DEFAULT_QUERY = `# Press Ctrl+Enter to run the query and Ctrl+Space to complete it.
# To send credentials, add this under "Headers":
#   { "authorization": "Bearer <token>" }
query Roots {
  __schema {
    queryType {
      fields {
        name
        description
      }
    }
  }
}
`;

const container = document.getElementById('graphiql');
if (container === null) throw new Error('The page has no element for GraphiQL.');
createRoot(container).render(
  createElement(GraphiQL, {
    fetcher: fetchGraphql,
    defaultQuery: DEFAULT_QUERY,
    defaultEditorToolsVisibility: 'headers',
    isHeadersEditorEnabled: true,
  }),
);
