import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { GenerationHandle } from '../generation/generation.ts';
import type { HealthState, ReadinessDetails, SourceReadiness, SubgraphReadiness } from '../http/internal/health.ts';
import type { SourceState, SubgraphState } from '../subgraph-client/subgraph-state.ts';

/** Readiness of a gateway, for load balancers and for operators. */
export interface Readiness {
  state(): HealthState;
  /** Returns the details for the internal listener. They contain names of subgraphs, so they are not public. */
  details(): ReadinessDetails;
}

export interface ReadinessOptions {
  readonly current: () => GenerationHandle | undefined;
  readonly isDraining: () => boolean;
}

/** Creates the readiness of a gateway. A required subgraph that the supergraph does not contain has no effect. */
export function createReadiness({ health }: ResolvedGatewayConfig['server'], { current, isDraining }: ReadinessOptions): Readiness {
  const required = new Set(health.requiredSubgraphs);

  function isUnavailable({ name, circuitBreaker }: SubgraphState): boolean {
    return circuitBreaker === 'open' && required.has(name);
  }

  return {
    state() {
      const generation = current();
      return {
        hasSupergraph: generation !== undefined,
        isDraining: isDraining(),
        // Without a required subgraph, the states are not read, because a probe may arrive every second from many balancers.
        areSubgraphsAvailable: required.size === 0 ? undefined : generation?.subgraphStates?.().some(isUnavailable) !== true,
      };
    },
    details() {
      const generation = current();
      const states = generation?.subgraphStates?.() ?? [];
      const missing = [...required].filter((name) => generation !== undefined && states.every((state) => state.name !== name));
      return {
        generation: generation?.id ?? null,
        subgraphs: Object.fromEntries([
          ...states.map((state) => [state.name, describeSubgraph(state, required.has(state.name))] as const),
          ...missing.map((name) => [name, MISSING] as const),
        ]),
      };
    },
  };
}

const MISSING: SubgraphReadiness = { status: 'missing', circuitBreaker: null, lastSuccessAt: null, isRequired: true };

function describeSubgraph(state: SubgraphState, isRequired: boolean): SubgraphReadiness {
  const described = { ...describeSource(state), isRequired };
  if (state.sources === undefined) return described;
  const sources = Object.entries(state.sources).map(([name, source]) => [name, describeSource(source)] as const);
  return { ...described, sources: Object.fromEntries(sources) };
}

function describeSource({ circuitBreaker, lastSuccessAt }: SourceState): SourceReadiness {
  return {
    status: circuitBreaker === 'open' ? 'unavailable' : 'ok',
    circuitBreaker: circuitBreaker ?? null,
    lastSuccessAt: lastSuccessAt === undefined ? null : new Date(lastSuccessAt).toISOString(),
  };
}
