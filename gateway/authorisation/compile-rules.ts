import type { FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import type { AuthorisationRules } from '../supergraph/read-authorisation-rules.ts';
import type { CreatorGrants } from '../supergraph/read-creator-grants.ts';
import { checkInputs } from './check-inputs.ts';
import { checkOwnerFields } from './check-owner-fields.ts';
import type { CompiledRules } from './compiled-rules.ts';
import { clausesOf, doesCover } from './clauses.ts';
import { compileCreatorGrants } from './creator-grant.ts';
import type { Guard } from './requirement.ts';
import { createToGuard } from './to-requirement.ts';

const NONE: readonly Guard[] = [];
const NO_GRANTS: CreatorGrants = new Map();

/**
 * Compiles the rules of a supergraph.
 *
 * @returns undefined when it has none
 * @throws SupergraphInvalid that names the coordinate, when a rule cannot be enforced: its owner's field does not exist, or a
 *   field that is made of others (`@requires`, `@fromContext`) may be seen by callers who may not see those; or when a creator would
 *   be granted what is no field of the result with a rule for owners
 */
export function compileRules(
  graph: FederatedGraph,
  rules: AuthorisationRules,
  creatorGrants: CreatorGrants = NO_GRANTS,
): CompiledRules | undefined {
  if (rules.size === 0 && creatorGrants.size === 0) return undefined;
  const toGuard = createToGuard();
  const own = new Map<string, readonly Guard[]>();
  for (const [coordinate, written] of rules) {
    own.set(
      coordinate,
      written.map((rule) => toGuard(rule, coordinate)),
    );
  }
  const guards = new Map(own);
  for (const type of graph.types.values()) if (type.kind === 'interface') handDown(guards, own, type, graph);
  const ofField: CompiledRules['ofField'] = (type, field) => guards.get(`${type}.${field}`) ?? NONE;
  const created = compileCreatorGrants(graph, creatorGrants, ofField);
  const compiled: CompiledRules = {
    has: (coordinate) => guards.has(coordinate),
    ofType: (type) => guards.get(type) ?? NONE,
    ofField,
    ofCreated: (type, field) => created.get(`${type}.${field}`),
  };
  checkOwnerFields(graph, guards);
  checkInputs(graph, compiled);
  return compiled;
}

/** Rules of an interface are those of what implements it, also where a subgraph knows the interface as an object. */
function handDown(
  guards: Map<string, readonly Guard[]>,
  own: ReadonlyMap<string, readonly Guard[]>,
  { name, fields, possibleTypes }: FederatedType,
  { types }: FederatedGraph,
): void {
  const suffixes = ['', ...[...fields.keys()].map((field) => `.${field}`)];
  for (const suffix of suffixes) {
    const written = (own.get(name + suffix) ?? NONE).filter((guard) => !isSummary(guard, own, [...possibleTypes], suffix));
    if (written.length === 0) continue;
    for (const type of possibleTypes)
      if (suffix === '' || types.get(type)?.fields.has(suffix.slice(1)) === true) add(guards, type + suffix, written);
  }
}

/**
 * Whether a rule of an interface says no more than those of its implementations do together. Then composition wrote it (from federation
 * 2.12 on, which takes no such rule on an interface from anybody else), and it is not one of each of them. `@auth` is composed as
 * it was written.
 */
function isSummary(guard: Guard, own: ReadonlyMap<string, readonly Guard[]>, types: readonly string[], suffix: string): boolean {
  if (guard.isAsWritten) return false;
  const all = clausesOf(
    types.flatMap((type) => own.get(type + suffix) ?? NONE),
    '',
  );
  return clausesOf([guard], '').every((clause) => doesCover(all, clause));
}

function add(guards: Map<string, readonly Guard[]>, coordinate: string, inherited: readonly Guard[]): void {
  const known = guards.get(coordinate) ?? NONE;
  const isNew = (guard: Guard): boolean =>
    !known.some(({ requirement, owner }) => requirement === guard.requirement && owner === guard.owner);
  guards.set(coordinate, [...known, ...inherited.filter(isNew)]);
}
