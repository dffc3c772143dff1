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

/** Higher than any realistic number of problems. graphql-js stops at 100 by default. */
const MAX_PROBLEMS = 10_000;

export interface Validation {
  readonly problems: readonly MappingProblem[];
  /** Definitions with a problem, which are not compiled further. */
  readonly invalid: ReadonlySet<DefinitionNode>;
}

/**
 * Validates documents with the rules of GraphQL against the public schema and the REST directives.
 *
 * @param isWhole false if a file could not be parsed: fragments that seem missing or unused may be in that file
 */
export function validateDocuments(schema: GraphQLSchema, document: DocumentNode, isWhole: boolean): Validation {
  const skipped: readonly unknown[] = isWhole
    ? [ExecutableDefinitionsRule]
    : [ExecutableDefinitionsRule, KnownFragmentNamesRule, NoUnusedFragmentsRule];
  const rules = specifiedRules.filter((rule) => !skipped.includes(rule));
  const errors = validate(schema, document, rules, { maxErrors: MAX_PROBLEMS });
  const invalid = document.definitions.filter((definition) =>
    errors.some((error) => error.nodes?.some((node) => contains(definition, node))),
  );
  return { problems: errors.map(toProblem), invalid: new Set(invalid) };
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

/** Directives that were renamed in version 0.2: old name and new name. */
const RENAMED_DIRECTIVES: ReadonlyMap<string, string> = new Map([
  ['beside', 'hoist'],
  ['tolerated', 'nullOnError'],
  ['onDemand', 'optIn'],
  ['hide', 'internal'],
]);

function hintFor(message: string): string {
  const unknown = /^Unknown directive "@(\w+)"/.exec(message)?.[1];
  if (unknown !== undefined) {
    const renamed = RENAMED_DIRECTIVES.get(unknown);
    if (renamed !== undefined) return `@${unknown} was renamed to @${renamed}.`;
    return `The directives of REST documents are ${[...REST_DIRECTIVE_NAMES].map((name) => `@${name}`).join(', ')}.`;
  }
  const directive = /[Dd]irective "@(\w+)"/.exec(message)?.[1];
  if (directive !== undefined && REST_DIRECTIVE_NAMES.has(directive)) return describeDirective(directive);
  if (message.startsWith('Unknown fragment')) return 'All files of the directory share fragments. Define it in one of them.';
  if (message.includes('is never used')) return 'Use or remove it.';
  if (message.startsWith('There can be only one')) return 'All files of the directory share one namespace. Use unique names.';
  return 'Check the operation against the public schema of the supergraph.';
}

function describeDirective(name: string): string {
  const { args, locations } = restDirective(name);
  const locationList = locations.map((location) => location.toLowerCase().replaceAll('_', ' ')).join(' or ');
  return `@${name} can be used on a ${locationList}${args.length === 0 ? ', without arguments' : `, with ${args.map((argument) => argument.name).join(', ')}`}.`;
}

/** Maximum size of an expanded operation. It is far above what a gateway accepts, and small enough to expand. @unit selections */
const MAX_SELECTIONS = 100_000;

/** Whether an operation can be expanded without fragments: thirty fragments that each spread the next one twice make 10^9 selections. */
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
  // Each fragment is measured once, even if it is spread repeatedly.
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
    `${operation.name?.value ?? 'The operation'} selects more than ${MAX_SELECTIONS} fields after its fragments are expanded.`,
    'Select only the fields that the response shows.',
  );
  return false;
}
