import type { PreparedOperation } from '../../generation/prepared-operation.ts';
import { OperationRejected } from '../../operation/operation-rejected.ts';
import { GatewayError } from '../../platform/errors.ts';
import type { OperationRequest } from '../operation-request.ts';
import type { PreparedRequest } from '../operation-run.ts';
import type { ErrorLocator } from './locate-errors.ts';

type CheckedRequest = Pick<PreparedRequest, 'request' | 'operation'>;

/** Checks of a valid operation that depend on the request. */
export interface OperationChecks {
  /** @throws GatewayError when the request may not execute an operation of this kind @throws OperationRejected `INTROSPECTION_DISABLED` */
  checkExecutable(checked: CheckedRequest): void;
  /** @throws GatewayError when the operation is not a subscription @throws OperationRejected `INTROSPECTION_DISABLED` */
  checkSubscription(checked: CheckedRequest): void;
  /** Coerces the variables of the request. @throws OperationRejected `BAD_USER_INPUT`, with the location of the variable */
  coerceVariables(checked: CheckedRequest & Pick<PreparedRequest, 'document'>): Readonly<Record<string, unknown>>;
}

const NO_VARIABLES: Readonly<Record<string, unknown>> = Object.freeze({});

export interface OperationChecksOptions {
  /** Whether clients may query `__schema` and `__type`. */
  readonly isIntrospectionAllowed: boolean;
  readonly locator: ErrorLocator;
}

export function createOperationChecks({ isIntrospectionAllowed, locator }: OperationChecksOptions): OperationChecks {
  function checkIntrospection({ isIntrospecting }: PreparedOperation): void {
    if (!isIntrospecting || isIntrospectionAllowed) return;
    throw new OperationRejected('INTROSPECTION_DISABLED', [{ message: 'Introspection is disabled on this gateway.' }]);
  }

  return {
    checkExecutable({ operation, request }) {
      checkMethod(operation, request);
      if (operation.kind === 'subscription') {
        throw new OperationRejected('BAD_REQUEST', [
          {
            message:
              'A subscription requires a streaming transport. Send the header "Accept: text/event-stream", or use a WebSocket ' +
              '(protocol graphql-transport-ws).',
          },
        ]);
      }
      checkIntrospection(operation);
    },
    checkSubscription({ operation }) {
      if (operation.kind !== 'subscription')
        throw new GatewayError('BAD_REQUEST', 'Only a subscription can be streamed; send other operations as a plain request.');
      checkIntrospection(operation);
    },
    coerceVariables({ operation, request, document }) {
      try {
        return operation.coerceVariables(request.variables ?? NO_VARIABLES);
      } catch (error) {
        throw locator.locateRejection(error, document, request.operationName);
      }
    },
  };
}

function checkMethod({ kind }: PreparedOperation, { queryOnly }: OperationRequest): void {
  if (queryOnly !== true || kind === 'query') return;
  const message =
    kind === 'mutation' ? 'A mutation must be sent with POST.' : 'A subscription with GET requires the header Accept: text/event-stream.';
  throw new GatewayError('METHOD_NOT_ALLOWED', message, { headers: { allow: 'POST' } });
}
