import { describe, expect, it } from '@jest/globals';
import { affectedClients, describeClients } from '../../../../cli/schema-check/affected-clients.ts';
import type { SchemaUser } from '../../../../cli/schema-check/schema-user.ts';

const documentOf = (client: string): SchemaUser => ({ kind: 'document', client, id: 'abc', operation: 'Shop', file: 'web.json' });

describe('the clients that a change affects', () => {
  it('do not exist if only routes and events use the element', () => {
    const users: readonly SchemaUser[] = [
      { kind: 'route', route: 'GET /books', operation: 'Books' },
      { kind: 'webhook', event: 'book.changed', operation: 'BookChanged', file: 'books.graphql' },
    ];
    expect(affectedClients(users)).toEqual([]);
  });

  it('have each version once, and no version if the manifest names none', () => {
    const users = ['web@1.5.0', 'ios', 'web@1.4.2', 'web@1.5.0'].map(documentOf);
    expect(affectedClients(users)).toEqual([
      { name: 'ios', versions: [] },
      { name: 'web', versions: ['1.5.0', '1.4.2'] },
    ]);
    expect(describeClients(affectedClients(users))).toBe('ios, web 1.5.0 and 1.4.2');
  });

  it('can have names of packages', () => {
    expect(affectedClients([documentOf('@shop/web'), documentOf('@shop/web@2.0.0')])).toEqual([{ name: '@shop/web', versions: ['2.0.0'] }]);
  });
});
