import { expect } from '@jest/globals';
import type { HttpAnswer } from '../http/http-client.ts';

/** Both paths below which every resource is served. */
export const MOUNTS = ['', '/api'] as const;

export const ISO_INSTANT: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The flat error body. */
export interface FlatError {
  readonly error: string;
  readonly message: string;
  readonly traceId: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
}

/** The page of a collection. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
  readonly totalElements: number;
}

export interface RestOrder {
  readonly id: number;
  readonly status: string;
  readonly productId: number;
  readonly qty: number;
  readonly userId: number;
  readonly total: number;
}

/** Expects a complete JSON response with this status. */
export function expectJson(answer: HttpAnswer<unknown>, status: number): void {
  if (answer.status !== status)
    throw new Error(`Expected status ${String(status)}, got ${String(answer.status)}: ${answer.text.slice(0, 1_000)}`);
  expect(answer.headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/i);
  expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.body).toBeDefined();
}

/** Expects an error response in the flat error body. */
export function expectRefusal(answer: HttpAnswer<unknown>, status: number, code: string): void {
  const { error } = (answer.body ?? {}) as Partial<FlatError>;
  expect({ status: answer.status, error, text: answer.text.slice(0, 500) }).toEqual({
    status,
    error: code,
    text: answer.text.slice(0, 500),
  });
  expect(answer.headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/i);
  expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
  if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer\b/);
  if (status === 405) expect(answer.headers['allow']).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  if (status === 503) expect(answer.headers['retry-after']).toMatch(/^\d+$/);
}

/** Expects a page whose numbers are consistent with one another and with its items. */
export function expectPage<Item>(
  answer: HttpAnswer<Page<Item>>,
  { page = 1, pageSize = 20 }: { page?: number; pageSize?: number } = {},
): void {
  expectJson(answer, 200);
  const { data, totalElements, totalPages } = answer.body;
  expect(Object.keys(answer.body).sort()).toEqual(['data', 'page', 'pageSize', 'totalElements', 'totalPages']);
  expect({ page: answer.body.page, pageSize: answer.body.pageSize }).toEqual({ page, pageSize });
  expect(Number.isInteger(totalElements)).toBe(true);
  expect(totalPages).toBe(Math.ceil(totalElements / pageSize));
  expect(data).toHaveLength(Math.max(0, Math.min(pageSize, totalElements - (page - 1) * pageSize)));
}

/** Expects the names and types of the fields of a representation. Other fields are not allowed. */
export function expectFields(body: unknown, required: Readonly<Record<string, unknown>>, optional: readonly string[] = []): void {
  expect(body).toMatchObject(required);
  const allowed = new Set([...Object.keys(required), ...optional]);
  expect(Object.keys(body as object).filter((key) => !allowed.has(key))).toEqual([]);
}
