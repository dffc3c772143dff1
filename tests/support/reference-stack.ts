import { randomBytes } from 'node:crypto';
import { startReferenceGateway } from './reference-gateway.ts';
import { startSubgraphProcess } from './subgraph-process.ts';
import { createThrowawayDatabase } from './throwaway-database.ts';

/** Where the reference graph keeps its data in a run. */
export type Storage = 'pglite' | 'postgresql';

/** What a test needs to know of a running stack; plain data, so that it can be handed from process to process. */
export interface StackAddress {
  readonly url: string;
  readonly internalUrl: string;
  readonly subgraphUrls: Readonly<Record<string, string>>;
  readonly developmentKey: string;
  readonly identitySecret: string;
}

export interface ReferenceStack extends StackAddress, AsyncDisposable {}

/** Subgraphs in a process of their own, gateway and REST facade in this one; with data, keys and ports of its own. */
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
    const environment = storage === 'pglite' ? {} : { DATABASE_URL: own(await createThrowawayDatabase()).url };
    const { urls: subgraphUrls } = own(await startSubgraphProcess({ identitySecret, environment }));
    const { url, internalUrl } = own(await startReferenceGateway({ subgraphUrls, developmentKey, identitySecret }));
    return { url, internalUrl, subgraphUrls, developmentKey, identitySecret, [Symbol.asyncDispose]: disposeAll };
  } catch (error) {
    await disposeAll();
    throw error;
  }
}
