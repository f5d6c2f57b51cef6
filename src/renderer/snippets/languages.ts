// The languages in which a request can be copied. Pure: each turns a request into text.

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
