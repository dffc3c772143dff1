import { print } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GenerationView, PreparedDocument, WholeAccess } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { type Matcher, compileMatcher } from '../request/compile-matcher.ts';
import type { FieldSelection } from '../request/read-fields.ts';
import { compileRoutes } from './compile-routes.ts';
import type { FieldMask } from './field-mask.ts';
import { MappingInvalid, type MappingProblem, placeOf } from './problem.ts';
import { pruneOperation } from './prune-operation.ts';
import type { RestDocument } from './read-documents.ts';
import type { Route } from './route.ts';

export interface RouteTableOptions {
  readonly mounts: readonly string[];
  /** Narrowed documents kept, of all routes together. @unit entries */
  readonly maxCachedSelections: number;
  /** Size of the texts of the narrowed documents kept. @unit bytes */
  readonly maxCachedSelectionBytes: number;
}

/** Everything the facade knows about one generation. */
export interface RouteTable {
  readonly match: Matcher;
  /** The document to run: the route's own, or what `fields` leaves of it. */
  documentOf(route: Route, fields: FieldSelection | undefined): PreparedDocument;
  /** Who is denied the answer of a route whatever it is asked with; undefined where nobody is. */
  accessOf(route: Route): WholeAccess | undefined;
}

/** @throws MappingInvalid with every mistake in the documents */
export function compileRouteTable(documents: readonly RestDocument[], view: GenerationView, options: RouteTableOptions): RouteTable {
  const { routes, problems } = compileRoutes(documents, view.schema);
  if (problems.length > 0) throw new MappingInvalid(problems);
  const whole = prepareAll(routes, view);
  const access = new Map(routes.map((route) => [route, view.accessOf?.(print(pruneOperation(route, NOTHING_SHOWN)))]));
  const keys = new Map(routes.map((route, index) => [route, `${index}:`]));
  const narrowed = new LRUCache<string, PreparedDocument>({
    max: options.maxCachedSelections,
    maxSize: options.maxCachedSelectionBytes,
    sizeCalculation: ({ text }, key) => text.length + key.length,
  });
  return {
    match: compileMatcher(routes, options.mounts),
    accessOf: (route) => access.get(route),
    documentOf(route, fields) {
      const own = whole.get(route);
      if (own === undefined) throw new Error(`${route.operationName} is not a route of this table.`);
      if (fields === undefined) return own;
      const key = `${keys.get(route) ?? ''}${fields.key}`;
      const known = narrowed.get(key);
      if (known !== undefined) return known;
      const document = view.prepare(print(pruneOperation(route, fields.mask)));
      narrowed.set(key, document);
      return document;
    },
  };
}

/** What is left of a route then has no answer where any of it is denied. */
const NOTHING_SHOWN: FieldMask = new Map();

/** The gateway may refuse what GraphQL allows: its limits hold for every door. */
function prepareAll(routes: readonly Route[], view: GenerationView): ReadonlyMap<Route, PreparedDocument> {
  const prepared = new Map<Route, PreparedDocument>();
  const problems: MappingProblem[] = [];
  for (const route of routes) {
    try {
      prepared.set(route, view.prepare(print(route.operation)));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const hint = 'The limits of the gateway hold for REST documents too.';
      problems.push({ message: `${route.operationName} is refused: ${error.message}`, hint, ...placeOf(route.operation.loc) });
    }
  }
  if (problems.length > 0) throw new MappingInvalid(problems);
  return prepared;
}
