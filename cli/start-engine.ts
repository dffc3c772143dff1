import { requirePackages } from '../gateway/platform/require-packages.ts';
import type { ProductConfig } from './configuration.ts';
import type { RunningGateway, StartDependencies } from './start-gateway.ts';

const APOLLO_PACKAGES = ['@apollo/gateway', '@apollo/server', '@as-integrations/express5', 'express'];

/** Starts the configured engine. The packages of the other engine are not loaded. */
export async function startEngine({ engine, ...config }: ProductConfig, dependencies?: StartDependencies): Promise<RunningGateway> {
  if (engine.name === 'apollo') {
    requirePackages(APOLLO_PACKAGES, '--engine apollo (setting engine.name)');
    const { startApolloEngine } = await import('./apollo-engine/start-apollo-engine.ts');
    return startApolloEngine({ ...config, engine }, dependencies);
  }
  const { startGateway } = await import('./start-gateway.ts');
  return startGateway(config, dependencies);
}
