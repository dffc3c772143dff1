import { OperationRejected } from '../../operation/operation-rejected.ts';

/**
 * Thrown for an operation whose planning exceeded the timeout. It may be tried again after some time, because the process may have been
 * busy.
 */
export class PlanningTooLong extends OperationRejected {
  constructor() {
    super('GRAPHQL_VALIDATION_FAILED', [
      { message: 'The operation takes too long to plan. Simplify it or split it into several operations.' },
    ]);
    this.name = 'PlanningTooLong';
  }
}
