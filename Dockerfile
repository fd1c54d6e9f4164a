# syntax=docker/dockerfile:1
# Three stages: compile with everything, install what runs, keep only that. The embedded PostgreSQL is left out: a
# container is given a database. tools/check-image.mjs carries all of this out where no container engine is.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# With what is optional: the web UI is built by programs whose parts for this platform are.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json tsconfig.paths.json ./
COPY apps apps
COPY libs libs
COPY tools/build-web.mjs tools/bundle-programs.mjs tools/load-compiled.cjs tools/
# The web UI hands it out, with the installation's own addresses in it.
COPY docs/slack-app-manifest.yaml docs/
# Types are checked before a change lands.
RUN node node_modules/typescript-7/bin/tsc -p tsconfig.build.json --noCheck && node tools/build-web.mjs
# For development and the demo alone; an issuer that signs in whoever is named has no place in production.
RUN rm -r dist/apps/demo dist/apps/fleet dist/apps/issuer dist/apps/slack-local
# The last stage has the same Node, so it takes the code that this one compiles.
RUN node tools/bundle-programs.mjs

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production COUNTERSIGN_HOST=0.0.0.0 COUNTERSIGN_DATA=/var/lib/countersign
WORKDIR /app
RUN install -d -o node -g node -m 0700 /var/lib/countersign
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
# The schema, which migrate applies and every start compares; the policies, compiled and as sources, for evidence.
COPY migrations migrations
COPY policies policies
COPY package.json LICENSE ./
USER node
VOLUME /var/lib/countersign
EXPOSE 8420
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.COUNTERSIGN_PORT ?? 8420}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/programs/cli/main.js"]
CMD ["start"]
