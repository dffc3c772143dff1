import { type OperationDefinitionNode, print } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GenerationView, PreparedDocument, Principal, WholeAccess, WholeGrant } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import { pruneOperation } from './documents/prune-operation.ts';
import { MappingInvalid, type MappingProblem, positionOf } from './mapping-problems.ts';
import type { RestRoute } from './rest-route.ts';
import { anonymousMask, type FieldSelection, namedMask, NO_FIELDS } from './result/field-mask.ts';
import { compilePrintedItems, type PrintedItems } from './result/printed-items.ts';

export interface RouteDocumentsOptions {
  /** Maximum number of cached narrowed documents, for all routes together. @unit entries */
  readonly maxCachedSelections: number;
  /** Maximum size of the cached narrowed documents. @unit bytes */
  readonly maxCachedSelectionBytes: number;
}

/** Size of a prepared document: the gateway retains its plan and compiled code in addition to the text. @unit bytes */
const BYTES_PER_DOCUMENT = 18_000;
const BYTES_PER_CHARACTER = 96;
/** Size of the permissions that were computed for one selection. @unit bytes */
const BYTES_PER_ACCESS = 2_000;

/** Selects the variant of a route's operation to run. */
export interface DocumentView {
  /** Fields that the client requested. Undefined for all fields. */
  readonly fields?: Pick<FieldSelection, 'mask' | 'key'> | undefined;
  /** Whether the client turned the total count off. @defaultValue false */
  readonly isUncounted?: boolean | undefined;
  /** Whether the response contains links. @defaultValue false */
  readonly isLinked?: boolean;
}

/** The documents of a set of routes, prepared for one generation, with their permissions. */
export interface RouteDocuments {
  /** Returns the document to run: the document of the route, or the part of it that `fields` selects. */
  documentOf(route: RestRoute, view?: DocumentView): PreparedDocument;
  /** Returns the position of the items in the printed data of a document, or undefined if items are not shown as they are printed. */
  printedItemsOf(document: PreparedDocument): PrintedItems | undefined;
  /** Returns which callers are denied the response of a route for every request. Undefined if no caller is denied. */
  accessOf(route: RestRoute): WholeAccess | undefined;
  /** Whether it is known before execution that a caller may see all fields of a document. */
  isGranted(document: PreparedDocument, principal: Principal): boolean;
  /** Returns the fields that a route shows to callers without credentials. Undefined if no field is denied to them, or all fields are. */
  anonymousFieldsOf(route: RestRoute, requested: DocumentView['fields']): DocumentView['fields'];
  /**
   * Returns which callers are denied one of the fields that a client names. Undefined if no caller is known to be denied before execution.
   */
  fieldAccessOf(route: RestRoute, fields: FieldSelection): WholeAccess | undefined;
}

/**
 * Prepares the documents of routes. @throws MappingInvalid if the gateway rejects a valid operation, because its limits apply to every
 * transport
 */
export function prepareDocuments(routes: readonly RestRoute[], view: GenerationView, options: RouteDocumentsOptions): RouteDocuments {
  const whole = prepareAll(routes, view);
  // A route without any field has no response if any of its fields is denied.
  const access = new Map(routes.map((route) => [route, view.accessOf?.(print(pruneOperation(withoutValidators(route), NO_FIELDS.mask)))]));
  const keys = new Map(routes.map((route, index) => [route, String(index)]));
  const narrowed = new LRUCache<string, PreparedDocument>({
    max: options.maxCachedSelections,
    maxSize: options.maxCachedSelectionBytes,
    sizeCalculation: ({ text }, key) => BYTES_PER_DOCUMENT + BYTES_PER_CHARACTER * (text.length + key.length),
  });
  const printedItems = new WeakMap<PreparedDocument, PrintedItems>();
  const noteItems = (document: PreparedDocument, operation: OperationDefinitionNode, { result }: RestRoute): void => {
    const printed = compilePrintedItems(view.schema, operation, result);
    if (printed !== undefined) printedItems.set(document, printed);
  };
  for (const route of routes) noteItems(found(whole.get(route.operation), route), route.operation, route);
  const fieldAccess = new LRUCache<string, { readonly access: WholeAccess | undefined }>({
    max: options.maxCachedSelections,
    maxSize: options.maxCachedSelectionBytes,
    sizeCalculation: (_access, key) => BYTES_PER_ACCESS + BYTES_PER_CHARACTER * key.length,
  });
  const grants = new WeakMap<PreparedDocument, WholeGrant>();
  const fieldAccessOf: RouteDocuments['fieldAccessOf'] = (route, fields) => {
    if (view.accessOf === undefined) return undefined;
    const key = `${keys.get(route) ?? ''}:${fields.key}`;
    const known = fieldAccess.get(key);
    if (known !== undefined) return known.access;
    const mask = namedMask(fields.names, route.result.shape);
    const decided = { access: view.accessOf(print(pruneOperation(withoutValidators({ ...route, ...route.optIn }), mask))) };
    fieldAccess.set(key, decided);
    return decided.access;
  };
  const isDenied = (route: RestRoute, name: string): boolean =>
    fieldAccessOf(route, { names: new Set([name]), mask: new Map(), key: name })?.(ANONYMOUS) !== undefined;
  const anonymousFields = new Map(
    routes.flatMap((route) => {
      if (!isShownToAnonymous(route) || access.get(route)?.(ANONYMOUS) !== undefined) return [];
      const denied = new Set<string>();
      const mask = anonymousMask(route.result.shape, (name) => isDenied(route, name) && denied.add(name).has(name));
      return mask === undefined ? [] : [[route, { denied, whole: { mask, key: ANONYMOUS_KEY } }] as const];
    }),
  );
  return {
    anonymousFieldsOf(route, requested) {
      const known = anonymousFields.get(route);
      if (known === undefined || requested === undefined) return known?.whole;
      const mask = anonymousMask(route.result.shape, (name) => known.denied.has(name), requested.mask);
      return mask && { mask, key: requested.key + ANONYMOUS_KEY };
    },
    fieldAccessOf,
    accessOf: (route) => access.get(route),
    isGranted(document, principal) {
      const known = grants.get(document) ?? view.grantOf?.(document.text);
      if (known !== undefined) grants.set(document, known);
      return known?.(principal) === true;
    },
    printedItemsOf: (document) => printedItems.get(document),
    documentOf(route, { fields, isUncounted = false, isLinked = false } = {}) {
      const shown = fields === undefined || route.optIn === undefined ? route : { ...route, ...route.optIn };
      const own = isLinked ? linkedVariant(shown) : shown;
      if (fields === undefined && !isUncounted) return found(whole.get(own.operation), route);
      const key = `${keys.get(route) ?? ''}${isLinked ? '~' : ':'}${isUncounted ? '-' : '+'}${fields?.key ?? ''}`;
      const known = narrowed.get(key);
      if (known !== undefined) return known;
      const operation = pruneOperation(own, fields?.mask, isUncounted);
      const document = view.prepare(print(operation));
      if (!isLinked) noteItems(document, operation, route);
      narrowed.set(key, document);
      return document;
    },
  };
}

/** Cache key that cannot be a list of names from a client. */
const ANONYMOUS_KEY = ' anonymous';

function isShownToAnonymous({ method, isStream, needsCredentials }: RestRoute): boolean {
  return method === 'GET' && !isStream && !needsCredentials;
}

function linkedVariant(route: RestRoute): RestRoute {
  return route.linked === undefined ? route : { ...route, operation: route.linked };
}

function found(document: PreparedDocument | undefined, { operationName }: RestRoute): PreparedDocument {
  if (document === undefined) throw new Error(`${operationName} is not a route of this table.`);
  return document;
}

/** Removes the validators: if a caller may not see them, their headers are omitted, and nothing else is denied. */
function withoutValidators(route: RestRoute): RestRoute {
  return { ...route, result: { ...route.result, validators: {} } };
}

function prepareAll(routes: readonly RestRoute[], view: GenerationView): ReadonlyMap<RestRoute['operation'], PreparedDocument> {
  const prepared = new Map<RestRoute['operation'], PreparedDocument>();
  const problems: MappingProblem[] = [];
  for (const { operation, linked, operationName } of routes) {
    try {
      prepared.set(operation, view.prepare(print(operation)));
      if (linked !== undefined) prepared.set(linked, view.prepare(print(linked)));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const hint = 'REST documents must stay within the limits of the gateway. Reduce the operation, or change the setting of the limit.';
      problems.push({ message: `The gateway rejects ${operationName}: ${error.message}`, hint, ...positionOf(operation.loc) });
    }
  }
  if (problems.length > 0) throw new MappingInvalid(problems);
  return prepared;
}
