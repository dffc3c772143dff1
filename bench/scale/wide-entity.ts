import { PlannerClient } from '../planner/planner-client.ts';
import type { PlannerName } from '../planner/planners.ts';
import { SUPERGRAPH_HEAD } from './large-supergraph.ts';

/** Planning time of an operation with one field of each subgraph. */
export interface WidePlan {
  readonly planner: PlannerName;
  /** Number of fields and subgraphs. */
  readonly fields: number;
  /** Time of the first plan of the process. Undefined if it takes more than 10 s. @unit milliseconds */
  readonly firstMs: number | undefined;
  /** Median of the following plans. Undefined if they take more than 10 s together. @unit milliseconds */
  readonly planMs: number | undefined;
}

const PLANNERS: readonly PlannerName[] = ['gatefold', 'apollo'];
/** Number of plans after the first one. */
const PLANS = 5;

/** Measures how long planners need for all fields of an entity, each of which belongs to another subgraph. */
export async function measureWidePlans(fields: number): Promise<readonly WidePlan[]> {
  const supergraphSdl = writeWideEntity(fields);
  const document = `{ item { ${range(fields).map(fieldName).join(' ')} } }`;
  const plans: WidePlan[] = [];
  for (const planner of PLANNERS) {
    await using client = await PlannerClient.start(planner, supergraphSdl);
    const first = await client.request({ document, warmUpMs: 0, repeat: 1 });
    const further = first.error === undefined ? await client.request({ document, warmUpMs: 0, repeat: PLANS }) : first;
    if (first.size !== undefined && first.size.fetches !== fields) throw new Error(`${planner} plans ${first.size.fetches} requests.`);
    plans.push({ planner, fields, firstMs: first.elapsedMs, planMs: further.error === undefined ? further.elapsedMs : undefined });
  }
  return plans;
}

/** Writes a supergraph in which each subgraph has one field of an entity. */
function writeWideEntity(subgraphs: number): string {
  const graphs = range(subgraphs);
  const everywhere = (key: string): string => graphs.map((index) => `  @join__type(graph: S${index}${key})`).join('\n');
  const fields = graphs.map((index) => `  ${fieldName(index)}: String @join__field(graph: S${index})`);
  return [
    SUPERGRAPH_HEAD,
    `enum join__Graph {\n${graphs.map((index) => `  S${index} @join__graph(name: "s${index}", url: "http://127.0.0.1/${index}")`).join('\n')}\n}`,
    `type Item\n${everywhere(', key: "id"')}\n{\n  id: ID!\n${fields.join('\n')}\n}`,
    `type Query\n${everywhere('')}\n{\n  item: Item @join__field(graph: S0)\n}`,
  ].join('\n');
}

function fieldName(index: number): string {
  return `field${index}`;
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index);
}
