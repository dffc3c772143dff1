import { type MappingProblem, placeOf } from './problem.ts';
import type { Route } from './route.ts';

/** What stands behind the facade can do beside running queries and mutations. */
export interface ExecutorAbilities {
  /** Whether anybody tells who callers are. @defaultValue true */
  readonly knowsCallers?: boolean | undefined;
  /** Whether it runs subscriptions. @defaultValue true */
  readonly canStream?: boolean;
}

/** Routes that nobody could ever use. */
export function executorProblems(
  routes: readonly Route[],
  { knowsCallers = true, canStream = true }: ExecutorAbilities,
): readonly MappingProblem[] {
  const problem = ({ operationName, operation }: Route, message: string, hint: string): MappingProblem => ({
    message: `${operationName} ${message}`,
    hint,
    ...placeOf(operation.loc),
  });
  return routes.flatMap((route) => [
    ...(route.needsCredentials && !knowsCallers
      ? [
          problem(
            route,
            'is for callers with credentials, and nobody tells who callers are.',
            'Give createRestFacade an `authenticate`, or leave `signedIn` out.',
          ),
        ]
      : []),
    ...(route.isStream && !canStream
      ? [problem(route, 'is a subscription, and nobody runs subscriptions here.', 'Put the facade in front of a gateway, or leave it out.')]
      : []),
  ]);
}
