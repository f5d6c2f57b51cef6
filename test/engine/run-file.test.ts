import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { announceInstance, forgetInstance, listInstances } from '../../src/engine/run-file.ts';

const INSTANCE = {
  kind: 'serve',
  issuer: 'http://localhost:4280',
  port: 4280,
  control: { url: 'http://localhost:4281', token: 'a-control-token-of-this-test' },
} as const;

let data: string;
let dead: number;

beforeAll(() => {
  dead = spawnSync(process.execPath, ['-e', '']).pid;
});

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'grantbench-run-'));
});

afterEach(() => {
  rmSync(data, { recursive: true });
});

/** As another process would have left it. */
function leave(pid: number, text: string): void {
  writeFileSync(join(data, 'run', `${pid}.json`), text);
}

describe('the list of running instances', () => {
  test('contains an instance from its announcement until its withdrawal', () => {
    expect(listInstances(data)).toEqual([]);
    announceInstance(data, INSTANCE);
    expect(listInstances(data)).toMatchObject([{ ...INSTANCE, pid: process.pid }]);
    forgetInstance(data, process.pid);
    expect(readdirSync(join(data, 'run'))).toEqual([]);
    forgetInstance(data, process.pid);
  });

  test('loses leftovers of killed processes, complete or partial, at the next announcement', () => {
    announceInstance(data, INSTANCE);
    leave(dead, JSON.stringify({ ...INSTANCE, pid: dead, started_at: 1 }));
    writeFileSync(join(data, 'run', `.${dead}.draft`), '{"control');
    writeFileSync(join(data, 'run', `.${process.ppid}.draft`), '{"control');
    announceInstance(data, INSTANCE);
    expect(readdirSync(join(data, 'run')).toSorted()).toEqual([
      `.${process.ppid}.draft`,
      `${process.pid}.json`,
    ]);
  });

  test('has the newest announcement of an instance, with the time of its start', () => {
    announceInstance(data, INSTANCE);
    const [former] = listInstances(data);
    announceInstance(data, { ...INSTANCE, issuer: 'https://localhost:4290', port: 4290 });
    expect(listInstances(data)).toEqual([
      { ...former, issuer: 'https://localhost:4290', port: 4290 },
    ]);
  });

  test.skipIf(process.platform === 'win32')(
    'is readable only by its owner, since it contains control tokens',
    () => {
      announceInstance(data, INSTANCE);
      expect(statSync(join(data, 'run')).mode & 0o777).toBe(0o700);
      expect(statSync(join(data, 'run', `${process.pid}.json`)).mode & 0o777).toBe(0o600);
    },
  );

  test('does not contain killed processes, whose files are removed', () => {
    announceInstance(data, INSTANCE);
    leave(dead, JSON.stringify({ ...INSTANCE, pid: dead, started_at: 1 }));
    expect(listInstances(data).map((one) => one.pid)).toEqual([process.pid]);
    expect(readdirSync(join(data, 'run'))).toEqual([`${process.pid}.json`]);
  });

  test('begins with the newest instance, and skips other files without changing them', () => {
    announceInstance(data, INSTANCE);
    leave(process.ppid, JSON.stringify({ ...INSTANCE, pid: process.ppid, started_at: 1 }));
    expect(listInstances(data).map((one) => one.pid)).toEqual([process.pid, process.ppid]);
    for (const text of ['{"pid":', '[]', '{}', JSON.stringify({ ...INSTANCE, pid: 1 })]) {
      leave(process.ppid, text);
      expect(listInstances(data).map((one) => one.pid)).toEqual([process.pid]);
      expect(readFileSync(join(data, 'run', `${process.ppid}.json`), 'utf8')).toBe(text);
    }
    forgetInstance(data, process.ppid);
    expect(readdirSync(join(data, 'run'))).toEqual([`${process.pid}.json`]);
  });
});
