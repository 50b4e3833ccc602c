import { invalidRequest } from './stripe-error.ts';

/** A decoded form: strings, hashes and arrays. */
export type FormValue = string | FormValue[] | Form;
export interface Form {
  [key: string]: FormValue;
}

interface Branch {
  [key: string]: string | Branch;
}

const MAX_DEPTH = 8;
// Without a prototype, so a field called `__proto__` is only a field.
const newBranch = (): Branch => Object.create(null);

/** Decodes `a[0][b]=c&d[]=e` as the SDK writes it. */
export function parseForm(encoded: string): Form {
  const root = newBranch();
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.replaceAll(']', '').split('[');
    const last = path.pop()!;
    if (path.length > MAX_DEPTH) throw conflict(name);
    let branch = root;
    for (const key of path) {
      branch[key] ??= newBranch();
      const next = branch[key];
      if (typeof next === 'string') throw conflict(name);
      branch = next;
    }
    branch[last === '' ? Object.keys(branch).length : last] = value;
  }
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, withArrays(value)]));
}

/** Branches whose keys are all indexes are arrays; integer keys are iterated in their order. */
function withArrays(tree: string | Branch): FormValue {
  if (typeof tree === 'string') return tree;
  const entries = Object.entries(tree).map(([key, value]) => [key, withArrays(value)] as const);
  return entries.every(([key]) => /^\d+$/.test(key))
    ? entries.map(([, value]) => value)
    : Object.fromEntries(entries);
}

const conflict = (name: string) =>
  invalidRequest(`Invalid request: ${name} is nested too deeply, or both a value and a hash.`, {
    param: name,
  });

/** Writes a JSON pointer such as `/items/0/price` as a form's field name: `items[0][price]`. */
export function fieldName(pointer: string): string {
  const [, first = '', ...rest] = pointer.split('/');
  return [first, ...rest.map((key) => `[${key}]`)].join('');
}
