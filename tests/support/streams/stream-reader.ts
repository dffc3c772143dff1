/** Text of a response that does not end. */
export interface StreamReader extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /**
   * Resolves with all received text when it matches. The text is not consumed. @throws Error when the response ends or the time is over
   * before
   */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with the whole text when the response has ended. */
  rest(): Promise<string>;
}

/** Maximum wait of a test for an expected text. @unit milliseconds */
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
      // The test or the server closed the connection.
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
        if (isOver) throw new Error(`The response has ended: ${text}`);
        if (Date.now() > endsAt) throw new Error(`Nothing that matches ${pattern} arrived: ${text}`);
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
