/** What the tests of deploy/ share: its files, and what examples/showcase does when it stops. */
import fs from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const root = path.join(__dirname, '../..');
export const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
export const parseFile = (file: string): unknown => parse(read(file));

/** A manifest of Kubernetes. Of what kind it is, its types say. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- differs with each kind
}

/** Every document of deploy/kubernetes but the list of them. */
export function manifests(): Manifest[] {
  const { resources } = parseFile('deploy/kubernetes/kustomization.yaml') as { resources: string[] };
  return resources.flatMap(name =>
    parseAllDocuments(read(`deploy/kubernetes/${name}`)).map(document => document.toJS() as Manifest),
  );
}
