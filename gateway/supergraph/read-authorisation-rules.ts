import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type TypeDefinitionNode,
  type TypeExtensionNode,
} from 'graphql';
import { argumentsOf } from './directive-arguments.ts';
import { SupergraphInvalid } from './errors.ts';
import { type LinkedFeature, directiveNameIn } from './read-features.ts';

/** Directives that say who may see what, under the names of their specifications. */
export type AuthorisationDirective = 'authenticated' | 'requiresScopes' | 'policy' | 'auth';

/** One directive in one place. */
export interface AuthorisationRule {
  readonly directive: AuthorisationDirective;
  /** As they were written; those with a default may be missing. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * Every authorisation directive of a supergraph by schema coordinate: `Account`, `Account.email`. In the order in which
 * the supergraph writes them.
 */
export type AuthorisationRules = ReadonlyMap<string, readonly AuthorisationRule[]>;

const SOURCES: ReadonlyMap<string, AuthorisationDirective> = new Map([
  ['https://specs.apollo.dev/authenticated', 'authenticated'],
  ['https://specs.apollo.dev/requiresScopes', 'requiresScopes'],
  ['https://specs.apollo.dev/policy', 'policy'],
  ['https://gatefold.dev/auth', 'auth'],
]);

/**
 * Reads the rules; names that were changed on import are understood by the address of the feature.
 *
 * @throws SupergraphInvalid when a directive has the name of a rule and no feature that is linked has it: then nobody can tell
 *   whether it was meant to guard
 */
export function readAuthorisationRules(document: DocumentNode, features: readonly LinkedFeature[]): AuthorisationRules {
  const names = new Map<string, AuthorisationDirective>();
  for (const feature of features) {
    const directive = SOURCES.get(feature.identity);
    if (directive !== undefined) names.set(directiveNameIn(feature, directive), directive);
  }
  const linked = new Set(features.flatMap(({ namespace, imports }) => [`@${namespace}`, ...imports.values()]));
  const rules = new Map<string, AuthorisationRule[]>();
  for (const definition of document.definitions) {
    for (const { coordinate, directives } of placesOf(definition)) {
      for (const node of directives) {
        const directive = names.get(node.name.value);
        if (directive === undefined) {
          refuseUnlinked(node.name.value, coordinate, linked);
          continue;
        }
        const rule = { directive, arguments: argumentsOf(node) };
        rules.set(coordinate, [...(rules.get(coordinate) ?? []), rule]);
      }
    }
  }
  return rules;
}

const RULE_NAMES: ReadonlySet<string> = new Set(SOURCES.values());

function refuseUnlinked(name: string, coordinate: string, linked: ReadonlySet<string>): void {
  if (!RULE_NAMES.has(name) || linked.has(`@${name}`)) return;
  throw new SupergraphInvalid(
    `The supergraph cannot be served: ${coordinate} has @${name}, and no feature that the schema links has a directive of that name: ` +
      'whether it guards something cannot be told. Link the feature that it belongs to.',
  );
}

interface Place {
  readonly coordinate: string;
  readonly directives: readonly ConstDirectiveNode[];
}

/** Where the four directives may stand: on types, and on the fields of objects and interfaces. */
function placesOf(definition: DefinitionNode): readonly Place[] {
  if (!isGuardable(definition)) return [];
  const type = definition.name.value;
  const fields = 'fields' in definition ? (definition.fields ?? []) : [];
  return [
    { coordinate: type, directives: definition.directives ?? [] },
    ...fields.map(({ name, directives = [] }) => ({ coordinate: `${type}.${name.value}`, directives })),
  ];
}

const GUARDABLE: ReadonlySet<Kind> = new Set([
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.OBJECT_TYPE_EXTENSION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_EXTENSION,
  Kind.SCALAR_TYPE_DEFINITION,
  Kind.SCALAR_TYPE_EXTENSION,
  Kind.ENUM_TYPE_DEFINITION,
  Kind.ENUM_TYPE_EXTENSION,
]);

function isGuardable(definition: DefinitionNode): definition is TypeDefinitionNode | TypeExtensionNode {
  return GUARDABLE.has(definition.kind);
}
