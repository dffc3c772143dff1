import { type ASTNode, type DirectiveNode, getDirectiveValues } from 'graphql';
import { restDirective } from './directives.ts';
import type { BodyLimit } from '../request/body-limits.ts';

type Annotated = ASTNode & { readonly directives?: readonly DirectiveNode[] };

/** One use of one of our directives, with its arguments coerced and defaulted. */
export interface DirectiveUse<T> {
  readonly node: DirectiveNode;
  readonly values: T;
}

/** Arguments as our SDL declares them: validation has passed, so they have these types. */
export interface DirectiveArguments {
  readonly endpoint: {
    readonly method: RestMethod;
    readonly path: string;
    readonly status: number;
    readonly location?: string | null;
    readonly signedIn: boolean;
    readonly since: number;
    readonly until?: number | null;
    readonly deprecated?: string | null;
    readonly sunset?: string | null;
  };
  readonly in: { readonly path?: string | null; readonly query?: string | null; readonly header?: string | null };
  readonly integer: object;
  readonly body: {
    readonly integers: readonly string[];
    readonly names: readonly { readonly field: string; readonly as: string }[];
    readonly limits: readonly BodyLimit[];
  };
  readonly page: { readonly role: 'SIZE' | 'OFFSET' | 'CURSOR' };
  readonly sort: { readonly allow: readonly string[]; readonly default: readonly string[] };
  readonly idempotencyKey: object;
  readonly result: { readonly shape: 'RESOURCE' | 'PAGE' | 'LIST' | 'NONE' };
  readonly link: {
    readonly rel: string;
    readonly href: string;
    readonly method: RestMethod;
    readonly if?: string | null;
    readonly in?: readonly string[] | null;
    readonly owner?: string | null;
  };
  readonly userErrors: object;
  readonly version: { readonly whole: boolean; readonly except: readonly string[] };
  readonly lastModified: object;
  readonly onDemand: object;
  readonly tolerated: object;
  readonly hide: object;
  readonly beside: object;
  readonly ifMatch: { readonly required: boolean };
  readonly noStore: object;
}

/** Methods a document may name; HEAD and OPTIONS follow from them. */
export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** All uses of a directive at a node, in order. */
export function usesOf<N extends keyof DirectiveArguments>(node: Annotated, name: N): readonly DirectiveUse<DirectiveArguments[N]>[] {
  const found = (node.directives ?? []).filter((directive) => directive.name.value === name);
  return found.map((directive) => ({
    node: directive,
    values: getDirectiveValues(restDirective(name), { directives: [directive] }) as DirectiveArguments[N],
  }));
}

/** The use of a directive that is not repeatable. */
export function useOf<N extends keyof DirectiveArguments>(node: Annotated, name: N): DirectiveUse<DirectiveArguments[N]> | undefined {
  return usesOf(node, name)[0];
}
