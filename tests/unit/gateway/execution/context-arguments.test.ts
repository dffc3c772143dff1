import { describe, expect, it } from '@jest/globals';
import { dataOf, errorsOf, scriptedGraph } from './scripted-graph.ts';

const HEAD =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key", "@context", "@fromContext", "@external"])\n';

const runScripted = scriptedGraph({
  halls: `${HEAD}
    type Query { halls: [Hall] tour: Tour }
    type Hall @key(fields: "id") @context(name: "venue") { id: ID! city: String owner: String @external seats: [Seat] rows: [[Seat]] }
    type Tour @key(fields: "id") @context(name: "venue") { id: ID! home: String best: Seat }
    type Seat @key(fields: "id") {
      id: ID!
      label(size: Int, city: String @fromContext(field: "$venue ... on Hall { city } ... on Tour { home }")): String
      fee(owner: String @fromContext(field: "$venue ... on Hall { owner } ... on Tour { home }")): String
      next: Seat
    }
  `,
  owners: `${HEAD}
    type Hall @key(fields: "id") { id: ID! owner: String }
  `,
});

interface SentBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> & { readonly representations?: readonly { readonly id: string }[] };
}

/** Answers with the halls, and with each seat's label made from what came with the request. */
function seats(halls: unknown) {
  return ({ variables }: SentBody) => {
    const { representations, contextualArgument_1_1: city = 'nowhere' } = variables;
    if (representations === undefined) return { data: halls };
    return { data: { _entities: representations.map(({ id }) => ({ label: `${id} in ${String(city)}` })) } };
  };
}

const seat = (id: string, more: object = {}) => ({ __typename: 'Seat', id, ...more });
const hall = (city: unknown, ids: readonly string[]) => ({ __typename: 'Hall', city, seats: ids.map((id) => seat(id)) });

describe('given arguments that come from objects further out', () => {
  it('when a client declares a variable of the name that the plan uses, then the operation is refused', async () => {
    const text = 'query ($contextualArgument_1_1: Int) { halls { seats { label(size: $contextualArgument_1_1) } } }';
    await expect(runScripted(text, {})).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  it('when the value could not be fetched, then what needs it fails for the same cause, and is not asked for', async () => {
    const outcome = await runScripted('{ halls { seats { fee } } }', {
      halls: { data: { halls: [{ ...hall('Oslo', ['a']), id: '1' }] } },
      owners: { errors: [{ message: 'No.', code: 'FORBIDDEN' }] },
    });
    expect(dataOf(outcome)).toEqual({ halls: [{ seats: [{ fee: null }] }] });
    expect(errorsOf(outcome)).toEqual(['halls.0 FORBIDDEN']);
    expect(outcome.requests.map(({ subgraph }) => subgraph)).toEqual(['halls', 'owners']);
  });

  it('when the value is null, then null is sent, as when a client gives null', async () => {
    const outcome = await runScripted('{ halls { seats { label } } }', { halls: seats({ halls: [hall(null, ['a'])] }) });
    expect(dataOf(outcome)).toEqual({ halls: [{ seats: [{ label: 'a in null' }] }] });
  });

  it('when equal objects stand in different surroundings, then each gets the answer for its own', async () => {
    const halls = seats({ halls: [hall('Oslo', ['a', 'b']), null, hall('Rome', ['a']), hall('Oslo', ['a'])] });
    const outcome = await runScripted('{ halls { seats { label } } }', { halls });
    const labels = (...texts: readonly string[]) => ({ seats: texts.map((label) => ({ label })) });
    expect(dataOf(outcome)).toEqual({
      halls: [labels('a in Oslo', 'b in Oslo'), null, labels('a in Rome'), labels('a in Oslo')],
    });
    expect(outcome.requests).toHaveLength(3);
    expect(outcome.errors).toEqual([]);
  });

  it('when objects stand in lists of lists and further inside, then the object around is found all the same', async () => {
    const rows = [[seat('a', { next: seat('n') }), null], null];
    const outcome = await runScripted('{ halls { rows { label next { label } } } }', {
      halls: seats({ halls: [{ __typename: 'Hall', city: 'Oslo', rows }] }),
    });
    expect(dataOf(outcome)).toEqual({ halls: [{ rows: [[{ label: 'a in Oslo', next: { label: 'n in Oslo' } }, null], null] }] });
  });

  it('when another type gives the context, then its own field is read, beside the arguments of the client', async () => {
    const outcome = await runScripted(
      'query ($size: Int) { tour { best { label(size: $size) } } }',
      { halls: seats({ tour: { __typename: 'Tour', home: 'Bern', best: seat('a') } }) },
      { variables: { size: 3 } },
    );
    expect(dataOf(outcome)).toEqual({ tour: { best: { label: 'a in Bern' } } });
    expect(JSON.parse(outcome.requests[1]?.body ?? '').variables).toMatchObject({ size: 3, contextualArgument_1_1: 'Bern' });
  });

  it('when one of several requests fails, then only the objects of that one fail, each at its place', async () => {
    const all = seats({ halls: [hall('Oslo', ['a']), hall('Rome', ['b'])] });
    const halls = (body: SentBody) => {
      if (body.variables['contextualArgument_1_1'] !== 'Rome') return all(body);
      return { data: { _entities: [{ label: null }] }, errors: [{ message: 'No.', code: 'FORBIDDEN', path: ['_entities', 0, 'label'] }] };
    };
    const outcome = await runScripted('{ halls { seats { label } } }', { halls });
    expect(dataOf(outcome)).toEqual({ halls: [{ seats: [{ label: 'a in Oslo' }] }, { seats: [{ label: null }] }] });
    expect(errorsOf(outcome)).toEqual(['halls.1.seats.0.label FORBIDDEN']);
  });
});
