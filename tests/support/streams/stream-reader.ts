/** What comes on an answer that does not end, as text. */
export interface StreamReader extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that has come, once it matches; what was read stays. @throws Error when the answer ends, or the time is over, before it does */
  until(pattern: RegExp): Promise<string>;
  /** Everything, once the answer has ended. */
  rest(): Promise<string>;
}

/** How long a test waits for what must come. @unit milliseconds */
const PATIENCE_MS = 5_000;

export async function readStream(url: string, init: RequestInit = {}): Promise<StreamReader> {
  const controller = new AbortController();
  const response = await fetch(url, { ...init, signal: controller.signal });
  const decoder = new TextDecoder();
  let text = '';
  let isOver = false;
  let wake: () => void = () => undefined;
  const reading = (async (): Promise<void> => {
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        wake();
      }
    } catch {
      // cut off, by us or by the server
    }
    isOver = true;
    wake();
  })();
  return {
    status: response.status,
    headers: response.headers,
    async until(pattern) {
      const endsAt = Date.now() + PATIENCE_MS;
      while (!pattern.test(text)) {
        if (isOver) throw new Error(`The answer has ended: ${text}`);
        if (Date.now() > endsAt) throw new Error(`Nothing like ${pattern} has come: ${text}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, 100);
        });
      }
      return text;
    },
    async rest() {
      await reading;
      return text;
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
      await reading;
    },
  };
}
