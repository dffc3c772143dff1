import { afterEach, describe, expect, it } from '@jest/globals';
import { type StreamingGraph, startStreamingGraph } from './streaming-graph.ts';

const CHANGED = 'subscription { changed { at } }';

let graph: StreamingGraph;
afterEach(async () => {
  await graph[Symbol.asyncDispose]();
});

/** Returns the type and id of the next item: `mark 5` or `event 6`. */
const nextOf = async (stream: AsyncIterator<{ readonly eventId?: string; readonly isBookmark?: true }>): Promise<string> => {
  const { value } = (await stream.next()) as { value: { readonly eventId?: string; readonly isBookmark?: true } };
  return `${value.isBookmark === true ? 'bookmark' : 'event'} ${value.eventId ?? '-'}`;
};

describe('given a subgraph that reports the position of its stream', () => {
  it('sends only events to clients that did not request bookmarks', async () => {
    graph = await startStreamingGraph();
    const stream = await graph.subscribe(CHANGED);
    graph.upstreams[0]?.listener.onPosition?.('p0');
    graph.upstreams[0]?.send('e1', '1');
    expect(await nextOf(stream)).toBe('event e1');
  });

  it('sends bookmarks in order between the events to a client that requests them', async () => {
    graph = await startStreamingGraph();
    const stream = await graph.subscribe(CHANGED, { wantsBookmarks: true });
    graph.upstreams[0]?.listener.onPosition?.('p0');
    graph.upstreams[0]?.send('e1', '1');
    graph.upstreams[0]?.listener.onPosition?.('p2');
    graph.upstreams[0]?.send('e3', '3');
    const seen = [await nextOf(stream), await nextOf(stream), await nextOf(stream), await nextOf(stream)];
    expect(seen).toEqual(['bookmark p0', 'event e1', 'bookmark p2', 'event e3']);
  });

  it('sends the current bookmark to a client that joins a running stream', async () => {
    graph = await startStreamingGraph();
    const first = await graph.subscribe(CHANGED);
    graph.upstreams[0]?.send('e1', '1');
    expect(await nextOf(first)).toBe('event e1');
    const second = await graph.subscribe(CHANGED, { wantsBookmarks: true });
    graph.upstreams[0]?.send('e2', '2');
    expect([await nextOf(second), await nextOf(second)]).toEqual(['bookmark e1', 'event e2']);
    expect(graph.upstreams).toHaveLength(1);
  });
});
