/**
 * Reports that a connector cannot send a request, because the value of an expression is not allowed at its position. The message contains
 * no value.
 */
export class ConnectorRequestInvalid extends Error {
  override readonly name = 'ConnectorRequestInvalid';
}
