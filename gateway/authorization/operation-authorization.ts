import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Principal } from '../platform/principal.ts';
import type { AccessRules } from './access-rules.ts';
import { decideRequirement, type Decision, DENIED, GRANTED, isSignedIn, type PolicyDecisions, type Requirement } from './requirement.ts';
import { rewriteOperation, type RewrittenOperation } from './rewrite-operation.ts';

/** Authorization of one operation. Everything that does not depend on the caller is computed once. */
export interface OperationAuthorization {
  /** Names of the policies that must be evaluated before `decide`. */
  readonly policies: readonly string[];
  /**
   * Decides the requirements of the operation for a caller. The result has a digit for each requirement and is equal for callers with the
   * same access; it is empty if everything is granted.
   */
  decide(principal: Principal, policies?: PolicyDecisions): string;
  /**
   * Rewrites the operation for callers with this key.
   *
   * @param document the document that was compiled, possibly parsed again; it contains `operation`
   * @param key a key from `decide` that is not empty
   */
  rewrite(document: DocumentNode, operation: OperationDefinitionNode, key: string): RewrittenOperation;
  /**
   * Converts a key to decisions by requirement, so that `keyOf` of another supergraph, where the operation may have other requirements, can
   * restore it.
   */
  describe(key: string): Readonly<Record<string, string>>;
  /** Converts decisions to a key. Requirements without a decision are denied. */
  keyOf(described: Readonly<Record<string, string>>): string;
}

/** Compiles the authorization of an operation. Returns undefined if nothing in it is guarded. */
export function compileAuthorization(
  schema: GraphQLSchema,
  rules: AccessRules,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationAuthorization | undefined {
  const found = new Set<Requirement>();
  const note = (requirement: Requirement): Decision => {
    found.add(requirement);
    return GRANTED;
  };
  rewriteOperation({ schema, rules, document, operation, decide: note });
  if (found.size === 0) return undefined;
  const requirements = [...found];
  const positions = new Map(requirements.map((requirement, index) => [requirement, index]));
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
        decide: (requirement) => digitIn(key, positions.get(requirement) ?? requirements.length),
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
 * Returns the error code if a caller is denied any part of an operation, all of which is required, regardless of its variables. Access for
 * owners depends on the object and is not treated as denied.
 */
export type WholeAccess = (principal: Principal) => 'UNAUTHENTICATED' | 'FORBIDDEN' | undefined;

/**
 * Whether a caller is granted all of an operation, regardless of its variables and objects. Fields that depend on policies or owners are not
 * treated as granted.
 */
export type WholeGrant = (principal: Principal) => boolean;

/** Compiles the check. Returns undefined if the result cannot be known in advance: nothing is guarded, or policies must be evaluated. */
export function compileWholeAccess(authorization: OperationAuthorization | undefined): WholeAccess | undefined {
  if (authorization === undefined || authorization.policies.length > 0) return undefined;
  return (principal) => {
    if (!authorization.decide(principal).includes(DENIED)) return undefined;
    return isSignedIn(principal) ? 'FORBIDDEN' : 'UNAUTHENTICATED';
  };
}

export function compileWholeGrant(authorization: OperationAuthorization | undefined): WholeGrant {
  if (authorization === undefined) return () => true;
  return authorization.policies.length > 0 ? () => false : (principal) => authorization.decide(principal) === '';
}
