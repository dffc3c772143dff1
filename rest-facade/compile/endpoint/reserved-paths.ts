/** Paths that no resource can use, with what they are reserved for. The gateway would respond before the facade. */
const RESERVED_PATHS: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:docs(?:\/|$)|openapi\.(?:json|yaml)$)/, 'the API description'],
  [/^\/graphql(?:\/|$)/, 'the GraphQL endpoint'],
  [/^\/health(?:\/|$)/, 'the health of the gateway'],
  [/^\/studio(?:\/|$)/, 'GraphiQL'],
  [/^\/mcp(?:\/|$)/, 'the Model Context Protocol endpoint'],
  [/^\/metrics(?:\/|$)/, 'metrics'],
];

/** Returns what a path is reserved for, or undefined if a resource can use it. */
export function reservationOf(path: string): string | undefined {
  return RESERVED_PATHS.find(([pattern]) => pattern.test(path))?.[1];
}
