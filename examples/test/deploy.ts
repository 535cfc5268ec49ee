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

/** Returns every document in deploy/kubernetes except their list. */
export function manifests(): Manifest[] {
  const { resources } = parseFile('deploy/kubernetes/kustomization.yaml') as { resources: string[] };
  return resources.flatMap(name => documentsOf(`deploy/kubernetes/${name}`));
}

/** Returns the documents in a file. */
export function documentsOf(file: string): Manifest[] {
  return parseAllDocuments(read(file)).map(document => document.toJS() as Manifest);
}
