import { expect } from '@jest/globals';
import type { HttpResponse } from '../http/http-client.ts';

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
export function expectJson(response: HttpResponse<unknown>, status: number): void {
  if (response.status !== status)
    throw new Error(`Expected status ${String(status)}, got ${String(response.status)}: ${response.text.slice(0, 1_000)}`);
  expect(response.headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/i);
  expect(response.headers['content-length']).toBe(String(response.bytes.length));
  expect(response.headers['x-content-type-options']).toBe('nosniff');
  expect(response.body).toBeDefined();
}

/** Expects an error response in the flat error body. */
export function expectError(response: HttpResponse<unknown>, status: number, code: string): void {
  const { error } = (response.body ?? {}) as Partial<FlatError>;
  expect({ status: response.status, error, text: response.text.slice(0, 500) }).toEqual({
    status,
    error: code,
    text: response.text.slice(0, 500),
  });
  expect(response.headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/i);
  expect(response.headers['content-length']).toBe(String(response.bytes.length));
  if (status === 401) expect(response.headers['www-authenticate']).toMatch(/^Bearer\b/);
  if (status === 405) expect(response.headers['allow']).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
  if (status === 503) expect(response.headers['retry-after']).toMatch(/^\d+$/);
}

/** Expects a page whose numbers are consistent with one another and with its items. */
export function expectPage<Item>(
  response: HttpResponse<Page<Item>>,
  { page = 1, pageSize = 20 }: { page?: number; pageSize?: number } = {},
): void {
  expectJson(response, 200);
  const { data, totalElements, totalPages } = response.body;
  expect(Object.keys(response.body).sort()).toEqual(['data', 'page', 'pageSize', 'totalElements', 'totalPages']);
  expect({ page: response.body.page, pageSize: response.body.pageSize }).toEqual({ page, pageSize });
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
