import type { CaseResult, Graph } from '../random-federation/run-case.ts';
import type { AdditionalTally } from '../random-federation/tally.ts';
import type { RestFederation } from './build-rest-federation.ts';
import { CONNECTOR_KINDS } from './draw-connectors.ts';

/** Number of cases from which each kind of connector must have been used. @unit cases */
const ENOUGH = 500;

/** Counts connectors and their requests. */
export interface RestTally extends AdditionalTally {
  /** Counts a graph that composes, but not with its connectors. */
  countRefused(): void;
}

/** Creates a tally of graphs with REST services. A run in which a kind of connector sends no request has a problem. */
export function restTally(): RestTally {
  const counts = { cases: 0, refused: 0, rest: 0, graphql: 0, overHttp: 0 };
  const connectors = new Map<string, number>();
  const requests = new Map<string, number>();
  const limits = new Map<string, number>();
  return {
    countRefused() {
      counts.refused += 1;
    },
    countGraph({ federation }) {
      if (!isRest(federation)) return;
      counts.rest += federation.connectors.size;
      counts.graphql += federation.subgraphs.length - federation.connectors.size;
      for (const { kind } of [...federation.connectors.values()].flat()) add(connectors, kind, 1);
      for (const limit of federation.limits) add(limits, limit, 1);
    },
    countCase({ exchanges }: CaseResult, { federation }: Graph) {
      counts.cases += 1;
      for (const { connector } of exchanges) {
        if (connector === undefined) continue;
        add(requests, connector, 1);
        if (isRest(federation) && federation.isHttp) counts.overHttp += 1;
      }
    },
    problems() {
      const unused = CONNECTOR_KINDS.filter((kind) => !requests.has(kind)).map((kind) => `no request of a connector of the kind "${kind}"`);
      const unconnected = counts.overHttp === 0 ? ['no request over a connection'] : [];
      return [
        ...(counts.refused > 0 ? [`${counts.refused} graphs whose connectors are refused`] : []),
        ...(counts.cases >= ENOUGH ? [...unused, ...unconnected] : []),
      ];
    },
    report() {
      const kinds = CONNECTOR_KINDS.map(
        (kind) => `${kind}: ${requests.get(kind) ?? 0} requests to ${connectors.get(kind) ?? 0} connectors`,
      );
      const reasons = [...limits].map(([limit, count]) => `${count} ${limit}`);
      return [
        `${counts.rest} REST services and ${counts.graphql} GraphQL servers (not expressible: ${reasons.join(', ') || 'none'})`,
        `${sum(requests)} HTTP requests, ${counts.overHttp} of them over connections`,
        kinds.join(', '),
      ].join('; ');
    },
  };

  function isRest(federation: Graph['federation']): federation is RestFederation {
    return 'connectors' in federation;
  }
}

function add(to: Map<string, number>, name: string, count: number): void {
  to.set(name, (to.get(name) ?? 0) + count);
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
