import { type DefinitionNode, type FragmentDefinitionNode, type GraphQLSchema, Kind, type OperationDefinitionNode, visit } from 'graphql';
import { type DeclaredRoute, compileOperation } from './compile-operation.ts';
import { REST_DIRECTIVE_NAMES, withRestDirectives } from './directives.ts';
import type { Fragments } from './inline-fragments.ts';
import { parseDocuments } from './parse-documents.ts';
import { templateKey } from './path-template.ts';
import { type MappingProblem, type ProblemReport, createReport } from './problem.ts';
import type { RestDocument } from './read-documents.ts';
import type { Route } from './route.ts';
import { validateDocuments } from './validate-documents.ts';

/** What came of a set of documents: routes, or everything that is wrong. */
export interface CompiledRoutes {
  /** Complete only when there are no problems. */
  readonly routes: readonly Route[];
  /** In the order of files and lines. */
  readonly problems: readonly MappingProblem[];
}

/** Compiles REST documents against a public schema. Reads nothing but its arguments. */
export function compileRoutes(documents: readonly RestDocument[], publicSchema: GraphQLSchema): CompiledRoutes {
  const schema = withRestDirectives(publicSchema);
  const { definitions, problems: parsing } = parseDocuments(documents);
  const executable = definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION || definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  const validation = validateDocuments(schema, { kind: Kind.DOCUMENT, definitions: executable }, parsing.length === 0);
  const problems: MappingProblem[] = [...parsing, ...validation.problems];
  const report = createReport(problems);
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
    const isSound = parts.every((part) => part !== undefined && !validation.faulty.has(part) && !varying.has(part));
    return isSound ? compileOperation(schema, definition, fragments, report) : [];
  });
  checkOverlaps(declared, report);
  return { routes: declared.map(({ route }) => route), problems: arrange(problems) };
}

/** All fragments an operation uses, however deep; undefined for one that is missing. */
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

/** Documents are compiled before any request: what our directives say cannot depend on one. */
function definitionsWithVariables(definitions: readonly DefinitionNode[], report: ProblemReport): ReadonlySet<DefinitionNode> {
  const varying = new Set<DefinitionNode>();
  for (const definition of definitions) {
    visit(definition, {
      Directive(node) {
        const argument = REST_DIRECTIVE_NAMES.has(node.name.value) && node.arguments?.find(({ value }) => value.kind === Kind.VARIABLE);
        if (!argument) return;
        varying.add(definition);
        report.at(argument, `@${node.name.value} cannot depend on a variable.`, 'Write the value itself.');
      },
    });
  }
  return varying;
}

/** Which object is the answer is a matter of the operation, not of a fragment that several share. */
function checkFragments(fragments: Fragments, report: ProblemReport): void {
  for (const fragment of fragments.values()) {
    visit(fragment, {
      Directive(node) {
        if (node.name.value !== 'result' && node.name.value !== 'userErrors') return;
        report.at(node, `@${node.name.value} stands in a fragment.`, 'Put it on a field of the operation itself.');
      },
    });
  }
}

function checkOverlaps(declared: readonly DeclaredRoute[], report: ProblemReport): void {
  const owners = new Map<string, string>();
  for (const { route, endpoint } of declared) {
    const key = `${route.method} ${templateKey(route.template)}`;
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, route.operationName);
    else
      report.at(
        endpoint.node,
        `${owner} answers ${route.method} on this path already.`,
        'Names of parameters make no difference: give it another path or method.',
      );
  }
}

/** Each mistake once, in reading order: an operation with two endpoints meets its variables twice. */
function arrange(problems: readonly MappingProblem[]): readonly MappingProblem[] {
  const byKey = new Map(problems.map((problem) => [`${problem.file}:${problem.line}:${problem.column}:${problem.message}`, problem]));
  return [...byKey.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}
