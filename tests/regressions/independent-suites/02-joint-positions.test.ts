import { describe, expect, it } from '@jest/globals';
import { describeCase } from '../../differential/random-federation/describe-case.ts';
import { runJointCases } from '../../differential/random-federation/run-joint-cases.ts';
import { planOver } from '../../support/planning/plan-text.ts';

describe('point 2: joint paths', () => {
  // The comparison at the end holds for these graphs. With other seeds it can differ.
  const first = Number(process.env['DIFFERENTIAL_SEED'] ?? 3);

  it(`return the result of a single schema, from seed ${first} (DIFFERENTIAL_SEED)`, async () => {
    const requests: number[][] = [[], []];
    for (let seed = first; seed < first + 6; seed += 1) {
      for await (const { graph, result, operation, planning } of runJointCases(seed, { operations: 5, moreLevels: 4 })) {
        requests[planning]?.push(result.exchanges.length);
        if (result.classification.kind === 'wrong') {
          throw new Error(await describeCase({ graph, result }, `DIFFERENTIAL_SEED=${seed}, operation ${operation}, planning ${planning}`));
        }
      }
    }
    // Joint paths are used: some operations take a different number of requests.
    expect(requests[0]).not.toEqual(requests[1]);
  });
});

describe('point 2: joint paths with one path', () => {
  const listed = (name: string, value: string): string => `type ${name} implements Node @key(fields: "id") @key(fields: "code") {
    id: ID! code: String! label: String related: ${value} @external any: Any @external }`;
  const types = (declare: (name: string, value: string) => string): string =>
    `${declare('Book', 'Film')} ${declare('Film', 'Node')} ${declare('Song', 'Node')} ${declare('Toy', 'Node')} union Any = Book | Film`;

  /** Declares a subgraph that knows all types and resolves the fields of two of them. */
  function subgraphOf(key: 'id' | 'code', resolved: readonly string[], own: Readonly<Record<string, string>>): string {
    const keys = key === 'id' ? 'id: ID!' : 'id: ID! @external code: String!';
    const declared = types((name, value) => {
      const directive = resolved.includes(name) ? '@shareable' : '@external';
      const fields = `${keys} related: ${value} ${directive} any: Any ${directive} ${own[name] ?? ''}`;
      return `type ${name} implements Node @key(fields: "${key}") { ${fields} }`;
    });
    return `interface Node { id: ID! related: Node any: Any } ${declared}`;
  }

  const plan = planOver(
    {
      list: `type Query { node: Node } interface Node { id: ID! related: Node any: Any label: String } ${types(listed)}`,
      a: subgraphOf('id', ['Book', 'Toy'], { Book: 'pages: Int' }),
      b: subgraphOf('code', ['Book', 'Film'], { Film: 'length: Int' }),
      c: subgraphOf('id', ['Film', 'Song'], { Song: 'lines: Int' }),
      d: subgraphOf('code', ['Song', 'Toy'], {}),
    },
    { maxMultiplied: 0 },
  );

  it('look up values with different keys by their own key only', () => {
    // Planned individually, the paths of this chain are too many.
    const chain = 'related { label related { label related { label related { label } } } }';
    const planned = plan(`{ node { ... on Film { length } related { related {
      ... on Song { lines } any { ... on Node { ${chain} } } ... on Film { x: related { ... on Book { pages } } }
    } } } }`);
    const lookups = planned.filter((line) => / list @/.test(line)).join(' ');
    expect(lookups).toMatch(/\(code\)[^{]*\{[^@]*label/);
    expect(lookups).toMatch(/\(id\)[^{]*\{[^@]*label/);
    expect(lookups).not.toMatch(/\((?:id code|code id)\)/);
  });
});
