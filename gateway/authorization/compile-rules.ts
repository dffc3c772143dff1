import type { FederatedGraph, FederatedType, WholeGraph } from '../supergraph/federated-graph.ts';
import type { AuthorizationRules } from '../supergraph/read-authorization-rules.ts';
import type { CreatorGrants } from '../supergraph/read-creator-grants.ts';
import type { CompiledRules } from './access-rules.ts';
import { type ConnectorInputs, checkInputs } from './check-inputs.ts';
import { compileCreatorGrants, type CreatorGrant } from './creator-grant.ts';
import { type OwnGuards, readInterfaceRules } from './interface-rules.ts';
import type { Guard } from './requirement.ts';
import { createToGuard, unresolved } from './to-requirement.ts';

/**
 * Checks that `orOwner` names a leaf field, which is not a list, of the object that the rule guards.
 *
 * @param guards guards by coordinate, including those inherited from interfaces
 * @throws SupergraphInvalid when a rule names another field
 */
function checkOwnerFields(graph: FederatedGraph, guards: ReadonlyMap<string, readonly Guard[]>): void {
  const roots = new Set(Object.values(graph.roots));
  for (const [coordinate, all] of guards) {
    const [typeName = ''] = coordinate.split('.');
    for (const { owner } of all) if (owner !== undefined) checkOwnerField(graph, { coordinate, typeName, owner }, roots);
  }
}

interface OwnedPosition {
  readonly coordinate: string;
  readonly typeName: string;
  readonly owner: string;
}

function checkOwnerField({ types }: FederatedGraph, { coordinate, typeName, owner }: OwnedPosition, roots: ReadonlySet<string>): void {
  const type = types.get(typeName);
  if (roots.has(typeName)) {
    throw unresolved(
      coordinate,
      `orOwner requires an object with an owner, but ${typeName} is a root type, so the subgraph must check ownership`,
    );
  }
  if (type === undefined || type.kind === 'union')
    throw unresolved(coordinate, `orOwner requires an object type, but ${typeName} is not one`);
  // Each implementation is checked separately, with the rules that it inherits.
  if (type.kind === 'interface' && type.possibleTypes.size > 0) return;
  const problem = problemOf(type, owner, types);
  if (problem !== undefined) throw unresolved(coordinate, problem);
}

function problemOf({ name, fields }: FederatedType, owner: string, types: FederatedGraph['types']): string | undefined {
  const field = fields.get(owner);
  if (field === undefined) return `orOwner names ${name}.${owner}, which does not exist`;
  if (field.type.includes('[')) return `orOwner names ${name}.${owner}, which is a list`;
  if (types.has(field.namedType)) return `orOwner names ${name}.${owner}, which is an object instead of a leaf`;
  if (field.hasRequiredArguments) return `orOwner names ${name}.${owner}, which has required arguments`;
  return undefined;
}

const NONE: readonly Guard[] = [];
const NO_GRANTS: CreatorGrants = new Map();

/** Rules of a supergraph as they are enforced, as data that can be sent between threads. */
export interface RuleTable extends Pick<CompiledRules, 'unclear'> {
  /** Guards by coordinate, with those that types inherit from their interfaces. */
  readonly guards: ReadonlyMap<string, readonly Guard[]>;
  /** Grants by coordinate of the mutation field. */
  readonly created: ReadonlyMap<string, CreatorGrant>;
}

/** Creates the rules of a table. */
export function createCompiledRules({ unclear, guards, created }: RuleTable): CompiledRules {
  return {
    unclear,
    has: (coordinate) => guards.has(coordinate),
    ofType: (type) => guards.get(type) ?? NONE,
    ofField: (type, field) => guards.get(`${type}.${field}`) ?? NONE,
    ofCreated: (type, field) => created.get(`${type}.${field}`),
  };
}

/** Compiles the rules of a supergraph as `compileRuleTable`. */
export function compileRules(...input: Parameters<typeof compileRuleTable>): CompiledRules | undefined {
  const table = compileRuleTable(...input);
  return table && createCompiledRules(table);
}

/**
 * Compiles the rules of a supergraph.
 *
 * @returns undefined when it has no rules
 * @throws SupergraphInvalid that names the coordinate, when a rule or a creator grant cannot be enforced. Examples: the field of the owner
 * does not exist, a computed field (`@requires`, `@fromContext`, `$this` of a connector) is accessible to callers who may not read its
 * inputs, or a granted field has no rule for owners.
 */
export function compileRuleTable(
  graph: WholeGraph,
  rules: AuthorizationRules,
  creatorGrants: CreatorGrants = NO_GRANTS,
  connectors?: ConnectorInputs,
): RuleTable | undefined {
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
  const { inherited, unclear } = readInterfaceRules(graph, own);
  handDown(guards, inherited, graph);
  const created = compileCreatorGrants(graph, creatorGrants, (type, field) => guards.get(`${type}.${field}`) ?? NONE);
  const table: RuleTable = { unclear, guards, created };
  checkOwnerFields(graph, guards);
  checkInputs(graph, createCompiledRules(table), connectors);
  return table;
}

/** Adds the rules of interfaces to the types that implement them, also if a subgraph defines the interface as an object. */
function handDown(guards: Map<string, readonly Guard[]>, inherited: OwnGuards, { types }: FederatedGraph): void {
  for (const [coordinate, written] of inherited) {
    if (written.length === 0) continue;
    const [name = '', field] = coordinate.split('.');
    for (const type of types.get(name)?.possibleTypes ?? []) {
      if (field === undefined) add(guards, type, written);
      else if (types.get(type)?.fields.has(field) === true) add(guards, `${type}.${field}`, written);
    }
  }
}

function add(guards: Map<string, readonly Guard[]>, coordinate: string, inherited: readonly Guard[]): void {
  const known = guards.get(coordinate) ?? NONE;
  const isNew = (guard: Guard): boolean =>
    !known.some(({ requirement, owner }) => requirement === guard.requirement && owner === guard.owner);
  guards.set(coordinate, [...known, ...inherited.filter(isNew)]);
}
