import { type ComponentType, lazy } from 'react';

type Load<Name extends string> = () => Promise<Record<Name, ComponentType>>;

export const lazyComponent = <Name extends string>(name: Name, load: Load<Name>) =>
  lazy(async () => ({ default: (await load())[name] }));

/** The `lazy` of a route that loads its code when opened. */
export const lazyRoute =
  <Name extends string>(name: Name, load: Load<Name>) =>
  async () => ({ Component: (await load())[name] });
