import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DevSubgraph } from '../../../../cli/dev/dev-subgraph.ts';
import { createRememberedSdl } from '../../../../cli/dev/remembered-sdl.ts';
import { watchDevSubgraph } from '../../../../cli/dev/watch-dev-subgraph.ts';
import { createTextClient } from '../../../../gateway/platform/http/client/fetch-text.ts';
import { freePort } from '../../../support/http/free-port.ts';
import { startScriptedServer, type ScriptedServer } from '../../../support/gateway/record-source.ts';
import { eventually } from '../../../support/time/eventually.ts';

const SDL = 'type Query { film: String }';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-dev-'));
});
afterEach(async () => rm(directory, { recursive: true }));

/** Watches a subgraph. Returns what it reports, and the addresses that it provides with its SDL. */
function watch(subgraph: Partial<DevSubgraph>) {
  const lines: string[] = [];
  const provided: string[] = [];
  const client = createTextClient();
  const watching = watchDevSubgraph(
    { name: 'films', url: undefined, files: undefined, headers: {}, mock: 'never', ...subgraph },
    {
      onSdl: (files, url) => void (provided.at(-1) === url || provided.push(files[0]?.text === SDL ? url : 'another SDL')),
      onFailure: () => undefined,
    },
    {
      client,
      mocks: { setSdl: () => undefined, urlOf: (name) => `mock of ${name}` },
      remembered: createRememberedSdl(directory),
      report: { line: (text) => void lines.push(text), problem: (text) => void lines.push(text) },
      pollIntervalMs: 10,
      requestTimeoutMs: 10_000,
      maxBytes: 10_000,
    },
  );
  return {
    lines,
    provided,
    async [Symbol.asyncDispose]() {
      await watching[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

function serveSdl(server: ScriptedServer): void {
  server.respond((response) => response.end(JSON.stringify({ data: { _service: { sdl: SDL } } })));
}

function fail(server: ScriptedServer): void {
  server.respond((response) => response.writeHead(500).end());
}

describe('a subgraph that is absent', () => {
  it('is reported once with the reason, and provides nothing', async () => {
    const port = await freePort(1);
    await using films = watch({ url: `http://127.0.0.1:${port}/` });
    await eventually(() => films.lines.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(films.lines).toEqual([`Waiting for films (http://127.0.0.1:${port}): connection refused`]);
    expect(films.provided).toEqual([]);
  });

  it('is mocked with the SDL of the last run if it may be mocked', async () => {
    await createRememberedSdl(directory).write('films', SDL);
    await using films = watch({ url: `http://127.0.0.1:${await freePort(1)}/`, mock: 'when-absent' });
    await eventually(() => films.provided.length > 0);
    expect(films.provided).toEqual(['mock of films']);
    expect(films.lines).toEqual([expect.stringMatching(/ does not respond: connection refused\. It is mocked until it responds\.$/)]);
  });

  it('is reported as waiting if it may be mocked but its SDL is unknown', async () => {
    await using films = watch({ url: `http://127.0.0.1:${await freePort(1)}/`, mock: 'when-absent' });
    await eventually(() => films.lines.length > 0);
    expect(films.lines).toEqual([expect.stringMatching(/^Waiting for films/)]);
    expect(films.provided).toEqual([]);
  });
});

describe('a subgraph that responds, disappears and returns', () => {
  it('is reported in one line each, and its last SDL remains', async () => {
    await using server = await startScriptedServer();
    serveSdl(server);
    await using films = watch({ url: server.url });
    await eventually(() => films.provided.length > 0);
    fail(server);
    await eventually(() => films.lines.length === 1);
    serveSdl(server);
    await eventually(() => films.lines.length === 2);
    expect(films.lines).toEqual([
      expect.stringMatching(
        /^films \(http:.*\) does not respond: responded with status 500 .*Its last SDL remains in use\. Requests to it fail until it responds\.$/,
      ),
      expect.stringMatching(/^films \(http:.*\) responds\.$/),
    ]);
    expect(films.provided).toEqual([server.url]);
  });

  it('is mocked meanwhile if it may be mocked', async () => {
    await using server = await startScriptedServer();
    serveSdl(server);
    await using films = watch({ url: server.url, mock: 'when-absent' });
    await eventually(() => films.provided.length === 1);
    fail(server);
    await eventually(() => films.provided.length === 2);
    serveSdl(server);
    await eventually(() => films.provided.length === 3);
    expect(films.provided).toEqual([server.url, 'mock of films', server.url]);
  });

  it('leaves its SDL for the next run', async () => {
    await using server = await startScriptedServer();
    serveSdl(server);
    await using films = watch({ url: server.url });
    await eventually(() => films.provided.length > 0);
    expect(await createRememberedSdl(directory).read('films')).toEqual([{ path: join(directory, 'films.graphql'), text: SDL }]);
  });
});
