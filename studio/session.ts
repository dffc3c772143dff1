/** Data of the gateway with which the page starts. */
export interface Session {
  /** Development tokens, with the names of their callers. Empty outside of the dev profile. */
  readonly tokens: readonly { readonly name: string; readonly token: string }[];
  /** Query of the served graph. Absent if the gateway cannot provide one. */
  readonly query?: string;
}

/** Fetches the session data. The page works without them, so a failure yields empty data. */
export async function fetchSession(): Promise<Session> {
  try {
    const response = await fetch('/studio/session.json');
    return response.ok ? ((await response.json()) as Session) : { tokens: [] };
  } catch {
    return { tokens: [] };
  }
}
