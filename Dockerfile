# One image for both processes: the gateway (default command) and the reference subgraphs.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && node cli/tooling/prune-image-packages.js && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production \
    APOLLO_TELEMETRY_DISABLED=1
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./dist
COPY --from=build --chown=root:root /app/schema ./schema
COPY --from=build --chown=root:root /app/subgraphs ./subgraphs
RUN mkdir .gatefold && chown node:node .gatefold
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --retries=4 CMD node -e "fetch('http://127.0.0.1:4001/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "dist/cli/main.js", "serve"]
