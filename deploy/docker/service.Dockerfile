# One service: docker build -f deploy/docker/service.Dockerfile --build-arg SERVICE=accounts -t daylift/accounts:0.1.0 .
# Its roles are commands of the one image: services/<service>/src/main.ts, worker.ts (of sms-gateway), migrate.ts.
# A build that can be repeated names its base by digest: --build-arg BASE=node:26-slim@sha256:...
ARG BASE=node:26-slim

# What an install depends on, and nothing else: a changed source then leaves the installed modules as they are.
FROM ${BASE} AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name 'package*.json' ! -name .npmrc -delete

# The same for every service, so that all of their images share it.
FROM ${BASE} AS modules
WORKDIR /app
COPY --from=manifests /app .
RUN npm ci --omit=dev --ignore-scripts --include-workspace-root=false --workspace=services/accounts \
      --workspace=services/billing --workspace=services/content --workspace=services/scheduler \
      --workspace=services/sms-gateway --workspace=services/sandbox
COPY deploy/docker/trim-modules.mjs /tmp/
RUN node /tmp/trim-modules.mjs node_modules && test -z "$(find libs services -name node_modules)"

FROM ${BASE}
ARG SERVICE
WORKDIR /app
COPY --from=modules /app/node_modules node_modules
COPY package.json .
COPY libs libs
COPY services/${SERVICE} services/${SERVICE}
ENV NODE_ENV=production TZ=UTC NODE_COMPILE_CACHE=/app/.compiled MALLOC_ARENA_MAX=2
# /data is the sandbox's only; a new volume takes the owner of the folder.
RUN mkdir .compiled /data && chown 10001:10001 .compiled /data
USER 10001:10001
# Each process once without settings, as the user of later, whose number Node puts into the cache's name: it reads all of its
# sources, finds that it cannot run, and ends. What Node has compiled stays in the image, and the type stripper and its memory
# stay out of the process that runs.
RUN for role in main worker migrate; do \
      test ! -e services/${SERVICE}/src/$role.ts || PORT=none node services/${SERVICE}/src/$role.ts 2>/dev/null || true; \
    done; test -n "$(ls .compiled)"
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title=daylift/${SERVICE} \
      org.opencontainers.image.version=${VERSION} \
      org.opencontainers.image.revision=${REVISION} \
      org.opencontainers.image.licenses=UNLICENSED
# No shell: Node is the first process, and gets the signals.
ENTRYPOINT ["node"]
