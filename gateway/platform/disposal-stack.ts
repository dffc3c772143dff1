/** Closes what was opened, in the reverse order. */
export interface DisposalStack extends AsyncDisposable {
  /** Adds a resource, and returns it. Undefined is passed through. */
  use<T extends AsyncDisposable | Disposable | undefined>(resource: T): T;
  /** Adds a function that is called in its turn. */
  defer(close: () => void | PromiseLike<void> | undefined): void;
}

/**
 * Creates a stack. Each resource is closed when those that were added after it are closed; an error of one does not keep the others open.
 * (`AsyncDisposableStack` of the language is not part of Node 20.)
 *
 * @throws the error of a resource, when all are closed; several as an AggregateError
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
