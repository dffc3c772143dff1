import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';

const FEDERATION = 'https://specs.apollo.dev/federation/v2.9';

/** A directive with meaning for the gateway, as a subgraph uses it. */
export interface UsedDirective {
  readonly name: string;
  /** Arguments of its definition; absent if the federation specification defines it. */
  readonly definition?: string;
  readonly use: string;
  /** Feature of Gatefold that a subgraph links and composes. */
  readonly feature?: string;
  readonly isGuard: boolean;
}

/** Every directive with meaning for the gateway. */
export const USED_DIRECTIVES: readonly UsedDirective[] = [
  { name: 'auth', definition: '(requires: Role!)', use: '(requires: ADMIN)', feature: 'https://gatefold.dev/auth/v1.0', isGuard: true },
  { name: 'authenticated', use: '', isGuard: true },
  { name: 'requiresScopes', use: '(scopes: [["admin"]])', isGuard: true },
  { name: 'policy', use: '(policies: [["admin"]])', isGuard: true },
  { name: 'cost', use: '(weight: 50)', isGuard: false },
  { name: 'listSize', use: '(assumedSize: 50)', isGuard: false },
  { name: 'cacheControl', definition: '(maxAge: Int)', use: '(maxAge: 60)', feature: 'https://gatefold.dev/cache/v1.0', isGuard: false },
  {
    name: 'creatorMayRead',
    definition: '(fields: String!)',
    use: '(fields: "thing { id }")',
    feature: 'https://gatefold.dev/creator/v1.0',
    isGuard: false,
  },
];

/** A defect in the SDL of a subgraph, or in a composed supergraph. */
export interface LostDirective {
  readonly defect: string;
  readonly sdl: string;
  /** Texts of the message. */
  readonly says: readonly string[];
}

/** Line of the field with the directive in the SDL of a subgraph. */
const LINE = 9;

const linkOf = ({ name, feature }: UsedDirective): string =>
  feature === undefined ? '' : `extend schema @link(url: "${feature}", import: ["@${name}"])`;
const composeOf = ({ name, feature }: UsedDirective): string =>
  feature === undefined ? '' : `extend schema @composeDirective(name: "@${name}")`;

/** Coordinate of the field with the directive. */
export function coordinateOf({ name }: UsedDirective): string {
  return name === 'creatorMayRead' ? 'Mutation.secret' : 'Query.secret';
}

/** Writes a subgraph that uses a directive. Each statement has a line, so that all variants have the field in the same one. */
function write(directive: UsedDirective, parts: { readonly link: string; readonly compose: string; readonly imports: readonly string[] }) {
  const { name, definition, use } = directive;
  const isMutation = name === 'creatorMayRead';
  const imports = ['@key', '@composeDirective', ...parts.imports].map((one) => `"${one}"`).join(', ');
  // Without an import, the subgraph defines the directive itself, as generated code does.
  const defined = definition ?? (parts.imports.length === 0 ? DEFINITIONS[name] : undefined);
  return [
    `extend schema @link(url: "${FEDERATION}", import: [${imports}])${isMutation ? RULES_LINK : ''}`,
    parts.link,
    parts.compose,
    'enum Role { USER ADMIN }',
    defined === undefined ? '' : `directive @${name}${defined} on FIELD_DEFINITION`,
    isMutation ? RULES : '',
    `type Query { open(role: Role): Int ${isMutation ? '}' : ''}`,
    isMutation ? 'type Mutation {' : '',
    isMutation ? `  secret: Made @${name}${use}` : `  secret: [Int] @${name}${use}`,
    '}',
  ].join('\n');
}

/** `@creatorMayRead` names fields with a rule for owners. */
const RULES_LINK = ' @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"]) @composeDirective(name: "@auth")';
const RULES =
  'directive @auth(requires: Role!, orOwner: String) on FIELD_DEFINITION ' +
  'type Made { thing: Thing } type Thing { owner: ID id: ID @auth(requires: ADMIN, orOwner: "owner") }';

const DEFINITIONS: Readonly<Record<string, string>> = {
  authenticated: '',
  requiresScopes: '(scopes: [[String!]!]!)',
  policy: '(policies: [[String!]!]!)',
  cost: '(weight: Int!)',
  listSize: '(assumedSize: Int)',
};

const importsOf = ({ name, feature }: UsedDirective): readonly string[] => (feature === undefined ? [`@${name}`] : []);

/** Returns a subgraph in which the directive is linked and composed. */
export function soundSubgraph(directive: UsedDirective): string {
  return write(directive, { link: linkOf(directive), compose: composeOf(directive), imports: importsOf(directive) });
}

/** Returns the supergraph of that subgraph. @throws Error when it does not compose */
export function soundSupergraph(directive: UsedDirective): string {
  const files = [{ path: 's0.graphql', text: soundSubgraph(directive) }];
  const { supergraphSdl, errors } = composeSubgraphs([{ name: 's0', url: 'http://s0.invalid', files }]);
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

/** Returns the subgraphs that use the directive without linking or composing it. */
export function lostInSubgraph(directive: UsedDirective): readonly LostDirective[] {
  const says = [`[s0] ${coordinateOf(directive)} has @${directive.name}.`, `:${LINE}:`, 'Add this to its schema: extend schema '];
  const ofLink = { defect: 'no link', sdl: write(directive, { link: '', compose: '', imports: [] }), says };
  if (directive.feature === undefined) return [ofLink];
  return [ofLink, { defect: 'not composed', sdl: write(directive, { link: linkOf(directive), compose: '', imports: [] }), says }];
}

/** Returns the supergraphs that define the directive without a use, or use it without a link. */
export function lostInSupergraph(directive: UsedDirective): readonly LostDirective[] {
  const sound = soundSupergraph(directive);
  const { name, feature } = directive;
  const use = new RegExp(String.raw` @(?:cost__)?${name}(?:\([^)]*\))?$`, 'm');
  const linked = feature ?? `https://specs\\.apollo\\.dev/(?:${name}|cost)/`;
  const link = new RegExp(String.raw`^ {2}@link\(url: "${linked}.*\n`, 'm');
  if (!use.test(sound) || !link.test(sound)) throw new Error(`The supergraph has no use or no link of @${name}:\n${sound}`);
  const says = ['The supergraph cannot be served', `@${name}`];
  return [
    { defect: 'no use', sdl: sound.replace(use, ''), says: [...says, 'never applies it (line '] },
    { defect: 'no link', sdl: sound.replace(link, '').replaceAll(`@cost__${name}`, `@${name}`), says: [...says, 'links no feature'] },
  ];
}
