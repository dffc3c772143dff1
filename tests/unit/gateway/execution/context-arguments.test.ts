import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { ContextArgument } from '../../../../gateway/planning/operation-plan.ts';
import { dataOf, errorsOf, scriptedGraph } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const runScripted = scriptedGraph(
  buildSchema(`
    type Query { halls: [Hall] tour: Tour }
    type Hall { id: ID! city: String owner: String seats: [Seat] rows: [[Seat]] }
    type Tour { id: ID! home: String best: Seat }
    type Seat { id: ID! label(size: Int): String fee: String next: Seat }
  `),
);

const cityOf = (depth: number, variable = 'contextualArgument_1_1'): readonly ContextArgument[] => [
  {
    variable,
    type: 'String',
    depth,
    sources: [
      { types: ['Hall'], path: ['city'] },
      { types: ['Tour'], path: ['home'] },
    ],
  },
];
const LABEL = '{ ...on Seat { label(city: $contextualArgument_1_1) } }';
const SEATS = planOf([
  root('halls', '{ halls { __typename city seats { __typename id } } }'),
  lookups('halls', [0], [{ at: ['halls.seats'], by: ['Seat'], request: LABEL, context: cityOf(1) }]),
]);

const FEE = planOf([
  root('halls', '{ halls { __typename id city seats { __typename id } } }'),
  lookups('owners', [0], [{ at: ['halls'], by: ['Hall'], request: '{ ...on Hall { owner } }' }]),
  lookups(
    'halls',
    [0, 1],
    [
      {
        at: ['halls.seats'],
        by: ['Seat'],
        request: '{ ...on Seat { fee(owner: $owner_of) } }',
        context: [{ variable: 'owner_of', type: 'String', depth: 1, sources: [{ path: ['owner'] }] }],
      },
    ],
  ),
]);
const ROWS = planOf([
  root('halls', '{ halls { __typename city rows { __typename id next { __typename id } } } }'),
  lookups(
    'halls',
    [0],
    [
      { at: ['halls.rows'], by: ['Seat'], request: LABEL, context: cityOf(1) },
      { at: ['halls.rows.next'], by: ['Seat'], request: LABEL.replace('1_1', '1_2'), context: cityOf(1, 'contextualArgument_1_2') },
    ],
  ),
]);
const TOUR = planOf(
  [
    root('halls', '{ tour { __typename home best { __typename id } } }'),
    lookups(
      'halls',
      [0],
      [
        {
          at: ['tour.best'],
          by: ['Seat'],
          request: '{ ...on Seat { label(city: $contextualArgument_1_1, size: $size) } }',
          context: cityOf(1),
        },
      ],
      { size: 'Int' },
    ),
  ],
  { withArguments: { 'label(size:$size)': 'label' } },
);

interface SentBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Returns the `_entities` fields of a request with the response key, representations and city of each. */
function fieldsOf({ query, variables }: SentBody) {
  const fields = query.matchAll(/(\w+)(?::_entities)?\(representations:\$(\w+)\)\{\.\.\.on Seat\{label\(city:\$(\w+)/g);
  return [...fields].map(([, key = '', representations = '', city = '']) => {
    return {
      key,
      seats: variables[representations] as readonly { readonly id: string }[],
      city: `${(variables[city] as string | null | undefined) ?? null}`,
    };
  });
}

/** Returns the halls, or the label of each seat, built from the values in the request. */
function seats(halls: unknown) {
  return (body: SentBody) => {
    const fields = fieldsOf(body);
    if (fields.length === 0) return { data: halls };
    return {
      data: Object.fromEntries(
        fields.map(({ key, seats: requested, city }) => [key, requested.map(({ id }) => ({ label: `${id} in ${city}` }))]),
      ),
    };
  };
}

const seat = (id: string, more: object = {}) => ({ __typename: 'Seat', id, ...more });
const hall = (city: unknown, ids: readonly string[]) => ({ __typename: 'Hall', city, seats: ids.map((id) => seat(id)) });

describe('arguments from outer objects', () => {
  it('fail their field with the error of the unavailable value, without a fetch', async () => {
    const result = await runScripted('{ halls { seats { fee } } }', FEE, {
      halls: { data: { halls: [{ ...hall('Oslo', ['a']), id: '1' }] } },
      owners: { errors: [{ message: 'No.', code: 'FORBIDDEN' }] },
    });
    expect(dataOf(result)).toEqual({ halls: [{ seats: [{ fee: null }] }] });
    expect(errorsOf(result)).toEqual(['halls.0 FORBIDDEN']);
    expect(result.requests.map(({ subgraph }) => subgraph)).toEqual(['halls', 'owners']);
  });

  it('are sent as null when the value is null', async () => {
    const result = await runScripted('{ halls { seats { label } } }', SEATS, { halls: seats({ halls: [hall(null, ['a'])] }) });
    expect(dataOf(result)).toEqual({ halls: [{ seats: [{ label: 'a in null' }] }] });
  });

  it('give equal objects in different contexts their own results', async () => {
    const halls = seats({ halls: [hall('Oslo', ['a', 'b']), null, hall('Rome', ['a']), hall('Oslo', ['a'])] });
    const result = await runScripted('{ halls { seats { label } } }', SEATS, { halls });
    const labels = (...texts: readonly string[]) => ({ seats: texts.map((label) => ({ label })) });
    expect(dataOf(result)).toEqual({
      halls: [labels('a in Oslo', 'b in Oslo'), null, labels('a in Rome'), labels('a in Oslo')],
    });
    expect(result.requests).toHaveLength(2);
    expect(result.errors).toEqual([]);
  });

  it('are found for objects in nested lists and further inside', async () => {
    const rows = [[seat('a', { next: seat('n') }), null], null];
    const result = await runScripted('{ halls { rows { label next { label } } } }', ROWS, {
      halls: seats({ halls: [{ __typename: 'Hall', city: 'Oslo', rows }] }),
    });
    expect(dataOf(result)).toEqual({ halls: [{ rows: [[{ label: 'a in Oslo', next: { label: 'n in Oslo' } }, null], null] }] });
  });

  it('are read from the field of another context type, next to client arguments', async () => {
    const result = await runScripted(
      'query ($size: Int) { tour { best { label(size: $size) } } }',
      TOUR,
      { halls: seats({ tour: { __typename: 'Tour', home: 'Bern', best: seat('a') } }) },
      { variables: { size: 3 } },
    );
    expect(dataOf(result)).toEqual({ tour: { best: { label: 'a in Bern' } } });
    expect(JSON.parse(result.requests[1]?.body ?? '').variables).toMatchObject({ size: 3, contextualArgument_1_1: 'Bern' });
  });

  it('fail only the objects of the set of values that failed', async () => {
    const all = seats({ halls: [hall('Oslo', ['a']), hall('Rome', ['b'])] });
    const halls = (body: SentBody) => {
      const response = all(body);
      const rome = fieldsOf(body).find(({ city }) => city === 'Rome');
      if (rome === undefined) return response;
      const data = { ...(response.data as object), [rome.key]: [{ label: null }] };
      return { data, errors: [{ message: 'No.', code: 'FORBIDDEN', path: [rome.key, 0, 'label'] }] };
    };
    const result = await runScripted('{ halls { seats { label } } }', SEATS, { halls });
    expect(dataOf(result)).toEqual({ halls: [{ seats: [{ label: 'a in Oslo' }] }, { seats: [{ label: null }] }] });
    expect(errorsOf(result)).toEqual(['halls.1.seats.0.label FORBIDDEN']);
  });

  it('report the errors of all fields in the order of the request', async () => {
    const data = { halls: [hall('Oslo', ['a']), hall('Rome', ['b'])] };
    const halls = (body: SentBody) => {
      const fields = fieldsOf(body);
      if (fields.length === 0) return { data: structuredClone(data) };
      const errors = fields.map(({ key, city }) => ({ message: `Not in ${city}.`, code: 'FORBIDDEN', path: [key, 0] }));
      return { data: Object.fromEntries(fields.map(({ key }) => [key, [null]])), errors };
    };
    const result = await runScripted('{ halls { seats { label } } }', SEATS, { halls });
    expect(result.errors.map(({ message, path }) => [message, path?.join('.')])).toEqual([
      ['Not in Oslo.', 'halls.0.seats.0'],
      ['Not in Rome.', 'halls.1.seats.0'],
    ]);
  });
});
