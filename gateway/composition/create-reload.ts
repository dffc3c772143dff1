import { changedSettings } from '../config/changed-settings.ts';
import { type ResolvedGatewayConfig, resolveGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../config/sections.ts';
import type { ReloadReport } from '../gateway.ts';
import { checkManifestsOf } from '../persisted/open-persisted-documents.ts';
import { type CurrentSettings, withReloadable } from './current-settings.ts';

export interface ReloadDependencies {
  readonly settings: CurrentSettings;
  /** Builds the current supergraph again, for settings that are compiled into its generation. */
  readonly rebuild: () => Promise<void>;
}

/** Creates the method `reload` of a gateway. Reloads run one after another. */
export function createReload({ settings, rebuild }: ReloadDependencies): (input: GatewayConfigInput) => Promise<ReloadReport> {
  const first = settings.current;
  let last: Promise<unknown> = Promise.resolve();

  async function reload(input: GatewayConfigInput): Promise<ReloadReport> {
    const next = resolveGatewayConfig(input);
    const previous = settings.current;
    const effective = withReloadable(first, previous, next);
    checkManifestsOf(effective.persisted);
    const report = { applied: changedSettings(previous, effective), needRestart: changedSettings(effective, next) };
    settings.replace(effective);
    try {
      if (isCompiled(previous, effective)) await rebuild();
    } catch (error) {
      settings.replace(previous);
      throw error;
    }
    settings.apply();
    return report;
  }

  return (input) => {
    const reloading = last.then(async () => reload(input));
    last = reloading.catch(() => undefined);
    return reloading;
  };
}

/** Whether settings differ that a generation contains: running requests continue with the generation that they have pinned. */
function isCompiled(previous: ResolvedGatewayConfig, next: ResolvedGatewayConfig): boolean {
  return changedSettings([previous.limits, previous.subgraphs], [next.limits, next.subgraphs]).length > 0;
}
