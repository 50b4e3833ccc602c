import { arrayElements, type FormBranch, type FormTree } from './form.ts';
import { invalidRequest } from './stripe-error.ts';

/** How one parameter is read. Everything is optional unless wrapped in `required`. */
export interface Param<T> {
  read(raw: FormTree, path: string): T;
  readonly required?: boolean;
}
interface RequiredParam<T> extends Param<T> {
  readonly required: true;
}

export type Shape = Readonly<Record<string, Param<unknown>>>;

/** The values that a shape yields. */
export type Values<S extends Shape> = {
  [K in keyof S as S[K] extends RequiredParam<unknown> ? K : never]: ValueOf<S[K]>;
} & {
  [K in keyof S as S[K] extends RequiredParam<unknown> ? never : K]?: ValueOf<S[K]>;
};
type ValueOf<P> = P extends Param<infer T> ? T : never;

/** Reads a whole form; anything that the shape does not name is refused, at every depth. */
export function readParams<S extends Shape>(shape: S, form: FormBranch): Values<S> {
  return readShape(shape, form, '') as Values<S>;
}

function readShape(shape: Shape, form: FormBranch, prefix: string): Record<string, unknown> {
  const name = (key: string) => (prefix === '' ? key : `${prefix}[${key}]`);
  const unknown = Object.keys(form).filter((key) => !Object.hasOwn(shape, key));
  if (unknown.length > 0) {
    const names = unknown.map(name).join(', ');
    throw invalidRequest(`Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${names}`, {
      code: 'parameter_unknown',
      param: name(unknown[0]!),
    });
  }
  const values: Record<string, unknown> = {};
  for (const [key, param] of Object.entries(shape)) {
    const raw = form[key];
    if (raw !== undefined) values[key] = param.read(raw, name(key));
    else if (param.required) {
      throw invalidRequest(`Missing required param: ${name(key)}.`, {
        code: 'parameter_missing',
        param: name(key),
      });
    }
  }
  return values;
}

function scalar(raw: FormTree, path: string, kind: string): string {
  if (typeof raw !== 'string') throw invalidRequest(`Invalid ${kind}: ${path}`, { param: path });
  if (raw === '') {
    throw invalidRequest(
      `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; however '${path}' cannot be unset. You should remove '${path}' from your request or supply a non-empty value.`,
      { code: 'parameter_invalid_empty', param: path },
    );
  }
  return raw;
}

export const text: Param<string> = {
  read(raw, path) {
    const value = scalar(raw, path, 'string');
    if (value.length > 5000) {
      throw invalidRequest(`Invalid string: ${path} must be at most 5000 characters`, {
        param: path,
      });
    }
    return value;
  },
};

export const integer: Param<number> = {
  read(raw, path) {
    const value = scalar(raw, path, 'integer');
    if (!/^-?\d{1,15}$/.test(value)) {
      throw invalidRequest(`Invalid integer: ${value}`, {
        code: 'parameter_invalid_integer',
        param: path,
      });
    }
    return Number(value);
  },
};

/** An integer within bounds, such as a quantity or a number of days. */
export function integerBetween(min: number, max: number): Param<number> {
  return {
    read(raw, path) {
      const value = integer.read(raw, path);
      if (value < min || value > max) {
        throw invalidRequest(`Invalid integer: ${path} must be between ${min} and ${max}`, {
          code: 'parameter_invalid_integer',
          param: path,
        });
      }
      return value;
    },
  };
}

export const boolean: Param<boolean> = {
  read(raw, path) {
    const value = scalar(raw, path, 'boolean');
    if (value === 'true') return true;
    if (value === 'false') return false;
    throw invalidRequest(`Invalid boolean: ${value}`, { param: path });
  },
};

export function oneOf<const T extends string>(...choices: T[]): Param<T> {
  return {
    read(raw, path) {
      const value = scalar(raw, path, 'value');
      if (!(choices as string[]).includes(value)) {
        throw invalidRequest(`Invalid ${path}: must be one of ${choices.join(', ')}`, {
          param: path,
        });
      }
      return value as T;
    },
  };
}

/** An absolute web address; a template such as `{CHECKOUT_SESSION_ID}` may stand in it. */
export const url: Param<string> = {
  read(raw, path) {
    const value = text.read(raw, path);
    if (!/^https?:\/\/[^\s/]+/.test(value)) {
      throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: path });
    }
    return value;
  },
};

export const email: Param<string> = {
  read(raw, path) {
    const value = text.read(raw, path);
    if (!/^[^\s@]+@[^\s@]+$/.test(value)) {
      throw invalidRequest(`Invalid email address: ${value}`, {
        code: 'email_invalid',
        param: path,
      });
    }
    return value;
  },
};

export const currency: Param<string> = {
  read(raw, path) {
    const value = text.read(raw, path).toLowerCase();
    if (!/^[a-z]{3}$/.test(value)) {
      throw invalidRequest(`Invalid currency: ${value}`, { param: path });
    }
    return value;
  },
};

/** Marks a parameter that must be given. */
export function required<T>(param: Param<T>): RequiredParam<T> {
  return { read: (raw, path) => param.read(raw, path), required: true };
}

/** Lets an empty string unset the value; it arrives as null. */
export function emptyable<T>(param: Param<T>): Param<T | null> {
  return { read: (raw, path) => (raw === '' ? null : param.read(raw, path)) };
}

/** Either a fixed word, such as `now`, or what the other parameter reads. */
export function wordOr<const W extends string, T>(word: W, param: Param<T>): Param<W | T> {
  return { read: (raw, path) => (raw === word ? word : param.read(raw, path)) };
}

export function hash<S extends Shape>(shape: S): Param<Values<S>> {
  return {
    read(raw, path) {
      if (typeof raw === 'string') throw invalidRequest(`Invalid hash: ${path}`, { param: path });
      return readShape(shape, raw, path) as Values<S>;
    },
  };
}

export function list<T>(element: Param<T>): Param<T[]> {
  return {
    read(raw, path) {
      const elements = typeof raw === 'string' ? null : arrayElements(raw);
      if (!elements) throw invalidRequest(`Invalid array: ${path}`, { param: path });
      return elements.map((each, index) => element.read(each, `${path}[${index}]`));
    },
  };
}

/** What to change in an object's metadata: null clears all of it, an empty value one key. */
export type MetadataPatch = Record<string, string> | null;

export const metadata: Param<MetadataPatch> = {
  read(raw, path) {
    if (raw === '') return null;
    if (typeof raw === 'string') throw invalidRequest(`Invalid hash: ${path}`, { param: path });
    const patch: Record<string, string> = {};
    for (const [key, value] of Object.entries(raw)) {
      const fits = typeof value === 'string' && key.length <= 40 && value.length <= 500;
      if (!fits || Object.keys(raw).length > 50) {
        throw invalidRequest(
          `Invalid metadata: up to 50 keys of 40 characters with text values of 500 (${path}[${key}])`,
          { param: `${path}[${key}]` },
        );
      }
      patch[key] = value;
    }
    return patch;
  },
};

/** Applies a metadata parameter to what an object has. */
export function patchMetadata(
  current: Record<string, string>,
  patch: MetadataPatch | undefined,
): Record<string, string> {
  if (patch === undefined) return current;
  if (patch === null) return {};
  return Object.fromEntries(
    Object.entries({ ...current, ...patch }).filter(([, value]) => value !== ''),
  );
}

/** `created=1` or `created[gte]=1&created[lt]=9` */
export interface TimeRange {
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
}
const bounds = hash({ gt: integer, gte: integer, lt: integer, lte: integer });
export const timeRange: Param<TimeRange> = {
  read(raw, path) {
    if (typeof raw !== 'string') return bounds.read(raw, path);
    const exact = integer.read(raw, path);
    return { gte: exact, lte: exact };
  },
};

/** Parameters of every list. */
export const listParams = {
  limit: integerBetween(1, 100),
  starting_after: text,
  ending_before: text,
} satisfies Shape;
