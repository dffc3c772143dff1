import {
  type DefinitionNode,
  type DocumentNode,
  ExecutableDefinitionsRule,
  type GraphQLError,
  type GraphQLSchema,
  KnownFragmentNamesRule,
  NoUnusedFragmentsRule,
  specifiedRules,
  validate,
} from 'graphql';
import { REST_DIRECTIVE_NAMES, restDirective } from './directives.ts';
import { type MappingProblem, placeOf } from './problem.ts';

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
  return { message, hint: suggestion ?? hintFor(message), ...placeOf(error.nodes?.[0]?.loc) };
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
