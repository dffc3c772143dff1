/** Closes resources in the reverse order of their creation. */
export interface DisposalStack extends AsyncDisposable {
  /** Adds a resource and returns it. Undefined is returned unchanged. */
  use<T extends AsyncDisposable | Disposable | undefined>(resource: T): T;
  /** Adds a function that is called in the same order as resources are closed. */
  defer(close: () => void | PromiseLike<void> | undefined): void;
}

/**
 * Creates a stack. Each resource is closed after those that were added later. An error of one resource does not prevent closing the others.
 * (`AsyncDisposableStack` is not available in Node.js 20.)
 *
 * @throws the error of a resource after all are closed; several errors as an AggregateError
 */
export function createDisposalStack(): DisposalStack {
  const closers: (() => void | PromiseLike<void> | undefined)[] = [];

  return {
    use(resource) {
      if (resource === undefined) return resource;
      closers.push(() => (Symbol.asyncDispose in resource ? resource[Symbol.asyncDispose]() : resource[Symbol.dispose]()));
      return resource;
    },
    defer(close) {
      closers.push(close);
    },
    async [Symbol.asyncDispose]() {
      const errors: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        try {
          await close();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length === 1) throw errors[0];
      if (errors.length > 1) throw new AggregateError(errors, 'Several resources could not be closed.');
    },
  };
}
