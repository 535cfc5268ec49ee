/** Shared by the tests of deploy/: its files, and what examples/showcase does when it stops. */
import fs from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const root = path.join(__dirname, '../..');
export const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
export const parseFile = (file: string): unknown => parse(read(file));

/** A Kubernetes manifest. The types of the API check its kind. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- differs with each kind
}

/** Returns every document of deploy/kubernetes/kustomization.yaml, with those that it generates. */
export function manifests(): Manifest[] {
  const { resources, configMapGenerator } = parseFile('deploy/kubernetes/kustomization.yaml') as {
    resources: string[];
    configMapGenerator: { name: string; envs: string[] }[];
  };
  const generated = configMapGenerator.map(({ name, envs }) => {
    const lines = envs.flatMap(file => read(`deploy/kubernetes/${file}`).match(/^[^#\n]+=.*$/gm)!);
    const data = Object.fromEntries(lines.map(line => line.split('=', 2) as [string, string]));
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data, spec: undefined };
  });
  return [...resources.flatMap(name => documentsOf(`deploy/kubernetes/${name}`)), ...generated];
}

/** Returns the documents in a file. */
export function documentsOf(file: string): Manifest[] {
  return parseAllDocuments(read(file)).map(document => document.toJS() as Manifest);
}
