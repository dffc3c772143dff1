import type { GatewayConfigInput } from '../../../gateway/config/sections.ts';

/** Returns the settings with the addresses of the reference graph: the URLs of its subgraphs, and of the back end of `shipping`. */
export function addressSettings({ shipping, ...servers }: Readonly<Record<string, string>>) {
  const override = Object.fromEntries(Object.entries(servers).map(([name, url]) => [name, { url }]));
  // Tests check the identity of all requests. The back end ignores it.
  const connectors: GatewayConfigInput['connectors'] =
    shipping === undefined ? {} : { subgraphs: { shipping: { sendIdentity: true, sources: { legacy: { baseUrl: shipping } } } } };
  return { override, connectors };
}
