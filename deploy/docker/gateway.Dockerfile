# The public server with both apps:
# docker build -f deploy/docker/gateway.Dockerfile -t daylift/gateway:0.1.0 .
# For a reproducible build, name the base by digest: --build-arg BASE=node:26-slim@sha256:...
ARG BASE=node:26-slim

FROM ${BASE} AS runtime
COPY deploy/docker/runtime.sh /tmp/
RUN sh /tmp/runtime.sh

# Only what an install depends on, so source changes keep the installed modules cached.
FROM ${BASE} AS manifests
WORKDIR /app
COPY . .
RUN find . -mindepth 1 \( -type f ! -name 'package*.json' ! -name .npmrc -o -type d -empty \) -delete

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
# SBOM of the image, including the apps' modules; npm requires a version.
RUN npm pkg set version=0.0.0 && npm sbom --package-lock-only --omit=dev --sbom-format=cyclonedx \
      --workspace=services/gateway --workspace=web --workspace=admin-web > sbom.cdx.json

FROM scratch
COPY --from=runtime /runtime /
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY --from=modules /app/sbom.cdx.json .
COPY package.json .
COPY libs libs
COPY services/gateway services/gateway
COPY --from=apps /app/web/dist web/dist
COPY --from=apps /app/admin-web/dist admin-web/dist
ENV NODE_ENV=production TZ=UTC NODE_COMPILE_CACHE=/app/.compiled MALLOC_ARENA_MAX=2 \
    WEB_DIST=/app/web/dist ADMIN_WEB_DIST=/app/admin-web/dist
USER 10001:10001
ARG SERVICE=gateway
RUN --mount=type=bind,source=deploy/docker/compile.mjs,target=/tmp/compile.mjs ["node", "/tmp/compile.mjs"]
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title=daylift/gateway \
      org.opencontainers.image.version=${VERSION} \
      org.opencontainers.image.revision=${REVISION} \
      org.opencontainers.image.licenses=UNLICENSED
# No shell: Node is the first process and receives the signals.
ENTRYPOINT ["node"]
CMD ["services/gateway/src/main.ts"]
