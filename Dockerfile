# One image for both processes: the gateway (default command) and the reference subgraphs.
#
# Node 24 is the long-term support release in maintenance until April 2028.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && node cli/tooling/prune-image-packages.js && npm prune --omit=dev --ignore-scripts --no-audit --no-fund
# Node.js stores compiled code for one user and one set of V8 options: those of the containers.
RUN mkdir -p node_modules/.cache/gatefold && chown 1000:1000 node_modules/.cache/gatefold
USER 1000:1000
RUN NODE_ENV=production NODE_OPTIONS="--disable-proto=delete --max-semi-space-size=16" node deploy/image/store-compiled-code.js
USER 0:0
RUN chmod -R a+rX node_modules/.cache/gatefold

FROM node:24.21.0-bookworm-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Gatefold" \
      org.opencontainers.image.description="A schema-first GraphQL federation gateway with a REST facade" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.source="https://github.com/gatefold/gatefold" \
      org.opencontainers.image.documentation="https://github.com/gatefold/gatefold/blob/main/docs/operate/containers.md" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# The containers listen on all interfaces of their network namespace.
ENV NODE_ENV=production \
    NODE_OPTIONS="--disable-proto=delete --max-semi-space-size=16" \
    APOLLO_TELEMETRY_DISABLED=1 \
    GATEFOLD_CACHE_DIR=/var/lib/gatefold \
    GATEFOLD_DATA_DIR=/var/lib/gatefold \
    HOST=0.0.0.0 \
    INTERNAL_HOST=0.0.0.0 \
    PORT=4000 \
    INTERNAL_PORT=4001
# A running gateway installs nothing, so that the image needs no package manager. The directory
# is the only one that a process may write to, for `supergraph.cacheFile`, the indexes of supergraphs
# and an embedded database.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
    && mkdir -p /var/lib/gatefold \
    && chown 1000:1000 /var/lib/gatefold
WORKDIR /app
COPY --from=build --chown=0:0 /app/package.json ./
COPY --from=build --chown=0:0 /app/node_modules ./node_modules
COPY --from=build --chown=0:0 /app/dist ./dist
COPY --from=build --chown=0:0 /app/schema ./schema
COPY --from=build --chown=0:0 /app/subgraphs ./subgraphs
COPY --from=build --chown=0:0 /app/deploy/image/check-health.js ./check-health.js
# Numeric, so that Kubernetes can verify `runAsNonRoot`.
USER 1000:1000
EXPOSE 4000 4001
HEALTHCHECK --interval=10s --timeout=3s --retries=3 CMD ["node", "check-health.js"]
CMD ["node", "dist/cli/main.js", "serve"]
