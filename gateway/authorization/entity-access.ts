import { Kind, type SelectionSetNode } from 'graphql';
import type { ErrorCode } from '../platform/errors.ts';
import { ownerIdOf, type Principal } from '../platform/principal.ts';
import type { CreatorGrants } from '../supergraph/read-creator-grants.ts';
import type { CompiledRules } from './access-rules.ts';
import { decideRequirement, DENIED, FOR_OWNERS, type Guard, UNDECIDED } from './requirement.ts';

/** Error of a field that the caller is not permitted to read. */
export interface AccessDenied {
  readonly code: ErrorCode;
  readonly message: string;
}

const SIGN_IN: AccessDenied = { code: 'UNAUTHENTICATED', message: 'Authentication is required to access this field.' };
const FORBIDDEN: AccessDenied = { code: 'FORBIDDEN', message: 'You do not have permission to access this field.' };

/** Returns the error of a denied field. It does not depend on the value. */
export function accessDenied({ kind }: Pick<Principal, 'kind'>): AccessDenied {
  return kind === 'anonymous' ? SIGN_IN : FORBIDDEN;
}

/**
 * Whether an ID belongs to the caller. A number counts only when it is a safe integer. JSON rounds larger numbers, so the rounded value can
 * be the ID of another user.
 */
export function isIdOfCaller(value: unknown, principal: Principal): boolean {
  const id = ownerIdOf(principal);
  if (id === undefined) return false;
  return value === id || (Number.isSafeInteger(value) && String(value) === id);
}

/**
 * Decides whether a caller may read a field of an entity, from the fields of its representation.
 *
 * @param field field of an operation, the same object for each of its entities
 * @returns error for a field that is denied
 */
export type EntityAccess = (
  principal: Principal,
  field: { readonly type: string; readonly name: string },
  representation: Readonly<Record<string, unknown>>,
) => AccessDenied | undefined;

/**
 * Compiles the access to entities for an executor of subgraph requests that are sent to a service without knowledge of the caller.
 *
 * - `owners`: denies only what belongs to another owner according to the representation. The response is checked afterwards.
 * - `all`: denies everything that is not certainly permitted, because nothing else checks it.
 */
export function compileEntityAccess(rules: CompiledRules, grants: CreatorGrants, denies: 'owners' | 'all'): EntityAccess {
  // The creator of an object may read these fields as its owner at one position of an operation. The representation does not say which.
  const granted = new Set(denies === 'all' ? [] : [...grants.values()].flatMap(namesIn));
  const guardsOf = new WeakMap<object, readonly Guard[]>();
  return (principal, field, representation) => {
    const { type, name } = field;
    let guards = guardsOf.get(field);
    if (guards === undefined) {
      guards = granted.has(name) ? [] : [...rules.ofType(type), ...rules.ofField(type, name)];
      guardsOf.set(field, guards);
    }
    const isPermitted = guards.every(({ requirement, owner }) => {
      const decided = decideRequirement(requirement, principal);
      if (decided === DENIED || decided === UNDECIDED) return denies === 'owners';
      if (decided !== FOR_OWNERS || owner === undefined) return true;
      if (!Object.hasOwn(representation, owner)) return denies === 'owners';
      return isIdOfCaller(representation[owner], principal);
    });
    return isPermitted ? undefined : accessDenied(principal);
  };
}

function namesIn({ selections }: SelectionSetNode): readonly string[] {
  return selections.flatMap((node) => {
    if (node.kind !== Kind.FIELD) return [];
    return [node.name.value, ...(node.selectionSet === undefined ? [] : namesIn(node.selectionSet))];
  });
}
