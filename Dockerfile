# Grantbench without a window: the token service and the workbench page, nothing else.
#   docker build -t grantbench .
#   docker run --rm -p 127.0.0.1:4280:4280 -p 127.0.0.1:4281:4281 grantbench
# docs/guides/ci-and-tests.md says how to reach it by other names, and how to hand it a workspace.

FROM node:20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Without scripts: none of them is needed, and no Electron is fetched.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /grantbench
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/out/bom.cdx.json ./out/bom.cdx.json
COPY --from=build /build/out/third-party-licenses.txt ./out/third-party-licenses.txt
COPY --from=build /build/out/node/cli.cjs ./out/node/cli.cjs
COPY --from=build /build/out/node/chunks ./out/node/chunks
COPY --from=build /build/out/renderer ./out/renderer
USER node
EXPOSE 4280 4281
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["node", "-e", "const { GRANTBENCH_PORT: port, GRANTBENCH_HTTPS: https, GRANTBENCH_CERT: cert } = process.env; require(cert || /^(1|true)$/.test(https) ? 'https' : 'http').get({ host: '127.0.0.1', port: port || 4280, path: '/readyz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "/grantbench/out/node/cli.cjs"]
CMD ["serve", "--host", "0.0.0.0", "--control-host", "0.0.0.0"]
