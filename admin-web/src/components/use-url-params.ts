import { type NavigateOptions, useSearchParams } from 'react-router';

/** By name. Null or an empty value deletes the parameter. */
export type UrlParams = Record<string, string | null>;

export function withParams(current: URLSearchParams, changes: UrlParams): URLSearchParams {
  const next = new URLSearchParams(current);
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  return next;
}

/** Returns the URL's search parameters, and a function that changes some of them. */
export function useUrlParams() {
  const [params, setParams] = useSearchParams();
  // The rendered parameters may be older than those of the URL, if two change at almost the same time.
  const change = (
    changes: UrlParams | ((current: URLSearchParams) => UrlParams),
    options?: NavigateOptions,
  ) => {
    const current = new URLSearchParams(window.location.search);
    setParams(withParams(current, typeof changes === 'function' ? changes(current) : changes), {
      preventScrollReset: true,
      ...options,
    });
  };
  return [params, change] as const;
}
