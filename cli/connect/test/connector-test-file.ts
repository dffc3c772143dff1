import { z } from 'zod';

const headers = z.record(z.string(), z.union([z.string(), z.null()]));
const values = z.record(z.string(), z.json());

const expectedRequest = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  /** A header with the value null must not be sent. */
  headers: headers.optional(),
  /** A value is compared with the JSON of the body, a text with the text of a body that is not JSON. */
  body: z.json().optional(),
});

const recordedResponse = z.strictObject({
  status: z.int().min(100).max(599).default(200),
  headers: z.record(z.string(), z.string()).default({}),
  /** Parsed JSON of the response, or its text. */
  body: z.json().optional(),
  /** Path of a file with the body, relative to the test file. */
  bodyFile: z.string().min(1).optional(),
});

const expectedError = z.strictObject({
  message: z.string().optional(),
  extensions: values.optional(),
});

const connectorTest = z
  .strictObject({
    name: z.string().min(1),
    args: values.default({}),
    this: values.optional(),
    batch: z.array(values).optional(),
    config: values.default({}),
    env: z.record(z.string(), z.string()).default({}),
    context: values.default({}),
    /** Headers of the client's request. */
    clientHeaders: z.record(z.string(), z.string()).default({}),
    request: expectedRequest.optional(),
    response: recordedResponse.optional(),
    result: z.json().optional(),
    error: expectedError.optional(),
  })
  .refine(({ request, result, error }) => request !== undefined || result !== undefined || error !== undefined, {
    error: 'expects nothing; add request, result or error',
  })
  .refine(({ response, result, error }) => response !== undefined || (result === undefined && error === undefined), {
    error: 'has a result or an error, but no response',
    path: ['response'],
  })
  .refine(({ result, error }) => result === undefined || error === undefined, {
    error: 'has a result and an error; a response has one of them',
    path: ['error'],
  })
  .refine(({ response }) => response?.body === undefined || response.bodyFile === undefined, {
    error: 'has body and bodyFile; use one of them',
    path: ['response'],
  });

/** Content of a file with tests of one connector. */
export const connectorTestFile = z.strictObject({
  /** Path of the SDL of the subgraph, relative to the test file. */
  subgraph: z.string().min(1),
  /** Coordinate of the connector: `Query.user`, `User`, or `Query.user#2` for the second one of the field. */
  connector: z
    .string()
    .regex(/^[_A-Za-z]\w*(?:\.[_A-Za-z]\w*)?(?:#[1-9]\d*)?$/, 'expected a coordinate, such as Query.user, User or Query.user#2'),
  tests: z.array(connectorTest).min(1),
});

/** Parsed file with tests of one connector. */
export type ConnectorTestFile = Readonly<z.infer<typeof connectorTestFile>>;

/** One test: values of variables, the request that they make, and the result of a recorded response. */
export type ConnectorTest = ConnectorTestFile['tests'][number];
