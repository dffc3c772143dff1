import type { CreatorGrant } from './creator-grant.ts';
import type { Guard } from './requirement.ts';

/** The rules of a supergraph as they are enforced: those of interfaces reach all that implement them. */
export interface CompiledRules {
  /** Whether a coordinate, `Type` or `Type.field`, has a rule of its own or of an interface. */
  has(coordinate: string): boolean;
  /** All must be passed to see a value of the type, wherever it stands. */
  ofType(type: string): readonly Guard[];
  /** All must be passed to see the field, besides those of the type that has it and of the type that it returns. */
  ofField(type: string, field: string): readonly Guard[];
  /** What the caller of a mutation field may read of its result as an owner may. */
  ofCreated(type: string, field: string): CreatorGrant | undefined;
}
