import { buildSchema, graphql } from 'graphql';
import { WORKERS_SDL, workersData } from '../workers/graph.ts';
import { measureSlice, type Slice, type SliceCommand } from './measure-slice.ts';
import { startRecordedBackEnd } from './recorded-back-end.ts';

// Runs the clients and the subgraph in one process, so that the CPU time of both is known and small.

export type WorkersReport = { readonly subgraphUrl: string } | Slice;

const schema = buildSchema(WORKERS_SDL);
const subgraph = await startRecordedBackEnd(async ({ body }) => {
  const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
  return JSON.stringify(await graphql({ schema, source: query, variableValues: variables, rootValue: workersData }));
});

process.on('message', (command: SliceCommand) => {
  void measureSlice(command).then((slice) => process.send?.(slice));
});
process.on('disconnect', () => process.exit());
process.send?.({ subgraphUrl: `${subgraph.origin}/graphql` } satisfies WorkersReport);
