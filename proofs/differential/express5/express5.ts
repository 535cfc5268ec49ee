/** The differential suite for Express 5: cases generated for Express 4, translated to the syntax and members of 5. */
import express from 'express5';
import web from 'ristretto5';
import type { Case, Layer, PathValue, Step, Value } from '../description.js';
import { makeCase as makeCase4 } from '../generate-case.js';
import { Random } from '../../../packages/engine/test/support/random.js';
import type { Versions } from '../session.js';
import type { Web } from '../../../packages/engine/test/support/oracle.js';

/** Members that have another name in 5, or do not exist. */
const RENAMED: Record<string, string> = {
  sendfile: 'sendFile',
  acceptsCharset: 'acceptsCharsets',
  acceptsEncoding: 'acceptsEncodings',
  acceptsLanguage: 'acceptsLanguages',
  param: 'get',
  del: 'delete',
};

class Translator {
  private readonly random: Random;
  private wildcards = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  layers(layers: Layer[]): Layer[] {
    return layers.filter(({ kind }) => kind !== 'query').map(layer => this.layer(layer));
  }

  private layer(layer: Layer): Layer {
    const made = this.steps(layer as unknown as Value) as unknown as Layer;
    if (made.path !== undefined) made.path = this.path(made.path);
    if (made.method !== undefined) made.method = RENAMED[made.method] ?? made.method;
    if (made.layers) made.layers = this.layers(made.layers);
    if (made.kind === 'chain' || made.kind === 'route') this.giveHandlers(made);
    return made;
  }

  /** Adds handlers to most routes without any, because 5 rejects those. */
  private giveHandlers(layer: Layer): void {
    for (const list of [layer.handlers, ...(layer.chain ?? []).map(({ handlers }) => handlers)]) {
      if (list?.length === 0 && this.random.chance(0.9)) list.push({ id: 0, steps: [{ next: [] }] });
    }
  }

  /** Returns the same data with the member names of 5. */
  private steps(value: Value): Value {
    if (Array.isArray(value)) return value.map(item => this.steps(item));
    if (value === null || typeof value !== 'object') return value;
    const made = Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.steps(item as Value)]),
    );
    const step = made as unknown as Step;
    if (typeof step.res === 'string') step.res = RENAMED[step.res] ?? step.res;
    if (typeof step.req === 'string') step.req = RENAMED[step.req] ?? step.req;
    return made;
  }

  private path(path: PathValue): PathValue {
    if (Array.isArray(path)) return path.map(item => this.path(item));
    if (typeof path !== 'string' || this.random.chance(0.03)) return path;
    const name = () => `w${String(this.wildcards++)}`;
    const made = path
      .replace(/\/:(\w+)(?:\([^)]*\))?\?/g, '{/:$1}')
      .replace(/\/:(\w+)(?:\([^)]*\))?\*/g, '{/*$1}')
      .replace(/\/:(\w+)(?:\([^)]*\))?\+/g, '/*$1')
      .replace(/:(\w+)\([^)]*\)/g, ':$1')
      .replace(/\((?!\?)([^()]*)\)\??/g, '{$1}')
      .replace(/([a-z])\?/g, '{$1}')
      .replace(/\*(?!\w)/g, () => `*${name()}`)
      .replace(/:(?!\w)/g, '\\:');
    return this.random.chance(0.04) ? made : made.replace(/(?<!\\)[()[\]+?!]/g, found => `\\${found}`);
  }
}

/** Generates the case of a seed. */
export function makeCase(seed: number): Case {
  const made = makeCase4(seed);
  const hasFiles = JSON.stringify(made.layers).includes('"kind":"static"');
  // For a directory, `web.static` redirects to the canonical path, which begins with a slash: docs/which.md
  const requests = made.requests.map(ask => ({
    ...ask,
    target: ask.target.replace(/\/\.(?=\/|\?|$)/g, '/x').replace(/^\*$/, hasFiles ? '/x' : '*'),
  }));
  return { ...made, requests, layers: new Translator(seed).layers(made.layers) };
}

export const express5: Versions = {
  ours: web as unknown as Web,
  theirs: express as unknown as Web,
  makeCase,
  late: /file|download|render/i,
  command: 'npm run differential -- --express 5',
};
