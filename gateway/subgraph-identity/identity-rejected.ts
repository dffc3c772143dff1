/**
 * Reason why an identity was rejected:
 *
 * - `MISSING`: the request has no identity header
 * - `MALFORMED`: the header is not a token
 * - `EXPIRED`: the token is expired, or older than one minute
 * - `WRONG_AUDIENCE`: the token is for another subgraph
 * - `WRONG_ISSUER`: another issuer than the expected one signed the token
 * - `WRONG_SIGNATURE`: no trusted key has signed the token, or it has another algorithm than its key
 * - `WRONG_FORM`: a token without its proof, or a plain token where a proof is required
 * - `BODY_REQUIRED`: the token has a proof, and the verifier was called without the request body
 * - `WRONG_BODY`: the proof is for another request body
 * - `INVALID_CLAIMS`: a claim is missing or has an invalid value
 * - `KEYS_UNAVAILABLE`: the public keys of the gateway cannot be fetched
 */
export type IdentityRejection =
  | 'MISSING'
  | 'MALFORMED'
  | 'EXPIRED'
  | 'WRONG_AUDIENCE'
  | 'WRONG_ISSUER'
  | 'WRONG_SIGNATURE'
  | 'WRONG_FORM'
  | 'BODY_REQUIRED'
  | 'WRONG_BODY'
  | 'INVALID_CLAIMS'
  | 'KEYS_UNAVAILABLE';

/**
 * Error for a request without a valid identity. Web frameworks read the HTTP status from it: 401, or 503 for `KEYS_UNAVAILABLE`. The message
 * contains no part of the token.
 */
export class IdentityRejected extends Error {
  readonly code: IdentityRejection;
  /** HTTP status, as Express and Koa read it. */
  readonly status: 401 | 503;
  /** HTTP status, as Fastify reads it. */
  readonly statusCode: 401 | 503;
  /** Extensions of the GraphQL error. Apollo Server and GraphQL Yoga read the HTTP status from them. */
  readonly extensions: { readonly http: { readonly status: 401 | 503 } };

  constructor(code: IdentityRejection, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IdentityRejected';
    this.code = code;
    this.status = code === 'KEYS_UNAVAILABLE' ? 503 : 401;
    this.statusCode = this.status;
    this.extensions = { http: { status: this.status } };
  }
}
