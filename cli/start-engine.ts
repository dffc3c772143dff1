import type { ProductConfig } from './configuration.ts';
import type { RunningGateway } from './start-gateway.ts';

/** Starts the engine that is configured; the packages of the other one are not loaded. */
export async function startEngine({ engine, ...config }: ProductConfig): Promise<RunningGateway> {
  if (engine.name === 'apollo') {
    const { startApolloEngine } = await import('./apollo-engine/start-apollo-engine.ts');
    return startApolloEngine({ ...config, engine });
  }
  const { startGateway } = await import('./start-gateway.ts');
  return startGateway(config);
}
