import { afterEach, describe, expect, it } from '@jest/globals';
import type { EventHookContext, Hooks } from '../../../../../gateway/hooks/hooks.ts';
import type { EventStream } from '../../../../../gateway/pipeline/streams/event-stream.ts';
import { GatewayError } from '../../../../../gateway/platform/errors.ts';
import type { Principal } from '../../../../../gateway/platform/principal.ts';
import { hooksOf } from '../../../../support/gateway/hooks-of.ts';
import { type StreamingGraph, startStreamingGraph } from './streaming-graph.ts';

const CHANGED = 'subscription { changed { at order { id shipment } } }';
const user = (id: string): Principal => ({ kind: 'user', id, roles: new Set(['USER']), scopes: new Set(), claims: {} });
const hide = { data: { changed: { at: 0, order: null } } };

let graph: StreamingGraph;
afterEach(async () => graph[Symbol.asyncDispose]());

/** Starts a graph in which callers share streams, and subscribes two callers to the same events. */
async function subscribeTwo(hooks: Hooks): Promise<readonly [EventStream, EventStream]> {
  graph = await startStreamingGraph({
    pipeline: { hooks: hooksOf(hooks) },
    streaming: { sharing: { headers: [], isIdentityForwarded: false } },
  });
  return [await graph.subscribe(CHANGED, { principal: user('1') }), await graph.subscribe(CHANGED, { principal: user('2') })];
}

async function nextBody(stream: EventStream): Promise<unknown> {
  const { value } = await stream.next();
  return value === undefined ? undefined : JSON.parse(value.result.body);
}

const orderOf = (id: string) => ({ data: { changed: { at: 1, order: { id, shipment: `box ${id}` } } } });

describe('given two callers of one shared stream', () => {
  it('data that onEvent replaces for one caller does not reach the other', async () => {
    const [one, other] = await subscribeTwo({ onEvent: ({ request }) => (request.principal.id === '1' ? hide : undefined) });
    expect(graph.upstreams).toHaveLength(1);
    graph.upstreams[0]?.send('e1', '7');
    expect([await nextBody(one), await nextBody(other)]).toEqual([hide, orderOf('7')]);
  });

  it('changing the copy that a hook has read changes no event', async () => {
    const [one, other] = await subscribeTwo({
      onEvent({ data }) {
        Object.assign(data() ?? {}, hide.data);
      },
    });
    graph.upstreams[0]?.send('e1', '7');
    expect([await nextBody(one), await nextBody(other)]).toEqual([orderOf('7'), orderOf('7')]);
  });

  it('an event that onEvent drops for one caller is followed by the next one', async () => {
    const [one, other] = await subscribeTwo({
      onEvent: ({ request, eventId }) => (request.principal.id === '1' && eventId === 'e1' ? false : undefined),
    });
    graph.upstreams[0]?.send('e1', '7');
    graph.upstreams[0]?.send('e2', '8');
    expect(await nextBody(one)).toEqual(orderOf('8'));
    expect([await nextBody(other), await nextBody(other)]).toEqual([orderOf('7'), orderOf('8')]);
  });

  it('an error of onEvent ends the stream of one caller, and the other continues', async () => {
    const rejection = new GatewayError('FORBIDDEN', 'The order was moved.');
    const [one, other] = await subscribeTwo({
      onEvent({ request }) {
        if (request.principal.id === '1') throw rejection;
      },
    });
    graph.upstreams[0]?.send('e1', '7');
    await expect(one.next()).rejects.toBe(rejection);
    expect(await nextBody(other)).toEqual(orderOf('7'));
    expect(graph.streaming.report()).toMatchObject({ subscribers: 1 });
  });

  it('requests for the other fields of an event carry no state of a caller', async () => {
    const [one] = await subscribeTwo({ onRequest: ({ state }) => void state.set('secret', 1) });
    graph.upstreams[0]?.send('e1', '7');
    await nextBody(one);
    expect(graph.requests.map(({ context }) => context.hooked)).toEqual([undefined]);
  });
});

it('onEvent receives id and error codes, and bookmarks are passed on without it', async () => {
  const seen: Pick<EventHookContext, 'eventId' | 'errorCodes'>[] = [];
  const [one] = await subscribeTwo({ onEvent: ({ eventId, errorCodes }) => void seen.push({ eventId, errorCodes }) });
  graph.upstreams[0]?.send('e1', '7', { errors: [{ message: 'x', code: 'NOT_FOUND', path: ['changed'] }] });
  await nextBody(one);
  expect(seen[0]).toEqual({ eventId: 'e1', errorCodes: ['NOT_FOUND'] });
});
