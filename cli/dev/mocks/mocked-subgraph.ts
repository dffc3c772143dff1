import type { Mock } from './create-mock.ts';
import type { MockOverrides } from './read-overrides.ts';

/** Mock of a subgraph as it is now. */
export interface MockedSubgraph {
  /** Undefined until the SDL is known and can be built. */
  readonly mock: Mock | undefined;
  /** Reason why there is no mock. */
  readonly failure: string;
  readonly overrides: MockOverrides;
}
