import { type ASTNode, type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode } from 'graphql';
import type { ErrorCode } from '../platform/errors.ts';
import { countDirectives } from './count-directives.ts';
import { OperationRefused, type OperationFault } from './errors.ts';
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
}

/** A limit that a document goes beyond. */
export interface Excess {
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
export function admitDocument(document: DocumentNode, limits: DocumentLimits): void {
  const [first] = findExcesses(document, limits);
  if (first !== undefined) throw new OperationRefused(first.code, [first.fault]);
}

/** Every limit that a document goes beyond, in time linear in the document. */
export function findExcesses(document: DocumentNode, limits: DocumentLimits): readonly Excess[] {
  const tooManyOperations = checkOperations(document, limits);
  if (tooManyOperations !== undefined) return [tooManyOperations];
  const { weights } = weighOperations(document, ceilingsOf(limits));
  return [...[...weights].flatMap(([operation, weight]) => checkWeight(operation, weight, limits)), ...checkDirectives(document, limits)];
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

function checkOperations({ definitions }: DocumentNode, { maxOperations }: DocumentLimits): Excess | undefined {
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const tooMany = operations[maxOperations];
  if (tooMany === undefined) return undefined;
  return excess('GRAPHQL_VALIDATION_FAILED', `The document has ${operations.length} operations; ${maxOperations} are allowed.`, tooMany);
}

function checkWeight(operation: OperationDefinitionNode, weight: SelectionWeight, limits: DocumentLimits): readonly Excess[] {
  const { data, introspection, rootFields } = weight;
  const { maxDepth, maxIntrospectionDepth, maxAliases, maxRootFields, maxSelections } = limits;
  const found: Excess[] = [];
  const check = (code: ErrorCode, count: number, limit: number, unit: string): void => {
    if (count <= limit) return;
    found.push(excess(code, `${nameOf(operation)} has more than ${limit} ${unit}, with its fragments expanded.`, operation));
  };
  check('DEPTH_LIMIT_EXCEEDED', data.depth, maxDepth, 'levels');
  check('DEPTH_LIMIT_EXCEEDED', introspection.depth, maxIntrospectionDepth, 'levels of introspection');
  check('ALIAS_LIMIT_EXCEEDED', data.aliases, maxAliases, 'aliases');
  check('ALIAS_LIMIT_EXCEEDED', introspection.aliases, maxAliases, 'aliases in introspection');
  check('ROOT_FIELD_LIMIT_EXCEEDED', rootFields, maxRootFields, 'root fields');
  check('SELECTION_LIMIT_EXCEEDED', data.selections, maxSelections, 'selections');
  check('SELECTION_LIMIT_EXCEEDED', introspection.selections, maxSelections, 'selections in introspection');
  return found;
}

function checkDirectives(document: DocumentNode, { maxDirectives, maxDirectivesPerLocation }: DocumentLimits): readonly Excess[] {
  const { total, fullest } = countDirectives(document);
  const found: Excess[] = [];
  if (total > maxDirectives) {
    const message = `The document has ${total} directives; ${maxDirectives} are allowed.`;
    found.push({ code: 'DIRECTIVE_LIMIT_EXCEEDED', fault: { message } });
  }
  if (fullest !== undefined && fullest.count > maxDirectivesPerLocation) {
    const message = `There are ${fullest.count} directives in one place; ${maxDirectivesPerLocation} are allowed.`;
    found.push(excess('DIRECTIVE_LIMIT_EXCEEDED', message, fullest.node));
  }
  return found;
}

function nameOf({ name }: OperationDefinitionNode): string {
  if (name === undefined) return 'The operation';
  return `The operation "${name.value.length <= LONGEST_NAME ? name.value : `${name.value.slice(0, LONGEST_NAME)}…`}"`;
}

/** @unit UTF-16 code units */
const LONGEST_NAME = 100;

function excess(code: ErrorCode, message: string, node: ASTNode): Excess {
  return { code, fault: toFault(new GraphQLError(message, { nodes: node })) };
}
