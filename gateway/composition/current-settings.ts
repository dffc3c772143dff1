import { varyingHeaders } from '../cache/cache-key-parts.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';

/** Configuration that can be reloaded while the gateway runs. */
export interface CurrentSettings {
  readonly current: ResolvedGatewayConfig;
  /** Registers a function that applies a reloaded configuration to new requests. It must not throw. */
  onReload(apply: (config: ResolvedGatewayConfig) => void): void;
  /** Replaces the configuration without applying it, for a generation that is built with it. */
  replace(config: ResolvedGatewayConfig): void;
  /** Applies the current configuration. */
  apply(): void;
}

export function createCurrentSettings(first: ResolvedGatewayConfig): CurrentSettings {
  const listeners: ((config: ResolvedGatewayConfig) => void)[] = [];
  let current = first;
  return {
    get current() {
      return current;
    },
    onReload: (apply) => void listeners.push(apply),
    replace(config) {
      current = config;
    },
    apply() {
      for (const listener of listeners) listener(current);
    },
  };
}

/**
 * Returns the current configuration with the reloadable settings of another one. This function is the list of those settings.
 *
 * @param first configuration of the start, which has decided how the gateway is composed
 */
export function withReloadable(
  first: ResolvedGatewayConfig,
  current: ResolvedGatewayConfig,
  next: ResolvedGatewayConfig,
): ResolvedGatewayConfig {
  const { maxCallers, instances } = current.budget;
  return {
    ...current,
    logging: { ...current.logging, level: next.logging.level },
    limits: { ...next.limits, exposeCost: current.limits.exposeCost },
    budget: { ...next.budget, maxCallers, instances },
    persisted: { ...current.persisted, mode: next.persisted.mode },
    server: { ...current.server, cors: next.server.cors },
    responses: {
      // The gateway is composed without the hooks of an empty setting.
      headers: Object.keys(first.responses.headers).length > 0 ? next.responses.headers : current.responses.headers,
      extensions: first.responses.extensions.length > 0 ? next.responses.extensions : current.responses.extensions,
    },
    subgraphs: withHeaderRules(current, next),
  };
}

/**
 * Replaces the header rules of subgraphs. Rules that change which headers of clients reach subgraphs are not replaced: these headers are
 * part of every cache key, and caches between client and gateway know them by `Vary`.
 */
function withHeaderRules({ subgraphs, cache }: ResolvedGatewayConfig, next: ResolvedGatewayConfig): ResolvedGatewayConfig['subgraphs'] {
  const names = new Set([...Object.keys(subgraphs.override), ...Object.keys(next.subgraphs.override)]);
  const override = Object.fromEntries(
    [...names].flatMap((name) => {
      const { headers: _replaced, ...others } = subgraphs.override[name] ?? {};
      const headers = next.subgraphs.override[name]?.headers;
      if (headers !== undefined) return [[name, { ...others, headers }]];
      return subgraphs.override[name] === undefined ? [] : [[name, others]];
    }),
  );
  const changed = { ...subgraphs, headers: next.subgraphs.headers, override };
  const isSame = JSON.stringify(varyingHeaders(changed, cache.varyBy)) === JSON.stringify(varyingHeaders(subgraphs, cache.varyBy));
  return isSame ? changed : subgraphs;
}
