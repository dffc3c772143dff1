import type { FederatedType } from '../supergraph/federated-graph.ts';
import type { WantedField } from './wanted-fields.ts';

/** Types of one abstract place of which the same is wanted, and that are planned alike. */
export interface TypeClass {
  /** One of them. */
  readonly type: FederatedType;
  readonly names: readonly string[];
  readonly fields: readonly WantedField[];
}
