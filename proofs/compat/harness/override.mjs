/**
 * Verifies that the sides match what npm installs: the scenarios that opt in are installed into a separate project with
 * a real override and run there, and must produce the same record as on the side `ristretto`.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { differences } from './compare.mjs';
import { launch } from './launch.mjs';
import { dependencies, install } from './npm.mjs';
import { copyScenarios, overrideFor } from './sides.mjs';

/** Returns every folder that contains an installed express, at any depth. @returns {string[]} */
function frameworks(/** @type {string} */ folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory());
  return entries.flatMap(({ name }) => {
    const inner = path.join(folder, name);
    const own = path.basename(folder) === 'node_modules' && name === 'express' ? [inner] : [];
    return [...own, ...frameworks(inner)];
  });
}

/**
 * Installs and runs the scenarios; returns the problems found.
 *
 * @returns {Promise<string[]>}
 */
export async function checkOverride(
  /** @type {import('./catalog.mjs').Scenario[]} */ chosen,
  /** @type {Map<string, unknown>} */ records,
  /** @type {number} */ major,
  /** @type {string} */ tarballs,
) {
  // Installs outside the workspace, whose packages a folder inside it would find.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'compat-override-'));
  try {
    const wanted = chosen.flatMap(({ group, packages }) =>
      packages.map(name => [name, dependencies(group)[name]]),
    );
    const { dependencies: own, overrides } = overrideFor(major, tarballs);
    const manifest = {
      private: true,
      dependencies: { ...Object.fromEntries(wanted), ...own },
      overrides,
    };
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
    install(folder);
    const strangers = frameworks(folder).filter(found => {
      const { name } = JSON.parse(fs.readFileSync(path.join(found, 'package.json'), 'utf8'));
      return name !== (major === 5 ? 'ristretto5' : 'ristretto');
    });
    const wrong = strangers.map(found => `${found} is not Ristretto`);
    const side = copyScenarios(folder);
    for (const scenario of chosen) {
      const { record, error } = await launch(scenario, side);
      if (error) wrong.push(`${scenario.name}: ${error}`);
      else
        wrong.push(...differences(records.get(scenario.name), record).map(text => `${scenario.name}${text}`));
    }
    return wrong;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
