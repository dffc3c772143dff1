/** Thrown for a supergraph that cannot be served. The message tells the operator of the gateway what is wrong. */
export class SupergraphInvalid extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SupergraphInvalid';
  }
}
