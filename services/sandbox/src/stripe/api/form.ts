import { invalidRequest } from './stripe-error.ts';

/** A decoded form: a leaf is text, a branch maps keys (names or array indexes) to more of it. */
export type FormTree = string | FormBranch;
export interface FormBranch {
  [key: string]: FormTree;
}

const MAX_DEPTH = 8;

/**
 * Decodes `a[0][b]=c&d[]=e` as the SDK writes it. Branches have no prototype, so that a field called
 * `__proto__` is only a field.
 */
export function parseForm(text: string): FormBranch {
  const root = newBranch();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    assign(root, splitName(name), value, name);
  }
  return root;
}

/** Elements of an indexed array in the order of their indexes; a lone text stays a lone text. */
export function arrayElements(tree: FormBranch): FormTree[] | null {
  const keys = Object.keys(tree);
  if (!keys.every((key) => /^\d+$/.test(key))) return null;
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => tree[key]!);
}

function newBranch(): FormBranch {
  return Object.create(null) as FormBranch;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest('Invalid request: the form is not properly percent-encoded.', {});
  }
}

function splitName(name: string): string[] {
  const bracket = name.indexOf('[');
  if (bracket <= 0 || !name.endsWith(']')) return [name];
  return [name.slice(0, bracket), ...name.slice(bracket + 1, -1).split('][')];
}

function assign(root: FormBranch, path: string[], value: string, name: string): void {
  if (path.length > MAX_DEPTH) {
    throw invalidRequest(`Invalid request: ${name} is nested too deeply.`, { param: name });
  }
  let branch = root;
  path.forEach((part, depth) => {
    const key = part === '' ? String(Object.keys(branch).length) : part;
    if (depth === path.length - 1) {
      branch[key] = value;
      return;
    }
    const next = branch[key];
    if (typeof next === 'string') {
      throw invalidRequest(`Invalid request: ${name} is both a value and a hash.`, { param: name });
    }
    branch = branch[key] = next ?? newBranch();
  });
}
