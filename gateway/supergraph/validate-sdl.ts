import {
  type ASTNode,
  type ASTVisitFn,
  type ASTVisitor,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  getEnterLeaveForKind,
  type GraphQLError,
  Kind,
  type TypeNode,
  visit,
  visitInParallel,
} from 'graphql';
import { QueryDocumentKeys } from 'graphql/language/ast.js';
import { SDLValidationContext } from 'graphql/validation/ValidationContext.js';
import { specifiedSDLRules } from 'graphql/validation/specifiedRules.js';

/** Properties whose nodes no rule visits. They are most of the nodes of a supergraph. */
const UNVISITED: ReadonlySet<string> = new Set(['name', 'description', 'locations']);

const VISITED_KEYS = Object.fromEntries(
  Object.entries(QueryDocumentKeys).map(([kind, keys]) => [kind, keys.filter((key) => !UNVISITED.has(key))]),
);

/** Kinds of nodes that `parseSdlInSteps` shares between definitions. */
const SHARED_KINDS = [Kind.DIRECTIVE, Kind.NAMED_TYPE, Kind.LIST_TYPE, Kind.NON_NULL_TYPE] as const;

/**
 * Validates SDL with the rules of GraphQL.js, like its `validateSDL`. A node that several definitions share is visited once, which takes half
 * of the time.
 */
export function validateSdl(document: DocumentNode): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  const context = new SDLValidationContext(document, null, (error) => errors.push(error));
  const visitor = visitInParallel(specifiedSDLRules.map((rule) => rule(context)));
  const visited: VisitedNodes = new Map();
  const once = Object.fromEntries(
    SHARED_KINDS.map((kind) => {
      const { enter, leave } = getEnterLeaveForKind(visitor, kind);
      return [kind, { enter: enterOnce(visited, enter), leave }];
    }),
  );
  const ofFields = getEnterLeaveForKind(visitor, Kind.FIELD_DEFINITION);
  const fields: ASTVisitor = { [Kind.FIELD_DEFINITION]: { ...ofFields, enter: enterNewField(ofFields.enter) } };
  visit(document, { ...visitor, ...once, ...fields }, VISITED_KEYS);
  return errors;
}

/**
 * Skips a field without arguments whose type and directives have been visited at other fields. No rule depends on its name: names must be
 * unique in their type, which the rule for types checks.
 */
function enterNewField(enter: ASTVisitFn<ASTNode> | undefined): ASTVisitFn<FieldDefinitionNode> {
  const types = new Set<TypeNode>();
  const lists = new Set<readonly ConstDirectiveNode[]>();
  return (...args) => {
    const [{ type, directives = NO_DIRECTIVES, arguments: parameters }] = args;
    const isKnown = types.has(type) && (directives.length === 0 || lists.has(directives));
    if (isKnown && (parameters === undefined || parameters.length === 0)) return false;
    types.add(type);
    lists.add(directives);
    return enter?.(...args) as unknown;
  };
}

const NO_DIRECTIVES: readonly ConstDirectiveNode[] = [];

/**
 * Skips a node that has been visited in another definition of the same kind. The rules depend on this kind, but not on the definition. Only
 * for an input value they also depend on what surrounds it.
 */
function enterOnce(visited: VisitedNodes, enter: ASTVisitFn<ASTNode> | undefined): ASTVisitFn<ASTNode> {
  return (...args) => {
    const [node, , parent, , ancestors] = args;
    // A directive is in a list, which is the parent.
    const owner = node.kind === Kind.DIRECTIVE ? ancestors.at(-1) : parent;
    if (owner !== undefined && 'kind' in owner && owner.kind !== Kind.INPUT_VALUE_DEFINITION) {
      const known = visited.get(owner.kind);
      if (known === undefined) visited.set(owner.kind, new Set([node]));
      else if (known.has(node)) return false;
      else known.add(node);
    }
    return enter?.(...args) as unknown;
  };
}

/** Visited nodes, by the kind of the definition. */
type VisitedNodes = Map<Kind, Set<ASTNode>>;
