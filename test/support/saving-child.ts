// A process that changes its workspace as fast as it is saved, until it is killed. Prints `changed <n>` before and
// `saved <n>` after each save, and `failed <message>` for a failure.

import { createEngine } from '../../src/engine/engine.ts';

// Makes a file that exceeds its limit an error, like a full disk, instead of ending the process.
process.on('SIGXFSZ', () => undefined);

const [file = ''] = process.argv.slice(2);
const engine = await createEngine({
  port: 0,
  version: 'test',
  workspace: { file, save: true },
});
const { service } = engine;
const workspace = () => engine.server().workspace;
const tell = (text: string) => process.stdout.write(`${text}\n`);

tell('ready');
for (;;) {
  const settings = service.settings();
  const limit = settings.throttle.limit + 1;
  service.setSettings({ ...settings, throttle: { ...settings.throttle, limit } });
  tell(`changed ${limit}`);
  await engine.flush();
  if (workspace().state !== 'saved') {
    tell(`${workspace().state} ${workspace().message ?? ''}`);
    break;
  }
  tell(`saved ${limit}`);
}
