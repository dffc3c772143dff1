import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { compileRoutes } from '../../../../rest-facade/index.ts';

const { schema } = loadSupergraph(readFileSync(join(packageRoot, 'schema/supergraph.graphql'), 'utf8'));
const page = readFileSync(join(packageRoot, 'docs/guides/conditional-requests.md'), 'utf8');

describe('the page on conditional requests', () => {
  it('shows documents that compile against the reference graph', () => {
    const blocks = [...page.matchAll(/```graphql rest\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    const documents = blocks.map((text, index) => ({ path: `block-${String(index)}.graphql`, text }));
    const { routes, problems } = compileRoutes(documents, schema);
    expect(problems).toEqual([]);
    expect(routes.map(({ operationName }) => operationName)).toEqual(['GetBook', 'UpdateBook']);
  });
});
