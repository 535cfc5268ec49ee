// @ts-check
/** Everything that the environment decides, read in one place and checked at the start. */
import { randomBytes } from 'node:crypto';

/**
 * @typedef {object} Config
 * @property {number} port 0 for any free one
 * @property {string} cookieSecret
 * @property {string} adminPassword
 * @property {boolean} passwordIsMadeUp
 * @property {number} proxies how many proxies stand between us and the clients
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Config}
 */
export function configFromEnvironment(env) {
  return {
    port: wholeNumber('PORT', env.PORT, 3000),
    cookieSecret: env.COOKIE_SECRET || randomBytes(32).toString('hex'),
    adminPassword: env.ADMIN_PASSWORD || randomBytes(9).toString('base64url'),
    passwordIsMadeUp: !env.ADMIN_PASSWORD,
    proxies: wholeNumber('TRUST_PROXY', env.TRUST_PROXY, 0),
  };
}

/**
 * @param {string} name
 * @param {string | undefined} text
 * @param {number} otherwise
 */
function wholeNumber(name, text, otherwise) {
  if (!text) return otherwise;
  if (!/^\d{1,5}$/.test(text)) throw new Error(`${name} must be a whole number, not ${JSON.stringify(text)}`);
  return Number(text);
}
