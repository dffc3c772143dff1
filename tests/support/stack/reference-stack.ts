import { randomBytes } from 'node:crypto';
import { startReferenceSubgraphs } from '../../../cli/reference-subgraphs.ts';
import { startReferenceEngine } from './reference-engine.ts';
import { startReferenceGateway } from './reference-gateway.ts';
import { createThrowawayDatabase } from '../database/throwaway-database.ts';

/** Storage of the reference graph in a run. */
export type Storage = 'pglite' | 'postgresql';

/** Addresses and secrets of a running stack. Plain data, so that it can be passed between processes. */
export interface StackAddress {
  readonly url: string;
  readonly internalUrl: string;
  /** A second gateway in front of the same subgraphs that accepts operations of any size. */
  readonly unlimitedUrl: string;
  /** The Apollo engine in front of the same subgraphs. Empty when the stack has none. */
  readonly apolloUrl: string;
  /** URLs of the subgraphs, and of the back end of `shipping`. */
  readonly subgraphUrls: Readonly<Record<string, string>>;
  readonly developmentKey: string;
  readonly identitySecret: string;
}

/** The embedded database belongs to the run and ends with it. */
const EMBEDDED_IN_MEMORY = { GATEFOLD_DATA_DIR: 'memory' };

export interface ReferenceStack extends StackAddress, AsyncDisposable {}

/** Starts the subgraphs in a separate process, and the gateway and the REST facade in this one, with separate data, keys and ports. */
export async function startReferenceStack(storage: Storage): Promise<ReferenceStack> {
  const owned: AsyncDisposable[] = [];
  const own = <T extends AsyncDisposable>(part: T): T => {
    owned.unshift(part);
    return part;
  };
  const disposeAll = async () => {
    for (const part of owned.splice(0)) await part[Symbol.asyncDispose]();
  };
  try {
    const developmentKey = randomBytes(32).toString('hex');
    const identitySecret = randomBytes(32).toString('hex');
    const serviceSecret = randomBytes(32).toString('hex');
    const { PATH, HOME } = process.env;
    const subgraphs = await startReferenceSubgraphs({
      env: {
        PATH,
        HOME,
        GATEFOLD_WEBHOOKS_KEY: randomBytes(32).toString('hex'),
        ...(storage === 'pglite' ? EMBEDDED_IN_MEMORY : { GATEFOLD_REFERENCE_DATABASE_URL: own(await createThrowawayDatabase()).url }),
      },
      identitySecret,
      serviceSecret,
      profile: 'dev',
      onOutput: (text) => process.stderr.write(text),
      signal: AbortSignal.timeout(60_000),
    });
    const { urls, backEnds } = own(subgraphs);
    const subgraphUrls = { ...urls, shipping: String(backEnds['shipping']?.['legacy']) };
    // The requests to one of the stacks are all read by Node.js, so that both ways in are tested.
    const plainReader = storage === 'pglite' ? false : undefined;
    const setup = { subgraphUrls, developmentKey, identitySecret, serviceSecret, plainReader };
    const { url, internalUrl } = own(await startReferenceGateway(setup));
    subgraphs.notifyGateway(internalUrl);
    const { url: unlimitedUrl } = own(await startReferenceGateway({ ...setup, config: { limits: { mode: 'measure' } } }));
    // One is enough, because the engine does not depend on the storage.
    const apolloUrl = storage === 'postgresql' ? own(await startReferenceEngine(setup)).url : '';
    return { url, internalUrl, unlimitedUrl, apolloUrl, subgraphUrls, developmentKey, identitySecret, [Symbol.asyncDispose]: disposeAll };
  } catch (error) {
    await disposeAll();
    throw error;
  }
}
