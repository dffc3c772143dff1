import { type DefinitionNode, type FragmentDefinitionNode, type GraphQLSchema, Kind, type OperationDefinitionNode, visit } from 'graphql';
import { checkConditions, checkLocations, checkOverlaps } from './check-routes.ts';
import { REST_DIRECTIVE_NAMES, withRestDirectives } from './documents/directives.ts';
import { parseDocuments, type RestDocument } from './documents/parse-documents.ts';
import type { Fragments } from './documents/selections.ts';
import { isExpandable, validateDocuments } from './documents/validate-documents.ts';
import { checkLinks } from './links/link-targets.ts';
import { createProblemReport, type MappingProblem, type ProblemReport } from './mapping-problems.ts';
import { compileOperationRoutes } from './operation-routes.ts';
import type { RestRoute } from './rest-route.ts';
import type { MappedGraph } from './result/validators.ts';

/** The result of compiling a set of documents: routes, or all problems. */
export interface CompiledRoutes {
  /** Complete only if there are no problems. */
  readonly routes: readonly RestRoute[];
  /** Fragments of all files, by name. */
  readonly fragments: Fragments;
  /** Sorted by file, line and column. */
  readonly problems: readonly MappingProblem[];
}

/** Compiles REST documents against a public schema. Depends only on its arguments. */
export function compileRoutes(
  documents: readonly RestDocument[],
  publicSchema: GraphQLSchema,
  ownersOf?: MappedGraph['ownersOf'],
): CompiledRoutes {
  const schema = withRestDirectives(publicSchema);
  const graph: MappedGraph = ownersOf === undefined ? { schema } : { schema, ownersOf };
  const { definitions, problems: parsing } = parseDocuments(documents);
  const executable = definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  const validation = validateDocuments(schema, { kind: Kind.DOCUMENT, definitions: executable }, parsing.length === 0);
  const problems: MappingProblem[] = [...parsing, ...validation.problems];
  const report = createProblemReport(problems);
  const fragments = new Map(
    executable.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  checkFragments(fragments, report);
  const varying = definitionsWithVariables(executable, report);
  const declared = executable.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const parts = [definition, ...fragmentsOf(definition, fragments)];
    const isSound = parts.every((part) => part !== undefined && !validation.invalid.has(part) && !varying.has(part));
    return isSound && isExpandable(definition, fragments, report) ? compileOperationRoutes(graph, definition, fragments, report) : [];
  });
  checkOverlaps(declared, report);
  checkConditions(declared, report);
  checkLocations(declared, report);
  const routes = declared.map(({ route }) => route);
  checkLinks(routes, report);
  return { routes, fragments, problems: arrange(problems) };
}

/** Returns all fragments that an operation uses, directly or indirectly. A missing fragment is undefined. */
function fragmentsOf(
  node: OperationDefinitionNode | FragmentDefinitionNode,
  fragments: Fragments,
  seen: Set<string> = new Set(),
): readonly (FragmentDefinitionNode | undefined)[] {
  const found: (FragmentDefinitionNode | undefined)[] = [];
  visit(node, {
    FragmentSpread({ name }) {
      if (seen.has(name.value)) return;
      seen.add(name.value);
      const fragment = fragments.get(name.value);
      found.push(fragment, ...(fragment === undefined ? [] : fragmentsOf(fragment, fragments, seen)));
    },
  });
  return found;
}

/**
 * Reports REST directives whose arguments are variables. Documents are compiled before any request, so these arguments must be constant.
 */
function definitionsWithVariables(definitions: readonly DefinitionNode[], report: ProblemReport): ReadonlySet<DefinitionNode> {
  const varying = new Set<DefinitionNode>();
  for (const definition of definitions) {
    visit(definition, {
      Directive(node) {
        const argument = REST_DIRECTIVE_NAMES.has(node.name.value) && node.arguments?.find(({ value }) => value.kind === Kind.VARIABLE);
        if (!argument) return;
        varying.add(definition);
        report.at(
          argument,
          `The argument \`${argument.name.value}\` of @${node.name.value} cannot be a variable.`,
          'Write a constant value.',
        );
      },
    });
  }
  return varying;
}

/**
 * Reports `@result` and `@userErrors` in fragments. The operation decides which object is the result, because several operations can share
 * a fragment.
 */
function checkFragments(fragments: Fragments, report: ProblemReport): void {
  for (const fragment of fragments.values()) {
    visit(fragment, {
      Directive(node) {
        if (node.name.value !== 'result' && node.name.value !== 'userErrors') return;
        report.at(node, `@${node.name.value} cannot be used in a fragment.`, 'Put it on a field of the operation itself.');
      },
    });
  }
}

/** Sorts the problems and removes duplicates. The variables of an operation with two endpoints are checked twice. */
function arrange(problems: readonly MappingProblem[]): readonly MappingProblem[] {
  const byKey = new Map(problems.map((problem) => [`${problem.file}:${problem.line}:${problem.column}:${problem.message}`, problem]));
  return [...byKey.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}
