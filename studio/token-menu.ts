import { tryParseJSONC, useGraphiQL } from '@graphiql/react';
import { type ChangeEvent, type ReactElement, createElement, useEffect, useState } from 'react';
import type { Session } from './session.ts';

type Headers = Readonly<Record<string, unknown>>;

/** Value of the menu for credentials that the user entered. */
const CUSTOM = 'custom';

/** Menu that writes the token of a caller into the headers editor, and removes it again. Renders nothing if there are no tokens. */
export function TokenMenu({ tokens }: Pick<Session, 'tokens'>): ReactElement | null {
  const editor = useGraphiQL((state) => state.headerEditor);
  const [text, setText] = useState('');
  useEffect(() => {
    if (editor === undefined) return undefined;
    const read = (): void => setText(editor.getValue());
    read();
    const listener = editor.onDidChangeModelContent(read);
    return () => listener.dispose();
  }, [editor]);
  if (tokens.length === 0) return null;

  const authorization = authorizationIn(readHeaders(text));
  const selected = authorization === undefined ? '' : (tokens.find(({ token }) => authorization === `Bearer ${token}`)?.token ?? CUSTOM);
  const select = (event: ChangeEvent<HTMLSelectElement>): void =>
    editor?.setValue(withToken(readHeaders(editor.getValue()), event.target.value));
  const options = [
    createElement('option', { key: 'none', value: '' }, 'none (anonymous)'),
    ...tokens.map(({ name, token }) => createElement('option', { key: token, value: token }, name)),
    ...(selected === CUSTOM ? [createElement('option', { key: CUSTOM, value: CUSTOM, disabled: true }, 'from the headers')] : []),
  ];
  return createElement(
    'label',
    { className: 'token-menu', title: 'Writes a development token into the headers' },
    'Token',
    createElement('select', { value: selected, onChange: select }, options),
  );
}

function readHeaders(text: string): Headers {
  try {
    return tryParseJSONC(text) ?? {};
  } catch {
    return {}; // The user is editing. Selecting a token replaces text that is not JSON.
  }
}

function authorizationIn(headers: Headers): unknown {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}

/** Replaces the token in the headers. @param token empty: the token is removed */
function withToken(headers: Headers, token: string): string {
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  const entries = token === '' ? others : [...others, ['authorization', `Bearer ${token}`]];
  return entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries), undefined, 2);
}
