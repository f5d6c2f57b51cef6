// Converts a V8 profile to a self-contained page with a flame graph.

import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @returns the script and the style sheet of the page */
export async function bundlePage() {
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL('./flame-graph-page.mjs', import.meta.url)),
        formats: ['iife'],
        name: 'page',
      },
    },
  });
  const style = output.find(({ fileName }) => fileName.endsWith('.css'));
  return { script: output[0].code, style: style?.source ?? '' };
}

function place({ url, lineNumber }) {
  if (!url) return '';
  const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url;
  return ` ${file}:${lineNumber + 1}`;
}

const nameOf = ({ callFrame }) => `${callFrame.functionName || '(anonymous)'}${place(callFrame)}`;

/** The self time of each node, in ms. */
function ownTimes({ samples, timeDeltas }) {
  const times = new Map();
  samples.forEach((id, i) => times.set(id, (times.get(id) ?? 0) + timeDeltas[i] / 1000));
  return times;
}

/** The call tree for d3-flame-graph, without idle time. */
export function callTree(profile) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const times = ownTimes(profile);
  const tree = (node) => ({
    name: nameOf(node),
    value: times.get(node.id) ?? 0,
    children: (node.children ?? [])
      .map((id) => nodes.get(id))
      .filter(({ callFrame }) => callFrame.functionName !== '(idle)')
      .map(tree),
  });
  return tree(profile.nodes[0]);
}

/** Escapes text so that it cannot end a script element. */
const inScript = (text) => text.replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--');

export const flameGraph = (title, profile, { script, style }) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style>${style}</style>
<body>
<h1>${title}</h1>
<p id="details">The width is the time on the main thread. Click a frame to zoom in.</p>
<div id="graph"></div>
<script id="calls" type="application/json">${inScript(JSON.stringify(callTree(profile)))}</script>
<script>${inScript(script)}</script>
`;
