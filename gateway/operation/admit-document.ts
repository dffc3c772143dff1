import { type ASTNode, type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, type OperationTypeNode } from 'graphql';
import type { ErrorCode } from '../platform/errors.ts';
import { countDirectives } from './count-directives.ts';
import { countRootFields } from './count-root-fields.ts';
import { OperationRefused, type OperationFault } from './errors.ts';
import { type LimitModes, type LimitName, modeOf } from './limit-mode.ts';
import type { SelectionWeight } from './selection-weight.ts';
import { toFault } from './to-fault.ts';
import { weighOperations } from './weigh-operations.ts';

/** How much a document may ask for. All but the directives are counted with fragments expanded. */
export interface DocumentLimits {
  /** Fields on the longest way down; a root field is at depth 1. @unit levels */
  readonly maxDepth: number;
  /** The same below and including `__schema` and `__type`, which do not count for `maxDepth`. @unit levels */
  readonly maxIntrospectionDepth: number;
  /** Aliases of an operation; those in introspection are counted apart, up to as many. @unit aliases */
  readonly maxAliases: number;
  /** Root fields of an operation; `__schema` and `__type` do not count. @unit fields */
  readonly maxRootFields: number;
  /** Fields and fragments of an operation; those in introspection are counted apart, up to as many. @unit selections */
  readonly maxSelections: number;
  /** Directives of a document. @unit directives */
  readonly maxDirectives: number;
  /** Directives in one place. @unit directives */
  readonly maxDirectivesPerLocation: number;
  /** Operations of a document. @unit operations */
  readonly maxOperations: number;
  /** Root fields that stand at most once in an operation: `Mutation.createPayment`. */
  readonly singleUse: readonly string[];
}

/** A limit that a document goes beyond. */
export interface Excess {
  readonly limit: LimitName;
  readonly code: ErrorCode;
  readonly fault: OperationFault;
}

/**
 * Refuses a document that asks for too much, whichever of its operations is to run, before anything expands its fragments.
 * Takes any document that parses; what else is wrong with it is left to validation.
 *
 * @throws OperationRefused `DEPTH_LIMIT_EXCEEDED`, `ALIAS_LIMIT_EXCEEDED`, `ROOT_FIELD_LIMIT_EXCEEDED`,
 * `SELECTION_LIMIT_EXCEEDED`, `DIRECTIVE_LIMIT_EXCEEDED`; `GRAPHQL_VALIDATION_FAILED` for too many operations
 */
export function admitDocument(document: DocumentNode, limits: DocumentLimits & LimitModes): void {
  const first = findExcesses(document, limits).find(({ limit }) => modeOf(limits, limit) === 'enforce');
  if (first !== undefined) throw new OperationRefused(first.code, [first.fault]);
}

/** Every limit that a document goes beyond, in time linear in the document. */
export function findExcesses(document: DocumentNode, limits: DocumentLimits & LimitModes): readonly Excess[] {
  const tooManyOperations = checkOperations(document, limits);
  if (tooManyOperations.length > 0 && modeOf(limits, 'operations') === 'enforce') return tooManyOperations; // each would be weighed
  const { weights } = weighOperations(document, ceilingsOf(limits));
  return [
    ...tooManyOperations,
    ...[...weights].flatMap(([operation, weight]) => checkWeight(operation, weight, limits)),
    ...checkDirectives(document, limits),
    ...[...weights.keys()].flatMap((operation) => checkSingleUse(document, operation, limits)),
  ];
}

/** One above each limit is enough to tell that it is exceeded. */
function ceilingsOf({ maxDepth, maxIntrospectionDepth, maxAliases, maxRootFields, maxSelections }: DocumentLimits): SelectionWeight {
  const shared = { aliases: maxAliases + 1, selections: maxSelections + 1 };
  return {
    data: { depth: maxDepth + 1, ...shared },
    introspection: { depth: maxIntrospectionDepth + 1, ...shared },
    rootFields: maxRootFields + 1,
  };
}

function checkOperations({ definitions }: DocumentNode, { maxOperations }: DocumentLimits): readonly Excess[] {
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const tooMany = operations[maxOperations];
  if (tooMany === undefined) return [];
  const message = `The document has ${operations.length} operations; ${maxOperations} are allowed.`;
  return [excess('operations', 'GRAPHQL_VALIDATION_FAILED', message, tooMany)];
}

function checkWeight(operation: OperationDefinitionNode, weight: SelectionWeight, limits: DocumentLimits): readonly Excess[] {
  const { data, introspection, rootFields } = weight;
  const { maxDepth, maxIntrospectionDepth, maxAliases, maxRootFields, maxSelections } = limits;
  const found: Excess[] = [];
  const check = (limit: WeightLimit, count: number, max: number, unit: string): void => {
    if (count <= max) return;
    const message = `${nameOf(operation)} has more than ${max} ${unit}, with its fragments expanded.`;
    found.push(excess(limit, WEIGHT_CODES[limit], message, operation));
  };
  check('depth', data.depth, maxDepth, 'levels');
  check('depth', introspection.depth, maxIntrospectionDepth, 'levels of introspection');
  check('aliases', data.aliases, maxAliases, 'aliases');
  check('aliases', introspection.aliases, maxAliases, 'aliases in introspection');
  check('rootFields', rootFields, maxRootFields, 'root fields');
  check('selections', data.selections, maxSelections, 'selections');
  check('selections', introspection.selections, maxSelections, 'selections in introspection');
  return found;
}

const WEIGHT_CODES = {
  depth: 'DEPTH_LIMIT_EXCEEDED',
  aliases: 'ALIAS_LIMIT_EXCEEDED',
  rootFields: 'ROOT_FIELD_LIMIT_EXCEEDED',
  selections: 'SELECTION_LIMIT_EXCEEDED',
} as const satisfies Partial<Record<LimitName, ErrorCode>>;

type WeightLimit = keyof typeof WEIGHT_CODES;

/** What must not be done twice is not to be done twice at once: each of several has what belongs to the request, such as its key. */
function checkSingleUse(document: DocumentNode, operation: OperationDefinitionNode, { singleUse }: DocumentLimits): readonly Excess[] {
  const prefix = ROOT_PREFIXES[operation.operation];
  const names = new Set(singleUse.flatMap((coordinate) => (coordinate.startsWith(prefix) ? [coordinate.slice(prefix.length)] : [])));
  if (names.size === 0) return [];
  const counts = [...countRootFields(document, operation, names)].filter(([, count]) => count > 1);
  return counts.map(([name]) =>
    excess(
      'singleUse',
      'ALIAS_LIMIT_EXCEEDED',
      `${nameOf(operation)} has "${name}" more than once, with its fragments expanded.`,
      operation,
    ),
  );
}

/** Federation names the root types of a supergraph so. */
const ROOT_PREFIXES: Readonly<Record<OperationTypeNode, string>> = {
  query: 'Query.',
  mutation: 'Mutation.',
  subscription: 'Subscription.',
};

function checkDirectives(document: DocumentNode, { maxDirectives, maxDirectivesPerLocation }: DocumentLimits): readonly Excess[] {
  const { total, fullest } = countDirectives(document);
  const found: Excess[] = [];
  if (total > maxDirectives) {
    const message = `The document has ${total} directives; ${maxDirectives} are allowed.`;
    found.push({ limit: 'directives', code: 'DIRECTIVE_LIMIT_EXCEEDED', fault: { message } });
  }
  if (fullest !== undefined && fullest.count > maxDirectivesPerLocation) {
    const message = `There are ${fullest.count} directives in one place; ${maxDirectivesPerLocation} are allowed.`;
    found.push(excess('directives', 'DIRECTIVE_LIMIT_EXCEEDED', message, fullest.node));
  }
  return found;
}

function nameOf({ name }: OperationDefinitionNode): string {
  if (name === undefined) return 'The operation';
  return `The operation "${name.value.length <= LONGEST_NAME ? name.value : `${name.value.slice(0, LONGEST_NAME)}…`}"`;
}

/** @unit UTF-16 code units */
const LONGEST_NAME = 100;

function excess(limit: LimitName, code: ErrorCode, message: string, node: ASTNode): Excess {
  return { limit, code, fault: toFault(new GraphQLError(message, { nodes: node })) };
}
