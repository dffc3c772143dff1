import type { RouteChanges } from '../../rest-facade/index.ts';
import type { Terminal } from '../terminal.ts';

/** Reports what `gatefold dev` observes, one line for each event. */
export interface DevReport {
  line(text: string): void;
  /** Reports a mistake that the developer can correct, with its location. */
  problem(text: string): void;
}

/** Creates a report that is written to a terminal. */
export function createDevReport({ print, warn }: Terminal): DevReport {
  return { line: print, problem: warn };
}

/** Maximum number of changes of one subgraph, and of routes, that are listed. */
const MAX_LISTED = 10;

/** Describes the changes of a subgraph, one line for each. */
export function describeSubgraphChanges(subgraph: string, changes: readonly string[]): readonly string[] {
  const listed = changes.slice(0, MAX_LISTED).map((change) => `${subgraph}: ${change}`);
  const rest = changes.length - listed.length;
  return rest > 0 ? [...listed, `${subgraph}: and ${rest} more changes`] : listed;
}

/** Describes the changes of the routes: `REST: 2 routes added (GET /films, GET /films/{id}), 1 removed (GET /movies)`. */
export function describeRouteChanges({ added, changed, removed }: RouteChanges): string {
  const parts = [
    ['added', added],
    ['changed', changed],
    ['removed', removed],
  ] as const;
  const texts = parts.flatMap(([verb, names]) =>
    names.length === 0 ? [] : [`${names.length} ${noun(names.length)} ${verb} (${list(names)})`],
  );
  return texts.length === 0 ? 'REST: the documents were reloaded; no route has changed' : `REST: ${texts.join(', ')}`;
}

function noun(count: number): string {
  return count === 1 ? 'route' : 'routes';
}

function list(names: readonly string[]): string {
  const rest = names.length - MAX_LISTED;
  return [...names.slice(0, MAX_LISTED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
