/** How a directive of a subgraph reaches the supergraph. */
type Carrier =
  /** The subgraph names it in `@composeDirective`. */
  | { readonly by: 'composeDirective'; readonly link: string }
  /** Composition merges it where the subgraph imports it from the federation specification. @example since: `2.5` */
  | { readonly by: 'federation'; readonly since: string };

/** A directive that changes what the gateway does with a field. */
export interface GatewayDirective {
  /** Without its `@`. */
  readonly name: string;
  /** Address of the feature that has it, without the version. */
  readonly feature: string;
  readonly carrier: Carrier;
  /** Whether it restricts who may see something. */
  readonly isGuard: boolean;
  /** What the gateway would do if the supergraph did not have it. */
  readonly withoutIt: string;
}

const SPECS = 'https://specs.apollo.dev';
/** Identity of the federation specification. */
export const FEDERATION = `${SPECS}/federation`;
/** Version that has every directive of the table. */
export const FEDERATION_LINK = `${FEDERATION}/v2.9`;

/** Features of our own, with their versions. */
export const OWN_FEATURES: ReadonlyMap<string, readonly string[]> = new Map([
  ['https://gatefold.dev/auth', ['1.0']],
  ['https://gatefold.dev/creator', ['1.0']],
  ['https://gatefold.dev/cache', ['1.0']],
]);

const EVERYBODY = 'the gateway would let every caller see it';

/** Directives with a meaning for the gateway, by their own names. */
export const GATEWAY_DIRECTIVES: ReadonlyMap<string, GatewayDirective> = new Map(
  (
    [
      {
        name: 'auth',
        feature: 'https://gatefold.dev/auth',
        carrier: { by: 'composeDirective', link: 'https://gatefold.dev/auth/v1.0' },
        isGuard: true,
        withoutIt: EVERYBODY,
      },
      { name: 'authenticated', feature: `${SPECS}/authenticated`, carrier: federation('2.5'), isGuard: true, withoutIt: EVERYBODY },
      { name: 'requiresScopes', feature: `${SPECS}/requiresScopes`, carrier: federation('2.5'), isGuard: true, withoutIt: EVERYBODY },
      { name: 'policy', feature: `${SPECS}/policy`, carrier: federation('2.6'), isGuard: true, withoutIt: EVERYBODY },
      {
        name: 'creatorMayRead',
        feature: 'https://gatefold.dev/creator',
        carrier: { by: 'composeDirective', link: 'https://gatefold.dev/creator/v1.0' },
        isGuard: false,
        withoutIt: 'the gateway would hide fields of a new object from the caller who has just created it',
      },
      {
        name: 'cacheControl',
        feature: 'https://gatefold.dev/cache',
        carrier: { by: 'composeDirective', link: 'https://gatefold.dev/cache/v1.0' },
        isGuard: false,
        withoutIt: 'the gateway would not know its scope, and could share a response of one caller with others',
      },
      {
        name: 'cost',
        feature: `${SPECS}/cost`,
        carrier: federation('2.9'),
        isGuard: false,
        withoutIt: 'the gateway would charge less for it than it costs',
      },
      {
        name: 'listSize',
        feature: `${SPECS}/cost`,
        carrier: federation('2.9'),
        isGuard: false,
        withoutIt: 'the gateway would charge for a list of another size',
      },
    ] as const satisfies readonly GatewayDirective[]
  ).map((directive) => [directive.name, directive]),
);

/** Directives of the federation specification that change what callers may see or what they pay. */
export const FEDERATION_DIRECTIVES: readonly string[] = [
  'inaccessible',
  ...[...GATEWAY_DIRECTIVES.values()].flatMap(({ name, carrier }) => (carrier.by === 'federation' ? [name] : [])),
];

function federation(since: string): Carrier {
  return { by: 'federation', since };
}
