import { type DescribedInterface, readDescriptionText } from './described-interface.ts';

const known = new Map<string, Promise<readonly DescribedInterface[]>>();

/**
 * Every version's description, as a gateway serves it; fetched once for each gateway.
 *
 * @param headers without which the gateway would refuse: how a proxy says that the client speaks TLS
 */
export function fetchDescriptions(origin: string, headers: Readonly<Record<string, string>> = {}): Promise<readonly DescribedInterface[]> {
  const fetched = known.get(origin) ?? fetchAll(origin, headers);
  known.set(origin, fetched);
  return fetched;
}

async function fetchAll(origin: string, headers: Readonly<Record<string, string>>): Promise<readonly DescribedInterface[]> {
  const versions: DescribedInterface[] = [];
  for (let version = 1; ; version += 1) {
    const answer = await fetch(`${origin}/v${version}/openapi.json`, { headers });
    if (answer.status === 404) break;
    if (!answer.ok) throw new Error(`The description of version ${version} answered ${answer.status}.`);
    versions.push(readDescriptionText(await answer.text()));
  }
  if (versions.length === 0) throw new Error(`${origin} describes nothing.`);
  return versions;
}
