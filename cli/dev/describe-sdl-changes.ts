import {
  type DefinitionNode,
  type DirectiveNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  parse,
  print,
  Source,
} from 'graphql';
import type { SdlFile } from '../../gateway/supergraph/compose-subgraphs.ts';

/** A member of a type: a field with its arguments, a value of an enum or a type of a union. */
interface Member {
  /** Kind of the member in a sentence. */
  readonly kind: 'field' | 'argument' | 'value' | 'member' | 'interface';
  /** Type with its modifiers; empty for a member without a type. */
  readonly type: string;
  /** Directives, sorted and printed. */
  readonly directives: string;
}

interface DescribedType {
  readonly kind: string;
  readonly directives: string;
  /** Members by their coordinates. */
  readonly members: ReadonlyMap<string, Member>;
}

const KINDS: Readonly<Record<string, string>> = {
  Scalar: 'scalar',
  Object: 'type',
  Interface: 'interface',
  Union: 'union',
  Enum: 'enum',
  InputObject: 'input',
};

/**
 * Describes the differences of two versions of the SDL of a subgraph: one text for each type, field, argument, value and directive that was
 * added, removed or changed. Returns no texts if only descriptions or the order have changed.
 *
 * @throws GraphQLError if one of them does not parse
 */
export function describeSdlChanges(previous: readonly SdlFile[], next: readonly SdlFile[]): readonly string[] {
  const [before, after] = [readTypes(previous), readTypes(next)];
  const added = [...after].flatMap(([name, type]) => (before.has(name) ? [] : [`${type.kind} ${name} added`]));
  const removed = [...before].flatMap(([name, type]) => (after.has(name) ? [] : [`${type.kind} ${name} removed`]));
  const changed = [...after].flatMap(([name, type]) => {
    const old = before.get(name);
    return old === undefined ? [] : describeType(name, old, type);
  });
  return [...added, ...changed, ...removed];
}

function describeType(name: string, before: DescribedType, after: DescribedType): readonly string[] {
  const kind = before.kind === after.kind ? [] : [`${name} changed from ${before.kind} to ${after.kind}`];
  const directives = before.directives === after.directives ? [] : [`directives of ${name} changed: ${after.directives || 'none'}`];
  const removed = [...before.members].flatMap(([path, { kind: member }]) => (after.members.has(path) ? [] : [`${member} ${path} removed`]));
  const others = [...after.members].flatMap(([path, next]) => describeMember(path, before.members.get(path), next, before));
  const isRemovedField = (text: string) => removed.some((other) => other !== text && text.includes('(') && text.includes(fieldIn(other)));
  return [...kind, ...directives, ...others, ...removed.filter((text) => !isRemovedField(text))];
}

function describeMember(path: string, old: Member | undefined, next: Member, owner: DescribedType): readonly string[] {
  if (old === undefined) {
    // The arguments of a new field are new with it.
    const isOfNewField = path.includes('(') && !owner.members.has(path.replace(/\(.*$/, ''));
    return isOfNewField ? [] : [`${next.kind} ${path} added`];
  }
  return [
    ...(old.type === next.type ? [] : [`${next.kind} ${path} changed from ${old.type} to ${next.type}`]),
    ...(old.directives === next.directives ? [] : [`directives of ${path} changed: ${next.directives || 'none'}`]),
  ];
}

/** Returns the start of the coordinates of the arguments of a removed field. */
function fieldIn(text: string): string {
  return text.startsWith('field ') ? ` ${text.slice('field '.length, -' removed'.length)}(` : '\n';
}

function readTypes(files: readonly SdlFile[]): ReadonlyMap<string, DescribedType> {
  const types = new Map<string, DescribedType>();
  for (const { path, text } of files) {
    for (const node of parse(new Source(text, path)).definitions) {
      const [, kind] = /^(\w+?)Type(?:Definition|Extension)$/.exec(node.kind) ?? [];
      if (kind === undefined || !('name' in node) || node.name === undefined) continue;
      const known = types.get(node.name.value);
      types.set(node.name.value, {
        kind: known?.kind ?? KINDS[kind] ?? kind,
        directives: [known?.directives, printDirectives(node.directives)].filter(Boolean).join(' '),
        members: new Map([...(known?.members ?? []), ...membersOf(node, node.name.value)]),
      });
    }
  }
  return types;
}

function membersOf(node: DefinitionNode, owner: string): readonly (readonly [string, Member])[] {
  const fields = 'fields' in node ? (node.fields ?? []).flatMap((field) => fieldMembers(field, owner)) : [];
  const values =
    'values' in node
      ? (node.values ?? []).map(({ name, directives }) => [`${owner}.${name.value}`, member('value', '', directives)] as const)
      : [];
  const types = 'types' in node ? (node.types ?? []).map(({ name }) => [`${name.value} of ${owner}`, member('member', '')] as const) : [];
  const interfaces =
    'interfaces' in node ? (node.interfaces ?? []).map(({ name }) => [`${name.value} of ${owner}`, member('interface', '')] as const) : [];
  return [...interfaces, ...fields, ...values, ...types];
}

function fieldMembers(field: FieldDefinitionNode | InputValueDefinitionNode, owner: string): readonly (readonly [string, Member])[] {
  const path = `${owner}.${field.name.value}`;
  const args = field.kind === Kind.FIELD_DEFINITION ? (field.arguments ?? []) : [];
  return [
    [path, member('field', print(field.type), field.directives)],
    ...args.map(
      (argument) => [`${path}(${argument.name.value}:)`, member('argument', typeOfInput(argument), argument.directives)] as const,
    ),
  ];
}

function typeOfInput({ type, defaultValue }: InputValueDefinitionNode): string {
  return defaultValue === undefined ? print(type) : `${print(type)} = ${print(defaultValue)}`;
}

function member(kind: Member['kind'], type: string, directives?: readonly DirectiveNode[]): Member {
  return { kind, type, directives: printDirectives(directives) };
}

function printDirectives(directives: readonly DirectiveNode[] = []): string {
  return directives
    .map((directive) => print(directive))
    .toSorted()
    .join(' ');
}
