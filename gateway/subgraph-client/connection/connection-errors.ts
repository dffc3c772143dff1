/** What came over a connection is not an answer of HTTP/1.1, or one that says two things at once. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

/** The other side closed the connection before it had sent the head of an answer. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
  readonly code = 'ECONNRESET';
}

/** There was no connection in time. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
  readonly code = 'ETIMEDOUT';
}
