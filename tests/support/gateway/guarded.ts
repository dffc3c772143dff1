import { type DocumentNode, parse } from 'graphql';
import { createAccessRules } from '../../../gateway/authorization/access-rules.ts';
import { compileRules } from '../../../gateway/authorization/compile-rules.ts';
import { compileAuthorization, type OperationAuthorization } from '../../../gateway/authorization/operation-authorization.ts';
import { printUsed } from '../../../gateway/authorization/print-used.ts';
import { selectOperation } from '../../../gateway/operation/select-operation.ts';
import { ANONYMOUS, type Principal } from '../../../gateway/platform/principal.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { readAuthorizationRules } from '../../../gateway/supergraph/read-authorization-rules.ts';
import { type LoadedSupergraph, loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';

const FEDERATION = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.12", import: ["@key", "@shareable", "@external", "@requires", "@composeDirective",
      "@interfaceObject", "@inaccessible", "@context", "@fromContext", "@authenticated", "@requiresScopes", "@policy"])
`;
const AUTH = `
  extend schema @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"]) @composeDirective(name: "@auth")
  enum Role { USER ADMIN SUPPORT }
  directive @auth(requires: Role!, orOwner: String) on FIELD_DEFINITION | OBJECT
`;

const CREATOR = `
  extend schema @link(url: "https://gatefold.dev/creator/v1.0", import: ["@creatorMayRead"]) @composeDirective(name: "@creatorMayRead")
  directive @creatorMayRead(fields: String!) on FIELD_DEFINITION
`;

/** Composes subgraphs with the links that their directives need, and loads the supergraph. */
export function loadGuarded(...subgraphs: readonly string[]): LoadedSupergraph {
  const sources = subgraphs.map((sdl, index) => ({
    name: `s${index}`,
    url: `http://s${index}.invalid/`,
    files: [
      {
        path: `s${index}.graphql`,
        text: FEDERATION + (sdl.includes('@auth(') ? AUTH : '') + (sdl.includes('@creatorMayRead(') ? CREATOR : '') + sdl,
      },
    ],
  }));
  const composed = composeSubgraphs(sources);
  if (composed.errors !== undefined) throw new Error(composed.errors.map(({ message }) => message).join('\n'));
  return loadSupergraph(composed.supergraphSdl);
}

/** Compiles the authorization rules of the subgraphs. @throws SupergraphInvalid */
export function load(...subgraphs: readonly string[]) {
  const { graph, authorization, creatorGrants } = loadGuarded(...subgraphs);
  return compileRules(graph, authorization, creatorGrants);
}

const RULE = / @(?:authenticated|(?:requiresScopes|policy|auth)\([^)]*\))/g;

/** Compiles rules that composition did not check, like older versions of composition. */
export function loadUnchecked(...subgraphs: readonly string[]) {
  const { graph } = loadGuarded(...subgraphs.map((sdl) => sdl.replaceAll(RULE, '')));
  const features = ['authenticated', 'requiresScopes', 'policy'].map((name) => linked('https://specs.apollo.dev', name));
  const auth = linked('https://gatefold.dev', 'auth');
  return compileRules(graph, readAuthorizationRules(parse(subgraphs.join('\n')), [...features, auth]));
}

function linked(from: string, name: string) {
  return { url: '', version: '', imports: new Map<string, string>(), identity: `${from}/${name}`, name, namespace: name };
}

export interface GuardedOperation {
  readonly authorization: OperationAuthorization | undefined;
  readonly document: DocumentNode;
  /** Returns the document that is planned for a caller, without line breaks. */
  plannedFor(principal: Principal): string;
}

/** Compiles operations of one supergraph. */
export function guardedGraph(...subgraphs: readonly string[]): (text: string) => GuardedOperation {
  const { graph, schema, authorization: written, creatorGrants } = loadGuarded(...subgraphs);
  const rules = compileRules(graph, written, creatorGrants);
  if (rules === undefined) throw new Error('The supergraph has no authorization rules.');
  const access = createAccessRules(schema, rules);
  return (text) => {
    const document = parse(text, { noLocation: true });
    const authorization = compileAuthorization(schema, access, document, selectOperation(document));
    return {
      authorization,
      document,
      plannedFor(principal) {
        const key = authorization?.decide(principal) ?? '';
        const cut = key === '' ? document : authorization?.rewrite(document, selectOperation(document), key).cut;
        return printUsed(cut ?? document).replaceAll(/\s+/g, ' ');
      },
    };
  };
}

export function caller(
  id: string,
  permissions: { readonly roles?: readonly string[]; readonly scopes?: readonly string[] } = {},
): Principal {
  return { ...ANONYMOUS, kind: 'user', id, roles: new Set(permissions.roles), scopes: new Set(permissions.scopes) };
}
