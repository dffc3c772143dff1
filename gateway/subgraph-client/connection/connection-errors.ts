/** The data on a connection is not an HTTP/1.1 response, or the response is ambiguous. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

/** The server closed the connection before it had sent the head of the response. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
  readonly code = 'ECONNRESET';
}

/** The connection was not established in time. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
  readonly code = 'ETIMEDOUT';
}
