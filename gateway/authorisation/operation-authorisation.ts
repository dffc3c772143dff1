import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Principal } from '../platform/principal.ts';
import type { AccessRules } from './access-rules.ts';
import { decideRequirement, type Decision, DENIED, GRANTED, isSignedIn, type PolicyDecisions, type Requirement } from './requirement.ts';
import { rewriteOperation, type RewrittenOperation } from './rewrite-operation.ts';

/** Who may see what of one operation: what does not depend on the caller is found out once. */
export interface OperationAuthorisation {
  /** Names of the policies that have to be decided before `decide`. */
  readonly policies: readonly string[];
  /**
   * What is decided about a caller: a digit for each requirement that the operation meets, the same for all who may see the same;
   * empty where everything is granted.
   */
  decide(principal: Principal, policies?: PolicyDecisions): string;
  /**
   * The operation for those with this key.
   *
   * @param document the same as it was compiled from, perhaps parsed anew; `operation` is in it
   * @param key as `decide` gave it; not the empty one
   */
  rewrite(document: DocumentNode, operation: OperationDefinitionNode, key: string): RewrittenOperation;
  /** A key by requirement, to find the same one for another supergraph: there the operation may meet others. */
  describe(key: string): Readonly<Record<string, string>>;
  /** The key for what was described. What was not decided then is denied. */
  keyOf(described: Readonly<Record<string, string>>): string;
}

/** Compiles who may see what of an operation; undefined where nothing of it is guarded. */
export function compileAuthorisation(
  schema: GraphQLSchema,
  rules: AccessRules,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationAuthorisation | undefined {
  const found = new Set<Requirement>();
  const note = (requirement: Requirement): Decision => {
    found.add(requirement);
    return GRANTED;
  };
  rewriteOperation({ schema, rules, document, operation, decide: note });
  if (found.size === 0) return undefined;
  const requirements = [...found];
  const places = new Map(requirements.map((requirement, index) => [requirement, index]));
  const allGranted = GRANTED.repeat(requirements.length);
  const digitIn = (key: string, index: number): Decision => (key === '' ? GRANTED : ((key[index] ?? DENIED) as Decision));

  return {
    policies: policiesOf(requirements),
    decide(principal, policies) {
      let key = '';
      for (const requirement of requirements) key += decideRequirement(requirement, principal, policies);
      return key === allGranted ? '' : key;
    },
    rewrite: (given, itsOperation, key) =>
      rewriteOperation({
        schema,
        rules,
        document: given,
        operation: itsOperation,
        decide: (requirement) => digitIn(key, places.get(requirement) ?? requirements.length),
      }),
    describe: (key) => Object.fromEntries(requirements.map(({ id }, index) => [id, digitIn(key, index)])),
    keyOf(described) {
      const key = requirements.map(({ id }) => (Object.hasOwn(described, id) ? described[id] : DENIED)).join('');
      return key === allGranted ? '' : key;
    },
  };
}

function policiesOf(requirements: readonly Requirement[]): readonly string[] {
  const atoms = requirements.flatMap(({ alternatives }) => alternatives.flat());
  return [...new Set(atoms.flatMap(({ kind, name }) => (kind === 'policy' ? [name] : [])))];
}

/**
 * Whether a caller is denied anything of an operation of which everything is needed, whatever its variables; what owners may
 * see is not known without an object, and not denied.
 */
export type WholeAccess = (principal: Principal) => 'UNAUTHENTICATED' | 'FORBIDDEN' | undefined;

/**
 * Whether a caller is granted all of an operation, whatever its variables and its objects; what policies or owners have a say in is
 * not known beforehand, and not granted.
 */
export type WholeGrant = (principal: Principal) => boolean;

/** Undefined where nothing can be told beforehand: nothing is guarded, or policies have to be asked for. */
export function compileWholeAccess(authorisation: OperationAuthorisation | undefined): WholeAccess | undefined {
  if (authorisation === undefined || authorisation.policies.length > 0) return undefined;
  return (principal) => {
    if (!authorisation.decide(principal).includes(DENIED)) return undefined;
    return isSignedIn(principal) ? 'FORBIDDEN' : 'UNAUTHENTICATED';
  };
}

export function compileWholeGrant(authorisation: OperationAuthorisation | undefined): WholeGrant {
  if (authorisation === undefined) return () => true;
  return authorisation.policies.length > 0 ? () => false : (principal) => authorisation.decide(principal) === '';
}
