import { systemErrorCode } from '../../gateway/platform/file-errors.ts';
import { shownUrl, type TextClient } from '../../gateway/platform/http/client/fetch-text.ts';
import { startPolling } from '../../gateway/platform/start-polling.ts';
import type { SdlFile } from '../../gateway/supergraph/compose-subgraphs.ts';
import { introspectSubgraph, SERVICE_QUERY } from '../../gateway/supergraph/sources/introspect-subgraph.ts';
import type { SubgraphListener } from '../../gateway/supergraph/sources/subgraphs-source.ts';
import { watchSdlFiles } from '../../gateway/supergraph/sources/watch-sdl-files.ts';
import type { DevReport } from './dev-report.ts';
import type { DevSubgraph } from './dev-subgraph.ts';
import type { MockServers } from './mocks/serve-mocks.ts';
import type { RememberedSdl } from './remembered-sdl.ts';

export interface DevWatchOptions {
  readonly client: TextClient;
  readonly mocks: Pick<MockServers, 'setSdl' | 'urlOf'>;
  readonly remembered: RememberedSdl;
  readonly report: DevReport;
  /** Returns headers that authenticate the gateway to a subgraph. */
  readonly headersFor?: ((subgraph: string, body: string) => Readonly<Record<string, string>>) | undefined;
  /** @unit milliseconds */
  readonly pollIntervalMs: number;
  /** Timeout of one poll. @unit milliseconds */
  readonly requestTimeoutMs: number;
  /** Maximum size of an SDL. @unit bytes */
  readonly maxBytes: number;
}

/** Number of failed polls after which a subgraph that has responded is reported as absent. A process that restarts may miss one. */
const FAILURES_UNTIL_ABSENT = 2;

/** Reasons of failed connections for readers. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  EHOSTUNREACH: 'host unreachable',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_SOCKET: 'connection closed without a response',
};

/**
 * Watches the SDL and the availability of a subgraph. Reports when it is absent and when it responds, and redirects it to its mock as its
 * mode requires. The SDL comes from its files, from the subgraph, or from the last run.
 */
export function watchDevSubgraph(subgraph: DevSubgraph, listener: SubgraphListener, options: DevWatchOptions): AsyncDisposable {
  const { name, url, files, mock } = subgraph;
  const { mocks, remembered, report, maxBytes, pollIntervalMs: intervalMs } = options;
  const shown = url === undefined ? name : `${name} (${shownUrl(url).replace(/\/$/, '')})`;
  let sdl: readonly SdlFile[] | undefined;
  let isPresent: boolean | undefined;
  let failures = 0;
  let isMocked = mock === 'always';
  let lastReason: string | undefined;

  /** Passes on the SDL with the address of the subgraph or of its mock. */
  function deliver(): void {
    if (sdl === undefined) return;
    // It is not decided yet which address is used.
    if (mock === 'when-absent' && isPresent === undefined) return;
    if (isMocked) mocks.setSdl(name, sdl);
    listener.onSdl(sdl, isMocked || url === undefined ? mocks.urlOf(name) : url);
  }

  function respond(): void {
    failures = 0;
    lastReason = undefined;
    const wasPresent = isPresent;
    isPresent = true;
    isMocked = mock === 'always';
    if (wasPresent === false && !isMocked) report.line(`${shown} responds.`);
  }

  async function fail(error: Error): Promise<void> {
    const reason = reasonOf(error);
    failures += 1;
    if (isPresent === true && failures < FAILURES_UNTIL_ABSENT) return;
    // Nothing changes before, because the SDL of files may be delivered in the meantime.
    if (mock !== 'never' && files === undefined) sdl ??= await remembered.read(name);
    const wasPresent = isPresent;
    isPresent = false;
    // SDL files may not have been read yet.
    isMocked = mock === 'always' || (mock === 'when-absent' && (sdl !== undefined || files !== undefined));
    // A mock that was requested by name does not need the subgraph once its SDL is known.
    const isReported = lastReason !== reason && !(mock === 'always' && sdl !== undefined);
    lastReason = reason;
    if (isReported) report.line(describeAbsence(reason, wasPresent));
    deliver();
  }

  function describeAbsence(reason: string, wasPresent: boolean | undefined): string {
    if (sdl === undefined && files === undefined) return `Waiting for ${shown}: ${reason}`;
    if (isMocked) return `${shown} does not respond: ${reason}. It is mocked until it responds.`;
    const remaining = wasPresent === true && files === undefined ? ' Its last SDL remains in use.' : '';
    return `${shown} does not respond: ${reason}.${remaining} Requests to it fail until it responds.`;
  }

  const watchers: AsyncDisposable[] = [];
  if (files !== undefined) {
    watchers.push(
      watchSdlFiles({
        subgraph: name,
        files,
        intervalMs,
        maxBytes,
        onFiles(read) {
          sdl = read;
          deliver();
        },
        onFailure: (error) => report.problem(error.message),
      }),
    );
  }
  // A mock with SDL files needs no subgraph.
  if (url !== undefined && !(mock === 'always' && files !== undefined)) watchers.push(poll(url));

  function poll(address: string): AsyncDisposable {
    const { client, requestTimeoutMs: timeoutMs, headersFor } = options;
    return startPolling({
      intervalMs,
      async look(signal) {
        const request = {
          url: address,
          headers: { ...subgraph.headers, ...headersFor?.(name, SERVICE_QUERY) },
          timeoutMs,
          maxBytes,
          signal,
        };
        if (files === undefined) {
          const text = await introspectSubgraph(client, request);
          if (sdl?.[0]?.text !== text) await remembered.write(name, text);
          sdl = [{ path: shownUrl(address), text }];
        } else await requireResponse(client, request);
        respond();
        deliver();
        return 0;
      },
      onFailure: (error) => void fail(error as Error),
    });
  }

  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(watchers.map((watcher) => watcher[Symbol.asyncDispose]()));
    },
  };
}

type ResponseRequest = Parameters<typeof introspectSubgraph>[1];

/** Checks that a subgraph whose SDL is known responds, with any status. @throws Unreachable if it does not */
async function requireResponse(client: TextClient, { url, headers, ...limits }: ResponseRequest): Promise<void> {
  const accept = { 'content-type': 'application/json', accept: 'application/json' };
  await client.fetch({ url, method: 'POST', headers: { ...accept, ...headers }, body: '{"query":"{ __typename }"}' }, limits);
}

function reasonOf(error: Error): string {
  const code = systemErrorCode(error.cause);
  if (code !== undefined) return REASONS[code] ?? code;
  // The address is printed in front of the reason.
  return error.message.replace(/^https?:\S+ /, '').replace(/\.$/, '');
}
