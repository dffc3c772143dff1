import type { z } from 'zod';
import { subgraphs } from '../../../../../gateway/config/sections/subgraphs.ts';
import { systemClock } from '../../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { ANONYMOUS, type Principal } from '../../../../../gateway/platform/principal.ts';
import { createIdentitySigner } from '../../../../../gateway/subgraph-client/sign-identity.ts';
import { createSubgraphStreams } from '../../../../../gateway/subgraph-client/streams/create-subgraph-streams.ts';
import type { SubgraphStream, SubgraphStreamRequest, SubgraphStreams } from '../../../../../gateway/supergraph/subgraph-streams.ts';

/** Events of a stream as lines: `open`, `event 1 {"x":1}`, `gap`, `complete`, `refused FORBIDDEN`, `failed SUBGRAPH_UNAVAILABLE`. */
export interface HeardStream {
  readonly stream: SubgraphStream;
  readonly heard: readonly string[];
  /** Resolves when the given number of lines have been recorded. */
  until(count: number): Promise<readonly string[]>;
}

export type StreamSettings = z.input<typeof subgraphs>;

/** Creates streams with delays that are too short to slow down a test. */
export function newStreams(settings: StreamSettings = {}, identitySecret?: string, form: 'jwt' | 'bound' = 'bound'): SubgraphStreams {
  return createSubgraphStreams({
    settings: subgraphs.parse({ connectTimeoutMs: 500, retry: { baseDelayMs: 5 }, ...settings }),
    identity:
      identitySecret === undefined ? undefined : createIdentitySigner({ key: { secret: identitySecret }, clock: systemClock, form }),
    logger: silentLogger,
  });
}

export function hear(
  streams: SubgraphStreams,
  url: string,
  more: Partial<SubgraphStreamRequest> & { principal?: Principal } = {},
): HeardStream {
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  const say = (line: string): void => {
    heard.push(line);
    for (const look of waiting) look();
  };
  const { principal = ANONYMOUS, ...request } = more;
  const stream = streams.open(
    {
      subgraph: 'orders',
      url,
      body: '{"query":"subscription{changed}","variables":{}}',
      context: { principal, correlationId: 'trace-1', headers: {} },
      ...request,
    },
    {
      onOpen: () => say('open'),
      onEvent: ({ eventId, response }) => say(`event ${eventId ?? '-'} ${JSON.stringify(response.data)}${codes(response.errors)}`),
      onGap: () => say('gap'),
      onEnd(end) {
        if (end.kind === 'complete') say('complete');
        else if (end.kind === 'rejected') say(`refused${codes(end.errors)}`);
        else say(`failed ${(end.error as { code?: string }).code ?? end.error.message}`);
      },
    },
  );
  return {
    stream,
    heard,
    until(count) {
      if (heard.length >= count) return Promise.resolve(heard);
      return new Promise((resolve) => {
        const look = (): void => {
          if (heard.length < count) return;
          waiting.delete(look);
          resolve(heard);
        };
        waiting.add(look);
      });
    },
  };
}

function codes(errors: readonly { readonly code: string }[] = []): string {
  return errors.map(({ code }) => ` ${code}`).join('');
}

export function event(eventId: string | undefined, value: number): object {
  return { data: { changed: value }, ...(eventId === undefined ? {} : { extensions: { eventId } }) };
}
