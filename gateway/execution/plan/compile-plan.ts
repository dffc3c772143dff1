import type { OperationPlan, PlannedFetch } from '../../planning/operation-plan.ts';
import { toDataKey } from '../data/own-properties.ts';
import { type ResponseDraft, draftResponses, type RequestDraft, toSteps } from './response-drafts.ts';
import { compileEntityField, compileWalk } from './compile-entity-field.ts';
import type { ResponsePlan, CompiledFetch, CompiledPlan, CompiledRequest, ContextVariable, RootResponse } from './compiled-plan.ts';
import { type RequestHead, type TextSegment, compileRequestTexts } from './compile-request-texts.ts';
import { compileRequestCopies, withSuffix } from './compile-request-copies.ts';
import { keysOf, printSelections, variablesOfSelections } from './compile-selections.ts';
import { type Sharing, findSharedPaths } from './find-shared-paths.ts';

/** Input of `compilePlan`. */
export interface CompilePlanInput {
  readonly plan: OperationPlan;
  /** Whether a `__typename` is the name of an interface. */
  readonly isInterface: (typename: string) => boolean;
  /** Names of the variables that the client's operation declares. */
  readonly clientVariables: ReadonlySet<string>;
}

interface Compiling {
  readonly sharing: Sharing;
  readonly clientVariables: ReadonlySet<string>;
}

/** A compiled plan and the data about it that the response printer needs. */
export interface PlanCompilation {
  readonly plan: CompiledPlan;
  /** Paths of data keys, joined by `/`, at which one object can occur at several positions of the response. */
  readonly sharedPaths: ReadonlySet<string>;
}

/** Compiles an operation plan into request texts, walks and merge fields. */
export function compilePlan({ plan, isInterface, clientVariables }: CompilePlanInput): PlanCompilation {
  const drafts = draftResponses(plan, isInterface);
  const sharing = findSharedPaths(drafts.flat());
  const fetches = plan.fetches.map((fetch, index): CompiledFetch => {
    const { subgraph, kind, dependsOn, deferral = 0 } = fetch;
    return {
      index,
      subgraph,
      kind,
      deferral,
      waitsFor: new Set(dependsOn).size,
      dependents: plan.fetches.flatMap((other, position) => (other.dependsOn.includes(index) ? [position] : [])),
      request: compileRequest(headOf(fetch), drafts[index] ?? [], { sharing, clientVariables }),
    };
  });
  const sharedPathCount = sharing.paths.reduce((count, { index }) => Math.max(count, index + 1), 0);
  const sharedPaths = new Set(sharing.paths.map(({ path }) => path.map(({ key }) => key.name).join('/')));
  return { plan: { fetches, sharedPathCount }, sharedPaths };
}

function headOf({ kind, directives = '', variables = [] }: PlannedFetch): RequestHead {
  return { kind, directives, clientVariables: new Map(variables.map(({ name, type }) => [name, type])) };
}

function compileRequest(head: RequestHead, drafts: RequestDraft, { sharing, clientVariables }: Compiling): CompiledRequest {
  const [first] = drafts;
  if (first === undefined) throw new Error('Invalid plan: a fetch selects no fields.');
  if (first.isRoot) {
    const { text, fragments } = printSelections(first.selections);
    const segment = { ...segmentOf(first, ''), fields: text.slice(1, -1), fragments };
    return { texts: compileRequestTexts(head, [segment]), root: compileRoot(first, sharing), entities: [], copies: undefined };
  }
  const isOnly = drafts.length === 1;
  const taken = new Set(clientVariables);
  const suffixes = drafts.map((draft, position) => takeSuffix(draft, position, taken));
  const names = drafts.map((_response, position) => freeName(isOnly ? 'representations' : `representations_${position}`, taken));
  const responseKeys = drafts.map((_response, position) => (isOnly ? '_entities' : `_entities_${position}`));
  const segments = drafts.map((draft, position): TextSegment => {
    const alias = isOnly ? '' : `${responseKeys[position]}:`;
    const suffix = suffixes[position] ?? '';
    const segment = segmentOf(draft, suffix);
    const variables = new Set(draft.contextArguments?.map(({ variable }) => variable));
    const { text, fragments } = printSelections(draft.selections, isOnly ? 'shared' : `shared_${position}`);
    return {
      ...segment,
      fields: `${alias}_entities(representations:$${names[position]})${withSuffix(text, suffix, variables)}`,
      fragments: withSuffix(fragments, suffix, variables),
      ownVariables: new Map([[names[position] ?? '', '[_Any!]!'], ...segment.ownVariables]),
    };
  });
  const entities = drafts.map((draft, position) =>
    compileEntityField(draft, {
      responsePlan: compileResponse(draft, sharing),
      responseKey: responseKeys[position] ?? '',
      variableName: names[position] ?? '',
      context: compileContext(draft.contextArguments, suffixes[position] ?? ''),
      sharing,
    }),
  );
  const isRepeated = entities.some(({ context }) => context !== undefined);
  const copies = isRepeated ? compileRequestCopies(head, segments, { responseKeys, clientVariables }) : undefined;
  return { texts: compileRequestTexts(head, segments), root: undefined, entities, copies };
}

/**
 * Finds a suffix that makes the context variables of an `_entities` field unique. Two fields of one request can take the same context
 * value, each for different objects. Copies of a field append a number, so a name that ends with `_` never collides with the name of a
 * copy.
 */
function takeSuffix({ contextArguments = [] }: ResponseDraft, position: number, taken: Set<string>): string {
  const isUsed = (ending: string): boolean => contextArguments.some(({ variable }) => taken.has(variable + ending));
  let suffix = '';
  if (isUsed(suffix)) suffix = `_${position}_`;
  while (isUsed(suffix)) suffix += '_';
  for (const { variable } of contextArguments) taken.add(variable + suffix);
  return suffix;
}

function segmentOf({ selections, contextArguments = [] }: ResponseDraft, suffix: string): TextSegment {
  const own = new Map(contextArguments.map(({ variable, type }) => [variable + suffix, type]));
  const others = variablesOfSelections(selections);
  return { fields: '', fragments: '', clientVariables: new Map(others.map(({ name, type }) => [name, type])), ownVariables: own };
}

function compileRoot(draft: ResponseDraft, sharing: Sharing): RootResponse {
  const [path = []] = draft.paths;
  const target = path.length === 0 ? undefined : { path, walk: compileWalk(path, sharing), isShareable: sharing.isShareable(draft) };
  return { ...compileResponse(draft, sharing), target };
}

function compileResponse(draft: ResponseDraft, { paths }: Sharing): ResponsePlan {
  const shared = paths.filter((path) => path.draft === draft);
  // Two paths of the result can lead to the same inner objects. One walk is enough for them.
  const walks = new Map(
    shared.map(({ index, steps, leaves }) => [JSON.stringify([index, steps.map(({ key }) => key.name)]), { index, steps, leaves }]),
  );
  return { fields: draft.fields, keys: keysOf(draft.fields), shared: [...walks.values()] };
}

function compileContext(given: ResponseDraft['contextArguments'], suffix: string): readonly ContextVariable[] | undefined {
  return given?.map(({ variable, depth, target, sources }) => ({
    name: variable + suffix,
    depth,
    target: target && toSteps(target),
    sources: sources.map(({ types, path }) => ({ types: types && new Set(types), path: path.map(toDataKey) })),
  }));
}

/** Returns the first of `name`, `name_`, `name__`, … that is not the name of a client variable. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}_`, taken) : name;
}
