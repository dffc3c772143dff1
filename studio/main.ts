import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { GraphiQL } from 'graphiql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { fetchGraphql } from './fetch-graphql.ts';

/** Fits every graph: what can be asked of it. */
const DEFAULT_QUERY = `# Ctrl+Enter runs it, Ctrl+Space completes it.
# To sign in, put this under "Headers":
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
