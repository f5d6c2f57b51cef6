// Generates code in several languages. Pure: a request in, text out. The languages a request can be copied in, and
// nothing else.

import { axios, nodeFetch } from './javascript.ts';
import { csharp } from './csharp.ts';
import { curl } from './curl.ts';
import { go } from './go.ts';
import { httpie } from './httpie.ts';
import { java } from './java.ts';
import { pythonRequests } from './python.ts';

export const LANGUAGES = [
  curl,
  nodeFetch,
  axios,
  pythonRequests,
  java,
  csharp,
  go,
  httpie,
] as const;
