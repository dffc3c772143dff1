import { type Profiler, Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface StartedStack {
  readonly url: string;
}

/** Number of similar requests before the measured one, so that everything that can be cached is cached. */
const WARM_UP = 5;

/**
 * Starts the reference graph, and finds the files of the gateway and the REST facade whose functions run for one warm request. V8 counts
 * them in this process.
 *
 * @param helper path of the test helper that starts the reference graph
 */
export async function filesPassedByRequests(checkout: string, helper: string) {
  const { startReferenceStack } = (await import(pathToFileURL(helper).href)) as {
    startReferenceStack(storage: 'pglite'): Promise<StartedStack>;
  };
  const { url } = await startReferenceStack('pglite');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

  async function passedBy(request: () => Promise<Response>): Promise<readonly string[]> {
    for (let round = 0; round < WARM_UP; round += 1) await respondTo(request);
    await session.post('Profiler.takePreciseCoverage');
    await respondTo(request);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter((script) => script.url.startsWith('file:') && script.functions.some(hasRun))
      .map((script) => relative(checkout, fileURLToPath(script.url.split('?')[0] ?? '')))
      .filter((path) => /^(gateway|rest-facade)\//.test(path))
      .toSorted();
  }

  const query = JSON.stringify({ query: '{ books(first: 3) { edges { node { id title } } } }' });
  return {
    graphql: await passedBy(() =>
      fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: query }),
    ),
    rest: await passedBy(() => fetch(`${url}/books?size=3`)),
  };
}

async function respondTo(request: () => Promise<Response>): Promise<void> {
  const response = await request();
  const text = await response.text();
  if (response.status !== 200 || text.includes('"errors"')) throw new Error(`The request failed with ${response.status}: ${text}`);
}

function hasRun({ ranges }: Profiler.FunctionCoverage): boolean {
  return ranges.some(({ count }) => count > 0);
}
