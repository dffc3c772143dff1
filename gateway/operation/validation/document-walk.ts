import { type ASTNode, type ASTVisitor, type ASTVisitFn, BREAK, Kind, type TypeInfo } from 'graphql';
import { CHILDREN, nodeAt, type Children, isNodeList } from './node-children.ts';

/** State of a visitor. It is not called below `skipped`. */
interface VisitorState {
  readonly visitor: ASTVisitor;
  skipped: ASTNode | undefined;
  /** Whether the visitor returned `BREAK`. */
  hasEnded: boolean;
}

interface EnterLeave {
  readonly enter?: ASTVisitFn<ASTNode> | undefined;
  readonly leave?: ASTVisitFn<ASTNode> | undefined;
}

type VisitorEntry = ASTVisitFn<ASTNode> | EnterLeave;

/** Functions of a visitor for one kind of node. */
interface KindFunctions extends EnterLeave {
  readonly state: VisitorState;
}

/**
 * Visits the nodes of an executable document with several visitors, as `visit` with `visitInParallel` of graphql-js does.
 *
 * Those functions look up every kind of node in every visitor before they begin. For an operation of 20 fields and 30 validation rules,
 * this takes longer than the rules themselves. This class only looks up the kinds that each visitor defines. Names, about half of the
 * nodes, are visited only if a visitor has a function for them. Visitors cannot change the document, and type definitions are not visited.
 *
 * The first documents of a process are validated before V8 optimizes this code, so it uses loops that are fast without optimization.
 */
export class DocumentWalk {
  readonly #types: TypeInfo;
  readonly #functions = new Map<string, KindFunctions[]>();
  readonly #children: Children;
  readonly #path: (string | number)[] = [];
  readonly #ancestors: (ASTNode | readonly ASTNode[])[] = [];

  constructor(visitors: readonly ASTVisitor[], types: TypeInfo) {
    this.#types = types;
    for (const visitor of visitors) this.#add({ visitor, skipped: undefined, hasEnded: false });
    this.#children = this.#functions.has(Kind.NAME) ? CHILDREN : CHILDREN_WITHOUT_NAMES;
  }

  #add(state: VisitorState): void {
    const visitor = state.visitor as Readonly<Record<string, VisitorEntry | undefined>>;
    for (const [kind, entry] of Object.entries(visitor)) {
      if (kind === 'enter' || kind === 'leave' || entry === undefined) continue;
      this.#addKind(kind, typeof entry === 'function' ? { state, enter: entry } : { state, ...entry });
    }
    const { enter, leave } = state.visitor as EnterLeave;
    if (enter === undefined && leave === undefined) return;
    // Functions for nodes of any kind are called for the kinds without a specific function.
    for (const kind of KINDS) {
      if (visitor[kind] === undefined) this.#addKind(kind, { state, enter, leave });
    }
  }

  #addKind(kind: string, functions: KindFunctions): void {
    const others = this.#functions.get(kind);
    if (others === undefined) this.#functions.set(kind, [functions]);
    else others.push(functions);
  }

  /** Visits a node and its descendants. @throws RangeError when the document is nested too deeply */
  visit(node: ASTNode, key?: string | number, parent?: ASTNode | readonly ASTNode[]): void {
    const functions = this.#functions.get(node.kind);
    this.#types.enter(node);
    if (functions !== undefined) this.#enter(functions, node, key, parent);
    const keys = this.#children[node.kind];
    if (keys !== undefined) this.#visitChildren(node, keys, parent);
    if (functions !== undefined) this.#leave(functions, node, key, parent);
    this.#types.leave(node);
  }

  #visitChildren(node: ASTNode, keys: readonly string[], parent: ASTNode | readonly ASTNode[] | undefined): void {
    if (parent !== undefined) this.#ancestors.push(parent);
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] as string;
      const child = nodeAt(node, key);
      if (child === undefined) continue;
      this.#path.push(key);
      if (isNodeList(child)) this.#visitList(child, node);
      else this.visit(child, key, node);
      this.#path.pop();
    }
    if (parent !== undefined) this.#ancestors.pop();
  }

  #visitList(list: readonly ASTNode[], parent: ASTNode): void {
    this.#ancestors.push(parent);
    for (let index = 0; index < list.length; index += 1) {
      this.#path.push(index);
      this.visit(list[index] as ASTNode, index, list);
      this.#path.pop();
    }
    this.#ancestors.pop();
  }

  #enter(
    functions: readonly KindFunctions[],
    node: ASTNode,
    key: string | number | undefined,
    parent: ASTNode | readonly ASTNode[] | undefined,
  ): void {
    for (let index = 0; index < functions.length; index += 1) {
      const { state, enter } = functions[index] as KindFunctions;
      if (enter === undefined || state.skipped !== undefined || state.hasEnded) continue;
      const result: unknown = enter.call(state.visitor, node, key, parent, this.#path, this.#ancestors);
      if (result === false) state.skipped = node;
      else if (result === BREAK) state.hasEnded = true;
    }
  }

  #leave(
    functions: readonly KindFunctions[],
    node: ASTNode,
    key: string | number | undefined,
    parent: ASTNode | readonly ASTNode[] | undefined,
  ): void {
    for (let index = 0; index < functions.length; index += 1) {
      const { state, leave } = functions[index] as KindFunctions;
      if (state.skipped === node) state.skipped = undefined;
      else if (leave !== undefined && state.skipped === undefined && !state.hasEnded) {
        const result: unknown = leave.call(state.visitor, node, key, parent, this.#path, this.#ancestors);
        if (result === BREAK) state.hasEnded = true;
      }
    }
  }
}

const CHILDREN_WITHOUT_NAMES: Children = Object.fromEntries(
  Object.entries(CHILDREN).map(([kind, keys]) => [kind, keys.filter((key) => key !== 'name' && key !== 'alias')]),
);

/** Kinds of nodes that are visited. */
const KINDS: readonly string[] = [
  ...Object.keys(CHILDREN),
  Kind.NAME,
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
];
