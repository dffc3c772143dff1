import { sendSteadily } from './steady-load.ts';

// Clients in a separate process.

export interface LoadCommand {
  /** Address of the gateway. */
  readonly url: string;
  readonly query: string;
  /** @unit milliseconds */
  readonly forMs: number;
}

process.on('message', ({ url, query, forMs }: LoadCommand) => {
  const headers = { 'content-type': 'application/json' };
  const request: Parameters<typeof sendSteadily>[0] = async (text) => {
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: text }) });
    const { errors = [] } = (await response.json()) as { errors?: readonly { extensions?: { code?: string } }[] };
    return { status: response.status, codes: errors.map(({ extensions }) => extensions?.code) };
  };
  void sendSteadily(request, query, forMs).then((samples) => process.send?.(samples));
});
process.on('disconnect', () => process.exit());
