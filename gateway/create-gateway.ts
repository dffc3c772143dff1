import type { RequestListener } from 'node:http';
import type { GatewayConfigInput } from './config/sections.ts';
import type { GenerationBound, GenerationView } from './generation/generation.ts';
import type { BytesResult, ObjectResult, OperationRequest } from './pipeline/operation-request.ts';
import type { Clock } from './platform/clock.ts';
import type { Logger } from './platform/logger.ts';
import type { Principal } from './platform/principal.ts';
import type { RequestHeaders } from './platform/request-headers.ts';

/** One graph, served. Every door goes through `run`. */
export interface Gateway extends AsyncDisposable {
  /** Credentials to principal. Knows no operation. @throws GatewayError `UNAUTHENTICATED` */
  authenticate(headers: RequestHeaders): Promise<Principal>;
  /** One operation, all stages; answers in JSON text. @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  /** One operation, all stages; answers in values. @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  /** Called with each generation while it is being built; may refuse it (throw), and returns what belongs to it. */
  onGeneration<T>(build: (view: GenerationView) => T | Promise<T>): GenerationBound<T>;
  /** A handler for paths that are not ours: the longest path wins; one handler without paths owns the rest and its 404. */
  mount(handler: RequestListener, paths?: readonly string[]): void;
  /** Loads the supergraph, compiles, then opens both listeners. */
  listen(): Promise<{ readonly url: string; readonly internalUrl: string }>;
}

/** What a test, or an embedding application, may put in place of the real thing. */
export interface GatewayDependencies {
  readonly clock?: Clock;
  readonly logger?: Logger;
}

export async function createGateway(_config: GatewayConfigInput, _dependencies: GatewayDependencies = {}): Promise<Gateway> {
  throw new Error('not built yet');
}
