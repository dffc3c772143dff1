import { useGraphiQL } from '@graphiql/react';
import { type ReactElement, createElement, useSyncExternalStore } from 'react';
import type { PayloadLog } from './payload-log.ts';

/**
 * Lists the payloads of a subscription or of an operation with `@defer` below the response. A click shows one of them in place of the merged
 * or latest result. Renders nothing for a response with one payload.
 */
export function PayloadList({ log }: { readonly log: PayloadLog }): ReactElement | null {
  const payloads = useSyncExternalStore(log.subscribe, log.read);
  const responseEditor = useGraphiQL((state) => state.responseEditor);
  if (payloads.length < 2) return null;
  return createElement(
    'div',
    { className: 'payloads', role: 'group', 'aria-label': 'Payloads' },
    'Payloads',
    payloads.map(({ number, receivedAt, text }) =>
      createElement(
        'button',
        {
          key: number,
          type: 'button',
          title: `Show payload ${number}, received at ${receivedAt.toLocaleTimeString()}`,
          onClick: () => responseEditor?.setValue(text),
        },
        number,
      ),
    ),
  );
}
