import type { Composition, SdlFile } from '../../gateway/supergraph/compose-subgraphs.ts';
import { CompositionFailed } from '../../gateway/supergraph/sources/composition-failed.ts';
import { createComposedSource, type SubgraphListener } from '../../gateway/supergraph/sources/subgraphs-source.ts';
import type { SupergraphListener, SupergraphSource } from '../../gateway/supergraph/sources/supergraph-source.ts';
import { describeCompositionProblems } from '../describe-composition-problems.ts';
import { describeSdlChanges } from './describe-sdl-changes.ts';
import { type DevReport, describeSubgraphChanges } from './dev-report.ts';

/** Source of the supergraph of `gatefold dev`, which reports what changed. */
export interface DevSource extends SupergraphSource {
  /** Provides the last supergraph again if it was rejected, because REST documents have changed. */
  retry(): void;
}

/** The last supergraph that was served, which a restarted gateway serves while the subgraphs do not compose. */
export interface LastSupergraph {
  current?: { readonly names: string; readonly sdl: string };
}

export interface DevSourceOptions {
  /** Names of the subgraphs. */
  readonly names: readonly string[];
  readonly watch: (name: string, listener: SubgraphListener) => AsyncDisposable;
  readonly report: DevReport;
  /** Last supergraph, which survives restarts. @defaultValue none */
  readonly last?: LastSupergraph;
  /** Called when another supergraph is served. */
  readonly onServed?: () => void;
  /** Timeout for composition. @unit milliseconds */
  readonly compositionTimeoutMs: number;
  /** Composes the subgraphs. @defaultValue composition in a child process */
  readonly compose?: () => Promise<Composition>;
}

type SdlOfSubgraphs = ReadonlyMap<string, readonly SdlFile[]>;

/** Creates the source. Subgraphs that do not compose are reported with all locations; the last valid supergraph remains in use. */
export function createDevSource(options: DevSourceOptions): DevSource {
  const { names, watch, report, last = {}, onServed, compositionTimeoutMs, compose } = options;
  const nameList = names.join(' ');
  const latest = new Map<string, readonly SdlFile[]>();
  /** SDL from which the served supergraph was composed. */
  let served: SdlOfSubgraphs | undefined;
  let offered: string | undefined;
  let isRejected = false;
  let isBroken = false;
  let sink: SupergraphListener | undefined;

  const source = createComposedSource(names, {
    compositionTimeoutMs,
    compose,
    watch: (name, listener) =>
      watch(name, {
        ...listener,
        onSdl(files, url) {
          latest.set(name, files);
          listener.onSdl(files, url);
        },
      }),
  });

  function provide(sdl: string, isRetry: boolean): void {
    const composed = new Map(latest);
    offered = sdl;
    sink?.onSupergraph(sdl, {
      isRetry,
      onResult(rejection) {
        isRejected = rejection !== undefined;
        if (isRejected) return;
        if (served !== undefined) for (const line of changesOf(served, composed)) report.line(line);
        served = composed;
        last.current = { names: nameList, sdl };
        onServed?.();
      },
    });
  }

  return {
    ...source,
    start(listener) {
      sink = listener;
      source.start({
        onSupergraph(sdl) {
          const wasBroken = isBroken;
          isBroken = false;
          if (sdl !== offered) provide(sdl, false);
          if (wasBroken) report.line('The subgraphs compose again.');
        },
        onProblem(problem) {
          if (offered === undefined && last.current?.names === nameList) provide(last.current.sdl, false);
          const remains = offered === undefined ? 'No supergraph is served yet.' : 'The last valid supergraph remains in use.';
          const reason = problem instanceof CompositionFailed ? describeCompositionProblems(problem.problems) : problem.message;
          report.problem(`${reason}\n${remains}`);
          isBroken = true;
        },
      });
    },
    retry() {
      if (isRejected && offered !== undefined) provide(offered, true);
    },
  };
}

function changesOf(previous: SdlOfSubgraphs, next: SdlOfSubgraphs): readonly string[] {
  return [...next].flatMap(([name, files]) => {
    const before = previous.get(name);
    return before === undefined || before === files ? [] : describeSubgraphChanges(name, describeSdlChanges(before, files));
  });
}
