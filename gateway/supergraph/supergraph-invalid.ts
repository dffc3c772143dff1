/** Thrown for a supergraph that cannot be served. The message is intended for the operator of the gateway. */
export class SupergraphInvalid extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SupergraphInvalid';
  }
}
