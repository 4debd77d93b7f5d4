/** Sets up a home for one run of an agent and says how to start it there. */
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { InstalledAgent } from './installAgent';
import { AGENTS } from './manifest';
import type { Launch } from './rawClient';

/**
 * Writes the agent's configuration into `home`, a folder that can be thrown away afterwards. One run at a
 * time uses a home: some agents keep the port in their configuration.
 * @param port of the scripted model on loopback.
 * @param signedIn false leaves out every key that the agent could use.
 */
export function prepareAgent(
  agent: InstalledAgent,
  port: number,
  home: string,
  signedIn = true,
): Launch {
  const pin = AGENTS[agent.key];
  const values: Readonly<Record<string, string>> = {
    modules: agent.modules,
    bin: path.join(agent.modules, '.bin'),
    home,
    port: String(port),
  };
  const insert = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

  for (const [name, content] of Object.entries(pin.files)) {
    if (!signedIn && /"apiKey"|_API_KEY"/.test(JSON.stringify(content))) continue;
    const file = path.join(home, name);
    const text = Array.isArray(content)
      ? `${content.join('\n')}\n`
      : `${JSON.stringify(content, null, 2)}\n`;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, insert(text));
  }
  const env = Object.fromEntries(
    Object.entries(pin.env)
      .filter(([name]) => signedIn || !name.endsWith('_API_KEY'))
      .map(([name, value]) => [name, insert(value)]),
  );
  const { nodeFolder } = agent;
  return {
    ...(pin.type && { type: pin.type }),
    command: pin.command === 'node' ? process.execPath : insert(pin.command),
    args: pin.args.map(insert),
    env: {
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: path.join(home, '.config'),
      XDG_DATA_HOME: path.join(home, '.local', 'share'),
      XDG_STATE_HOME: path.join(home, '.local', 'state'),
      XDG_CACHE_HOME: path.join(home, '.cache'),
      ...(nodeFolder === undefined
        ? {}
        : { PATH: `${nodeFolder}${path.delimiter}${process.env['PATH'] ?? ''}` }),
      ...env,
    },
  };
}
