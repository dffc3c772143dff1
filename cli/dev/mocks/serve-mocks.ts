import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from '../../../gateway/platform/http/node-http.ts';
import { createDisposalStack } from '../../../gateway/platform/disposal-stack.ts';
import type { SdlFile } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { createMock } from './create-mock.ts';
import { respondAsMock } from './mock-responses.ts';
import { createMockSockets } from './mock-sockets.ts';
import type { MockedSubgraph } from './mocked-subgraph.ts';
import { type MocksFile, NO_OVERRIDES, readOverrides } from './read-overrides.ts';

/** Local HTTP servers, one for each subgraph, with the mocks of the subgraphs whose SDL is known. */
export interface MockServers extends AsyncDisposable {
  /** Returns the URL at which a subgraph is mocked. Every path of its origin leads to the mock. */
  urlOf(subgraph: string): string;
  /** Sets the SDL of a subgraph. A mock whose SDL cannot be built responds with the reason. */
  setSdl(subgraph: string, files: readonly SdlFile[]): void;
  /**
   * Sets the overrides of a subgraph. They are checked as soon as its SDL is known.
   *
   * @throws CommandFailed with every mistake in the file. The previous overrides remain in use.
   */
  setOverrides(subgraph: string, file: MocksFile): void;
}

export interface MockServersOptions {
  /** Names of the subgraphs. */
  readonly names: readonly string[];
  /** Called with an invalid file of mocks whose subgraph received another SDL. */
  readonly onInvalidOverrides: (error: Error) => void;
  /** Interval between two events of a subscription. @unit milliseconds @defaultValue that of `createMock` */
  readonly eventIntervalMs?: number;
}

interface MutableMock extends Writable<MockedSubgraph> {
  sdl?: string;
  file?: MocksFile;
  url: string;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Starts the servers on free ports of the loopback interface. */
export async function serveMocks({ names, onInvalidOverrides, ...mockOptions }: MockServersOptions): Promise<MockServers> {
  const servers = createDisposalStack();
  const subgraphs = new Map<string, MutableMock>();
  for (const name of names) {
    const subgraph: MutableMock = {
      mock: undefined,
      failure: `The SDL of the subgraph "${name}" is not known yet.`,
      overrides: NO_OVERRIDES,
      url: '',
    };
    subgraphs.set(name, subgraph);
    subgraph.url = servers.use(await serveMock(subgraph)).url;
  }
  const subgraphOf = (name: string): MutableMock => {
    const found = subgraphs.get(name);
    if (found === undefined) throw new Error(`Unknown subgraph "${name}".`);
    return found;
  };

  return {
    urlOf: (name) => subgraphOf(name).url,
    setSdl(name, files) {
      const subgraph = subgraphOf(name);
      const sdl = JSON.stringify(files);
      if (subgraph.sdl === sdl) return;
      subgraph.sdl = sdl;
      try {
        subgraph.mock = createMock(files, mockOptions);
        if (subgraph.file !== undefined) subgraph.overrides = readOverrides(subgraph.file, subgraph.mock.schema);
      } catch (error) {
        if (subgraph.mock === undefined) subgraph.failure = `The subgraph "${name}" cannot be mocked: ${(error as Error).message}`;
        else if ((error as Error).name === 'CommandFailed') onInvalidOverrides(error as Error);
      }
    },
    setOverrides(name, file) {
      const subgraph = subgraphOf(name);
      subgraph.file = file;
      if (subgraph.mock !== undefined) subgraph.overrides = readOverrides(file, subgraph.mock.schema);
    },
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  };
}

async function serveMock(subgraph: MockedSubgraph): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets = createMockSockets(subgraph);
  const server = createServer((request, response) => void respondAsMock(subgraph, request, response));
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      sockets[Symbol.dispose]();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
