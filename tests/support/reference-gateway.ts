import { join } from 'node:path';
import express from 'express';
import { createGateway } from '../../gateway/index.ts';
import type { GatewayConfigInput } from '../../gateway/config/sections.ts';
import type { GatewayDependencies } from '../../gateway/create-gateway.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { createRestFacade, toExpress } from '../../rest-facade/index.ts';

export interface ReferenceGateway extends AsyncDisposable {
  readonly url: string;
  readonly internalUrl: string;
}

export interface ReferenceGatewayOptions {
  readonly subgraphUrls: Readonly<Record<string, string>>;
  readonly developmentKey: string;
  readonly identitySecret: string;
  /** Sections that replace the ones made here. */
  readonly config?: GatewayConfigInput;
  readonly dependencies?: GatewayDependencies;
}

/** Gateway and REST facade, in this process and on free ports, as the command line puts them together. */
export async function startReferenceGateway(options: ReferenceGatewayOptions): Promise<ReferenceGateway> {
  const { subgraphUrls, developmentKey, identitySecret, config, dependencies } = options;
  const override = Object.fromEntries(Object.entries(subgraphUrls).map(([name, url]) => [name, { url }]));
  const gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0 },
      supergraph: { file: join(packageRoot, 'schema/supergraph.graphql') },
      auth: { developmentKey },
      identity: { secret: identitySecret },
      logging: { level: 'silent' },
      ...config,
      subgraphs: { ...config?.subgraphs, override },
    },
    dependencies,
  );
  const facade = await createRestFacade({ gateway, documents: join(packageRoot, 'schema/rest') });
  gateway.mount(express().use(toExpress(facade)));
  const { url, internalUrl } = await gateway.listen();
  return { url, internalUrl, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}
