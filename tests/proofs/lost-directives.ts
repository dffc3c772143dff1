/**
 * Drops every directive of random graphs at every step from the SDL of a subgraph to the guard: its import, its link, its
 * `@composeDirective`, its version, one use or all uses during composition, and its link or its definition in the supergraph. Each case must
 * be an error, or leave every directive in effect. Exits with 1 if a field loses a directive silently.
 *
 * Duration: about 6 minutes
 *
 * `npm run prove lost-directives [seed] [cases]`; the default is 50,000 cases.
 */
import { type DirectiveNode, Kind, parse, print, visit } from 'graphql';
import { rulesFor } from '../../gateway/composition/build-generation.ts';
import { checkDirectivesOfSubgraph, findDroppedDirectives } from '../../gateway/supergraph/check-directives-of-subgraph.ts';
import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';
import { directiveLocationsIn } from '../../gateway/directives/directive-locations.ts';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import { SupergraphInvalid } from '../../gateway/supergraph/supergraph-invalid.ts';
import { createRandom } from '../support/random/random.ts';
import { generateGraph, GUARDS, type HeadDefect, printSubgraph, type RandomGraph, type Use } from './lost-directives/random-graph.ts';

const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
const wanted = Number(process.argv[3] ?? 50_000);
const random = createRandom(seed);
console.log(`seed ${seed}`);

/** Cases by step: all, those that end with an error, those without an effect, and those that lose a directive. */
const tally = new Map<string, { cases: number; errors: number; unchanged: number; lost: number }>();
let cases = 0;
let composedGraphs = 0;

function count(step: string, result: 'errors' | 'unchanged' | 'lost', details: () => string): void {
  const row = tally.get(step) ?? { cases: 0, errors: 0, unchanged: 0, lost: 0 };
  row.cases += 1;
  row[result] += 1;
  tally.set(step, row);
  cases += 1;
  if (result !== 'lost') return;
  process.exitCode = 1;
  if (row.lost <= 3) console.error(`${step} loses a directive silently (seed ${seed}): ${details().slice(0, 3_000)}`);
}

/** Returns the uses that a supergraph does not apply. @throws SupergraphInvalid when it cannot be served */
function missingIn(sdl: string, uses: readonly Use[]): readonly Use[] {
  const loaded = loadSupergraph(sdl);
  const rules = rulesFor(loaded);
  const { weights, listSizes } = loaded.costRules;
  return uses.filter(({ coordinate, directive }) => {
    if (GUARDS.includes(directive)) return rules?.has(coordinate) !== true;
    if (directive === 'cost') return !weights.has(coordinate);
    return !(directive === 'listSize' ? listSizes : loaded.cacheHints).has(coordinate);
  });
}

function checkSupergraph(step: string, sdl: string, uses: readonly Use[]): void {
  try {
    const missing = missingIn(sdl, uses);
    count(step, missing.length > 0 ? 'lost' : 'unchanged', () => `${JSON.stringify(missing)}\n${sdl}`);
  } catch (error) {
    if (!(error instanceof SupergraphInvalid)) throw error;
    count(step, 'errors', () => '');
  }
}

function compose(texts: readonly { readonly name: string; readonly text: string }[]) {
  return composeSubgraphs(
    texts.map(({ name, text }) => ({ name, url: `http://${name}.invalid`, files: [{ path: `${name}.graphql`, text }] })),
  );
}

const HEAD_DEFECTS: readonly HeadDefect[] = ['import', 'composeDirective', 'version', 'link'];

/** Drops the link of each directive of each subgraph. */
function dropInSubgraphs({ subgraphs, uses }: RandomGraph): void {
  for (const subgraph of subgraphs) {
    for (const of of subgraph.links) {
      for (const kind of HEAD_DEFECTS) {
        if (!of.isComposed && kind !== 'import') continue;
        // Without any link, a directive under another name has no relation to the gateway.
        const isKnown = of.name === of.directive || subgraphs.some((one) => one !== subgraph && one.links.includes(of));
        if (kind === 'link' && !isKnown) continue;
        const texts = subgraphs.map((one) => ({ name: one.name, text: printSubgraph(one, one === subgraph ? { of, kind } : undefined) }));
        const composition = compose(texts);
        const step = `subgraph: ${kind}`;
        if (composition.errors === undefined) checkSupergraph(step, composition.supergraphSdl, uses);
        else count(step, 'errors', () => '');
      }
    }
  }
}

/** Removes single uses, as a composition with a defect would do. */
function dropUses(graph: RandomGraph, sdl: string): void {
  const checked = graph.subgraphs.flatMap((one) => checkDirectivesOfSubgraph(one.name, parse(printSubgraph(one))).uses);
  const document = parse(sdl);
  const nodes = directiveLocationsIn(document).filter(({ coordinate }) => graph.uses.some((use) => use.coordinate === coordinate));
  for (const { node, coordinate } of nodes) {
    if (node.name.value.startsWith('join__')) continue;
    const without = visit(document, { Directive: (one: DirectiveNode) => (one === node ? null : undefined) });
    const found = findDroppedDirectives(checked, without);
    count('composition: one use', found.length > 0 ? 'errors' : 'lost', () => `${coordinate} ${print(node)}\n${sdl}`);
  }
}

/** Removes parts of a supergraph: all uses of a directive, its definition, its link, or its name in the link. */
function dropInSupergraph({ uses }: RandomGraph, sdl: string): void {
  const document = parse(sdl);
  const own = document.definitions.flatMap((node) =>
    node.kind === Kind.DIRECTIVE_DEFINITION && !/^(?:join__|link$|core$|defer$)/.test(node.name.value) ? [node.name.value] : [],
  );
  for (const name of own) {
    const withoutUses = visit(document, { Directive: (node) => (node.name.value === name ? null : undefined) });
    const isUsed = directiveLocationsIn(document).some(({ node }) => node.name.value === name);
    if (!isUsed) continue;
    // The other directive of the cost feature may still be used, which makes the definition legitimate.
    const isShared = /cost|listSize/i.test(name) && own.filter((one) => /cost|listSize/i.test(one)).length > 1;
    if (!isShared || GUARDS.some((guard) => name.startsWith(guard))) checkSupergraph('supergraph: all uses', print(withoutUses), uses);
    const withoutDefinition = visit(document, { DirectiveDefinition: (node) => (node.name.value === name ? null : undefined) });
    checkSupergraph('supergraph: definition', print(withoutDefinition), uses);
  }
  const links = directiveLocationsIn(document).filter(({ coordinate, node }) => coordinate === 'schema' && node.name.value === 'link');
  for (const { node } of links) {
    if (/\/(?:link|join)\/v/.test(print(node))) continue;
    const withoutLink = visit(document, { Directive: (one: DirectiveNode) => (one === node ? null : undefined) });
    checkSupergraph('supergraph: link', print(withoutLink), uses);
    const renamed = sdl.replace(print(node), print(node).replace(/"@(\w+)"/, '"@$1Other"'));
    if (renamed !== sdl) checkSupergraph('supergraph: name in the link', renamed, uses);
  }
}

while (cases < wanted) {
  const graph = generateGraph(random);
  const composition = compose(graph.subgraphs.map((one) => ({ name: one.name, text: printSubgraph(one) })));
  if (composition.errors !== undefined) throw new Error(`seed ${seed}: ${JSON.stringify(composition.errors)}`);
  composedGraphs += 1;
  const missing = missingIn(composition.supergraphSdl, graph.uses);
  count('nothing dropped', missing.length > 0 ? 'lost' : 'unchanged', () => JSON.stringify(missing));
  dropInSubgraphs(graph);
  dropUses(graph, composition.supergraphSdl);
  dropInSupergraph(graph, composition.supergraphSdl);
}

console.table(Object.fromEntries(tally));
console.log(`${cases} cases of ${composedGraphs} graphs`);
