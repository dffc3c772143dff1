import { describe, expect, it } from '@jest/globals';
import { print } from 'graphql';
import { createQueryPlanner } from '../../../../gateway/planning/create-query-planner.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { composeConnected } from '../../../support/connectors/expand-composed.ts';
import { planWith } from '../../../support/planning/plan-text.ts';

const CON = `type Query { users: [User] @connect(http: { GET: "http://a/users" }, selection: "id name") }
  type User @key(fields: "id") { id: ID! name: String @cost(weight: 7) age: Int @connect(http: { GET: "http://a/{$this.id}" }, selection: "$.age") }`;
const OTHER = 'type Query { me: User } type User @key(fields: "id") { id: ID! email: String @authenticated }';

describe('loadSupergraph, given a subgraph with connectors', () => {
  it('rejects a root field without a connector', () => {
    const sdl = print(composeConnected({ con: `${CON} extend type Query { more: Int }` }));
    expect(() => loadSupergraph(sdl)).toThrow(
      'The supergraph cannot be served: The field Query.more of the subgraph "con" has no connector.',
    );
  });

  const text = print(composeConnected({ con: CON, other: OTHER }));
  const loaded = loadSupergraph(text);

  it('returns the virtual subgraphs, with the subgraph that declares them', () => {
    expect([...(loaded.connectors ?? [])].map(([name, { connector }]) => [name, connector.subgraph])).toEqual([
      ['con:Query.users', 'con'],
      ['con:User.age', 'con'],
    ]);
    expect([...loaded.subgraphs.keys()]).toEqual(['con:Query.users', 'con:User.age', 'other']);
  });

  it('returns SDL over which the planner plans requests of connectors', () => {
    const plan = planWith(createQueryPlanner(loaded.sdl));
    expect(plan('{ users { age email } }')).toEqual([
      '0 con:Query.users: { users { id } }',
      '1 con:User.age @ users: User(id) { age } after 0',
      '2 other @ users: User(id) { email } after 0',
    ]);
  });

  it('finds connectors of subgraphs if the supergraph itself does not link the specification', () => {
    const unlinked = text.replace(/ *@link\(url: "https:\/\/specs\.apollo\.dev\/connect\/[^)]*\)\n?/, '');
    expect(unlinked.length).toBeLessThan(text.length);
    expect([...(loadSupergraph(unlinked).connectors?.keys() ?? [])]).toEqual(['con:Query.users', 'con:User.age']);
  });

  it('has an id that depends on the loaded text only', () => {
    expect(loadSupergraph(text).id).toBe(loaded.id);
    expect(loadSupergraph(`${text}\n`).id).not.toBe(loaded.id);
  });

  it('reads the rules and costs of all subgraphs', () => {
    expect([...loaded.authorization.keys()]).toEqual(['User.email']);
    expect(loaded.costRules.weights.get('User.name')).toBe(7);
  });
});

describe('loadSupergraph, without connectors', () => {
  it('returns the loaded text and no connectors', () => {
    const text = print(composeConnected({ other: OTHER }));
    expect(loadSupergraph(text)).toMatchObject({ sdl: text });
    expect(loadSupergraph(text).connectors).toBeUndefined();
  });
});
