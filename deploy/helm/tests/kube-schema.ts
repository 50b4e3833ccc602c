import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KubeObject } from './helm.ts';

/** A Kubernetes type as described for merging; see structured-merge-diff. */
interface TypeRef {
  namedType?: string;
  scalar?: 'string' | 'numeric' | 'boolean' | 'untyped';
  list?: { elementType: TypeRef };
  map?: { fields?: { name: string; type: TypeRef }[]; elementType?: TypeRef };
}

export interface KubeSchema {
  /** Returns invalid field names and types, or null for unknown kinds. */
  faultsOf(object: KubeObject): string[] | null;
}

export function readKubeSchema(clientGoFolder: string): KubeSchema {
  const source = readFileSync(
    join(clientGoFolder, 'applyconfigurations/internal/internal.go'),
    'utf8',
  );
  const [, text = ''] = /schemaYAML = typed\.YAMLObject\(`([^`]+)`\)/.exec(source) ?? [];
  const { types } = parse(text) as { types: (TypeRef & { name: string })[] };
  const byName = new Map(types.map((type) => [type.name, type]));

  function faults(ref: TypeRef, value: unknown, path: string): string[] {
    const type = ref.namedType === undefined ? ref : byName.get(ref.namedType);
    if (type === undefined) return [`${path}: ${ref.namedType} is not described`];
    if (value === null || value === undefined || type.scalar === 'untyped') return [];
    if (Array.isArray(value)) return faultsOfList(type, value, path);
    if (typeof value === 'object') return faultsOfMap(type, value, path);
    const wanted = type.scalar === 'numeric' ? 'number' : type.scalar;
    return typeof value === wanted
      ? []
      : [`${path}: ${JSON.stringify(value)} is not ${wanted ?? 'allowed'}`];
  }

  function faultsOfList({ list }: TypeRef, value: unknown[], path: string): string[] {
    if (list === undefined) return [`${path}: is a list`];
    return value.flatMap((item, index) => faults(list.elementType, item, `${path}[${index}]`));
  }

  function faultsOfMap({ map }: TypeRef, value: object, path: string): string[] {
    if (map === undefined) return [`${path}: is a map`];
    return Object.entries(value).flatMap(([key, inner]) => {
      const type = map.fields?.find(({ name }) => name === key)?.type ?? map.elementType;
      return type === undefined
        ? [`${path}.${key}: unknown`]
        : faults(type, inner, `${path}.${key}`);
    });
  }

  return {
    faultsOf(object) {
      const [group = '', version] = object.apiVersion.includes('/')
        ? object.apiVersion.split('/')
        : ['core', object.apiVersion];
      const namedType = `io.k8s.api.${group.split('.')[0]}.${version}.${object.kind}`;
      if (!byName.has(namedType)) return null;
      return faults({ namedType }, object, `${object.kind} ${object.metadata.name}`);
    },
  };
}
