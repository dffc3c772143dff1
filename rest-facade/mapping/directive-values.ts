import { type ASTNode, type DirectiveNode, getDirectiveValues } from 'graphql';
import { restDirective } from './directives.ts';

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
  };
  readonly in: { readonly path?: string | null; readonly query?: string | null };
  readonly integer: object;
  readonly body: { readonly integers: readonly string[] };
  readonly page: { readonly role: 'SIZE' | 'OFFSET' | 'CURSOR' };
  readonly sort: { readonly allow: readonly string[]; readonly default: readonly string[] };
  readonly idempotencyKey: object;
  readonly result: { readonly shape: 'RESOURCE' | 'PAGE' };
  readonly userErrors: object;
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
