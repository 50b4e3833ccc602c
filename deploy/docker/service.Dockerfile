# One service:
# docker build -f deploy/docker/service.Dockerfile --build-arg SERVICE=accounts -t daylift/accounts:0.1.0 .
# The command selects its role: services/<service>/src/main.ts, worker.ts (sms-gateway) or migrate.ts. For a
# reproducible build, name the base by digest: --build-arg BASE=node:26-slim@sha256:...
ARG BASE=node:26-slim

FROM ${BASE} AS runtime
COPY deploy/docker/runtime.sh /tmp/
RUN sh /tmp/runtime.sh

# Only what an install depends on, so source changes keep the installed modules cached.
FROM ${BASE} AS manifests
WORKDIR /app
COPY . .
RUN find . -mindepth 1 \( -type f ! -name 'package*.json' ! -name .npmrc -o -type d -empty \) -delete

# Shared by the images of all services.
FROM ${BASE} AS modules
WORKDIR /app
COPY --from=manifests /app .
RUN npm ci --omit=dev --ignore-scripts --include-workspace-root=false --workspace=services/accounts \
      --workspace=services/billing --workspace=services/content --workspace=services/scheduler \
      --workspace=services/sms-gateway --workspace=services/sandbox
COPY deploy/docker/trim-modules.mjs /tmp/
RUN node /tmp/trim-modules.mjs node_modules && test -z "$(find libs services -name node_modules)"
# SBOM of the image; npm requires a version.
ARG SERVICE
RUN npm pkg set version=0.0.0 && npm sbom --package-lock-only --omit=dev --sbom-format=cyclonedx \
      --workspace=services/${SERVICE} > sbom.cdx.json

FROM scratch
COPY --from=runtime /runtime /
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY package.json .
COPY libs libs
ARG SERVICE
COPY --from=modules /app/sbom.cdx.json .
COPY services/${SERVICE} services/${SERVICE}
ENV NODE_ENV=production TZ=UTC NODE_COMPILE_CACHE=/app/.compiled MALLOC_ARENA_MAX=2
USER 10001:10001
RUN --mount=type=bind,source=deploy/docker/compile.mjs,target=/tmp/compile.mjs ["node", "/tmp/compile.mjs"]
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title=daylift/${SERVICE} \
      org.opencontainers.image.version=${VERSION} \
      org.opencontainers.image.revision=${REVISION} \
      org.opencontainers.image.licenses=UNLICENSED
# No shell: Node is the first process and receives the signals.
ENTRYPOINT ["node"]
