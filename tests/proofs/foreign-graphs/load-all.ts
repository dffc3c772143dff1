import { type LoadedSupergraph, loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import type { ForeignSupergraph } from './find-supergraphs.ts';
import { REJECTIONS, reasonOf } from './known-reasons.ts';
import { type Report, count } from './report.ts';

/** A supergraph that the gateway accepts. */
export interface LoadedForeign extends ForeignSupergraph {
  readonly loaded: LoadedSupergraph;
}

/** Loads each supergraph. A rejection without a known reason counts as an error. */
export function loadAll(title: string, supergraphs: readonly ForeignSupergraph[], report: Report): readonly LoadedForeign[] {
  const counts = new Map<string, number>();
  const found: LoadedForeign[] = [];
  for (const supergraph of supergraphs) {
    try {
      found.push({ ...supergraph, loaded: loadSupergraph(supergraph.sdl) });
      count(counts, 'loaded');
      count(counts, `of these, with ${joinVersionOf(supergraph.sdl)}`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = reasonOf(REJECTIONS, message);
      count(counts, `rejected: ${reason ?? 'no known reason'}`);
      if (reason === undefined) report.failure('rejected for no known reason', `${supergraph.file}: ${message.slice(0, 300)}`);
    }
  }
  report.table(title, counts);
  return found;
}

function joinVersionOf(sdl: string): string {
  return /specs\.apollo\.dev\/(join\/v\d+\.\d+)/.exec(sdl)?.[1] ?? 'another join specification';
}
