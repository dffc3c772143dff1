import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { type QueryPlannerOptions, createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import type {
  EntityLookup,
  OperationPlan,
  PlanPathStep,
  PlanSelection,
  PlannedFetch,
  RepresentationField,
  RepresentationPlan,
} from '../../../gateway/planning/operation-plan.ts';
import type { PlanInput, QueryPlanner } from '../../../gateway/planning/query-planner.ts';

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: [
  "@key" "@shareable" "@requires" "@external" "@provides" "@override" "@interfaceObject" "@inaccessible" "@context" "@fromContext"
])
`;

/** Options of the composition of test subgraphs. */
export interface CompositionOptions {
  /**
   * Whether composition checks that each field can be resolved. Without the check it returns supergraphs that should not be served.
   *
   * @defaultValue true
   */
  readonly isChecked?: boolean;
}

/** Composes subgraphs. Adds the link to federation to each of them. @throws Error when they do not compose */
export function compose(subgraphs: Readonly<Record<string, string>>, { isChecked = true }: CompositionOptions = {}): string {
  const services = Object.entries(subgraphs).map(([name, sdl]) => ({ name, url: `http://${name}.test`, typeDefs: parse(LINK + sdl) }));
  const { supergraphSdl, errors } = composeServices(services, { runSatisfiability: isChecked });
  if (supergraphSdl === undefined) throw new Error(`The subgraphs do not compose: ${String(errors)}`);
  return supergraphSdl;
}

/** Plans one operation, and prints the plan line by line. */
export type TextPlanner = (document: string, input?: Partial<Omit<PlanInput, 'document'>>) => readonly string[];

/** Composes subgraphs, and returns a planner over them. */
export function planOver(subgraphs: Readonly<Record<string, string>>, options: CompositionOptions & QueryPlannerOptions = {}): TextPlanner {
  return planWith(createQueryPlanner(compose(subgraphs, options), options));
}

/** Returns a planner that prints its plans. */
export function planWith(planner: QueryPlanner): TextPlanner {
  return (document, input = {}) => printPlan(planner.plan({ document, conditions: {}, labels: [], ...input }));
}

/**
 * Prints a plan with one line per request: `1 reviews @ users: User(id) { reviews { text } } after 0`.
 *
 * - `@ paths: representations { selection }`, with `&` between several paths and `+` between several lookups;
 * - `[A]` after a step or before a type: only for values of that type;
 * - `name=key`: a field whose value has another key in the response tree; `name(for key)`: only that field needs it.
 */
function printPlan({ fetches }: OperationPlan): readonly string[] {
  return fetches.map((fetch, index) => `${index} ${printFetch(fetch)}`);
}

function printFetch({ subgraph, kind, dependsOn, deferral, selections, path, lookups = [] }: PlannedFetch): string {
  const requested = selections === undefined ? lookups.map(printLookup).join(' +') : `${at(path)}: ${printSelections(selections)}`;
  const when = dependsOn.length === 0 ? '' : ` after ${dependsOn.join(',')}`;
  return `${kind === 'query' ? '' : `${kind} `}${subgraph}${requested}${when}${deferral === undefined ? '' : ` for @defer ${deferral}`}`;
}

function at(path: PlannedFetch['path']): string {
  return path === undefined ? '' : ` @ ${printPath(path)}`;
}

function printLookup({ paths, representations, selections, contextArguments = [] }: EntityLookup): string {
  const given = contextArguments.map(({ variable, type, depth, sources }) => {
    return ` with $${variable}: ${type} from ${depth}: ${sources.map(({ path }) => path.join('.')).join(' | ')}`;
  });
  const sent = representations.map(printRepresentation).join(' | ');
  return ` @ ${paths.map(printPath).join(' & ')}: ${sent} ${printRequested(representations, selections)}${given.join('')}`;
}

/** Omits the type condition when it is the type of the representations. */
function printRequested(representations: readonly RepresentationPlan[], selections: readonly PlanSelection[]): string {
  const [only, ...others] = selections;
  const isPlain = only?.kind === 'fragment' && others.length === 0 && representations.every(({ typename }) => typename === only.type);
  return printSelections(isPlain ? only.selections : selections);
}

function printPath(path: readonly PlanPathStep[]): string {
  return path.map(({ key, types }) => key + printTypes(types)).join('.');
}

function printTypes(types: readonly string[] | undefined): string {
  return types === undefined ? '' : `[${types.join(',')}]`;
}

function printRepresentation({ types, typename, fields }: RepresentationPlan): string {
  return `${printTypes(types)}${types === undefined ? '' : ' '}${typename}(${fields.map(printField).join(' ')})`;
}

function printField({ name, key, fields, types, for: needed }: RepresentationField): string {
  const inside = fields === undefined ? '' : `{${fields.map(printField).join(' ')}}`;
  const why = needed === undefined ? '' : `(for ${needed.join(',')})`;
  return (name === key ? name : `${name}=${key}`) + inside + printTypes(types) + why;
}

function printSelections(selections: readonly PlanSelection[]): string {
  return `{ ${selections.map(printSelection).join(' ')} }`;
}

function printSelection(selection: PlanSelection): string {
  if (selection.kind === 'fragment') return `... on ${selection.type} ${printSelections(selection.selections)}`;
  const { name, key, arguments: given = '', directives = '', selections } = selection;
  return `${name === key ? '' : `${key}: `}${name}${given}${directives}${selections === undefined ? '' : ` ${printSelections(selections)}`}`;
}
