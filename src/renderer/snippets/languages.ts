// The languages a request can be copied in, and nothing else.

import { axios } from './axios.ts';
import { csharp } from './csharp.ts';
import { curl } from './curl.ts';
import { nodeFetch } from './fetch.ts';
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
