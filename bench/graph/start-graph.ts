import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import { parse } from 'graphql';
import { startWorker } from '../process/worker.ts';
import type { TargetContext } from '../targets/target.ts';
import { FRESH_DIGITS, type Operation, OPERATIONS } from './operations.ts';
import { executeByReference } from './reference.ts';
import type { SubgraphCommand, SubgraphReport } from './subgraph-process.ts';
import { createSubgraphs, SUBGRAPH_NAMES } from './subgraphs.ts';

/** Running subgraphs and the data that targets need. */
export interface Graph extends AsyncDisposable {
  readonly context: Omit<TargetContext, 'port' | 'gatefold'>;
  /** Returns the only correct response, as JSON text. */
  responseTo(operation: Operation): string;
  /** Sets the delay of every response of the subgraphs. @unit milliseconds */
  delay(delayMs: number): void;
  /** Returns the number of subgraph requests since the last call. */
  countRequests(): Promise<number>;
}

/** Returns the JSON request for an operation. */
export function bodyOf({ query, variables }: Operation): string {
  return JSON.stringify({ query, ...(variables === undefined ? {} : { variables }) });
}

/** Starts the subgraphs, composes them and computes the reference response for every operation. */
export async function startGraph(): Promise<Graph> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-bench-'));
  const worker = startWorker<SubgraphCommand, SubgraphReport>(new URL('subgraph-process.ts', import.meta.url));
  const report = await worker.hear();
  if (!('ports' in report)) throw new Error('Expected the ports as the first message of the subgraph process.');
  const [wholePort, ...ports] = report.ports;
  const subgraphs = Object.fromEntries(SUBGRAPH_NAMES.map((name, index) => [name, `http://127.0.0.1:${ports[index]}/graphql`]));
  const services = createSubgraphs().map(({ name, sdl }) => ({ name, sdl, url: subgraphs[name] ?? '', typeDefs: parse(sdl) }));
  const { supergraphSdl, errors } = composeServices(services);
  if (supergraphSdl === undefined) throw new Error(`The subgraphs do not compose: ${errors?.map(String).join('; ')}`);
  const schema = Supergraph.build(supergraphSdl).apiSchema().toGraphQLJSSchema();
  const responses = new Map(
    await Promise.all(OPERATIONS.map(async (operation) => [operation.name, await executeByReference(schema, operation)] as const)),
  );
  const responseTo = ({ name }: Operation) => responses.get(name) ?? '';
  const known = OPERATIONS.map((operation) => ({ body: bodyOf(operation), text: responseTo(operation) }));
  worker.report({ responses: known });

  const [supergraphFile, responsesFile] = [join(directory, 'supergraph.graphql'), join(directory, 'answers.json')];
  await writeFile(supergraphFile, supergraphSdl);
  await writeFile(responsesFile, JSON.stringify({ responses: known, freshDigits: FRESH_DIGITS }));
  const subgraphSdlFiles = Object.fromEntries(services.map(({ name }) => [name, join(directory, `${name}.graphql`)]));
  await Promise.all(services.map(({ name, sdl }) => writeFile(subgraphSdlFiles[name] ?? '', sdl)));

  return {
    context: { directory, supergraphFile, responsesFile, subgraphs, subgraphSdlFiles, wholeUrl: `http://127.0.0.1:${wholePort}/graphql` },
    responseTo,
    delay: (delayMs) => worker.report({ delayMs }),
    async countRequests() {
      worker.report('count');
      const counted = await worker.hear();
      return 'requests' in counted ? counted.requests : 0;
    },
    async [Symbol.asyncDispose]() {
      worker[Symbol.dispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
