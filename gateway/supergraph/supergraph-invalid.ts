/** A supergraph that cannot be served. Its message says what is wrong in words for whoever operates the gateway. */
export class SupergraphInvalid extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SupergraphInvalid';
  }
}
