import { type DescribedInterface, readDescriptionText } from './described-interface.ts';

const known = new Map<string, Promise<readonly DescribedInterface[]>>();

/**
 * Fetches the description of every version once per gateway.
 *
 * @param headers headers that the gateway requires, such as the proxy header for TLS clients
 */
export function fetchDescriptions(origin: string, headers: Readonly<Record<string, string>> = {}): Promise<readonly DescribedInterface[]> {
  const fetched = known.get(origin) ?? fetchAll(origin, headers);
  known.set(origin, fetched);
  return fetched;
}

async function fetchAll(origin: string, headers: Readonly<Record<string, string>>): Promise<readonly DescribedInterface[]> {
  const versions: DescribedInterface[] = [];
  for (let version = 1; ; version += 1) {
    const response = await fetch(`${origin}/v${version}/openapi.json`, { headers });
    if (response.status === 404) break;
    if (!response.ok) throw new Error(`The description of version ${version} returned status ${response.status}.`);
    versions.push(readDescriptionText(await response.text()));
  }
  if (versions.length === 0) throw new Error(`${origin} serves no description.`);
  return versions;
}
