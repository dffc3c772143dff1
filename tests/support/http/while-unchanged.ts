import type { HttpClient } from './http-client.ts';

/** Checks one state of a resource that other tests may change concurrently. Repeats a failed check when the ETag has changed since. */
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
