// The Kubernetes manifests conform to its API, set only variables that `serve` reads, and fit together.

import { readdirSync, readFileSync } from 'node:fs';
import type { Deployment } from 'kubernetes-types/apps/v1';
import type { Job } from 'kubernetes-types/batch/v1';
import type { Container, PodSpec, Service } from 'kubernetes-types/core/v1';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { problemsOf } from '../support/typed.ts';
import { SERVE_VARIABLES } from '../support/variables.ts';

const FOLDER = new URL('../../docs/kubernetes/', import.meta.url);
const MODULES: Readonly<Record<string, string>> = {
  'apps/v1': 'kubernetes-types/apps/v1',
  'batch/v1': 'kubernetes-types/batch/v1',
  v1: 'kubernetes-types/core/v1',
};

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

const manifests = readdirSync(FOLDER).flatMap((name) =>
  parseAllDocuments(readFileSync(new URL(name, FOLDER), 'utf8')).map(
    (document) => document.toJS() as Manifest,
  ),
);

function one(kind: string): Manifest {
  const found = manifests.find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`There is no ${kind}.`);
  return found;
}

const deployment = one('Deployment') as Deployment;
const pods: Readonly<Record<string, PodSpec>> = {
  'the Deployment': deployment.spec!.template.spec!,
  'the Job': (one('Job') as Job).spec!.template.spec!,
};

function sandboxOf({ containers, initContainers = [] }: PodSpec): Container {
  return [...initContainers, ...containers].find(({ name }) => name === 'sandbox')!;
}

test('each manifest has only members of its kind with their types, and a misspelled member is reported', () => {
  const misspelled = { ...deployment, spec: { ...deployment.spec, replica: 1 } };
  const typed = [...manifests, misspelled as Manifest].map((value) => ({
    value,
    type: value.kind,
    module: MODULES[value.apiVersion] ?? '',
  }));
  const unknown = expect.stringMatching(/'"replica"' does not exist in type 'DeploymentSpec'/);
  expect(problemsOf(typed)).toEqual([unknown]);
});

describe.each(Object.entries(pods))('the sandbox in %s', (_kind, pod) => {
  const { env = [], ports = [], startupProbe, readinessProbe, securityContext } = sandboxOf(pod);

  test('sets only variables that serve reads', () => {
    expect(env.map(({ name }) => name).filter((name) => !SERVE_VARIABLES.has(name))).toEqual([]);
  });

  test('gets no variables from Services, whose names could clash with those of serve', () => {
    expect(pod.enableServiceLinks).toBe(false);
  });

  test('has a readiness probe at its health endpoint, on a named port', () => {
    const probe = (startupProbe ?? readinessProbe)?.httpGet;
    expect(probe?.path).toBe('/readyz');
    expect(ports.map(({ name }) => name)).toContain(probe?.port);
  });

  test('runs without privileges and writes only to a volume', () => {
    expect(securityContext).toMatchObject({
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const folder = env.find(({ name }) => name === 'GRANTBENCH_USER_DATA')?.value ?? '';
    const [mount] = sandboxOf(pod).volumeMounts ?? [];
    expect(folder.startsWith(`${mount?.mountPath}/`)).toBe(true);
    expect(pod.volumes?.map(({ name }) => name)).toContain(mount?.name);
  });
});

test('the sandbox of a Job is a sidecar, so the Job ends with its suite', () => {
  const [sandbox] = pods['the Job']?.initContainers ?? [];
  expect(sandbox).toMatchObject({ name: 'sandbox', restartPolicy: 'Always' });
});

test('the Deployment never runs two processes, which would not share tokens', () => {
  expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
});

test('the Service selects the pods of the Deployment and its named ports', () => {
  const { selector, ports = [] } = (one('Service') as Service).spec!;
  expect(deployment.spec!.selector.matchLabels).toEqual(selector);
  expect(deployment.spec!.template.metadata?.labels).toMatchObject(selector!);
  const named = sandboxOf(pods['the Deployment']!).ports?.map(({ name }) => name);
  expect(ports.map(({ targetPort }) => targetPort)).toEqual(named);
});
