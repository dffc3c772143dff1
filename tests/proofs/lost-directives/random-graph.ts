import type { Random } from '../../support/random/random.ts';

/** A directive of the gateway at a location of a subgraph. */
export interface Use {
  readonly subgraph: string;
  readonly coordinate: string;
  readonly directive: string;
}

/** One link of a subgraph, with the name that its directive has there. */
export interface RandomLink {
  readonly directive: string;
  readonly url: string;
  readonly name: string;
  /** Entry of `import`; absent for a directive with the prefix of its namespace. */
  readonly entry: string | undefined;
  /** Whether the subgraph must list it in `@composeDirective`. */
  readonly isComposed: boolean;
}

export interface RandomSubgraph {
  readonly name: string;
  readonly links: readonly RandomLink[];
  readonly types: string;
}

export interface RandomGraph {
  readonly subgraphs: readonly RandomSubgraph[];
  readonly uses: readonly Use[];
}

export const GUARDS: readonly string[] = ['auth', 'authenticated', 'requiresScopes', 'policy'];
const DIRECTIVES: readonly string[] = [...GUARDS, 'cost', 'listSize', 'cacheControl'];

const FEDERATION = 'https://specs.apollo.dev/federation/v2.9';
const OWN: Readonly<Record<string, string>> = {
  auth: 'https://gatefold.dev/auth/v1.0',
  cacheControl: 'https://gatefold.dev/cache/v1.0',
};
const DEFINITIONS: Readonly<Record<string, string>> = {
  auth: '(requires: Role!) on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM',
  cacheControl: '(maxAge: Int) on FIELD_DEFINITION | OBJECT | INTERFACE',
};
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  auth: ['(requires: ADMIN)', '(requires: USER)'],
  authenticated: [''],
  requiresScopes: ['(scopes: [["a"]])', '(scopes: [["a", "b"], ["c"]])'],
  policy: ['(policies: [["p"]])'],
  cost: ['(weight: 5)', '(weight: 50)'],
  listSize: ['(assumedSize: 7)'],
  cacheControl: ['(maxAge: 0)', '(maxAge: 60)'],
};

/** Generates two subgraphs with directives at random locations, imported by their own names, by aliases, or by prefixes. */
export function generateGraph(random: Random): RandomGraph {
  // Composition requires the same name of a copied directive in all subgraphs.
  const links = new Map(DIRECTIVES.map((directive) => [directive, randomLink(directive, random)]));
  const uses: Use[] = [];
  const subgraphs = ['a', 'b'].map((name) => generateSubgraph(name, links, uses, random));
  return { subgraphs, uses };
}

function randomLink(directive: string, random: Random): RandomLink {
  const url = OWN[directive] ?? FEDERATION;
  const isComposed = OWN[directive] !== undefined;
  const style = random.pick(isComposed ? ['own', 'own', 'alias'] : ['own', 'own', 'alias', 'prefix']);
  if (style === 'prefix') return { directive, url, name: `federation__${directive}`, entry: undefined, isComposed };
  if (style === 'own') return { directive, url, name: directive, entry: `"@${directive}"`, isComposed };
  const name = `${directive}Alias`;
  return { directive, url, name, entry: `{ name: "@${directive}", as: "@${name}" }`, isComposed };
}

function generateSubgraph(name: string, links: ReadonlyMap<string, RandomLink>, uses: Use[], random: Random): RandomSubgraph {
  const used = new Set<string>();
  const annotate = (coordinate: string, candidates: readonly string[], probability = 0.4): string => {
    if (!random.chance(probability)) return '';
    const directive = random.pick(candidates);
    used.add(directive);
    uses.push({ subgraph: name, coordinate, directive });
    return ` @${links.get(directive)?.name ?? directive}${random.pick(ARGUMENTS[directive] ?? [''])}`;
  };
  const id = name.toUpperCase();
  const leaf = `${id}Leaf`;
  const lines = [
    random.chance(0.5)
      ? `scalar ${leaf}${annotate(leaf, [...GUARDS, 'cost'])}`
      : `enum ${leaf}${annotate(leaf, [...GUARDS, 'cost'])} { ONE TWO }`,
  ];
  const objects = Array.from({ length: 1 + random.below(3) }, (_item, index) => `${id}${index}`);
  for (const object of objects) {
    const fields = Array.from({ length: 1 + random.below(3) }, (_item, index) => {
      const isList = random.chance(0.4);
      const type = random.pick(['Int', leaf, ...objects]);
      const coordinate = `${object}.f${index}`;
      const argument = random.chance(0.2) ? `(x: Int${annotate(`${coordinate}(x:)`, ['cost'])})` : '';
      const candidates = isList ? [...GUARDS, 'cost', 'cacheControl', 'listSize', 'listSize'] : [...GUARDS, 'cost', 'cacheControl'];
      return `  f${index}${argument}: ${isList ? `[${type}]` : type}${annotate(coordinate, candidates)}`;
    });
    lines.push(`type ${object}${annotate(object, [...GUARDS, 'cost', 'cacheControl'], 0.25)} {\n${fields.join('\n')}\n}`);
  }
  const roots = objects.map(
    (object, index) => `  ${name}${index}: ${object}${annotate(`Query.${name}${index}`, [...GUARDS, 'cost', 'cacheControl'])}`,
  );
  lines.push(`type Query {\n${roots.join('\n')}\n}`);
  return { name, links: [...used].map((directive) => links.get(directive)).filter((link) => link !== undefined), types: lines.join('\n') };
}

/** Defects in the head of a subgraph, for one of its links. */
export type HeadDefect = 'import' | 'composeDirective' | 'version' | 'link';

/** Writes the SDL of a subgraph, with at most one defect. */
export function printSubgraph({ links, types }: RandomSubgraph, defect?: { readonly of: RandomLink; readonly kind: HeadDefect }): string {
  const hasDefect = (link: RandomLink, ...kinds: readonly HeadDefect[]): boolean => defect?.of === link && kinds.includes(defect.kind);
  const entries = links.flatMap((link) =>
    link.isComposed || link.entry === undefined || hasDefect(link, 'import', 'link') ? [] : [link.entry],
  );
  const head = [`extend schema @link(url: "${FEDERATION}", import: [${['"@key"', '"@composeDirective"', ...entries].join(', ')}])`];
  for (const link of links.filter(({ isComposed }) => isComposed)) {
    const url = hasDefect(link, 'version') ? link.url.replace('v1.0', 'v9.0') : link.url;
    const imported = hasDefect(link, 'import') ? '' : `, import: [${link.entry ?? ''}]`;
    if (!hasDefect(link, 'link')) head.push(`extend schema @link(url: "${url}"${imported})`);
    if (!hasDefect(link, 'composeDirective', 'link')) head.push(`extend schema @composeDirective(name: "@${link.name}")`);
    head.push(`directive @${link.name}${DEFINITIONS[link.directive] ?? ''}`);
  }
  return [...head, 'enum Role { USER ADMIN }', types].join('\n');
}
