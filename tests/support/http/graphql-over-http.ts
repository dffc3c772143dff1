/** The properties of a response that a GraphQL client reads. */
export interface GraphqlResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly data?: unknown;
    readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
  };
  /** Code of the first error. */
  readonly code: unknown;
}

async function read(response: Response): Promise<GraphqlResponse> {
  const body = JSON.parse(await response.text()) as GraphqlResponse['body'];
  return { status: response.status, headers: response.headers, body, code: body.errors?.[0]?.extensions['code'] };
}

/** Sends a GraphQL request in a JSON body. */
export async function postGraphql(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<GraphqlResponse> {
  return read(
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }),
  );
}

/** Sends a GraphQL request in the query string. Values that are not text are sent as JSON. */
export async function getGraphql(
  url: string,
  parameters: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphqlResponse> {
  const query = new URLSearchParams(
    Object.entries(parameters).map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
    ),
  );
  return read(await fetch(`${url}?${query.toString()}`, { headers }));
}
