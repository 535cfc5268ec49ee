/** What differs between installations. */
export interface Config {
  sessionSecret: string;
  teamPassword: string;
  /** The folder of pictures. */
  uploads: string;
  isProduction: boolean;
}

/** Reads the environment; throws if a variable that production needs is missing. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { NODE_ENV, SESSION_SECRET, TEAM_PASSWORD, UPLOADS = 'uploads' } = env;
  const isProduction = NODE_ENV === 'production';
  if (isProduction && (!SESSION_SECRET || !TEAM_PASSWORD))
    throw new Error('Set SESSION_SECRET and TEAM_PASSWORD');
  return {
    sessionSecret: SESSION_SECRET ?? 'only for development',
    teamPassword: TEAM_PASSWORD ?? 'espresso',
    uploads: UPLOADS,
    isProduction,
  };
}
