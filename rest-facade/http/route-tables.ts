import { print } from 'graphql';
import type { GenerationView, PerGeneration } from '../../gateway/index.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import { printTemplate } from '../compile/endpoint/path-template.ts';
import type { RestGateway } from '../rest-gateway.ts';

/** Routes that differ after a reload, each as its method and path: `GET /films/{id}`. */
export interface RouteChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Table of one generation. A reload replaces it; a request uses one table from start to end. */
export interface CurrentTable<Table> {
  readonly current: Table;
}

/** Route tables of all generations. */
export interface RouteTables<Table> extends PerGeneration<CurrentTable<Table>> {
  /**
   * Reads the documents again, and compiles them for the current generation. Later generations use the new documents if they fit, or else
   * the last ones that did.
   *
   * @returns undefined if no supergraph is loaded, so that the documents are compiled later
   * @throws MappingInvalid if they do not fit the current generation. Its table remains in use.
   * @throws Error if the documents cannot be read
   */
  reload(): RouteChanges | undefined;
}

export interface RouteTablesOptions<Documents, Table> {
  readonly gateway: Pick<RestGateway, 'onGeneration'>;
  /** Reads the documents. @throws Error if they cannot be read */
  readonly read: () => Documents;
  /** @throws MappingInvalid if the documents do not fit the generation */
  readonly compile: (documents: Documents, view: GenerationView) => Table;
}

/** Reads the documents, and compiles them for each generation. @throws the errors of `read` */
export function createRouteTables<Documents, Table extends { readonly routes: readonly RestRoute[] }>({
  gateway,
  read,
  compile,
}: RouteTablesOptions<Documents, Table>): RouteTables<Table> {
  let latest = read();
  /** The last documents that fit a generation. */
  let valid = latest;

  function build(view: GenerationView) {
    const tables: { readonly view: GenerationView; current: Table } = { view, current: compileValid(view) };
    return tables;
  }

  function compileValid(view: GenerationView): Table {
    try {
      const table = compile(latest, view);
      valid = latest;
      return table;
    } catch (error) {
      if (latest === valid) throw error;
      try {
        return compile(valid, view);
      } catch {
        throw error; // The mistakes in the latest documents are those that their author can correct.
      }
    }
  }

  const generations = gateway.onGeneration(build);

  return {
    ready: generations.ready,
    acquire: () => generations.acquire(),
    reload() {
      latest = read();
      const pinned = acquireCurrent();
      if (pinned === undefined) return undefined;
      try {
        const { value } = pinned;
        const previous = value.current;
        value.current = compile(latest, value.view);
        valid = latest;
        return compareRoutes(previous.routes, value.current.routes);
      } finally {
        pinned[Symbol.dispose]();
      }
    },
  };

  /** Pins the current generation; undefined if no supergraph is loaded. */
  function acquireCurrent() {
    try {
      return generations.acquire();
    } catch {
      return undefined;
    }
  }
}

function compareRoutes(previous: readonly RestRoute[], next: readonly RestRoute[]): RouteChanges {
  const [before, after] = [textsOf(previous), textsOf(next)];
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    changed: [...after].flatMap(([name, text]) => (before.has(name) && before.get(name) !== text ? [name] : [])),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}

/** Returns the operations of the routes by method and path. */
function textsOf(routes: readonly RestRoute[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { method, template, declared } of routes) {
    const name = `${method} ${printTemplate(template)}`;
    texts.set(name, `${texts.get(name) ?? ''}${print(declared)}`);
  }
  return texts;
}
