/** Whether npm accepts a name of a new package. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(name);
}

/** Explanation for a name that is not valid. */
export const PACKAGE_NAME_RULE = 'The name of a package consists of lower-case letters, digits, - and _, such as my-graph.';

/** Derives a valid name from the name of a directory. */
export function toPackageName(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '');
  return isPackageName(name) ? name : 'my-graph';
}
