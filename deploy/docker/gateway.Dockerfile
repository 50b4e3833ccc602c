# The public door with both apps: docker build -f deploy/docker/gateway.Dockerfile -t daylift/gateway:0.1.0 .
# A build that can be repeated names its base by digest: --build-arg BASE=node:26-slim@sha256:...
ARG BASE=node:26-slim

# What an install depends on, and nothing else: a changed source then leaves the installed modules as they are.
FROM ${BASE} AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name 'package*.json' ! -name .npmrc -delete

FROM ${BASE} AS apps
WORKDIR /app
COPY --from=manifests /app .
RUN npm ci --ignore-scripts --include-workspace-root=false --workspace=web --workspace=admin-web
COPY libs libs
COPY web web
COPY admin-web admin-web
COPY deploy/local deploy/local
COPY deploy/docker/build-apps.ts deploy/docker/
RUN node deploy/docker/build-apps.ts

FROM ${BASE} AS modules
WORKDIR /app
COPY --from=manifests /app .
RUN npm ci --omit=dev --ignore-scripts --include-workspace-root=false --workspace=services/gateway
COPY deploy/docker/trim-modules.mjs /tmp/
RUN node /tmp/trim-modules.mjs node_modules && test -z "$(find libs services -name node_modules)"

FROM ${BASE}
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY package.json .
COPY libs libs
COPY services/gateway services/gateway
COPY --from=apps /app/web/dist web/dist
COPY --from=apps /app/admin-web/dist admin-web/dist
ENV NODE_ENV=production TZ=UTC NODE_COMPILE_CACHE=/app/.compiled MALLOC_ARENA_MAX=2 \
    WEB_DIST=/app/web/dist ADMIN_WEB_DIST=/app/admin-web/dist
RUN mkdir .compiled && chown 10001:10001 .compiled
USER 10001:10001
# Once without settings, as the user of later: it reads all of its sources, finds that it cannot run, and ends. What Node has
# compiled stays in the image.
RUN PORT=none node services/gateway/src/main.ts 2>/dev/null || test -n "$(ls .compiled)"
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title=daylift/gateway \
      org.opencontainers.image.version=${VERSION} \
      org.opencontainers.image.revision=${REVISION} \
      org.opencontainers.image.licenses=UNLICENSED
# No shell: Node is the first process, and gets the signals.
ENTRYPOINT ["node"]
CMD ["services/gateway/src/main.ts"]
