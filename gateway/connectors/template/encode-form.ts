import { scalarText } from './compile-template.ts';
import { ConnectorRequestInvalid } from './connector-request-invalid.ts';

/** Content type with which a body is sent as a form. */
export const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

/**
 * Encodes an object as an HTML form: `name=Ann&tags[0]=a&address[city]=Oslo`, with encoded brackets (URL Standard, section 5.2). Spaces become
 * `+`.
 *
 * @throws ConnectorRequestInvalid if the value is not an object
 */
export function encodeForm(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConnectorRequestInvalid('The body of a form must be an object.');
  }
  const fields: string[] = [];
  for (const [name, child] of Object.entries(value)) appendField(fields, encodeText(name), child);
  return fields.join('&');
}

function appendField(fields: string[], name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null) {
    fields.push(`${name}=${encodeText(scalarText(value, 'the body'))}`);
    return;
  }
  for (const [key, child] of Object.entries(value)) appendField(fields, `${name}%5B${encodeText(key)}%5D`, child);
}

function encodeText(text: string): string {
  return new URLSearchParams([[text, '']]).toString().slice(0, -1);
}
