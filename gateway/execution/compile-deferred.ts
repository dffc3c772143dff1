import { type DirectiveNode, Kind } from 'graphql';
import type { DeferredResponse, DeferredPayload, DeferredPatch, ExecutableOperation } from './executable-operation.ts';
import type { CompiledPlan } from './plan/compiled-plan.ts';
import { type DeferredPosition, findDeferredPositions } from './response/defer/find-deferred-positions.ts';
import { findNeededFetches } from './response/defer/find-needed-fetches.ts';
import { makeResult, type ResultRules } from './response/print/print-response.ts';
import { printPatches } from './response/defer/print-patches.ts';
import { type RunningPlan, startPlan } from './run/run-deferred.ts';
import { type RunState, createRunState } from './run/run-state.ts';

/** A compiled operation with deferred fragments. */
interface DeferredOperation {
  readonly plan: CompiledPlan;
  readonly rules: ResultRules;
  /** Labels of the `@defer` directives, in the order of their numbers. */
  readonly labels: readonly (string | undefined)[];
}

interface DeferredRun extends DeferredOperation {
  readonly needed: ReadonlyMap<number, ReadonlySet<number>>;
  readonly state: RunState;
  readonly running: RunningPlan;
}

/** Compiles an operation whose response is delivered incrementally. */
export function compileDeferred(operation: DeferredOperation): ExecutableOperation {
  const { plan, rules, labels } = operation;
  const first = new Set(plan.fetches.flatMap(({ deferral, index }) => (deferral === 0 ? [index] : [])));
  const needed = findNeededFetches(plan, rules.shape, labels.length);
  return {
    async execute(run) {
      const state = createRunState(plan, run);
      const running = startPlan(plan, state);
      await running.until(first);
      const { data, errors, objects, removed } = makeResult(state, rules);
      const positions = findDeferredPositions({ value: state.data, shape: rules.shape, path: [] }, removed);
      return { data, errors, objects, deferred: createDeferredResponse({ ...operation, needed, state, running }, positions) };
    },
  };
}

/** Returns the label of a `@defer`. */
export function labelOf({ arguments: given }: DirectiveNode): string | undefined {
  const value = given?.find(({ name }) => name.value === 'label')?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}

function createDeferredResponse(run: DeferredRun, first: readonly DeferredPosition[]): DeferredResponse {
  const { labels, needed, state, running, rules, plan } = run;
  /** Objects whose deferred fragments have not been delivered yet, by the numbers of their `@defer`. */
  const pending = new Map<number, DeferredPosition[]>();
  /** Objects of unknown type. A later fetch may return the type, which decides whether the fragment applies. */
  let doubtful: DeferredPosition[] = [];
  /** Formerly doubtful objects for which the gateway decided that the fragment applies. */
  const settled = new Set<DeferredPosition>();
  const all = new Set(plan.fetches.map(({ index }) => index));
  /**
   * Fragments already registered. A fragment is delivered once per object of the response, even when several selections of the document
   * lead to the object.
   */
  const known = new Set<string>();
  remember(first);

  function remember(positions: readonly DeferredPosition[]): void {
    for (const position of positions) {
      const identity = JSON.stringify([position.deferral, position.path]);
      if (known.has(identity)) continue;
      known.add(identity);
      const others = pending.get(position.deferral);
      if (others === undefined) pending.set(position.deferral, [position]);
      else others.push(position);
    }
  }

  function findReady(): number | undefined {
    if (doubtful.length > 0 && running.isOver(all)) settleDoubts();
    return [...pending.keys()].find((deferral) => running.isOver(needed.get(deferral) ?? NOTHING));
  }

  /**
   * Decides about the doubtful objects after all fetches are complete. When a failed fetch is the reason for an unknown type, the fragment
   * is delivered with that error. When no subgraph was queried for the type, no field depends on it.
   */
  function settleDoubts(): void {
    const failed = new Set(state.reports.map(({ fetch }) => fetch.deferral));
    for (const position of doubtful) {
      if (!(position.isPresent?.(position.object) ?? failed.has(position.deferral))) continue;
      settled.add(position);
      pending.set(position.deferral, [...(pending.get(position.deferral) ?? []), position]);
    }
    doubtful = [];
  }

  /** Removes and returns the objects to which a fragment applies. */
  function takePositions(deferral: number): readonly DeferredPosition[] {
    const positions: DeferredPosition[] = [];
    for (const position of pending.get(deferral) ?? []) {
      const isPresent = settled.has(position) || position.isPresent === undefined || position.isPresent(position.object);
      if (isPresent === undefined) doubtful.push(position);
      else if (isPresent) positions.push(position);
    }
    pending.delete(deferral);
    return positions;
  }

  function print(deferral: number): readonly DeferredPatch[] {
    const positions = takePositions(deferral);
    const fetches = new Set([
      ...(needed.get(deferral) ?? NOTHING),
      ...plan.fetches.flatMap((fetch) => (fetch.deferral === 0 ? fetch.index : [])),
    ]);
    const patches = printPatches({ deferral, positions, concerns: ({ fetch }) => fetches.has(fetch.index) }, state, rules);
    return patches.map(({ path, data, errors, inner }) => {
      remember(inner);
      return { label: labels[deferral - 1], path: toClient(path, state), data, errors };
    });
  }

  return {
    get hasNext() {
      return pending.size > 0 || doubtful.length > 0;
    },
    async next(): Promise<DeferredPayload> {
      let ready = findReady();
      while (ready === undefined && pending.size + doubtful.length > 0) {
        await running.next();
        ready = findReady();
      }
      const patches: DeferredPatch[] = [];
      for (; ready !== undefined; ready = findReady()) patches.push(...print(ready));
      return { patches };
    },
    giveUp() {
      const positions = [...pending.values(), doubtful].flat();
      pending.clear();
      doubtful = [];
      return {
        patches: positions.map(({ deferral, path }) => ({
          label: labels[deferral - 1],
          path: toClient(path, state),
          data: 'null',
          errors: [],
        })),
      };
    },
  };
}

const NOTHING: ReadonlySet<number> = new Set();

function toClient(path: DeferredPosition['path'], { run: { aliases } }: RunState): DeferredPatch['path'] {
  return aliases === undefined ? path : path.map((element) => (typeof element === 'string' ? (aliases.get(element) ?? element) : element));
}
