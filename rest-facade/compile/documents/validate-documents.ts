import {
  type DefinitionNode,
  type DocumentNode,
  ExecutableDefinitionsRule,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  KnownFragmentNamesRule,
  NoUnusedFragmentsRule,
  type OperationDefinitionNode,
  type SelectionSetNode,
  specifiedRules,
  validate,
} from 'graphql';
import { type MappingProblem, positionOf, type ProblemReport } from '../mapping-problems.ts';
import { REST_DIRECTIVE_NAMES, restDirective } from './directives.ts';
import type { Fragments } from './selections.ts';

/** More than any set of documents has; graphql-js stops at 100 of its own accord. */
const MAX_PROBLEMS = 10_000;

export interface Validation {
  readonly problems: readonly MappingProblem[];
  /** Definitions with a problem: nothing can be built on them. */
  readonly faulty: ReadonlySet<DefinitionNode>;
}

/**
 * Validates by the rules of GraphQL itself against the public schema and our directives.
 *
 * @param isWhole false when a file could not be parsed: fragments that seem missing or unused may be just there
 */
export function validateDocuments(schema: GraphQLSchema, document: DocumentNode, isWhole: boolean): Validation {
  const skipped: readonly unknown[] = isWhole
    ? [ExecutableDefinitionsRule]
    : [ExecutableDefinitionsRule, KnownFragmentNamesRule, NoUnusedFragmentsRule];
  const rules = specifiedRules.filter((rule) => !skipped.includes(rule));
  const errors = validate(schema, document, rules, { maxErrors: MAX_PROBLEMS });
  const faulty = document.definitions.filter((definition) =>
    errors.some((error) => error.nodes?.some((node) => contains(definition, node))),
  );
  return { problems: errors.map(toProblem), faulty: new Set(faulty) };
}

function contains({ loc: outer }: DefinitionNode, { loc: inner }: Pick<DefinitionNode, 'loc'>): boolean {
  return (
    outer !== undefined && inner !== undefined && outer.source === inner.source && outer.start <= inner.start && inner.end <= outer.end
  );
}

function toProblem(error: GraphQLError): MappingProblem {
  const [message = '', suggestion] = error.message.split(/ (?=Did you mean )/);
  return { message, hint: suggestion ?? hintFor(message), ...positionOf(error.nodes?.[0]?.loc) };
}

function hintFor(message: string): string {
  if (message.startsWith('Unknown directive')) {
    return `REST documents know ${[...REST_DIRECTIVE_NAMES].map((name) => `@${name}`).join(', ')}.`;
  }
  const directive = /[Dd]irective "@(\w+)"/.exec(message)?.[1];
  if (directive !== undefined && REST_DIRECTIVE_NAMES.has(directive)) return describeDirective(directive);
  if (message.startsWith('Unknown fragment')) return 'Fragments are shared by all files of the directory; define it in one of them.';
  if (message.includes('is never used')) return 'Use it, or remove it.';
  if (message.startsWith('There can be only one')) return 'Names are shared by all files of the directory; give each its own.';
  return 'Documents are checked against the public schema of the supergraph.';
}

function describeDirective(name: string): string {
  const { args, locations } = restDirective(name);
  const places = locations.map((location) => location.toLowerCase().replaceAll('_', ' ')).join(' or ');
  return `@${name} goes on a ${places}${args.length === 0 ? ', without arguments' : `, with ${args.map((argument) => argument.name).join(', ')}`}.`;
}

/** Far more than a gateway lets through, and little enough to be written out. @unit selections */
const MAX_SELECTIONS = 100_000;

/** Whether an operation can be written out without its fragments: thirty that each spread the next one twice are a thousand million. */
export function isExpandable(operation: OperationDefinitionNode, fragments: Fragments, report: ProblemReport): boolean {
  const sizes = new Map<string, number>();
  const sizeOf = ({ selections }: SelectionSetNode): number => {
    let size = selections.length;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) size += fragmentSize(selection.name.value);
      else if (selection.selectionSet !== undefined) size += sizeOf(selection.selectionSet);
    }
    return size;
  };
  // Each fragment is measured once, however often it is spread.
  const fragmentSize = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const fragment = fragments.get(name);
    const size = fragment === undefined ? 0 : sizeOf(fragment.selectionSet);
    sizes.set(name, size);
    return size;
  };
  if (sizeOf(operation.selectionSet) <= MAX_SELECTIONS) return true;
  report.at(
    operation,
    `${operation.name?.value ?? 'The operation'} selects more than ${MAX_SELECTIONS} fields.`,
    'Select what the answer shows.',
  );
  return false;
}
