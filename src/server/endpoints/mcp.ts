// Messages to an MCP server (behaviour 20): streamable HTTP in both eras, the one that begins with `initialize` (until
// 2025-11-25) and the stateless one (from 2026-07-28). The tools return the claims of the token; there are no sessions.

import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject, textOf } from '../../json.ts';
import { OAuthError } from '../../core/checks/errors.ts';
import type { RefusalFacts, RefusalReason } from '../../core/checks/refusals/index.ts';
import { pass } from '../../core/checks/trace.ts';
import type { ApiAnswer } from '../../core/presented/api.ts';
import { parseLoopbackRedirect } from '../../core/records/redirect-uri.ts';
import type { Api } from '../../core/records/schemas.ts';
import { ruleOfTool, toolsOf } from '../../core/registry/apis.ts';
import type { TokenService } from '../../core/service.ts';
import { decodeUtf8 } from '../body.ts';
import { evaluationOf, type PendingExchange } from '../pending-exchange.ts';
import { type Answer, type HeaderList, json, reject } from '../reply.ts';

const STATELESS = '2026-07-28';
const [LATEST_WITH_SESSION, ...EARLIER] = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
const WITH_SESSION: readonly string[] = [LATEST_WITH_SESSION, ...EARLIER];
const VERSIONS: readonly string[] = [STATELESS, ...WITH_SESSION];

const SERVER = { name: 'grantbench', title: 'Grantbench', version: '1.0.0' };
const INSTRUCTIONS = 'A sandbox. Each tool returns the claims of the access token.';
const CAPABILITIES = { tools: {} };

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** A refusal with a code of JSON-RPC 2.0 5.1 or of MCP. */
class McpError extends OAuthError {
  readonly rpc: number;

  constructor(rpc: number, reason: RefusalReason, facts: RefusalFacts = {}) {
    super(reason, facts);
    this.rpc = rpc;
  }
}

const malformed = (rpc: number, got: string) => new McpError(rpc, 'mcp_message_malformed', { got });

interface Message {
  /** undefined for a notification. */
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: JsonObject;
}

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isSafeInteger(value);

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(decodeUtf8(body));
  } catch {
    return undefined;
  }
}

/** @throws McpError unless it is one request or notification of JSON-RPC 2.0 */
function readMessage(value: unknown): Message {
  if (value === undefined) throw malformed(-32700, 'the body is not JSON');
  if (!isJsonObject(value)) throw malformed(-32600, 'the body is not a JSON object');
  const { jsonrpc, id, method, params = {} } = value;
  if (jsonrpc !== '2.0') throw malformed(-32600, 'jsonrpc is not "2.0"');
  if (id !== undefined && !isId(id))
    throw malformed(-32600, 'id is neither a string nor an integer');
  if (typeof method !== 'string') throw malformed(-32600, 'method is not a string');
  if (!isJsonObject(params)) throw malformed(-32600, 'params is not an object');
  return { id, method, params };
}

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** @throws McpError if the header does not have the value that the body has */
function checkHeader(headers: IncomingHttpHeaders, name: string, expected: unknown): void {
  const sent = headerOf(headers, name);
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(sent ?? '')?.[1];
  const got = encoded === undefined ? sent : Buffer.from(encoded, 'base64').toString();
  if (got === expected) return;
  const facts = { expected: typeof expected === 'string' ? expected : 'none', got: got ?? 'none' };
  throw new McpError(-32020, 'mcp_header_differs', { field: name, ...facts });
}

const nameOfTool = ({ method, params: { name } }: Message): string | null =>
  method === 'tools/call' && typeof name === 'string' ? name : null;

const unsupported = (got: string) =>
  new McpError(-32022, 'mcp_version_unsupported', { expected: VERSIONS.join(' or '), got });

/**
 * Returns whether the message is of the stateless era, which says its version in the body.
 * @throws McpError for an unknown version, and for headers that the body contradicts
 */
function checkVersion(message: Message, headers: IncomingHttpHeaders): boolean {
  const meta = isJsonObject(message.params['_meta']) ? message.params['_meta'] : {};
  const claimed = meta[VERSION];
  const sent = headerOf(headers, 'MCP-Protocol-Version');
  if (claimed === undefined) {
    if (sent === STATELESS) throw malformed(-32602, `_meta has no ${VERSION}`);
    if (sent !== undefined && !WITH_SESSION.includes(sent)) throw unsupported(sent);
    return false;
  }
  checkHeader(headers, 'MCP-Protocol-Version', claimed);
  if (claimed !== STATELESS) throw unsupported(textOf(claimed));
  if (message.id === undefined) return true;
  checkHeader(headers, 'Mcp-Method', message.method);
  if (message.method === 'tools/call') checkHeader(headers, 'Mcp-Name', message.params['name']);
  if (!isJsonObject(meta[CLIENT_CAPABILITIES])) {
    throw malformed(-32602, `_meta has no ${CLIENT_CAPABILITIES}`);
  }
  return true;
}

function describeTool(name: string, server: Api) {
  const { scopes } = ruleOfTool(name, server);
  const required = scopes.length === 0 ? '' : ` It requires ${scopes.join(' ')}.`;
  return {
    name,
    description: `Returns the claims of the access token.${required}`,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  };
}

function callTool(message: Message, server: Api, given: ApiAnswer): JsonObject {
  const name = nameOfTool(message);
  if (name === null || !toolsOf(server).includes(name)) {
    throw new McpError(-32602, 'mcp_tool_unknown', {
      expected: toolsOf(server).join(' or '),
      got: name ?? 'no name',
    });
  }
  const structuredContent = { ...given, tool: name };
  const text = JSON.stringify(structuredContent, null, 2);
  return { content: [{ type: 'text', text }], structuredContent };
}

/** Not to be cached: another token may see other tools. */
const UNCACHED = { ttlMs: 0, cacheScope: 'private' };

/** @throws McpError for a method that the server does not have in this era */
function resultOf(message: Message, stateless: boolean, server: Api, given: ApiAnswer): JsonObject {
  const { method, params } = message;
  const cached = stateless ? UNCACHED : {};
  if (method === 'tools/list') {
    return { tools: toolsOf(server).map((name) => describeTool(name, server)), ...cached };
  }
  if (method === 'tools/call') return callTool(message, server, given);
  const about = { capabilities: CAPABILITIES, instructions: INSTRUCTIONS };
  if (stateless && method === 'server/discover') {
    return { supportedVersions: VERSIONS, ...about, ...cached };
  }
  if (!stateless && method === 'initialize') {
    const { protocolVersion } = params;
    const isKnown = typeof protocolVersion === 'string' && WITH_SESSION.includes(protocolVersion);
    const version = isKnown ? protocolVersion : LATEST_WITH_SESSION;
    return { protocolVersion: version, serverInfo: SERVER, ...about };
  }
  if (!stateless && method === 'ping') return {};
  throw new McpError(-32601, 'mcp_method_unknown', { got: method });
}

const ofStateless = (result: JsonObject): JsonObject => ({
  resultType: 'complete',
  _meta: { [SERVER_INFO]: SERVER },
  ...result,
});

function answerTo(
  value: unknown,
  headers: IncomingHttpHeaders,
  server: Api,
  given: ApiAnswer,
): JsonObject | null {
  const message = readMessage(value);
  const stateless = checkVersion(message, headers);
  if (message.id === undefined) return null;
  const result = resultOf(message, stateless, server, given);
  return { jsonrpc: '2.0', id: message.id, result: stateless ? ofStateless(result) : result };
}

function errorTo(
  value: unknown,
  refusal: McpError,
  { status, ...answer }: Answer,
  headers: IncomingHttpHeaders,
): Answer {
  const { rpc, reason, description, facts } = refusal;
  const id = isJsonObject(value) && isId(value['id']) ? { id: value['id'] } : {};
  const data = { supported: VERSIONS, requested: facts.got };
  const error = {
    code: rpc,
    message: description,
    ...(reason === 'mcp_version_unsupported' ? { data } : {}),
  };
  // To a client of the earlier era, 404 says that its session has ended.
  const isStateless = headerOf(headers, 'MCP-Protocol-Version') === STATELESS;
  return {
    ...answer,
    status: reason === 'mcp_method_unknown' && !isStateless ? 200 : status,
    body: JSON.stringify({ jsonrpc: '2.0', ...id, error }),
  };
}

/** What a message asks for. */
export function readMcpRequest(
  server: Api,
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  service: TokenService,
) {
  const { origin } = headers;
  const evaluation = evaluationOf(pending);
  const value = parse(pending.request_body);
  const isOwn =
    origin === undefined ||
    origin === new URL(service.issuer()).origin ||
    parseLoopbackRedirect(origin.replace(/^https:/, 'http:')) !== null;
  if (origin !== undefined && isOwn) pass(evaluation, 'origin', { got: origin });
  const { method, params } = isJsonObject(value) ? value : {};
  const called = method === 'tools/call' && isJsonObject(params) ? params['name'] : null;
  return {
    /** The rule by which its token is evaluated. */
    rule: ruleOfTool(typeof called === 'string' ? called : null, server),
    /** Why it is rejected whatever its token; null if it is not. */
    refusal: isOwn ? null : new OAuthError('mcp_origin_foreign', { got: origin }),
    /** Returns the response once the token was accepted. */
    respond: (given: ApiAnswer, more: HeaderList): Answer => {
      try {
        const answer = answerTo(value, headers, server, given);
        pass(evaluation, 'message', { got: String(method) });
        return answer === null
          ? { status: 202, headers: more, body: '', error: null }
          : json(answer, more);
      } catch (error) {
        if (!(error instanceof McpError)) throw error;
        return errorTo(value, error, reject(pending, error, service, more), headers);
      }
    },
  };
}
