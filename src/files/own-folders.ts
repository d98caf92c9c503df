// Where settings and data live: what the environment says, else the platform's own places.

type Env = Readonly<Record<string, string | undefined>>;

/** The folder of settings. */
export const configDirOf = async (env: Env): Promise<string> => env.CRM_CONFIG_DIR || (await platformPaths()).config;

/** The folder of data. */
export const dataDirOf = async (env: Env): Promise<string> => env.CRM_DATA_DIR || (await platformPaths()).data;

async function platformPaths(): Promise<{ config: string; data: string }> {
  const { default: envPaths } = await import('env-paths');
  return envPaths('crm', { suffix: '' });
}
