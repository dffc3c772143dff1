/** Mechanism that copies a directive of a subgraph to the supergraph. */
type Carrier =
  /** The subgraph lists it in `@composeDirective`. */
  | { readonly by: 'composeDirective'; readonly link: string }
  /** Composition merges it if the subgraph imports it from the federation specification. @example since: `2.5` */
  | { readonly by: 'federation'; readonly since: string };

/** A directive that changes how the gateway handles a field. */
export interface GatewayDirective {
  /** Name without its `@`. */
  readonly name: string;
  /** Address of its feature without the version. */
  readonly feature: string;
  readonly carrier: Carrier;
  /** Whether it restricts access. */
  readonly isGuard: boolean;
  /** Consequence if the supergraph did not contain it, as a clause for messages. */
  readonly withoutIt: string;
}

const SPECS = 'https://specs.apollo.dev';
/** Identity of the federation specification. */
export const FEDERATION = `${SPECS}/federation`;
/** Version that has every directive of the table. */
export const FEDERATION_LINK = `${FEDERATION}/v2.9`;

/** Features of Gatefold, with their versions. */
export const OWN_FEATURES: ReadonlyMap<string, readonly string[]> = new Map([
  ['https://gatefold.dev/auth', ['1.0']],
  ['https://gatefold.dev/creator', ['1.0']],
  ['https://gatefold.dev/cache', ['1.0']],
]);

const EVERYBODY = 'the gateway would give every caller access to it';

/** Directives that the gateway interprets, by name. */
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
        withoutIt: 'the gateway would hide fields of a new object from the caller who created it',
      },
      {
        name: 'cacheControl',
        feature: 'https://gatefold.dev/cache',
        carrier: { by: 'composeDirective', link: 'https://gatefold.dev/cache/v1.0' },
        isGuard: false,
        withoutIt: 'the gateway could serve the cached response of one caller to others',
      },
      {
        name: 'cost',
        feature: `${SPECS}/cost`,
        carrier: federation('2.9'),
        isGuard: false,
        withoutIt: 'the gateway would compute too low a cost for it',
      },
      {
        name: 'listSize',
        feature: `${SPECS}/cost`,
        carrier: federation('2.9'),
        isGuard: false,
        withoutIt: 'the gateway would compute its cost with a wrong list size',
      },
    ] as const satisfies readonly GatewayDirective[]
  ).map((directive) => [directive.name, directive]),
);

/** Directives of the federation specification that affect access or cost. */
export const FEDERATION_DIRECTIVES: readonly string[] = [
  'inaccessible',
  ...[...GATEWAY_DIRECTIVES.values()].flatMap(({ name, carrier }) => (carrier.by === 'federation' ? [name] : [])),
];

function federation(since: string): Carrier {
  return { by: 'federation', since };
}
