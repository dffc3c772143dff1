import type { HttpClient } from './http-client.ts';

/**
 * What holds of one state of a resource that other tests may change in between: where it does not hold, and the tag is another one than before, it is
 * looked at again.
 */
export async function whileUnchanged(
  http: Pick<HttpClient, 'get'>,
  { path, token }: { readonly path: string; readonly token: string },
  check: () => Promise<void>,
): Promise<void> {
  const tag = async (): Promise<string | undefined> => (await http.get(path, { token })).headers['etag'];
  for (;;) {
    const before = await tag();
    try {
      return await check();
    } catch (error) {
      if ((await tag()) === before) throw error;
    }
  }
}
