import type { OperationPlan, PlannedFetch } from '../../planning/operation-plan.ts';
import { toDataKey } from '../data/own-properties.ts';
import { type AnswerDraft, draftAnswers, type RequestDraft, toSteps } from './response-drafts.ts';
import { compileEntityField, compileWalk } from './compile-entity-field.ts';
import type { AnswerPlan, CompiledFetch, CompiledPlan, CompiledRequest, ContextVariable, RootAnswer } from './compiled-plan.ts';
import { type RequestHead, type TextPart, compileRequestTexts } from './compile-request-texts.ts';
import { compileRequestCopies, withSuffix } from './compile-request-copies.ts';
import { keysOf, printSelections, variablesOfSelections } from './compile-selections.ts';
import { type Sharing, findSharedPlaces } from './find-shared-places.ts';

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
  const drafts = draftAnswers(plan, isInterface);
  const sharing = findSharedPlaces(drafts.flat());
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
  const sharedPlaces = sharing.places.reduce((count, { place }) => Math.max(count, place + 1), 0);
  const sharedPaths = new Set(sharing.places.map(({ path }) => path.map(({ key }) => key.name).join('/')));
  return { plan: { fetches, sharedPlaces }, sharedPaths };
}

function headOf({ kind, directives = '', variables = [] }: PlannedFetch): RequestHead {
  return { kind, directives, clientVariables: new Map(variables.map(({ name, type }) => [name, type])) };
}

function compileRequest(head: RequestHead, answers: RequestDraft, { sharing, clientVariables }: Compiling): CompiledRequest {
  const [first] = answers;
  if (first === undefined) throw new Error('Invalid plan: a fetch selects no fields.');
  if (first.isRoot) {
    const { text, fragments } = printSelections(first.selections);
    const part = { ...partOf(first, ''), fields: text.slice(1, -1), fragments };
    return { texts: compileRequestTexts(head, [part]), root: compileRoot(first, sharing), entities: [], copies: undefined };
  }
  const isOnly = answers.length === 1;
  const taken = new Set(clientVariables);
  const suffixes = answers.map((answer, position) => takeSuffix(answer, position, taken));
  const names = answers.map((_answer, position) => freeName(isOnly ? 'representations' : `representations_${position}`, taken));
  const responseKeys = answers.map((_answer, position) => (isOnly ? '_entities' : `_entities_${position}`));
  const parts = answers.map((answer, position): TextPart => {
    const alias = isOnly ? '' : `${responseKeys[position]}:`;
    const suffix = suffixes[position] ?? '';
    const part = partOf(answer, suffix);
    const variables = new Set(answer.contextArguments?.map(({ variable }) => variable));
    const { text, fragments } = printSelections(answer.selections, isOnly ? 'shared' : `shared_${position}`);
    return {
      ...part,
      fields: `${alias}_entities(representations:$${names[position]})${withSuffix(text, suffix, variables)}`,
      fragments: withSuffix(fragments, suffix, variables),
      ownVariables: new Map([[names[position] ?? '', '[_Any!]!'], ...part.ownVariables]),
    };
  });
  const entities = answers.map((answer, position) =>
    compileEntityField(answer, {
      answerPlan: compileAnswer(answer, sharing),
      responseKey: responseKeys[position] ?? '',
      variableName: names[position] ?? '',
      context: compileContext(answer.contextArguments, suffixes[position] ?? ''),
      sharing,
    }),
  );
  const isRepeated = entities.some(({ context }) => context !== undefined);
  const copies = isRepeated ? compileRequestCopies(head, parts, { responseKeys, clientVariables }) : undefined;
  return { texts: compileRequestTexts(head, parts), root: undefined, entities, copies };
}

/**
 * Finds a suffix that makes the context variables of an `_entities` field unique. Two fields of one request can take the same context
 * value, each for different objects. Copies of a field append a number, so a name that ends with `_` never collides with the name of a
 * copy.
 */
function takeSuffix({ contextArguments = [] }: AnswerDraft, position: number, taken: Set<string>): string {
  const isTaken = (ending: string): boolean => contextArguments.some(({ variable }) => taken.has(variable + ending));
  let suffix = '';
  if (isTaken(suffix)) suffix = `_${position}_`;
  while (isTaken(suffix)) suffix += '_';
  for (const { variable } of contextArguments) taken.add(variable + suffix);
  return suffix;
}

function partOf({ selections, contextArguments = [] }: AnswerDraft, suffix: string): TextPart {
  const own = new Map(contextArguments.map(({ variable, type }) => [variable + suffix, type]));
  const others = variablesOfSelections(selections);
  return { fields: '', fragments: '', clientVariables: new Map(others.map(({ name, type }) => [name, type])), ownVariables: own };
}

function compileRoot(answer: AnswerDraft, sharing: Sharing): RootAnswer {
  const [path = []] = answer.places;
  const target = path.length === 0 ? undefined : { path, walk: compileWalk(path, sharing), isShareable: sharing.isShareable(answer) };
  return { ...compileAnswer(answer, sharing), target };
}

function compileAnswer(answer: AnswerDraft, { places }: Sharing): AnswerPlan {
  const shared = places.filter((place) => place.answer === answer);
  // Two paths of the result can lead to the same inner objects. One walk is enough for them.
  const walks = new Map(
    shared.map(({ place, steps, leaves }) => [JSON.stringify([place, steps.map(({ key }) => key.name)]), { place, steps, leaves }]),
  );
  return { fields: answer.fields, keys: keysOf(answer.fields), shared: [...walks.values()] };
}

function compileContext(given: AnswerDraft['contextArguments'], suffix: string): readonly ContextVariable[] | undefined {
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
