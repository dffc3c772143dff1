/** Something that a document describes and the drafted subgraph does not have. */
export interface Omission {
  /** Location in the document or in the subgraph: `GET /files/{id}`, `Pet.owner`. */
  readonly location: string;
  readonly reason: string;
}

/** Collects omissions, each once. */
export interface OmissionLog {
  add(location: string, reason: string): void;
  list(): readonly Omission[];
}

/** Maximum length of a name in a message. @unit characters */
const MAX_LENGTH = 200;

export function createOmissionLog(): OmissionLog {
  const omissions = new Map<string, Omission>();
  return {
    add(location, reason) {
      const omission = { location: oneLine(location), reason: oneLine(reason) };
      omissions.set(JSON.stringify(omission), omission);
    },
    list: () => [...omissions.values()],
  };
}

/** Removes line breaks and control characters, so that a text of a document cannot end a comment or control a terminal. */
export function oneLine(text: string): string {
  const plain = text
    .replaceAll(/\p{Cs}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH).replace(/\p{Cs}$/u, '')}…` : plain;
}
